"""Rate limits per client, counted in memory by each server.

Keys are client networks and ids of existing tables, never text from a request.
"""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from prometheus_client import Gauge
from starlette.requests import HTTPConnection

from illusion.tables import ServiceObserver, TableService
from illusion.tables.evenings.evening import KEY
from illusion.tables.evenings.service import EveningService
from illusion.tables.model.entries import ID_LENGTH
from illusion.web import urls
from illusion.web.problems import Problem
from illusion.web.tokens import held, held_seats

MAX_KEYS: Final = 50_000
MAX_DEBT_S: Final = 600.0
"""The longest wait: others may share the address."""
BURST_S: Final = 10
"""Burst, in seconds of the rate: people arrive together, and a page asks for a dozen things."""
ARRIVALS: Final = 30
"""People of one address who come to evenings at once; then that many in a minute."""
MAX_REACTIONS: Final = 5
MAX_NOTICES: Final = 6
"""Addresses for notices that a guest may give a minute: each is looked at by a process."""
REACTIONS_S: Final = 10
"""The period for the limit on a seat's reactions."""
STREAM_RETRY_S: Final = 5
REMEMBERED_S: Final = 6 * 3600
"""Forget a table after this long: it may have ended on another server, and idle ones have been closed by then."""
MAX_ADDRESS_CHARACTERS: Final = 64
UNKNOWN_ADDRESS: Final = "unknown"
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
WEBSOCKET: Final = "WEBSOCKET"
"""The method, for our purposes, of a request that opens a WebSocket: neither safe nor a change."""


class Gcra:
    """A rate limit by the generic cell rate algorithm (GCRA, ITU-T I.371).

    Allows `count` per `seconds` for each key, in bursts of up to `burst`. A count of 0 is no limit. The state of a key
    is one timestamp, its theoretical arrival time: when it would be back at zero if it sent nothing more.
    """

    def __init__(
        self, count: int, seconds: float, burst: int | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval_s = seconds / count if count else 0.0
        self._tolerance_s = self._interval_s * ((burst or count) - 1)
        self._now = now
        self._arrival: dict[Hashable, float] = {}

    def wait(self, key: Hashable) -> float:
        """Seconds until a request of this key is allowed; 0 if it is now."""
        if not self._interval_s:
            return 0.0
        return max(self._arrival.get(key, 0.0) - self._now() - self._tolerance_s, 0.0)

    def charge(self, key: Hashable, count: float = 1) -> None:
        if not self._interval_s:
            return
        now = self._now()
        due = max(self._arrival.get(key, 0.0), now) + self._interval_s * count
        self._arrival[key] = min(due, now + self._tolerance_s + MAX_DEBT_S)
        if len(self._arrival) > MAX_KEYS:
            self._forget(now)

    def try_charge(self, key: Hashable, count: float = 1) -> float:
        """Charge unless the key has to wait; returns the seconds to wait."""
        wait = self.wait(key)
        if not wait:
            self.charge(key, count)
        return wait

    def enforce(self, key: Hashable) -> None:
        """Charge, or raise Problem 429 with the seconds to wait."""
        wait = self.try_charge(key)
        if wait:
            raise too_many(wait)

    def _forget(self, now: float) -> None:
        """Drop keys that are back at zero; if that frees too little, the half that is closest to zero."""
        pending = sorted((item for item in self._arrival.items() if item[1] > now), key=itemgetter(1))
        self._arrival = dict(pending[-MAX_KEYS // 2 :])


def too_many(wait_s: float) -> Problem:
    return Problem(429, "too-many", wait=int(wait_s) + 1)


class Target(NamedTuple):
    """What a path says about its table."""

    table: str | None = None
    is_stream: bool = False
    names_table: bool = False
    """Whether the request can be used to guess at tables and evenings."""
    evening: str | None = None


def target_of(path: str) -> Target:
    match path.split("/", 4)[1:]:
        case ["api", "tables", table, *rest] if table:
            return Target(table, rest[:1] == ["events"], names_table=True)
        case ["table", table, *rest] if table:
            return Target(table, rest[:1] == ["live"], names_table=True)
        case ["watch", table] if table:
            return Target(table, names_table=True)
        case ["evening", evening, *_] | ["api", "evenings", evening, *_] if evening:
            return Target(names_table=True, evening=evening)
        case ["cards", address, *_]:
            return Target(address[:ID_LENGTH], names_table=True)
    return Target(names_table=path in (urls.JOIN, urls.WATCH))  # these have the id in a form or query


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits per client; the defaults suit a club of forty behind one address. 0 lifts a limit."""

    requests: int = 100
    """Requests per second and address. Forty people who play bots fetch about forty pictures a second."""
    changes: int = 20
    """Moves, sitting down and other changes, per second and address."""
    tables: int = 60
    """Tables opened per minute and address."""
    unfinished: int = 200
    """Unfinished tables opened by an address."""
    misses: int = 120
    """Requests answered 404, per minute and address: against guessing table ids."""
    streams: int = 400
    """Open streams per address."""

    @classmethod
    def lifted(cls) -> "Limits":
        return cls(**dict.fromkeys(cls.names(), 0))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


class RateLimiter:
    """Applies the limits to requests."""

    def __init__(
        self,
        service: TableService,
        evenings: EveningService,
        limits: Limits,
        unfinished_tables: "UnfinishedTables",
        open_streams: Gauge,
    ) -> None:
        self._service = service
        self._evenings = evenings
        self._limits = limits
        self._requests = Gcra(limits.requests, 1, limits.requests * BURST_S)
        self._changes = Gcra(limits.changes, 1, limits.changes * BURST_S)
        self._misses = Gcra(limits.misses, 60)
        self._new_tables = Gcra(limits.tables, 60)
        self.unfinished_tables = unfinished_tables
        self.arrivals = Gcra(ARRIVALS if limits.changes else 0, 60)
        self.reactions = Gcra(MAX_REACTIONS, REACTIONS_S)
        self.notices = Gcra(MAX_NOTICES, 60)
        self._streams = Counter[str]()
        self._open_streams = open_streams

    @contextmanager
    def request(self, asked: HTTPConnection, path: str) -> Iterator[None]:
        """Charge for a request, and count it as long as it is an open stream. Raises the problem if it has to wait."""
        address, target, method = client_address(asked), target_of(path), method_of(asked)
        changes = method not in (*SAFE_METHODS, WEBSOCKET)
        wait = self._requests.wait(address) or (self._changes.wait(address) if changes else 0)
        if not wait:
            self._requests.charge(address)
            if changes:
                self._changes.charge(address)
            wait = self._misses.wait(address) if target.names_table else 0
            wait = 0 if wait and self._is_known(asked, target) else wait
        if wait:
            raise too_many(wait)
        if not target.is_stream or method not in ("GET", WEBSOCKET):
            yield
            return
        if 0 < self._limits.streams <= self._streams[address]:
            raise Problem(429, "too-many-streams", wait=STREAM_RETRY_S)
        self._streams[address] += 1
        with self._open_streams.track_inprogress():
            try:
                yield
            finally:
                self._streams[address] -= 1
                if not self._streams[address]:
                    del self._streams[address]

    def missed(self, address: str) -> None:
        """Charge for a request answered 404."""
        self._misses.charge(address)

    def enforce_change(self, address: str) -> None:
        """Charge for a change that comes over an open connection. Raises Problem 429."""
        self._requests.enforce(address)
        self._changes.enforce(address)

    def enforce_new_table(self, address: str) -> None:
        """Charge for another table of this address. Raises Problem 429."""
        self.unfinished_tables.enforce(address)
        self._new_tables.enforce(address)

    def charge_drawn_tables(self, address: str, tables: Collection[str]) -> None:
        """Charge for the tables of an evening's round, of which `enforce_new_table` has charged the first."""
        self._new_tables.charge(address, len(tables) - 1)
        for table in tables:
            self.unfinished_tables.open(address, table)

    def enforce_load(self, address: str) -> None:
        """Charge for a table that has to be loaded beside what was asked for. Raises Problem 429."""
        self._requests.enforce(address)

    def enforce_guesses(self, address: str, count: int) -> None:
        """Charge for tables that the path does not name, before they are looked up. Raises Problem 429."""
        wait = self._misses.wait(address)
        if wait:
            raise too_many(wait)
        self._misses.charge(address, count)

    def return_guesses(self, address: str, count: int) -> None:
        """Take back the charge for `count` tables that exist."""
        self._misses.charge(address, -count)

    def _is_known(self, asked: HTTPConnection, target: Target) -> bool:
        """Players need not guess where their table or evening is, whatever others at their address do. Looks only into
        memory."""
        if target.evening:
            return self._evenings.is_known(target.evening, held(asked, KEY + target.evening).hashes)
        state = self._service.in_memory(target.table) if target.table else None
        return state is not None and bool(held_seats(asked, state))


class UnfinishedTables(ServiceObserver):
    """Counts unfinished tables by the address that opened them. A limit of 0 is none."""

    def __init__(self, most_per_address: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most_per_address
        self._now = now
        self._opened: dict[str, tuple[str, float]] = {}
        """Address and time of opening by table, the oldest first."""
        self._count = Counter[str]()

    def __len__(self) -> int:
        return len(self._opened)

    def enforce(self, address: str) -> None:
        """Raise Problem 429 if the address has too many."""
        while self._opened and next(iter(self._opened.values()))[1] < self._now() - REMEMBERED_S:
            self.ended(next(iter(self._opened)))
        if 0 < self._most <= self._count[address]:
            raise Problem(429, "too-many-tables")

    def open(self, address: str, table: str) -> None:
        """Count a table, once even if several addresses open it (a rematch)."""
        if table not in self._opened:
            self._opened[table] = (address, self._now())
            self._count[address] += 1

    def ended(self, table: str) -> None:
        """The table is over or closed. It may have been opened elsewhere."""
        if table in self._opened:
            address, _ = self._opened.pop(table)
            self._count[address] -= 1
            if not self._count[address]:
                del self._count[address]


def method_of(request: HTTPConnection) -> str:
    method: str = request.scope.get("method", WEBSOCKET)
    return method


def client_address(request: HTTPConnection) -> str:
    """The key of limits: an IPv4 address, or the /64 network of an IPv6 address, as a household has.

    All invalid addresses, which a proxy may pass on, share one key.
    """
    return client_network(request.client.host) if request.client else ""


def client_network(address: str) -> str:
    return _network(address) if len(address) <= MAX_ADDRESS_CHARACTERS else UNKNOWN_ADDRESS


@lru_cache(4096)
def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN_ADDRESS
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
