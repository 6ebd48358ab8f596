"""Contests between any eyes and minds, for fitting and for theory: even-tempered players with characters' tastes."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from illusion.bots import CHARACTERS
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.lab.arena import DECKS, GAMES_AT_ONCE
from illusion.lab.batch.engine import Engine
from illusion.lab.crowd.games import Crowd, Numbers, Player, Turns, Watch, fast_backend
from illusion.lab.measured_decks import measured_pile
from illusion.rules import Variant

_TASTES: Final = len(CHARACTERS)


class Contestant(NamedTuple):
    eyes: Eyes
    mind: Mind
    temper: float = 0.0


class Result(NamedTuple):
    """Of all games of a contest."""

    won: Numbers
    """Whether each contestant won, by game."""
    rounds: float
    cards: float
    row: float
    """Cards in the row at a doubt."""

    @property
    def shares(self) -> Numbers:
        """What each contestant got of each game: several winners share it, and an even share is one in n."""
        return np.asarray(self.won / self.won.sum(axis=1, keepdims=True))


def contest(
    contestants: Sequence[Contestant],
    games: int,
    seed: str,
    *,
    by_lot: bool = True,
    watch: Watch | None = None,
    variant: Variant = Variant.FIRST_TO_THREE,
) -> Result:
    """Games between them; seats are drawn by lot, or in the order given. A watcher sees the turns of some thousand
    games, and then those of the next thousands, numbered from 0 again."""
    piles = [measured_pile(deck, variant) for deck in DECKS]
    many = len(contestants)
    engine = Engine(many, [pile.cards for pile in piles], variant, name=fast_backend())
    kinds = [Player(eyes, who.name, mind, temper) for eyes, mind, temper in contestants for who in CHARACTERS]
    crowd = Crowd(engine, kinds, piles)
    key = Random(f"contest {seed}").getrandbits(32)
    won, rows = np.zeros((games, many), np.bool_), np.zeros(2)
    rounds = cards = 0

    def count(turns: Turns) -> None:
        if watch is not None:
            watch(turns)
        doubts = int((turns.actions == engine.terms.longest).sum())
        rows[:] += doubts * int(turns.known.length[0]), doubts

    for start in range(0, games, GAMES_AT_ONCE):
        part = min(GAMES_AT_ONCE, games - start)
        rng = np.random.default_rng([key, start])
        order = np.tile(np.arange(many), (part, 1))
        if by_lot:
            order = rng.permuted(order, axis=1)
        ended = crowd.play(
            engine.init(key, part, start), order * _TASTES + rng.integers(_TASTES, size=order.shape), count
        )
        sat = (ended.winners[:, None] >> np.arange(many) & 1).astype(np.bool_)
        np.put_along_axis(won[start : start + part], order, sat, axis=1)
        rounds, cards = rounds + int(ended.rounds.sum()), cards + int(ended.cards.sum())
    return Result(won, rounds / games, cards / games, float(rows[0] / rows[1]))
