"""What the server says of itself, in JSON lines: requests and notable events, without tokens, names or table ids."""

import hashlib
import logging
import secrets
import sys
import traceback
from datetime import UTC, datetime
from typing import Final

import msgspec

from illusion.web.http.limits import Rate
from illusion.web.http.request_info import RequestInfo

LEVELS: Final = {"trouble": logging.WARNING, "notable": logging.INFO, "requests": logging.DEBUG}
LOG: Final = logging.getLogger("illusion")
_KEY: Final = secrets.token_bytes(32)


def say(level: int, event: str, **fields: object) -> None:
    LOG.log(level, event, extra={"fields": fields})


def short(table: str | None) -> str | None:
    """A table's id admits to it, so lines only say which belong together, by a hash that nobody else can compute."""
    return hashlib.blake2b(table.encode(errors="replace"), key=_KEY, digest_size=4).hexdigest() if table else None


class JsonLines(logging.Formatter):
    """Ours with their fields; others' with their first line. Of an exception its kind and place, never its text."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if record.name == LOG.name:
            line |= {"event": record.getMessage(), **getattr(record, "fields", {})}
        else:
            line |= {"event": "library", "from": record.name, "said": record.getMessage().partition("\n")[0]}
        if record.exc_info and record.exc_info[1] is not None:
            line |= what_broke(record.exc_info[1])
        return msgspec.json.encode({name: value for name, value in line.items() if value is not None}).decode()


def what_broke(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return {
        "error": type(error).__name__,
        "where": [f"{frame.filename.rpartition('/illusion/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    }


def set_up(said: str) -> None:
    """Send all that is said at this level to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    LOG.setLevel(LEVELS[said])


class RequestLog:
    """Writes down visits; of an address that is refused over and over only one line a minute."""

    def __init__(self) -> None:
        self._rude = Rate(1, 60)

    def visited(
        self, visit: RequestInfo, route: str, code: str | None, seconds: float, broken: Exception | None
    ) -> None:
        rude = code in ("foreign-origin", "too-many", "too-many-streams") and not self._rude.take((visit.address, code))
        if broken is None and visit.status != 503 and not rude and not LOG.isEnabledFor(logging.DEBUG):
            return
        fields: dict[str, object] = {"method": visit.method, "route": route, "status": visit.status, "code": code}
        if broken is not None:
            say(logging.ERROR, "broken", **fields, table=short(visit.table), **what_broke(broken))
        elif visit.status == 503:
            say(logging.ERROR, "store-failed", **fields, table=short(visit.table))
        elif rude:
            say(logging.WARNING, "rude-guest", **fields, address=visit.address)
        if LOG.isEnabledFor(logging.DEBUG):
            say(logging.DEBUG, "request", **fields, ms=round(seconds * 1000, 2), table=short(visit.table))
