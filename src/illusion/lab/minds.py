"""The minds of the bots (`bots/minds.py`) in JAX, for the games of `arrays.py`: the same decisions from the same looks.

A second version, because the first one decides for a single player in Python. Beliefs (`bots/belief.py`) and all
parameters (thresholds, tempers, experience, evidence) are the bots'; `tests/lab/test_minds.py` compares the decisions.
Rows are padded to the same width.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from illusion.bots import minds as bots
from illusion.bots.belief import (
    ANY,
    ASSUMED,
    NOT_FALLING,
    RUNGS,
    Beliefs,
    OthersEyes,
    beliefs,
    factor_of,
    posteriors,
)
from illusion.bots.race import SHORTEST_DOUBTED, worth_of_arrow, worth_of_penalty
from illusion.lab.arrays import NO_GOAL, ArrayGame, ArrayTerms, CannotPlay, Matrix, Scalar, State, Vector
from illusion.rules import Penalty
from illusion.rules.setup import MOST_PLAYERS

Judged: TypeAlias = tuple[Scalar, Scalar]
"""Eagerness of the player at turn to doubt (they do if it is above 0), and the gap they would place into."""

_MOST_SCORES: Final = 20_000


class Situation(NamedTuple):
    """All that the players at turn decide from. Games are the last axis of every array, for vectorization."""

    there: Matrix
    """Whether each place of the padded row has a card."""
    laid: Matrix
    """When each card was laid."""
    length: Vector
    seen: Matrix
    """ln of the percentage seen: each card of the row, then the next card."""
    spread: Matrix
    arrows: Matrix
    """Arrows won by each player, the one at turn first."""
    gaps: Vector
    """The number of gaps that take the next card."""
    may_doubt: Vector
    temper: Vector


def situations(game: ArrayGame, states: State, tempers: Vector, width: int) -> Situation:
    """The situations of the players at turn; no row may have more than `width` cards."""
    seats, players = np.arange(MOST_PLAYERS), game.terms.players

    def of_one(state: State, temper: Scalar) -> Situation:
        looked = game.look(state, state.to_play, width)
        there = np.arange(width) < state.length
        laid = jnp.where(there, state.row[:width].astype(np.int32), 0)
        arrows = jnp.where(seats < players, state.arrows_won[(state.to_play + seats) % players], 0)
        gaps, may_doubt = game.choices(state)
        return Situation(there, laid, state.length, looked.seen, looked.spread, arrows, gaps, may_doubt, temper)

    found: Situation = jax.vmap(of_one, out_axes=-1)(states, tempers)
    return found


def decided(known: Situation, judged: Judged, longest: int) -> Vector:
    """Actions, always legal: doubt if the mind is eager to or cannot place, else place."""
    eagerness, gap = judged
    return jnp.where((known.gaps == 0) | ((eagerness > 0) & known.may_doubt), longest, gap).astype(np.int32)


class ArrayPointEstimate(NamedTuple):
    doubts_at: Scalar

    def judge(self, known: Situation) -> Judged:
        row, row_spread, card, card_spread = known.seen[:-1], known.spread[:-1], known.seen[-1], known.spread[-1]
        steep = _fall(row[:-1], row_spread[:-1], row[1:], row_spread[1:])
        steepest = jnp.where(known.there[1:], steep, -np.inf).max(axis=0, initial=-np.inf)
        steepest = jnp.where(known.length > 1, steepest, 0)
        left = jnp.where(known.there, jnp.maximum(_fall(row, row_spread, card, card_spread), 0), 0)
        right = jnp.where(known.there, jnp.maximum(_fall(card, card_spread, row, row_spread), 0), 0)
        none = jnp.zeros_like(left[:1])
        falls_left = jnp.concatenate([none, jnp.cumsum(left, axis=0)])
        falls_right = jnp.concatenate([jnp.cumsum(right[::-1], axis=0)[::-1], none])
        eagerness = steepest - self.doubts_at + bots.PointEstimate.TEMPER * known.temper
        return eagerness, jnp.argmin(jnp.where(_is_gap(known), falls_left + falls_right, np.inf), axis=0)


class ArrayThreshold(NamedTuple):
    doubts_at: Scalar
    arrows_returned: Scalar

    def judge(self, known: Situation) -> Judged:
        right, stays = believe(known)
        lost = jnp.minimum(known.arrows[0], self.arrows_returned) * (1 - self.doubts_at)
        threshold = (self.doubts_at + lost) / (1 + lost)
        eagerness = 1 - right - threshold + bots.Threshold.TEMPER * known.temper
        return eagerness, _best_gap(known, stays)


class ArrayValue(NamedTuple):
    players: Scalar
    calibration: Vector
    taken: Matrix
    """`Experience.taken`."""
    ties: Matrix | None
    """The evidence on two neighbours, by its kind (`_tie`); None for a mind that does not learn from others."""
    digits: Vector
    """Weights of the players' arrows in a score's index, mine first."""
    worth: Matrix
    """The worth of an arrow, by score and by who takes it."""
    wrong_doubt: Vector

    def judge(self, known: Situation) -> Judged:
        _, wrong, stays = self.weigh(known)
        gap = _best_gap(known, stays)
        score = self.digits @ known.arrows
        worth = jnp.asarray(self.worth)[score]
        stays_right = jnp.take_along_axis(stays, gap[None], axis=0)[0]
        placing = (self._takers(known.length + 1, stays_right) * worth).sum(axis=1)
        doubting = wrong * worth[:, 0] + (1 - wrong) * jnp.asarray(self.wrong_doubt)[score]
        eagerness = doubting - placing + bots.Value.TEMPER * known.temper
        return jnp.where((known.gaps > 0) & known.may_doubt, eagerness, 0), gap

    def weigh(self, known: Situation) -> tuple[Vector, Vector, Matrix]:
        """The chance that the row is wrong, by belief and by experience; and that it stays right, by gap."""
        right, stays = believe(known) if self.ties is None else believe(known, self.ties, self._tie(known))
        level, slope, length = self.calibration
        believed = jnp.clip(1 - right, 1e-6, 1 - 1e-6)
        odds = level + slope * jnp.log(believed / (1 - believed)) + length * (known.length - SHORTEST_DOUBTED)
        wrong = 1 / (1 + jnp.exp(-odds))
        return 1 - right, wrong, (1 - wrong) / jnp.maximum(right, 1e-9) * stays

    def _takers(self, cards: Vector, right: Vector) -> Matrix:
        """As `Experience.takers`."""
        taken = jnp.asarray(self.taken)
        length = jnp.minimum(cards - SHORTEST_DOUBTED, taken.shape[0] - 1)
        steps = taken.shape[1] - 1
        at = jnp.clip(right, 0, 1) * steps
        below = jnp.minimum(at.astype(np.int32), steps - 1)
        low, high = taken[length, below], taken[length, below + 1]
        return low + (at - below)[:, None] * (high - low)

    def _tie(self, known: Situation) -> Matrix:
        """The kind of evidence on two neighbours: how many players believed them since the later one was laid.

        It is the index into `_evidence` plus 1. Of the placements since, the first n - 1 are by different players.
        """
        since = known.length - 1 - jnp.maximum(known.laid[1:], known.laid[:-1])
        mine = (since + 1) % self.players == 0
        tie = jnp.where(mine, self.players, 1 + jnp.minimum(since, self.players - 2))
        return jnp.where(known.there[1:], tie, 0)


ArrayMind: TypeAlias = ArrayPointEstimate | ArrayThreshold | ArrayValue


def array_mind(mind: bots.Mind, terms: ArrayTerms, eyes: OthersEyes = ASSUMED) -> ArrayMind:
    """The array version of a mind, for games of these terms."""
    players, returned = int(terms.players), int(terms.arrows_returned)
    if isinstance(mind, bots.PointEstimate):
        return ArrayPointEstimate(np.float32(mind.doubts_at))
    if isinstance(mind, bots.Threshold):
        return ArrayThreshold(np.float32(mind.doubts_at[players]), np.int32(returned))
    if not isinstance(mind, bots.Value):
        raise CannotPlay(f"There is no {type(mind).__name__} for arrays; there are PointEstimate, Threshold and Value.")
    experience, ties = mind.experience, None
    if mind.learns:
        ties = np.array([ANY, *_evidence(players, eyes)], np.float32)
    digits, *worths = _worths(tuple(experience.starts[str(players)]), terms)
    calibration, taken = experience.calibration[str(players)], experience.taken[str(players)]
    calibrated, known_taken, worth, wrong_doubt = (np.array(each, np.float32) for each in (calibration, taken, *worths))
    return ArrayValue(np.int32(players), calibrated, known_taken, ties, np.array(digits, np.int32), worth, wrong_doubt)


def believe(known: Situation, ties: Matrix | None = None, tie: Matrix | None = None) -> Beliefs:
    """As `bots.belief.believe`. `ties[tie]` is the evidence factor of two neighbours, over their rungs."""
    chances = jax.vmap(partial(posteriors, xp=jnp))(known.seen, known.spread)
    last_rung = (np.arange(len(RUNGS)) == len(RUNGS) - 1)[:, None]  # places without a card pass messages on
    row, card = jnp.where(known.there[:, None], chances[:-1], last_rung), chances[-1]
    tied = NOT_FALLING[None] if ties is None else ties * NOT_FALLING.astype(np.float32)
    kinds = jnp.zeros_like(known.laid) if tie is None else jnp.concatenate([tie, jnp.zeros_like(tie[:1])])
    forward = _messages(row, jnp.swapaxes(tied, 1, 2), kinds)
    backward = _messages(row, tied, jnp.roll(kinds, 1, axis=0), backward=True)
    weight = None if ties is None else _messages(row, jnp.swapaxes(ties, 1, 2), kinds)[-1, -1]
    return beliefs(row, card, forward, backward, weight, xp=jnp, summed=_summed)


def _messages(row: Matrix, factors: Matrix, kinds: Matrix, *, backward: bool = False) -> Matrix:
    """As `bots.belief.messages`, where the factor of two neighbours differs by game."""
    many, rungs, _ = factors.shape
    passing = factors.reshape(many * rungs, rungs)

    def card(message: Matrix, this: tuple[Matrix, Vector]) -> tuple[Matrix, Matrix]:
        chances, kind = this
        every = (passing @ (chances * message)).reshape(many, *message.shape)  # all kinds of evidence at once
        passed = every[0]
        for other in range(1, many):
            passed = jnp.where(kind == other, every[other], passed)
        return passed, passed

    first = jnp.ones_like(row[0])
    _, messages = jax.lax.scan(card, first, (row, kinds), reverse=backward)
    return jnp.concatenate([messages, first[None]] if backward else [first[None], messages])


def _summed(products: Matrix) -> Matrix:
    """Sums over rungs, gap by gap: XLA on a CPU takes 40 % longer for a whole belief with `sum`."""
    return jax.lax.map(lambda terms: np.ones(len(RUNGS), np.float32) @ terms, products)


def _fall(left: Scalar, left_spread: Scalar, right: Scalar, right_spread: Scalar) -> Scalar:
    spread = jnp.hypot(left_spread, right_spread)
    return (left - right) / jnp.where(spread > 0, spread, 1e-9)


def _is_gap(known: Situation) -> Matrix:
    return np.arange(known.there.shape[0] + 1)[:, None] <= known.length


def _best_gap(known: Situation, stays: Matrix) -> Vector:
    return jnp.argmax(jnp.where(_is_gap(known), stays, -np.inf), axis=0)


def _evidence(players: int, eyes: OthersEyes) -> list[Any]:
    """Evidence factors of two neighbours: laid by another player and believed by 0 to n - 2 others; then, last, laid by
    the player at turn and believed by all n - 1 others."""
    others = [factor_of(eyes, placed=True, believers=believers) for believers in range(players - 1)]
    return [*others, factor_of(eyes, placed=False, believers=players - 1)]


def _worths(starts: tuple[float, ...], terms: ArrayTerms) -> tuple[list[int], list[tuple[float, ...]], list[float]]:
    """Weights of the players' arrows in a score's index; then, by score, the worth of an arrow and of a wrong doubt."""
    players, to_win = int(terms.players), int(terms.arrows_to_win)
    penalty = Penalty.ARROW if terms.arrows_returned else Penalty.NOTHING
    scores: Sequence[tuple[int, ...]]
    if to_win == NO_GOAL:
        race, digits = None, [1] + [0] * (MOST_PLAYERS - 1)
        scores = [(mine, *[0] * (players - 1)) for mine in range(int(terms.rounds) + 1)]
    else:
        if to_win**players > _MOST_SCORES:
            raise CannotPlay(f"A race to {to_win} arrows has too many scores for value minds as arrays.")
        race, scores = to_win, list(product(range(to_win), repeat=players))
        digits = [to_win ** (players - 1 - seat) if seat < players else 0 for seat in range(MOST_PLAYERS)]
    worth = [worth_of_arrow(arrows, starts, race) for arrows in scores]
    return digits, worth, [worth_of_penalty(arrows, starts, race, penalty) for arrows in scores]
