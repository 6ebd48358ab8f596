"""The chance that a row is right, and stays right with the next card in each gap: exact inference by forward-backward.

The row is a chain: each card has a distribution over the rungs of a scale; the factor of two neighbours is "the left
one is not above the right one" and the evidence of other players' moves. The forward-backward algorithm (Rabiner 1989,
section III) sums over all rungs in one pass each way; the next card in a gap is scored by the forward message left of
the gap times the backward message right of it.

The evidence: a player lays a card where it seems to fit, and does not doubt if they see no fall. Each other player
counts once for two neighbours: as the one who laid them side by side, or as one who did not doubt.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import erf, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots.eyes import Impression
from illusion.rules import View

Chances: TypeAlias = NDArray[np.float64]
"""A distribution over the rungs."""

RUNGS: Final = np.array(
    [2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 18.6, 21, 23.6, 26.6, 30, 33.8, 38, 42.8, 48.2, 54]
)
"""Shares in percent, halfway between the ladders that a colour can have: minds know how decks are made, but no deck."""
PRIOR: Final[Chances] = np.linspace(7, 4, len(RUNGS)) / np.linspace(7, 4, len(RUNGS)).sum()

_LOGS: Final = np.log(RUNGS)
LEAST_SPREAD: Final = 0.01


@lru_cache(maxsize=100_000)
def posterior(impression: Impression) -> Chances:
    """The distribution over rungs given an impression. Cached: impressions are rounded, so they recur."""
    made = posteriors(np.array(impression.seen), np.array(impression.spread))
    made.setflags(write=False)
    return made


def posteriors(seen: Chances, spread: Chances) -> Chances:
    """The same for many impressions; rungs are the last axis."""
    away = (_LOGS - seen[..., None]) / np.maximum(spread, LEAST_SPREAD)[..., None]
    chances = PRIOR * np.exp((away**2).min(axis=-1, keepdims=True) / 2 - away**2 / 2)
    made: Chances = chances / chances.sum(axis=-1, keepdims=True)
    return made


Factor: TypeAlias = NDArray[np.float64]
"""The likelihood of other players' moves, by the rungs of two neighbours, left and right."""

NOT_FALLING: Final = np.triu(np.ones((len(RUNGS), len(RUNGS))))
"""1 where the left rung is not above the right one (R3.1)."""


class Belief(NamedTuple):
    """`right`: the chance that the row is right. `stays[gap]`: that it is, with the next card in that gap."""

    right: float
    stays: list[float]


class Beliefs(NamedTuple):
    """The same for many observers: `stays[..., gap]`."""

    right: Chances
    stays: Chances


def believe(row: Sequence[Chances], card: Chances | None, evidence: Sequence[Factor | None] = ()) -> Belief:
    """The belief about a row and the next card; `evidence[i]` is the factor of others' moves on cards i and i + 1."""
    right, stays = believe_all(row, card, evidence)
    return Belief(float(right), stays.tolist())


def believe_all(row: Sequence[Chances], card: Chances | None, evidence: Sequence[Factor | None] = ()) -> Beliefs:
    """The same for many observers of one row; rungs are the last axis.

    `forward[gap]` is the chance that the cards left of the gap do not fall and that none is above a card in the gap, by
    that card's rung; `backward[gap]` is the same for the cards right of the gap.
    """
    rows = np.array(row)
    steps = [NOT_FALLING if each is None else each * NOT_FALLING for each in evidence or [None] * (len(rows) - 1)]
    forward = np.ones((len(rows) + 1, *rows.shape[1:]))
    backward = np.ones_like(forward)
    for gap, step in enumerate([*steps, NOT_FALLING]):
        np.matmul(rows[gap] * forward[gap], step, forward[gap + 1])
    for gap, step in reversed([*enumerate([NOT_FALLING, *steps])]):
        np.matmul(rows[gap] * backward[gap + 1], step.T, backward[gap])
    right = forward[-1, ..., -1]
    stays = np.empty((0, *right.shape)) if card is None else (forward * backward * card).sum(axis=-1)
    if evidence:
        if card is not None:  # between two cards with evidence: not above the right one, not below the left one
            up_to, left, other = np.cumsum(card, axis=-1), rows * forward[:-1], rows * backward[1:]
            inside = other[1:] * up_to * forward[1:-1] - left[:-1] * (up_to - card) * backward[1:-1]
            stays[1:-1] = inside.sum(axis=-1)
        total = _total_weight(rows, evidence)
        right, stays = right / total, stays / total
    return Beliefs(np.asarray(right), np.moveaxis(stays, 0, -1))


def _total_weight(rows: Chances, evidence: Sequence[Factor | None]) -> Chances:
    """The likelihood of the evidence, whether the row falls or not."""
    weight = rows[0]
    for chances, factor in zip(rows[1:], evidence, strict=True):
        weight = (weight.sum(axis=-1, keepdims=True) if factor is None else weight @ factor) * chances
    return np.asarray(weight.sum(axis=-1))


LAPSE: Final = 0.02
"""The probability that others act without looking, so that nothing they do is proof."""


class OthersEyes(NamedTuple):
    """The assumed eyes of other players."""

    spread: float = 0.10
    """Their noise, as `w` of `Eyes`."""
    tolerance: float = 1.0
    """The largest fall that they do not doubt, in standard deviations of a difference."""


ASSUMED: Final = OthersEyes()


def others_evidence(view: View, me: int, eyes: OthersEyes = ASSUMED) -> list[Factor | None]:
    """For each pair of neighbours the likelihood of the others' moves; None without moves."""
    laid = view.laid
    turns = {turn: by for turn, by in zip(laid, view.placed_by, strict=True) if by is not None}
    factors: list[Factor | None] = []
    for left, right in pairwise(laid):
        since = max(left, right)
        placer = turns[since]
        believers = {turns[turn] for turn in range(since + 1, len(laid))} - {me, placer}
        factors.append(factor_of(eyes, placed=placer != me, believers=len(believers)))
    return factors


@lru_cache
def factor_of(eyes: OthersEyes, *, placed: bool, believers: int) -> Factor | None:
    """The likelihood that another player laid two cards so (if `placed`), and that `believers` others saw no fall."""
    if not placed and not believers:
        return None
    logs = np.log(RUNGS)
    apart = (logs - logs[:, None]) / (eyes.spread * sqrt(2))
    return np.asarray(_likelihood(apart) ** int(placed) * _likelihood(apart + eyes.tolerance) ** believers)


def _likelihood(apart: Factor) -> Factor:
    normal_cdf = np.array([[(1 + erf(each / sqrt(2))) / 2 for each in line] for line in apart])
    return np.asarray(LAPSE + (1 - LAPSE) * normal_cdf)
