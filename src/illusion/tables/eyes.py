"""A player's own eyes, fitted to all games of the seats they say they held.

One code holds all those seats, so that a player can keep it, carry it to another device and merge it with others:
"e1", then for each seat the eight characters of its table's id and one for the seat, then a checksum of four
characters. Seats are sorted and unique, so the same seats have the same code. Case and spaces do not matter: a QR code
is smaller with capitals, and people copy in pieces.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final, NamedTuple

import msgspec

from illusion.review.own_eyes import OwnEyes
from illusion.review.own_guesses import Compared, OwnGuesses, own_guesses
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables.model.commands import RefusalCode, Refused, is_table_id
from illusion.tables.model.entries import ID_ALPHABET, ID_LENGTH
from illusion.tables.model.table import Table
from illusion.tables.public.summary import SeatPair, finest_pair, pairs_of_seat, worst_pair
from illusion.tables.reviews import Progress, check_over, finished_game, own_eyes_of_seats, seat_looks_of_game
from illusion.tables.service import TableService

ASKED_AT_ONCE: Final = 2
"""Games of one request in the reviewer's queue at a time, so that other requests get their turn."""
VERSION: Final = "e1"
MAX_SEATS: Final = 400
"""What a QR code can hold, and a cookie of four kilobytes."""
MAX_GUESSES: Final = 200
"""With the longest code they fit into a request."""
MAX_PERCENT: Final = 60
"""No card shows more of a colour."""
_CHECK_LENGTH: Final = 4
_SEAT_LENGTH: Final = ID_LENGTH + 1
_SEATS: Final = ID_ALPHABET[:MOST_PLAYERS]


class HeldSeat(NamedTuple):
    """A seat that somebody held at a table."""

    table: str
    seat: int


class InvalidCode(ValueError):
    """The text is not a code of ours, or holds too many seats."""


def seats_code(seats: Iterable[HeldSeat]) -> str:
    """The code of these seats. Raises InvalidCode for impossible seats and for too many."""
    distinct = sorted(set(seats))
    if len(distinct) > MAX_SEATS or not all(map(_is_possible, distinct)):
        raise InvalidCode
    body = VERSION + "".join(f"{held.table}{_SEATS[held.seat]}" for held in distinct)
    return body + _check(body)


def read_seats_code(code: str) -> list[HeldSeat]:
    """The seats of a code. Raises InvalidCode."""
    if len(code) > 2 * (MAX_SEATS + 1) * _SEAT_LENGTH:
        raise InvalidCode
    text = "".join(code.split()).lower()
    body, check = text[:-_CHECK_LENGTH], text[-_CHECK_LENGTH:]
    if not body.startswith(VERSION) or check != _check(body):
        raise InvalidCode
    entries = body.removeprefix(VERSION)
    if len(entries) % _SEAT_LENGTH or len(entries) > MAX_SEATS * _SEAT_LENGTH:
        raise InvalidCode
    pieces = (entries[at : at + _SEAT_LENGTH] for at in range(0, len(entries), _SEAT_LENGTH))
    seats = [HeldSeat(piece[:ID_LENGTH], _SEATS.find(piece[ID_LENGTH:])) for piece in pieces]
    if not all(map(_is_possible, seats)):
        raise InvalidCode
    return sorted(set(seats))


def _is_possible(held: HeldSeat) -> bool:
    return is_table_id(held.table) and 0 <= held.seat < MOST_PLAYERS


def _check(body: str) -> str:
    """The checksum, of 20 bits: a mistake goes unnoticed once in a million."""
    number, check = int.from_bytes(hashlib.sha256(body.encode()).digest()[:8]), ""
    for _ in range(_CHECK_LENGTH):
        number, digit = divmod(number, len(ID_ALPHABET))
        check += ID_ALPHABET[digit]
    return check


class Guess(NamedTuple):
    """A seat's guess, in percent, at a card's share of the arrow's colour; `card` is the card's address."""

    card: str
    seat: int
    percent: Annotated[int, msgspec.Meta(ge=0, le=MAX_PERCENT)]


class LeftOut(msgspec.Struct, frozen=True):
    """A seat that does not count, and why. A device may forget it, except where the game is not over."""

    table: str
    seat: int
    why: RefusalCode


class EyesOfSeats(msgspec.Struct, frozen=True):
    """Somebody's own eyes, or how far their reckoning is."""

    code: str
    """Holds all the seats that count: keep it, or read it in elsewhere."""
    left_out: list[LeftOut]
    eyes: OwnEyes | None = None
    guesses: OwnGuesses | None = None
    """What the guesses tell that count."""
    worst: SeatPair | None = None
    """The worst illusion of all these seats."""
    finest: SeatPair | None = None
    """Two cards told apart that differ least."""
    progress: Progress | None = None


async def eyes_of(service: TableService, seats: Iterable[HeldSeat], guesses: Iterable[Guess] = ()) -> EyesOfSeats:
    """Raises InvalidCode for seats that cannot be, TooMuchWork and NoAnswer. Guesses count at seats that count."""
    distinct = sorted(set(seats))
    seats_code(distinct)  # refuses what cannot be, before anything is looked up
    counted: list[HeldSeat] = []
    left_out: list[LeftOut] = []
    for held in distinct:
        try:
            await _check_held(service, held)
        except Refused as refused:
            left_out.append(LeftOut(held.table, held.seat, refused.code))
        else:
            counted.append(held)
    code = seats_code(counted)
    found = service.reviews.kept(_key(code))
    if found is not None:
        eyes = msgspec.json.decode(found, type=OwnEyes)
        seen = [(held, await service.get(held.table)) for held in counted]
        told = await service.worker.run(_told, seen, list(guesses))
        return EyesOfSeats(code, left_out, eyes, *told)
    return EyesOfSeats(code, left_out, progress=await _next_step(service, code, counted))


def _told(
    seen: Sequence[tuple[HeldSeat, Table]], guesses: Iterable[Guess]
) -> tuple[OwnGuesses, SeatPair | None, SeatPair | None]:
    """What the guesses tell, the worst illusion and the finest pair, from all rows that were turned over. In a thread:
    hundreds of games take a while."""
    compared = own_guesses(list(_compared(seen, guesses)))
    laid = [
        pairs
        for held, table in seen
        for pairs in pairs_of_seat(table.dealt().game.setup, table.doubts, table.card_address, held.seat)
    ]
    return compared, worst_pair(laid), finest_pair(laid)


def _compared(seen: Iterable[tuple[HeldSeat, Table]], guesses: Iterable[Guess]) -> Iterator[Compared]:
    """The guesses beside the truth: those at cards that others laid where guesses were allowed, each card once."""
    by_seat: dict[HeldSeat, dict[str, int]] = defaultdict(dict)
    for guess in guesses:
        by_seat[HeldSeat(guess.card[:ID_LENGTH], guess.seat)][guess.card] = guess.percent
    for held, table in seen:
        guessed = by_seat.get(held, {}) if table.terms.guesses else {}
        for doubt in table.doubts if guessed else ():
            for turned in doubt.row:
                percent = guessed.get(table.card_address(turned.card))
                if percent is not None and turned.placed_by not in (None, held.seat):
                    yield Compared(doubt.arrow, turned.shares[doubt.arrow], percent)


def _key(code: str) -> bytes:
    """The key of a fit: a hash, since a code may have thousands of characters."""
    return hashlib.sha256(code.encode()).digest()


async def _check_held(service: TableService, held: HeldSeat) -> None:
    """Refuses a seat that nobody held at a finished game."""
    table = await service.get_current(held.table)
    check_over(table)
    if held.seat >= len(table.chairs) or table.sitter(held.seat).is_bot:
        raise Refused(RefusalCode.NOT_SEATED)


async def _next_step(service: TableService, code: str, counted: list[HeldSeat]) -> Progress:
    """Ask for some games, or for the fit once all of them are there. Each game is one step, and so is the fit."""
    reviews, steps = service.reviews, len(counted) + 1
    kept = {held: reviews.kept(held) for held in counted}
    missing = [held for held in counted if kept[held] is None]
    waiting = [held for held in missing if reviews.is_asked(held)]
    for held in [held for held in missing if held not in waiting][: max(ASKED_AT_ONCE - len(waiting), 0)]:
        reviews.ask(held, seat_looks_of_game, finished_game(await service.get(held.table)), held.seat)
    if not missing:
        reviews.ask(_key(code), own_eyes_of_seats, [looks for looks in kept.values() if looks is not None])
    return Progress(steps - 1 - len(missing), steps)
