"""A finished game as what it takes to look back at it: the deal and the moves. Only games that are over have one."""

from functools import cache

import msgspec

from illusion.bots import sight_of
from illusion.bots.eyes import Look
from illusion.review import Moved, Review, review
from illusion.review.own_eyes import own_eyes
from illusion.review.turn_chances import SeatLooks, seat_looks
from illusion.rules import Doubt, Game, Place, Variant
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.fair_deal import Secret, dealing
from illusion.tables.model.table import Table
from illusion.tables.public.record import InvalidRecord, Record, find_mismatch
from illusion.tables.public.view import public_time


class FinishedGame(msgspec.Struct, frozen=True):
    """The secret of a deal, which is public by now, and the moves of the game. It can be sent to another process."""

    secret: Secret
    players: int
    variant: Variant
    moves: list[Moved]
    at: float = 0.0
    """When it ended, in whole seconds since 1970; 0 in a record."""

    def dealt(self) -> tuple[Game, Look]:
        """The game as it began, and its cards, all of which may be looked at. A picture is drawn at the first look."""
        dealt = dealing(self.secret, self.players, self.variant)
        return dealt.game, cache(lambda card: sight_of(dealt.pile[int(card) - 1]))


def check_over(table: Table) -> Game:
    """The table's game. Refuses one that is not over: everything about it is public only then."""
    if table.game is None or not table.game.over:
        raise Refused(RefusalCode.NOT_OVER)
    return table.game


def finished_game(table: Table) -> FinishedGame:
    """The game that was played at a table. Refuses a game that is not over."""
    game, ended_at = check_over(table), public_time(table.turn_began)
    return FinishedGame(table.dealt().secret, game.players, table.variant, list(table.moves), ended_at)


def recorded_game(record: Record) -> FinishedGame:
    """The game of a record, whose moves are numbered from 1. Raises InvalidRecord for one that does not verify."""
    mismatch = find_mismatch(record)
    if mismatch is not None:
        raise InvalidRecord(mismatch)
    seed, nonce, generator = (record.secret[name] for name in ("seed", "nonce", "generator"))
    moves = [
        Moved(number, Doubt() if move.gap is None else Place(move.gap)) for number, move in enumerate(record.moves, 1)
    ]
    secret = Secret(str(seed), str(nonce), int(generator))
    return FinishedGame(secret, len(record.players), record.variant, moves)


class DatedLooks(msgspec.Struct, frozen=True):
    """What a seat did at a game that ended at this time."""

    at: float
    looks: SeatLooks


def how_it_went(game: FinishedGame) -> bytes:
    """The review of a game, as JSON."""
    return msgspec.json.encode(look_back(game))


def what_a_seat_did(game: FinishedGame, seat: int) -> bytes:
    """The looks of one seat of a game, as JSON."""
    begun, look = game.dealt()
    return msgspec.json.encode(DatedLooks(game.at, seat_looks(begun, game.moves, look, seat)))


def what_eyes_are_like(seats: list[bytes]) -> bytes:
    """Somebody's own eyes, as JSON, from what `what_a_seat_did` returned for each of their seats."""
    dated = [msgspec.json.decode(each, type=DatedLooks) for each in seats]
    dated.sort(key=lambda each: each.at)
    return msgspec.json.encode(own_eyes([each.looks for each in dated]))


def look_back(game: FinishedGame) -> Review:
    """Takes a second or two: it draws every picture of the game."""
    begun, look = game.dealt()
    return review(begun, game.moves, look)
