"""The minds of the bots (`bots/minds.py`) in JAX, for the games of `arrays.py`: the same decisions from the same looks.

They are written again because a mind of one player walks through one row in Python. `tests/lab/test_minds.py` holds the
two together, decision by decision. All their numbers (thresholds, tempers, experience, evidence) come from the bots.
Everything is of one game, to be mapped over many; rows are padded to the longest row of the batch.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from illusion.bots import minds as bots
from illusion.bots.belief import ASSUMED, LEAST_SPREAD, NOT_FALLING, PRIOR, RUNGS, OthersEyes, factor_of
from illusion.bots.race import SHORTEST_DOUBTED, worth_of_arrow, worth_of_penalty
from illusion.lab.arrays import NO_GOAL, ArrayGame, CannotPlay, Line, Number, State, Table, Terms
from illusion.rules import Penalty
from illusion.rules.setup import MOST_PLAYERS

Judged: TypeAlias = tuple[Number, Number]
"""How eager the player at turn is to doubt, above 0 or not; and the gap they would place into."""

_MOST_SCORES: Final = 20_000


class Situation(NamedTuple):
    """All that the minds of the players at turn decide from; the games are the last axis of every array, so that a
    processor works on neighbours."""

    there: Table
    """Which places of the row have a card."""
    laid: Table
    """When each card was laid."""
    length: Line
    seen: Table
    """ln of the share seen of each card of the row, and then of the next card."""
    spread: Table
    arrows: Table
    """Arrows won by each player, the one at turn first."""
    gaps: Line
    """How many gaps take the next card."""
    may_doubt: Line
    temper: Line


def situations(game: ArrayGame, states: State, tempers: Line, width: int) -> Situation:
    """For the players at turn; no row has more than `width` cards."""
    seats, players = np.arange(MOST_PLAYERS), game.terms.players

    def of_one(state: State, temper: Number) -> Situation:
        looked = game.look(state, state.to_play, width)
        there = np.arange(width) < state.length
        laid = jnp.where(there, state.row[:width].astype(np.int32), 0)
        arrows = jnp.where(seats < players, state.arrows_won[(state.to_play + seats) % players], 0)
        gaps, may_doubt = game.choices(state)
        return Situation(there, laid, state.length, looked.seen, looked.spread, arrows, gaps, may_doubt, temper)

    found: Situation = jax.vmap(of_one, out_axes=-1)(states, tempers)
    return found


def decided(known: Situation, judged: Judged, longest: int) -> Line:
    """The actions: doubt if the mind is eager to or cannot place, else place; always legal."""
    eagerness, gap = judged
    return jnp.where((known.gaps == 0) | ((eagerness > 0) & known.may_doubt), longest, gap).astype(np.int32)


class PointEstimate(NamedTuple):
    doubts_at: Number

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


class Threshold(NamedTuple):
    doubts_at: Number
    arrows_returned: Number

    def judge(self, known: Situation) -> Judged:
        right, stays = believe(known)
        lost = jnp.minimum(known.arrows[0], self.arrows_returned) * (1 - self.doubts_at)
        threshold = (self.doubts_at + lost) / (1 + lost)
        eagerness = 1 - right - threshold + bots.Threshold.TEMPER * known.temper
        return eagerness, _best_gap(known, stays)


class Value(NamedTuple):
    players: Number
    calibration: Line
    taken: Table
    """`Experience.taken`."""
    ties: Table | None
    """How evidence ties two neighbours, by kind of tie (`_tie`); None for a mind that does not learn from others."""
    digits: Line
    """What each player's arrows count in the number of a score, mine first."""
    worth: Table
    """Of an arrow, by score and by who takes it."""
    wrong_doubt: Line

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

    def weigh(self, known: Situation) -> tuple[Line, Line, Table]:
        """How likely the row is wrong, by its own belief and by experience, and stays right with the card in a gap."""
        right, stays = believe(known) if self.ties is None else believe(known, self.ties, self._tie(known))
        level, slope, length = self.calibration
        believed = jnp.clip(1 - right, 1e-6, 1 - 1e-6)
        odds = level + slope * jnp.log(believed / (1 - believed)) + length * (known.length - SHORTEST_DOUBTED)
        wrong = 1 / (1 + jnp.exp(-odds))
        return 1 - right, wrong, (1 - wrong) / jnp.maximum(right, 1e-9) * stays

    def _takers(self, cards: Line, right: Line) -> Table:
        """`Experience.takers`."""
        taken = jnp.asarray(self.taken)
        length = jnp.minimum(cards - SHORTEST_DOUBTED, taken.shape[0] - 1)
        steps = taken.shape[1] - 1
        at = jnp.clip(right, 0, 1) * steps
        below = jnp.minimum(at.astype(np.int32), steps - 1)
        low, high = taken[length, below], taken[length, below + 1]
        return low + (at - below)[:, None] * (high - low)

    def _tie(self, known: Situation) -> Table:
        """Which evidence ties two neighbours: how many have believed them since the later one was laid (`_evidence`).

        Seats take turns, so of the `since` players who placed after it, the first n - 1 are different ones.
        """
        since = known.length - 1 - jnp.maximum(known.laid[1:], known.laid[:-1])
        mine = (since + 1) % self.players == 0
        tie = jnp.where(mine, self.players, 1 + jnp.minimum(since, self.players - 2))
        return jnp.where(known.there[1:], tie, 0)


ArrayMind: TypeAlias = PointEstimate | Threshold | Value


def array_mind(mind: bots.Mind, terms: Terms, eyes: OthersEyes = ASSUMED) -> ArrayMind:
    """The same mind for games of these terms."""
    players, returned = int(terms.players), int(terms.arrows_returned)
    if isinstance(mind, bots.PointEstimate):
        return PointEstimate(np.float32(mind.doubts_at))
    if isinstance(mind, bots.Threshold):
        return Threshold(np.float32(mind.doubts_at[players]), np.int32(returned))
    if not isinstance(mind, bots.Value):
        raise CannotPlay(f"There is no {type(mind).__name__} for arrays; there are PointEstimate, Threshold and Value.")
    experience, ties = mind.experience, None
    if mind.learns:
        ties = np.array([np.ones_like(NOT_FALLING), *_evidence(players, eyes)], np.float32)
    digits, *worths = _worths(tuple(experience.starts[str(players)]), terms)
    calibration, taken = experience.calibration[str(players)], experience.taken[str(players)]
    calibrated, known_taken, worth, wrong_doubt = (np.array(each, np.float32) for each in (calibration, taken, *worths))
    return Value(np.int32(players), calibrated, known_taken, ties, np.array(digits, np.int32), worth, wrong_doubt)


def believe(known: Situation, ties: Table | None = None, tie: Table | None = None) -> tuple[Line, Table]:
    """`bots.belief.believe`, with the same messages: the chance that a row is right, and by gap that it stays so.

    `ties[tie]` are the weights of two neighbours on their rungs, by what other players' moves tell about them.
    """
    chances = _posteriors(known.seen, known.spread)
    row, card = chances[:-1], chances[-1]
    not_falling = NOT_FALLING.astype(np.float32)
    tied = not_falling[None] if ties is None else ties * not_falling
    kinds = jnp.zeros_like(known.laid) if tie is None else jnp.concatenate([tie, jnp.zeros_like(tie[:1])])
    forward = _messages(row, known.there, tied, kinds)
    backward = _messages(row, known.there, jnp.swapaxes(tied, 1, 2), jnp.roll(kinds, 1, axis=0), backward=True)
    right, stays = forward[-1, -1], _summed(forward * backward * card)
    if ties is None:
        return right, stays
    up_to = jnp.cumsum(card, axis=0)  # inside, the card comes between two that the evidence ties together
    left, other = row[:-1] * forward[:-2], row[1:] * backward[2:]
    inside = _summed(other * up_to * forward[1:-1] - left * (up_to - card) * backward[1:-1])
    stays = stays.at[1:-1].set(jnp.where(known.there[1:], inside, stays[1:-1]))
    total = _messages(row, known.there, ties, kinds)[-1, -1]
    return right / total, stays / total


def _messages(row: Table, there: Table, weights: Table, kinds: Table, *, backward: bool = False) -> Table:
    """What the cards left of each gap, or with `backward` right of it, say about a card in the gap, by its rung."""
    many, rungs, _ = weights.shape
    below_each_other = jnp.swapaxes(jnp.asarray(weights), 1, 2).reshape(many * rungs, rungs)

    def card(message: Table, this: tuple[Table, Line, Line]) -> tuple[Table, Table]:
        chances, is_there, kind = this
        every = (below_each_other @ (chances * message)).reshape(many, *message.shape)  # through all ties at once
        passed = every[0]
        for other in range(1, many):
            passed = jnp.where(kind == other, every[other], passed)
        message = jnp.where(is_there, passed, message)
        return message, message

    first = jnp.ones_like(row[0])
    _, messages = jax.lax.scan(card, first, (row, there, kinds), reverse=backward)
    return jnp.concatenate([messages, first[None]] if backward else [first[None], messages])


def _posteriors(seen: Table, spread: Table) -> Table:
    """`bots.belief.posteriors`; the rungs are the last axis but one."""
    rungs, prior = np.log(RUNGS).astype(np.float32)[:, None], PRIOR.astype(np.float32)[:, None]
    away = (rungs - seen[:, None]) / jnp.maximum(spread, LEAST_SPREAD)[:, None]
    chances = prior * jnp.exp(((away**2).min(axis=1, keepdims=True) - away**2) / 2)
    return chances / chances.sum(axis=1, keepdims=True)


def _summed(products: Table) -> Table:
    """Over the rungs, gap by gap: on a processor XLA sums an inner axis five times as slowly."""
    return jax.lax.map(lambda weights: np.ones(len(RUNGS), np.float32) @ weights, products)


def _fall(left: Number, left_spread: Number, right: Number, right_spread: Number) -> Number:
    spread = jnp.hypot(left_spread, right_spread)
    return (left - right) / jnp.where(spread > 0, spread, 1e-9)


def _is_gap(known: Situation) -> Table:
    return np.arange(known.there.shape[0] + 1)[:, None] <= known.length


def _best_gap(known: Situation, stays: Table) -> Line:
    return jnp.argmax(jnp.where(_is_gap(known), stays, -np.inf), axis=0)


def _evidence(players: int, eyes: OthersEyes) -> list[Any]:
    """By how many believed: somebody else laid two cards side by side, and 0 to n - 2 others believed them; or the
    player at turn laid them, and all n - 1 others believed."""
    others = [factor_of(eyes, placed=True, believers=believers) for believers in range(players - 1)]
    return [*others, factor_of(eyes, placed=False, believers=players - 1)]


def _worths(starts: tuple[float, ...], terms: Terms) -> tuple[list[int], list[tuple[float, ...]], list[float]]:
    """What each player's arrows count in a score's number; what an arrow is worth and a wrong doubt costs, by score."""
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
