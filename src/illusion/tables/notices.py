"""Notices: whoever gives an address for a table is told there when the turn comes to them, and nothing else.

Addresses are kept in the store in a log of their own beside the table's, which is never exported: they may hold a
password. A notice says whose table it is and leads there; it knows nothing of cards.
"""

import asyncio
import json
import logging
import os
import re
import sys
from collections import OrderedDict
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import msgspec

from illusion.tables import sending
from illusion.tables.model.commands import Refused
from illusion.tables.model.table import Phase, Table
from illusion.tables.service import ServiceObserver, TableService
from illusion.tables.stores import Stale, StoreFailed
from illusion.tables.transfer import NOTICES
from illusion.tables.worker import TooMuchWork

KEY: Final = NOTICES
SERVICES: Final = (
    *("discord", "gotify", "gotifys", "json", "jsons", "mailto", "mailtos", "matrix", "matrixs", "mmost", "mmosts"),
    *("ntfy", "ntfys", "pover", "slack", "tgram"),
)
"""Of apprise's services those that send over a network. Others would run programs or show something on the server."""
ADDRESS: Final = re.compile(rf"(?:{'|'.join(SERVICES)})://[^\s\x00-\x1f\x7f]{{1,480}}", re.ASCII)
PARAMETERS: Final = re.compile(r"[?&;][\s+]*(?:pgp|attach|template|config|cc|bcc|e-?mail|retry|wait)", re.IGNORECASE)
"""Refused: they name files of the server, or multiply a notice."""
RETRIES_S: Final = (0.0, 30.0, 120.0)
"""Seconds before each try."""
REST_S: Final = 60.0
"""Between two notices to one address."""
FRESH_S: Final = 60.0
"""A turn that began longer ago was told of before this process started."""
AT_ONCE: Final = 2
MAX_WAITING: Final = 100
MAX_CHANGES: Final = 20
"""Of a person's address at one table."""
MAX_REMEMBERED: Final = 10_000
TIMEOUT_S: Final = 30.0
ENVIRONMENT: Final = ("PATH", "SYSTEMROOT", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
"""Through a proxy one could reach the server's own networks."""
LOG: Final = logging.getLogger("illusion")


class BadAddress(Exception):
    """No notice can be sent there."""


class Outcome(Enum):
    """What became of a notice."""

    SENT = sending.SENT
    FAILED = sending.FAILED
    REFUSED = sending.REFUSED


class Kept(msgspec.Struct, frozen=True):
    """Where somebody wants to be told, with which words; an empty address for nowhere any more."""

    holder: str
    """The hash of the token of their seat."""
    address: str
    text: str


class Sender:
    """Sends each notice in a process of its own: apprise blocks, and a target may answer as slowly as it likes."""

    def __init__(self, *, private: bool = False) -> None:
        self._private = private
        self._free = asyncio.Semaphore(AT_ONCE)
        self._asked = 0

    async def check(self, address: str) -> None:
        """Raises BadAddress, or TooMuchWork."""
        if not ADDRESS.fullmatch(address) or PARAMETERS.search(_plain(address)):
            raise BadAddress
        if self._asked >= MAX_WAITING:
            raise TooMuchWork
        if await self.send(address, None) is not Outcome.SENT:
            raise BadAddress

    async def send(self, address: str, text: str | None) -> Outcome:
        """Without a text the address is only looked at."""
        told = {"address": address, "text": text, "title": "Illusion", "private": self._private}
        self._asked += 1
        try:
            async with self._free:
                return await self._run(json.dumps(told).encode())
        finally:
            self._asked -= 1

    async def _run(self, told: bytes) -> Outcome:
        names = (*ENVIRONMENT, *PROXIES) if self._private else ENVIRONMENT
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", str(Path(sending.__file__))),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: os.environ[name] for name in names if name in os.environ},
        )
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await process.communicate(told)
        except TimeoutError:
            return Outcome.FAILED
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        try:
            return Outcome(process.returncode)
        except ValueError:  # it broke
            return Outcome.FAILED


class Notices(ServiceObserver):
    """The notices of one process, for the tables that it serves."""

    _service: TableService

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self._seen = OrderedDict[str, tuple[int, int]]()
        """By table, the turn that was looked at last: its number and seat."""
        self._told_at: dict[str, float] = {}
        self._telling: set[asyncio.Task[None]] = set()

    def observe(self, service: TableService) -> None:
        self._service = service

    async def stop(self) -> None:
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)

    async def keep(self, table: str, kept: Kept) -> None:
        """Remember an address, in place of the holder's last one. Raises BadAddress, TooMuchWork and StoreFailed."""
        if kept.address:
            await self.sender.check(kept.address)
        for _ in range(3):
            log = await self._log(table)
            if sum(each.holder == kept.holder for each in log) >= MAX_CHANGES:
                raise BadAddress
            with suppress(Stale):
                await self._service.store.append(KEY + table, len(log) + 1, [msgspec.json.encode(kept)], ended=True)
                return
        raise StoreFailed("others wrote")

    async def kept(self, table: str) -> dict[str, Kept]:
        """By holder, for those who want to be told."""
        latest = {each.holder: each for each in await self._log(table)}
        return {holder: each for holder, each in latest.items() if each.address}

    async def _log(self, table: str) -> list[Kept]:
        return [msgspec.json.decode(entry, type=Kept) for entry in await self._service.store.read(KEY + table)]

    def changed(self, table: str) -> None:
        state = self._service.in_memory(table)
        if state is None or state.phase is not Phase.PLAYING:
            return
        turn = _turn(state)
        before = self._seen.get(table)
        self._seen[table] = turn
        self._seen.move_to_end(table)
        if len(self._seen) > MAX_REMEMBERED:
            self._seen.popitem(last=False)
        is_new = turn[1] != before[1] if before else self._service.now() - state.turn_began < FRESH_S
        if is_new and not state.sitter(turn[1]).is_bot and len(self._telling) < MAX_WAITING:
            task = asyncio.create_task(self._tell(table, turn))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    def ended(self, table: str) -> None:
        self._seen.pop(table, None)

    async def _tell(self, table: str, turn: tuple[int, int]) -> None:
        try:
            state = await self._service.get(table)
            for kept in (await self.kept(table)).values():
                if state.seat_of(kept.holder) == turn[1]:
                    await self._try(table, turn, kept)
        except (Refused, StoreFailed):
            LOG.warning("notice-failed")
        except Exception:
            LOG.exception("notice-failed")

    def _may_tell(self, address: str) -> bool:
        """At most once a minute, however many tables name it; asked just before sending, as the turn may pass."""
        now = self._service.now()
        self._told_at = {each: at for each, at in self._told_at.items() if now - at < REST_S}
        if address in self._told_at:
            return False
        self._told_at[address] = now
        return True

    async def _try(self, table: str, turn: tuple[int, int], kept: Kept) -> None:
        for tries, delay_s in enumerate(RETRIES_S):
            await asyncio.sleep(delay_s)
            state = await self._service.get(table)
            if state.phase is not Phase.PLAYING or _turn(state) != turn:
                return
            if not tries and not self._may_tell(kept.address):
                return
            if await self.sender.send(kept.address, kept.text) is not Outcome.FAILED:
                return
        LOG.warning("notice-failed")


def _plain(address: str) -> str:
    """Without percent-encoding, which apprise takes off names of parameters as well."""
    while (plain := unquote(address)) != address:
        address = plain
    return address


def _turn(state: Table) -> tuple[int, int]:
    """How many moves came before, and who is to play."""
    _, seat = state.running()
    return len(state.moves), seat
