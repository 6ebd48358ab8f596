"""For operators: Prometheus metrics, and a log in JSON lines. Neither holds a token, a name or a table's id."""

import hashlib
import logging
import secrets
import sys
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest

from illusion import __version__
from illusion.tables import ServiceObserver
from illusion.tables.model.entries import AnyEntry
from illusion.web.limits import Gcra

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
LEVELS: Final = {"trouble": logging.WARNING, "notable": logging.INFO, "requests": logging.DEBUG}
LOG: Final = logging.getLogger("illusion")
OVER_LIMIT: Final = ("foreign-origin", "too-many", "too-many-streams")
MAX_BROKEN_LINES: Final = 10
"""Log lines on internal errors per minute and route, so that a client cannot fill the disk."""
MAX_LIBRARY_LINES: Final = 10
"""Log lines per minute of each library's logger. The next line says how many were dropped."""
A_GUESTS_DOING: Final = (
    "ASGI callable returned without completing handshake.",  # uvicorn, if we refused a WebSocket with a response
    "Invalid UTF-8 sequence received from client.",
)
"""Messages by which uvicorn blames the application, wrongly."""
_KEY: Final = secrets.token_bytes(32)


class Answered(NamedTuple):
    """The answer to a request, or of a move over a WebSocket."""

    route: str
    """The route's pattern."""
    method: str
    status: int
    code: str | None
    """The code of a refusal."""
    seconds: float
    address: str
    table: str | None
    broken: Exception | None = None
    """An unexpected error."""


class Telemetry(ServiceObserver):
    """The metrics of one server, and its log of requests."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        ProcessCollector(registry=own)
        self.requests = Counter("illusion_requests", "Requests answered", ["route", "method", "status"], registry=own)
        self.seconds = Histogram(
            "illusion_request_seconds", "From request to answer", ["route"], buckets=BUCKETS, registry=own
        )
        self.refusals = Counter("illusion_refusals", "Requests refused, by code", ["code"], registry=own)
        self.entries = Counter(
            "illusion_entries", "What happened at tables: opened, sat-down, placed, doubted", ["entry"], registry=own
        )
        self.store_seconds = Histogram(
            "illusion_store_seconds", "From an entry to its being durable", buckets=BUCKETS, registry=own
        )
        self.store_failures = Counter("illusion_store_failures", "Times that the store could not write", registry=own)
        self.streams = Gauge("illusion_streams_open", "Open streams", registry=own)
        self.unfinished = Gauge("illusion_tables_unfinished", "Tables that have not ended", registry=own)
        Info("illusion_build", "The version that is running", registry=own).info({"version": __version__})
        self._refused_lines = Gcra(1, 60)
        self._broken_lines = Gcra(MAX_BROKEN_LINES, 60)

    def answered(self, answered: Answered) -> None:
        self.requests.labels(answered.route, answered.method, answered.status).inc()
        self.seconds.labels(answered.route).observe(answered.seconds)
        if answered.code is not None:
            self.refusals.labels(answered.code).inc()
        self._log(answered)

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        if seconds is None:
            self.store_failures.inc()
            return
        self.store_seconds.observe(seconds)
        for entry in entries:
            self.entries.labels(entry.__struct_config__.tag).inc()

    def text(self, unfinished: int) -> bytes:
        """All metrics in Prometheus' text format, with the number of unfinished tables."""
        self.unfinished.set(unfinished)
        return generate_latest(self._registry)

    def _log(self, answered: Answered) -> None:
        """Refusals are logged once a minute per address."""
        route, method, status, code, seconds, address, table, broken = answered
        is_over_limit = code in OVER_LIMIT and not self._refused_lines.try_charge((address, code))
        if broken is None and status != 503 and not is_over_limit and not LOG.isEnabledFor(logging.DEBUG):
            return
        fields: dict[str, object] = {"method": method, "route": route, "status": status, "code": code}
        if broken is not None:
            if not self._broken_lines.try_charge(route):
                log_event(logging.ERROR, "broken", **fields, table=table_tag(table), **what_broke(broken))
        elif status == 503:
            log_event(logging.ERROR, "store-failed", **fields, table=table_tag(table))
        elif is_over_limit:
            log_event(logging.WARNING, "over-limit", **fields, address=address)
        if LOG.isEnabledFor(logging.DEBUG):
            log_event(logging.DEBUG, "request", **fields, ms=round(seconds * 1000, 2), table=table_tag(table))


def log_event(level: int, event: str, **fields: object) -> None:
    LOG.log(level, event, extra={"fields": fields})


def table_tag(table: str | None) -> str | None:
    """A keyed hash of a table's id: it relates log lines without giving access to the table."""
    return hashlib.blake2b(table.encode(errors="replace"), key=_KEY, digest_size=4).hexdigest() if table else None


def set_up_log(level: str) -> None:
    """Log to standard error at this level."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(ThrottleFilter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    LOG.setLevel(LEVELS[level])


class JsonLines(logging.Formatter):
    """Our records with their fields, libraries' with their first line. Of exceptions type and place, never the text."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if record.name == LOG.name:
            line |= {"event": record.getMessage(), **getattr(record, "fields", {})}
        else:
            line |= {"event": "library", "from": record.name, "said": record.getMessage().partition("\n")[0]}
            line["left_out"] = getattr(record, "left_out", None)
        if record.exc_info and record.exc_info[1] is not None:
            line |= what_broke(record.exc_info[1])
        return msgspec.json.encode({name: value for name, value in line.items() if value is not None}).decode()


def what_broke(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return {
        "error": type(error).__name__,
        "where": [f"{frame.filename.rpartition('/illusion/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    }


class ThrottleFilter(logging.Filter):
    """Drops a library's log lines above `MAX_LIBRARY_LINES` a minute: a client can cause them at will."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = Gcra(MAX_LIBRARY_LINES, 60)
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == LOG.name:
            return True
        if record.msg in A_GUESTS_DOING:
            return False
        if self._lines.try_charge(record.name):
            self._left_out += 1
            return False
        if self._left_out:
            record.left_out, self._left_out = self._left_out, 0
        return True
