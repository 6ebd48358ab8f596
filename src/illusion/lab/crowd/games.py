"""Whole games of bots, thousands at once: every lane plays one game, and those that are over drop out."""

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.lab.batch.engine import Engine
from illusion.lab.batch.lanes import Cards, Lanes, LaneTurn, Number
from illusion.lab.batch.step import winners
from illusion.lab.crowd.looks import perception
from illusion.lab.crowd.minds import BatchMind, batch_mind, decided
from illusion.lab.crowd.situations import Situations, situations
from illusion.lab.measured_decks import MeasuredPile

Numbers: TypeAlias = NDArray[Any]


class Player(NamedTuple):
    """Eyes, whose taste in patterns they have, a mind and a temper."""

    eyes: Eyes
    who: str
    mind: Mind
    temper: float = 0.0


class Ended(NamedTuple):
    """How the game of each lane ended."""

    winners: Numbers
    """A bit for each seat."""
    rounds: Numbers
    cards: Numbers


class Turns(NamedTuple):
    """Some lanes whose players are about to decide, with rows of one length and one mind."""

    lanes: Lanes
    at: Numbers
    """Which of the lanes."""
    game: Numbers
    """The numbers of their games."""
    mind: BatchMind
    known: Situations
    actions: Numbers
    """What they will do; a watcher may change it to another legal action."""


Watch: TypeAlias = Callable[[Turns], None]


def fast_backend() -> str:
    """numba where it is installed, else numpy."""
    return "numpy" if find_spec("numba") is None else "numba"


class Crowd:
    """Players of several kinds at tables of one kind. `piles` are the engine's, measured."""

    def __init__(self, engine: Engine, kinds: Sequence[Player], piles: Sequence[MeasuredPile]) -> None:
        self.engine = engine
        self._eyes = perception([(kind.eyes, kind.who) for kind in kinds], piles, np.float32)
        distinct: list[Mind] = []
        for kind in kinds:
            if not any(kind.mind is mind for mind in distinct):
                distinct.append(kind.mind)
        self._minds = [batch_mind(mind, engine.terms, kind=np.float32) for mind in distinct]
        self._mind = np.array([next(at for at, mind in enumerate(distinct) if mind is kind.mind) for kind in kinds])
        self._temper = np.array([kind.temper for kind in kinds], np.float32)

    def play(self, lanes: Lanes, seats: Numbers, watch: Watch | None = None) -> Ended:
        """Each lane's game to its end; `seats` has the kind of the player on each seat of each lane."""
        many = lanes.lane.size
        ended = Ended(*(np.zeros(many, np.int32) for _ in Ended._fields))
        game = np.arange(many)
        while game.size:
            actions = np.zeros(game.size, np.int32)
            for turns in self._turns(lanes, seats, game):
                if watch is not None:
                    watch(turns)
                actions[turns.at] = turns.actions
            lanes, did = self.engine.step(lanes, actions, renew=False)
            over = did.ending > 0
            if over.any():
                for kept, values in zip(
                    ended,
                    (winners(did.arrows_won, self.engine.terms.players), lanes.turn.round, lanes.turn.drawn),
                    strict=True,
                ):
                    kept[game[over]] = values[over]
                lanes, seats, game = _some(lanes, ~over), seats[~over], game[~over]
        return ended

    def _turns(self, lanes: Lanes, seats: Numbers, game: Numbers) -> Iterator[Turns]:
        """By mind and by the row's length, so that no row is padded."""
        everybody = np.arange(game.size)
        kind = seats[everybody, lanes.turn.to_play]
        group = self._mind[kind] * (self.engine.terms.pile + 1) + lanes.turn.length
        order = np.argsort(group, kind="stable")
        for at in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
            length, mind = int(lanes.turn.length[at[0]]), self._minds[self._mind[kind[at[0]]]]
            known = situations(lanes, at, length, self._eyes, kind[at], self._temper[kind[at]], self.engine.terms)
            yield Turns(lanes, at, game[at], mind, known, decided(known, mind(known), self.engine.terms))


def _some(lanes: Lanes, which: Number) -> Lanes:
    cards, turn = (table[which] for table in lanes.cards), (numbers[which] for numbers in lanes.turn)
    return Lanes(Cards(*cards), LaneTurn(*turn), lanes.seed[which], lanes.lane[which])
