"""One code for all the seats that somebody held at finished tables: to keep, to carry to another device, and to merge.

A code is "e1", then for each seat the eight characters of its table's id and one for the seat, then four that check the
rest. Seats are sorted and each is there once, so the same seats have the same code, and merging counts nothing twice.
Capitals and spaces do not matter: a QR code is smaller with capitals, and people copy in pieces.
"""

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from illusion.rules.setup import MOST_PLAYERS
from illusion.tables.model.commands import ID_ALPHABET, ID_LENGTH, is_table_id

VERSION: Final = "e1"
MAX_SEATS: Final = 400
"""What a QR code can hold, and a cookie of four kilobytes."""
_CHECK_LENGTH: Final = 4
_SEAT_LENGTH: Final = ID_LENGTH + 1
_SEATS: Final = ID_ALPHABET[:MOST_PLAYERS]


class HeldSeat(NamedTuple):
    """A seat that somebody held at a table."""

    table: str
    seat: int


class InvalidCode(ValueError):
    """What was read is not a code of ours, or holds too many seats."""


def seats_code(seats: Iterable[HeldSeat]) -> str:
    """The code of these seats. Raises InvalidCode if one of them cannot be, or there are too many."""
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
    """Four characters of a hash: a mistake goes unnoticed once in a million."""
    number, check = int.from_bytes(hashlib.sha256(body.encode()).digest()[:8]), ""
    for _ in range(_CHECK_LENGTH):
        number, digit = divmod(number, len(ID_ALPHABET))
        check += ID_ALPHABET[digit]
    return check
