"""What a table refuses, as stable codes with parameters; the web makes a sentence and a status of them."""

from enum import StrEnum


class RefusalCode(StrEnum):
    """Every way to be refused at a table, beside those of the rules."""

    NO_SUCH_TABLE = "no-such-table"
    NOT_SEATED = "not-seated"
    NOT_HOST = "not-host"
    NOT_YOUR_TURN = "not-your-turn"
    STALE = "stale"
    TABLE_FULL = "table-full"
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
    """Nothing was changed."""

    def __init__(self, code: RefusalCode, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters
