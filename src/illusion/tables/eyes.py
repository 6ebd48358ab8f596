"""Somebody's own eyes, from the seats they say they held: looked up game by game, then fitted, all by the reviewer."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import msgspec

from illusion.review.own_eyes import OwnEyes
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.public.looking_back import check_over, finished_game, what_a_seat_did, what_eyes_are_like
from illusion.tables.public.seats_code import HeldSeat, seats_code
from illusion.tables.reviews import Progress
from illusion.tables.service import TableService

ASKED_AT_ONCE: Final = 2
"""Games of one request that wait at a time, so that others wait for two of them at most."""


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
    progress: Progress | None = None


async def eyes_of(service: TableService, seats: Iterable[HeldSeat]) -> EyesOfSeats:
    """Raises InvalidCode for seats that cannot be, TooMuchWork and NoAnswer."""
    distinct = sorted(set(seats))
    seats_code(distinct)  # refuses what cannot be, before anything is looked up
    counted: list[HeldSeat] = []
    left_out: list[LeftOut] = []
    for held in distinct:
        try:
            await _check(service, held)
        except Refused as refused:
            left_out.append(LeftOut(held.table, held.seat, refused.code))
        else:
            counted.append(held)
    code = seats_code(counted)
    found = service.reviews.kept(_key(code))
    if found is not None:
        return EyesOfSeats(code, left_out, msgspec.json.decode(found, type=OwnEyes))
    return EyesOfSeats(code, left_out, progress=await _reckoning(service, code, counted))


def _key(code: str) -> bytes:
    """Of the fit. A code may have thousands of characters, and is kept by its hash."""
    return sha256(code.encode()).digest()


async def _check(service: TableService, held: HeldSeat) -> None:
    """Refuses a seat that nobody held at a finished game."""
    table = await service.get_current(held.table)
    check_over(table)
    if held.seat >= len(table.chairs) or table.sitter(held.seat).is_bot:
        raise Refused(RefusalCode.NOT_SEATED)


async def _reckoning(service: TableService, code: str, counted: list[HeldSeat]) -> Progress:
    """The next step: some games, or once all are there the fit. A game counts as one step, and so does the fit."""
    reviews, steps = service.reviews, len(counted) + 1
    kept = {held: reviews.kept(held) for held in counted}
    missing = [held for held in counted if kept[held] is None]
    waiting = [held for held in missing if reviews.progress(held) is not None]
    for held in [held for held in missing if held not in waiting][: max(ASKED_AT_ONCE - len(waiting), 0)]:
        reviews.ask(held, 1, what_a_seat_did, finished_game(await service.get(held.table)), held.seat)
    if not missing:
        reviews.ask(_key(code), 1, what_eyes_are_like, [looks for looks in kept.values() if looks is not None])
    return Progress(steps - 1 - len(missing), steps)
