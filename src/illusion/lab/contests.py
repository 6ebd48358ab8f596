"""Whole games between bots in batches of 1024 (`PLACES`): each place of the batch plays one game after another."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from illusion.bots import CHARACTERS
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.lab.arrays import GOES_ON, ArrayGame, State, Vector, deal, perception, step, winners
from illusion.lab.measured_decks import DECKS, measured_pile
from illusion.lab.minds import ArrayMind, Situation, array_mind, decided, situations
from illusion.rules import Penalty, Variant
from illusion.rules.setup import MOST_PLAYERS

Array: TypeAlias = NDArray[Any]

PLACES: Final = 1024
"""Games in a batch: as many as fit into a core's own caches."""
GAMES_AT_ONCE: Final = 16_384
"""Per task of the executor."""
_LEAST_WIDTH: Final = 12
"""Minds are compiled for rows padded to this many cards, then for half as many more, and so on."""


class Player(NamedTuple):
    """A kind of player."""

    eyes: Eyes
    who: str
    """The character whose taste in patterns the eyes have."""
    mind: Mind
    temper: float = 0.0


class Ended(NamedTuple):
    """The ends of all games, by game."""

    won: Array
    """By game and seat."""
    rounds: Array
    cards: Array


class Turns(NamedTuple):
    """One decision at every place, before it is applied."""

    states: State
    playing: Array
    """Whether a place still plays a game that counts."""
    game: Array
    """The number of each place's game."""
    actions: Array
    """A watcher may replace them by other legal actions."""
    situation: Callable[[], Situation]
    """What the players decide from."""


WatchTurns: TypeAlias = Callable[[Turns], None]


class Crowd:
    """Plays games of one kind between players of several kinds."""

    def __init__(
        self,
        players: int,
        kinds: Sequence[Player],
        decks: Sequence[int],
        variant: Variant = Variant.FIRST_TO_THREE,
        penalty: Penalty = Penalty.NOTHING,
    ) -> None:
        piles = [measured_pile(deck, variant) for deck in decks]
        eyes = perception([(kind.eyes, kind.who) for kind in kinds], piles)
        self.game = ArrayGame.of_cards(players, [pile.cards for pile in piles], variant, penalty=penalty, eyes=eyes)
        distinct: list[Mind] = []
        for kind in kinds:
            if not any(kind.mind is mind for mind in distinct):
                distinct.append(kind.mind)
        mind_of = [next(at for at, mind in enumerate(distinct) if mind is kind.mind) for kind in kinds]
        tempers = np.array([kind.temper for kind in kinds], np.float32)
        minds = tuple(array_mind(mind, self.game.terms) for mind in distinct)
        self._minds, self._mind_of, self._tempers = jax.device_put((minds, np.array(mind_of), tempers))

    def play(self, seed: int, seats: Array, watch: WatchTurns | None = None, first: int = 0) -> Ended:
        """Plays a game for each line of `seats`, which names the kind of player by seat. Place n plays the games n,
        n + 1024 and so on; `first` is the number of the first place, so that several calls deal different games."""
        games, players = seats.shape
        won, counts = np.zeros((games, players), np.bool_), np.zeros((2, games), np.int32)
        kinds = np.zeros((games, MOST_PLAYERS), np.int32)
        kinds[:, :players] = seats
        states, game = deal(self.game, seed, PLACES, first), np.arange(PLACES)
        while (playing := game < games).any():
            states = states._replace(kinds=kinds[np.minimum(game, games - 1)])
            width = _width(int(np.asarray(states.length).max()), self.game.longest)
            actions = np.array(_actions(self.game, self._minds, self._mind_of, self._tempers, states, width))
            if watch is not None:
                watch(
                    Turns(states, playing, game, actions, partial(_situations, self.game, self._tempers, states, width))
                )
            states, did = step(self.game, states, actions)
            over = np.asarray(did.ending) != GOES_ON
            ended = game[over & playing]
            won[ended] = np.asarray(_winners(self.game, did.arrows_won))[over & playing, :players]
            counts[:, ended] = np.asarray(did.round)[over & playing], np.asarray(did.drawn)[over & playing]
            game = game + PLACES * over
        return Ended(won, *counts)


def _width(longest_now: int, longest: int) -> int:
    width = _LEAST_WIDTH
    while width < longest_now:
        width += width // 2
    return min(width, longest)


@partial(jax.jit, static_argnames="width")
def _situations(game: ArrayGame, tempers: Vector, states: State, width: int) -> Situation:
    return situations(game, states, tempers[_kinds(states)], width)


@partial(jax.jit, static_argnames="width")
def _actions(
    game: ArrayGame, minds: Sequence[ArrayMind], mind_of: Vector, tempers: Vector, states: State, width: int
) -> Vector:
    known, mind = _situations(game, tempers, states, width), mind_of[_kinds(states)]
    actions = decided(known, minds[0].judge(known), game.longest)
    for number, other in enumerate(minds[1:], 1):
        actions = jnp.where(mind == number, decided(known, other.judge(known), game.longest), actions)
    return actions


def _kinds(states: State) -> Vector:
    return jnp.take_along_axis(jnp.asarray(states.kinds), states.to_play[:, None], axis=1)[:, 0]


@jax.jit
def _winners(game: ArrayGame, arrows_won: Vector) -> Vector:
    return jax.vmap(partial(winners, game.terms.players))(arrows_won)


class Contestant(NamedTuple):
    eyes: Eyes
    mind: Mind
    temper: float = 0.0


class ContestResult(NamedTuple):
    """All games of a contest."""

    won: Array
    """Whether each contestant won, by game."""
    rounds: float
    cards: float
    row: float
    """Average number of cards in a doubted row."""

    @property
    def shares(self) -> Array:
        """Each contestant's share of each game: 1 is split between its winners."""
        return np.asarray(self.won / self.won.sum(axis=1, keepdims=True))


def contest(
    contestants: Sequence[Contestant],
    games: int,
    seed: str,
    *,
    by_lot: bool = True,
    watch: WatchTurns | None = None,
    variant: Variant = Variant.FIRST_TO_THREE,
) -> ContestResult:
    """Games between any eyes and minds, with random tastes of the characters. Seats are random, or with `by_lot=False`
    in the order given. `watch` gets game numbers that start from 0 again after `GAMES_AT_ONCE` games."""
    many, tastes = len(contestants), len(CHARACTERS)
    kinds = [Player(eyes, who.name, mind, temper) for eyes, mind, temper in contestants for who in CHARACTERS]
    crowd = Crowd(many, kinds, DECKS, variant)
    key = Random(f"contest {seed}").getrandbits(32)
    won, rows = np.zeros((games, many), np.bool_), np.zeros(2)
    rounds = cards = 0

    def count(turns: Turns) -> None:
        if watch is not None:
            watch(turns)
        doubts = turns.playing & (turns.actions == crowd.game.longest)
        rows[:] += np.asarray(turns.states.length)[doubts].sum(), doubts.sum()

    for start in range(0, games, GAMES_AT_ONCE):
        part = min(GAMES_AT_ONCE, games - start)
        rng = np.random.default_rng([key, start])
        order = np.tile(np.arange(many), (part, 1))
        if by_lot:
            order = rng.permuted(order, axis=1)
        ended = crowd.play(key, order * tastes + rng.integers(tastes, size=order.shape), count, start)
        np.put_along_axis(won[start : start + part], order, ended.won, axis=1)
        rounds, cards = rounds + int(ended.rounds.sum()), cards + int(ended.cards.sum())
    return ContestResult(won, rounds / games, cards / games, float(rows[0] / rows[1]))
