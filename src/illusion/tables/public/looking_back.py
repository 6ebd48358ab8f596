"""A finished game as what it takes to look back at it: the deal and the moves. Only games that are over have one."""

from typing import Final, Protocol

import msgspec

from illusion.bots import Sight, sight_of
from illusion.review import Moved, Progress, Review, review
from illusion.review.own_eyes import own_eyes
from illusion.review.seat_looks import SeatLooks, seat_looks
from illusion.rules import CardId, Doubt, Game, Place, Variant
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.fair_deal import Dealing, Secret, dealing
from illusion.tables.model.table import Table
from illusion.tables.public.record import InvalidRecord, Record, find_mismatch

MOVES: Final = ("placed", "doubted")


class FinishedGame(msgspec.Struct, frozen=True):
    """The secret of a deal, which is public by now, and the moves of the game. It can be sent to another process."""

    secret: Secret
    players: int
    variant: Variant
    moves: list[Moved]
    at: float = 0.0
    """When it ended, in whole seconds since 1970; 0 in a record."""

    def dealt(self) -> "DealtAgain":
        """Takes some milliseconds."""
        return DealtAgain(dealing(self.secret, self.players, self.variant))


class DealtAgain(msgspec.Struct, frozen=True):
    """The cards of a finished game, all of which may be looked at."""

    dealing: Dealing

    @property
    def begun(self) -> Game:
        return self.dealing.game

    def look(self, card: CardId) -> Sight:
        """Its picture is drawn now, unless this process has it."""
        return sight_of(self.dealing.pile[int(card) - 1])


def check_over(table: Table) -> Game:
    """The table's game. Refuses one that is not over: everything about it is public only then."""
    if table.game is None or not table.game.over:
        raise Refused(RefusalCode.NOT_OVER)
    return table.game


def finished_game(table: Table, events: list[bytes]) -> FinishedGame:
    """The game that was played at a table. `events` are its public events. Refuses a game that is not over."""
    game = check_over(table)
    decoded = [event for event in map(msgspec.json.decode, events) if event["entry"] in MOVES]
    moves = [
        Moved(event["seq"], Place(event["gap"]) if event["entry"] == "placed" else Doubt(), event["by"])
        for event in decoded
    ]
    return FinishedGame(table.dealt().secret, game.players, table.variant, moves, decoded[-1]["at"])


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


class Question(Protocol):
    """Something to find out about a finished game, which takes a while. It can be sent to another process."""

    @property
    def steps(self) -> int:
        """Of how many steps progress will be told."""
        ...

    def answer(self, progress: Progress) -> bytes:
        """As JSON."""
        ...


class HowItWent(msgspec.Struct, frozen=True):
    """The review of a game."""

    game: FinishedGame

    @property
    def steps(self) -> int:
        return len(self.game.moves)

    def answer(self, progress: Progress) -> bytes:
        return msgspec.json.encode(look_back(self.game, progress))


class DatedLooks(msgspec.Struct, frozen=True):
    """What a seat did at a game that ended at this time."""

    at: float
    looks: SeatLooks


class WhatASeatDid(msgspec.Struct, frozen=True):
    """The looks of one seat of a game."""

    game: FinishedGame
    seat: int

    @property
    def steps(self) -> int:
        return 1

    def answer(self, progress: Progress) -> bytes:
        dealt = self.game.dealt()
        looks = seat_looks(dealt.begun, self.game.moves, dealt.look, self.seat)
        progress(1, self.steps)
        return msgspec.json.encode(DatedLooks(self.game.at, looks))


class WhatEyesAreLike(msgspec.Struct, frozen=True):
    """Somebody's own eyes, from what `WhatASeatDid` answered for each of their seats."""

    seats: list[bytes]

    @property
    def steps(self) -> int:
        return 1

    def answer(self, progress: Progress) -> bytes:
        dated = [msgspec.json.decode(each, type=DatedLooks) for each in self.seats]
        dated.sort(key=lambda each: each.at)
        return msgspec.json.encode(own_eyes([each.looks for each in dated], progress))


def look_back(game: FinishedGame, progress: Progress = lambda _done, _all: None) -> Review:
    """Takes a second or two: it draws every picture of the game."""
    dealt = game.dealt()
    return review(dealt.begun, game.moves, dealt.look, progress)
