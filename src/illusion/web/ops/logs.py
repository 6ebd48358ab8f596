"""The server's log in JSON lines: requests and notable events, without tokens, names or table ids."""

import hashlib
import logging
import secrets
import sys
import traceback
from datetime import UTC, datetime
from typing import Final

import msgspec

from illusion.web.http.gcra import Gcra
from illusion.web.http.request_info import Outcome

LEVELS: Final = {"trouble": logging.WARNING, "notable": logging.INFO, "requests": logging.DEBUG}
LOG: Final = logging.getLogger("illusion")
OVER_LIMIT: Final = ("foreign-origin", "too-many", "too-many-streams")
MAX_BROKEN_LINES: Final = 10
"""A minute, from each route: what a guest can break over and over fills no disk."""
MAX_LIBRARY_LINES: Final = 10
"""A minute, from each logger that is not ours. The next line after some were left out says how many."""
A_GUESTS_DOING: Final = (
    "ASGI callable returned without completing handshake.",  # also if it refused the WebSocket with a response
    "Invalid UTF-8 sequence received from client.",
)
"""What uvicorn takes for errors of the application."""
_KEY: Final = secrets.token_bytes(32)


def log_event(level: int, event: str, **fields: object) -> None:
    LOG.log(level, event, extra={"fields": fields})


def table_tag(table: str | None) -> str | None:
    """A keyed hash of a table's id: it tells which lines belong together, and does not let anyone into the table."""
    return hashlib.blake2b(table.encode(errors="replace"), key=_KEY, digest_size=4).hexdigest() if table else None


class JsonLines(logging.Formatter):
    """Our records with their fields, others' with their first line. Exceptions: type and place, never their text."""

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
    """Lets a few lines of a library through a minute: a guest can make a server say the same thing for ever."""

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


def set_up(level: str) -> None:
    """Log to standard error at this level."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(ThrottleFilter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    LOG.setLevel(LEVELS[level])


class RequestLog:
    """Logs requests. An address that is refused over and over gets one line a minute."""

    def __init__(self) -> None:
        self._refused_lines = Gcra(1, 60)
        self._broken_lines = Gcra(MAX_BROKEN_LINES, 60)

    def log(self, outcome: Outcome) -> None:
        route, method, status, code, seconds, address, table, broken = outcome
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
