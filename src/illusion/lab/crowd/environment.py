"""An environment of many games at once, in the manner of Pgx and of Gymnasium's vector API.

States are values, and `init`, `step` and `observe` are functions of them. With JAX they can be called inside `jax.jit`,
`jax.vmap` over seeds excepted: a batch has its own lanes. A new game begins in the step that ends one (Gymnasium's
same-step auto-reset). The observation is that of the one-game environment (`lab/observation.py`), number by number.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from illusion.bots import CHARACTERS, levels
from illusion.bots.eyes import Eyes
from illusion.lab.batch.engine import CannotPlay, Engine
from illusion.lab.batch.lanes import COLOURS, GOES_ON, NO_GOAL, SEAT_BITS, SEAT_MASK, Lanes, Number, Outcome
from illusion.lab.batch.lots import TASTES, below, random_words
from illusion.lab.batch.primitives import namespace, word
from illusion.lab.batch.step import choices, winners
from illusion.lab.crowd.looks import HUNDREDTHS, look, perception
from illusion.lab.measured_decks import measured_pile
from illusion.lab.observation import Layout
from illusion.rules import Variant
from illusion.rules.setup import MOST_PLAYERS

DECKS: Final = tuple(range(8))


class State(NamedTuple):
    """The games, and which kind of player sits where: their eyes, with the taste of one of the characters."""

    lanes: Lanes
    kinds: Number


class Step(NamedTuple):
    state: State
    rewards: Number
    """For each seat of each lane: 0 until the game ends, then as in the one-game environment."""
    ended: Number
    """Whether a game ended in the lane."""


class BatchObservation(NamedTuple):
    numbers: Number
    mask: Number
    """1 for every legal action, of whoever's turn it is; nothing for others."""


class BatchEnvironment:
    """`eyes` are those of all seats, or a list with one for each; lanes are dealt from `decks` (seeds) in turn.

    `longest` is the longest row, 24 by default: a row of that length can only be doubted. Observations grow with it.
    """

    def __init__(
        self,
        players: int = 2,
        variant: Variant | str = Variant.FIRST_TO_THREE,
        eyes: str | Eyes | Sequence[str | Eyes] = "keen",
        *,
        decks: Sequence[int] = DECKS,
        longest: int | None = 24,
        backend: str = "numpy",
        folder: Path | None = None,
    ) -> None:
        chosen = [eyes] * players if isinstance(eyes, str | Eyes) else list(eyes)
        if len(chosen) != players:
            raise CannotPlay(f"{players} players need {players} pairs of eyes, not {len(chosen)}.")
        if not decks:
            raise CannotPlay("Without a deck there is nothing to deal.")
        piles = [measured_pile(deck, Variant(variant), folder=folder) for deck in decks]
        self.engine = Engine(players, [pile.cards for pile in piles], variant, longest=longest, name=backend)
        self.players, self.terms = players, self.engine.terms
        self.layout = Layout(self.terms.longest, self.terms.pile)
        lookers = [(_eyes(one), character.name) for one in chosen for character in CHARACTERS]
        tables = perception(lookers, piles, np.float32)
        self.eyes = self.engine.backend.on_device(tables)
        self._observed = self.engine.backend.made_fast(self._observation)
        self._rewarded = self.engine.backend.made_fast(self._rewards)

    def init(self, seed: int, lanes: int, first_lane: int = 0) -> State:
        games = self.engine.init(seed, lanes, first_lane)
        xp = namespace(games.lane)
        seats = xp.arange(self.players, dtype=np.int32)
        none = word(0 * games.lane)[:, None]
        bits, _ = random_words(games.seed[:, None], games.lane[:, None], none, none + word(seats + TASTES))
        return State(games, seats * len(CHARACTERS) + below(bits, np.int32(len(CHARACTERS))))

    def step(self, state: State, actions: Number, *, renew: bool = True) -> Step:
        """A decision in every lane. An illegal action raises, and nothing has changed."""
        lanes, did = self.engine.step(state.lanes, actions, renew=renew)
        return self._made(state, lanes, did)

    def step_unchecked(self, state: State, actions: Number, *, renew: bool = True) -> Step:
        """The same inside `jax.jit`: a lane with an illegal action stays as it is."""
        lanes, did = self.engine.backend.step(state.lanes, actions, self.terms, self.engine.shares, renew=renew)
        return self._made(state, lanes, did)

    def _made(self, state: State, lanes: Lanes, did: Outcome) -> Step:
        return Step(State(lanes, state.kinds), *self._rewarded(did))

    def _rewards(self, did: Outcome) -> tuple[Number, Number]:
        xp = namespace(did.ending)
        ended = did.ending != GOES_ON
        won = (winners(did.arrows_won, self.players)[:, None] >> xp.arange(self.players, dtype=np.int32)) & 1
        share = won / won.sum(axis=1, keepdims=True)
        rewards = (self.players * share - 1) / (self.players - 1)
        return (rewards * ended[:, None]).astype(np.float32), ended

    def mask(self, state: State) -> Number:
        """1 for every legal action of the player whose turn it is."""
        turn = state.lanes.turn
        xp = namespace(turn.length)
        gaps, doubt = choices(turn, self.terms)
        action = xp.arange(self.terms.longest + 1, dtype=np.int32)
        doubts = (action == self.terms.longest) & doubt[:, None]
        return ((action < gaps[:, None]) | doubts).astype(np.int8)

    def observe(self, state: State, seats: Number | None = None) -> BatchObservation:
        """What the player at turn sees in each lane, or whoever sits at `seats`."""
        made: BatchObservation = self._observed(state, seats)
        return made

    def _observation(self, state: State, seats: Number | None) -> BatchObservation:
        turn = state.lanes.turn
        xp = namespace(turn.length)
        mask = self.mask(state)
        if seats is None:
            me = xp.maximum(turn.to_play, 0)
        else:
            me = xp.asarray(seats, dtype=np.int32)
            mask = mask * (turn.to_play == me)[:, None].astype(np.int8)
        if self.engine.name == "numba":
            from illusion.lab.crowd.compiled_observation import observed  # noqa: PLC0415  (an extra)

            numbers = observed(state.lanes, state.kinds, me, self.terms, self.eyes, self.layout.size)
            return BatchObservation(numbers, mask)
        return BatchObservation(self._numbers(state, me), mask)

    def _numbers(self, state: State, me: Number) -> Number:
        turn, n, longest = state.lanes.turn, self.players, self.terms.longest
        xp = namespace(turn.length)
        at = xp.arange(turn.length.shape[0], dtype=np.int32)
        place = xp.arange(longest, dtype=np.int32)
        there = place < turn.length[:, None]
        laid = xp.where(there, state.lanes.cards.row.astype(np.int32), 0)
        next_there = (turn.to_play >= 0) & (turn.drawn < self.terms.pile)
        cards = xp.concatenate([laid, turn.length[:, None]], axis=1)
        seen = look(self.eyes, state.lanes, at, cards, state.kinds[at, me], me, self.terms.pile)
        shown = xp.concatenate([there, next_there[:, None]], axis=1)
        ones = shown.astype(np.float32)
        looks = xp.stack(
            [ones, seen.hundredths / np.float32(HUNDREDTHS) * ones, self.eyes.spreads[seen.spread] * ones], 2
        )
        by = (turn.to_play[:, None] - turn.length[:, None] + laid - me[:, None]) % n
        who = xp.where(laid == 0, 0, 1 + by)
        layers = xp.arange(1 + MOST_PLAYERS, dtype=np.int32)
        row = xp.concatenate(
            [looks[:, :-1], laid[..., None], (who[..., None] == layers) & there[..., None]], axis=2, dtype=np.float32
        )
        seat = xp.arange(MOST_PLAYERS, dtype=np.int32)
        arrow = xp.where(turn.to_play >= 0, state.lanes.cards.arrows[at, turn.round - 1].astype(np.int32), -1)
        from_me = xp.where(turn.to_play >= 0, (turn.to_play - me) % n, -1)
        won = (turn.arrows_won[:, None] >> (SEAT_BITS * ((me[:, None] + seat) % n))) & SEAT_MASK
        rest = [
            turn.length[:, None],
            looks[:, -1],
            arrow[:, None] == xp.arange(len(COLOURS), dtype=np.int32),
            from_me[:, None] == seat,
            xp.where(seat < n, won, 0),
            xp.full_like(turn.round, n)[:, None],
            turn.round[:, None],
            (self.terms.pile - turn.drawn)[:, None],
            xp.full_like(turn.round, int(self.terms.arrows_to_win == NO_GOAL))[:, None],
        ]
        return xp.concatenate([row.reshape(row.shape[0], -1), *rest], axis=1, dtype=np.float32)


batch_env = BatchEnvironment
"""As `env` and `raw_env` make the environment of one game."""


def _eyes(one: str | Eyes) -> Eyes:
    known = levels()
    if isinstance(one, str):
        if one not in known:
            raise CannotPlay(f"There are no eyes called {one!r}; there are {', '.join(known)}.")
        return known[one].eyes
    return one
