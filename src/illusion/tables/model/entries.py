"""The entries of a table's log, from which its state is derived.

Entries may hold secrets; `tables.public` decides what clients may know of them.
"""

from collections.abc import Callable
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from illusion.rules import Penalty, Variant
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS

ID_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH: Final = 8
TABLE_ID: Final = rf"\A[{ID_ALPHABET}]{{{ID_LENGTH}}}\Z"
END_OF_TIME: Final = 253_402_300_800
"""The year 10000, which `datetime` cannot show."""
MAX_SHOWN: Final = 120


class InvalidLog(ValueError):
    """An entry does not fit the entries before it. Commands never write one; an imported file may hold one."""


def in_brief(error: Exception) -> str:
    """An error's message, shortened to one line: a decoder's may quote the input."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = "".join(each if each.isprintable() else "?" for each in str(error)[: MAX_SHOWN + 1])
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


Time: TypeAlias = Annotated[float, msgspec.Meta(ge=0, lt=END_OF_TIME)]
TableId: TypeAlias = Annotated[str, msgspec.Meta(pattern=TABLE_ID)]
Seats: TypeAlias = Annotated[int, msgspec.Meta(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)]
TokenHash: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Mover: TypeAlias = Literal["player", "stand-in", "clock"]
"""The player, a stand-in for somebody absent, or a bot because the clock ran out."""
HexDigits: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{1,64}\Z")]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The host's choices for the games of a table."""

    variant: Variant = Variant.FIRST_TO_THREE
    clock: int | None = None
    """Seconds per turn, or None for no clock."""
    penalty: Penalty = Penalty.NOTHING
    """What a wrong doubt costs (R5.5)."""
    guesses: bool = True
    """Whether people may guess at the next card while others think."""


PRINTED: Final = Terms()
"""The printed game, without a clock."""


class Entry(msgspec.Struct, frozen=True, tag_field="entry", forbid_unknown_fields=True):
    """Something that happened at a table; `at` is in seconds since 1970."""

    at: Time


class Opened(Entry, frozen=True, tag="opened"):
    """The table was opened with this number of chairs."""

    seats: Seats
    terms: Terms
    again: TableId | None = None
    """The table whose rematch this is."""
    barred: list[TokenHash] = []
    """Tokens of those who were sent away there."""
    drawn: bool = False
    """By lot, at a club evening: nobody at the table is its host, and nobody new sits down."""


class Arranged(Entry, frozen=True, tag="arranged"):
    """The host chose other terms."""

    terms: Terms


class SatDown(Entry, frozen=True, tag="sat-down"):
    """Somebody took a chair: a person with the hash of a token, or a bot with a level. During a game a person takes the
    seat of a bot or of somebody absent."""

    seat: int
    name: str
    token_hash: TokenHash | None = None
    level: str | None = None


class Renamed(Entry, frozen=True, tag="renamed"):
    """Somebody goes by another name, before the game."""

    seat: int
    name: str


class StoodUp(Entry, frozen=True, tag="stood-up"):
    """A chair became free before the game."""

    seat: int


class Dealt(Entry, frozen=True, tag="dealt"):
    """The host started the game; empty chairs were removed. Seed and nonce stay secret until the end."""

    seed: HexDigits
    nonce: HexDigits
    generator: int
    order: list[int] | None = None
    """For each seat of the game, the chair it was before the deal. None keeps the order of the chairs."""


class Placed(Entry, frozen=True, tag="placed"):
    """A player placed the deck's top card, or `by` did it for them."""

    seat: int
    gap: int
    by: Mover = "player"


class Doubted(Entry, frozen=True, tag="doubted"):
    """A player doubted the row."""

    seat: int
    by: Mover = "player"


class WentAway(Entry, frozen=True, tag="went-away"):
    """A player left, let the clock run out, or the host freed their seat; a stand-in plays until they return."""

    seat: int
    why: Literal["left", "clock", "freed"]


class CameBack(Entry, frozen=True, tag="came-back"):
    """The player took their seat again."""

    seat: int


class Promised(Entry, frozen=True, tag="promised"):
    """Somebody was promised a seat in the next game, or, before a game, in this one. Its id is the entry's number."""

    name: str
    token_hash: TokenHash


class GaveUp(Entry, frozen=True, tag="gave-up"):
    """The promise with this number ended."""

    number: int


class SentAway(Entry, frozen=True, tag="sent-away"):
    """The host asked a person to leave: their token takes no seat here again. During a game a stand-in plays on."""

    seat: int


class Locked(Entry, frozen=True, tag="locked"):
    """The host locked the table, so that nobody new sits down, or unlocked it."""

    locked: bool


class PlayedAgain(Entry, frozen=True, tag="played-again"):
    """Somebody wants another game: at that table."""

    table: TableId
    seat: int


class Closed(Entry, frozen=True, tag="closed"):
    """Nobody did anything for hours. The table can still be looked at."""


AnyEntry: TypeAlias = (
    Opened
    | Arranged
    | SatDown
    | StoodUp
    | Dealt
    | Placed
    | Doubted
    | WentAway
    | CameBack
    | Promised
    | GaveUp
    | Renamed
    | SentAway
    | Locked
    | PlayedAgain
    | Closed
)

encode: Final = msgspec.json.Encoder().encode
decode: Final[Callable[[bytes], AnyEntry]] = msgspec.json.Decoder[AnyEntry](AnyEntry).decode
