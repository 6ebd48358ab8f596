"""Why a table refuses a command, as stable codes; and what a damaged log raises."""

from enum import StrEnum
from typing import Final

MAX_SHOWN: Final = 120


class RefusalCode(StrEnum):
    """Every reason to refuse a command, besides those of the rules."""

    NO_SUCH_TABLE = "no-such-table"
    NOT_SEATED = "not-seated"
    NOT_HOST = "not-host"
    NOT_YOUR_TURN = "not-your-turn"
    STALE = "stale"
    TABLE_FULL = "table-full"
    TABLE_WORN_OUT = "table-worn-out"
    TABLE_CLOSED = "table-closed"
    ALREADY_STARTED = "already-started"
    NOT_PLAYING = "not-playing"
    NOT_OVER = "not-over"
    TOO_FEW_PLAYERS = "too-few-players"
    NO_BOT_THERE = "no-bot-there"
    BAD_NAME = "bad-name"
    BAD_SEATS = "bad-seats"
    BAD_CLOCK = "bad-clock"
    UNKNOWN_LEVEL = "unknown-level"


class Refused(Exception):
    """A command was refused and changed nothing. The web layer turns the code into a status and a sentence."""

    def __init__(self, code: RefusalCode, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters


class InvalidLog(ValueError):
    """An entry does not fit the entries before it. Commands never write one; an imported file may hold one."""


def in_brief(error: Exception) -> str:
    """What is wrong with a file, short and on one line: a decoder's message may repeat whatever the file holds."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = "".join(each if each.isprintable() else "?" for each in str(error)[: MAX_SHOWN + 1])
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
