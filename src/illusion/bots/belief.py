"""The chance that a row is right, and stays right with the next card in each gap: exact inference by forward-backward.

The row is a chain: each card has a distribution over the rungs of a scale; the factor of two neighbours is "the left
one is not above the right one" and the evidence of other players' moves. The forward-backward algorithm (Rabiner 1989,
section III) sums over all rungs in one pass each way; the next card in a gap is scored by the forward message left of
the gap times the backward message right of it.

The evidence: a player lays a card where it seems to fit, and does not doubt if they see no fall. Each other player
counts once for two neighbours: as the one who laid them side by side, or as one who did not doubt.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import erf, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

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
    made: Chances = posteriors(np.array(impression.seen), np.array(impression.spread))
    made.setflags(write=False)
    return made


def posteriors(seen: Any, spread: Any, xp: Any = np) -> Any:
    """The same for impressions of any shape; rungs are the first axis. Like `beliefs`, for numpy or JAX as `xp`."""
    logs, prior = (each.reshape(-1, *[1] * seen.ndim) for each in (_LOGS, PRIOR))
    away = (logs - seen) / xp.maximum(spread, LEAST_SPREAD)
    chances = prior * xp.exp(((away**2).min(axis=0) - away**2) / 2)
    return chances / chances.sum(axis=0)


Factor: TypeAlias = NDArray[np.float64]
"""The likelihood of other players' moves, by the rungs of two neighbours, left and right."""

NOT_FALLING: Final = np.triu(np.ones((len(RUNGS), len(RUNGS))))
"""1 where the left rung is not above the right one (R3.1)."""
ANY: Final = np.ones_like(NOT_FALLING)
"""The factor of two neighbours that nothing is known about."""


class Belief(NamedTuple):
    """`right`: the chance that the row is right. `stays[gap]`: that it is, with the next card in that gap."""

    right: float
    stays: list[float]


class Beliefs(NamedTuple):
    """The same for many observers, who are the last axis."""

    right: Any
    stays: Any


def believe(row: Sequence[Chances], card: Chances | None, evidence: Sequence[Factor | None] = ()) -> Belief:
    """The belief about a row and the next card; `evidence[i]` is the factor of others' moves on cards i and i + 1."""
    right, stays = believe_all(row, card, evidence)
    return Belief(float(right), stays.tolist())


def believe_all(row: Sequence[Chances], card: Chances | None, evidence: Sequence[Factor | None] = ()) -> Beliefs:
    """The same for many observers of one row: of each card the chances by rung and observer."""
    rows = np.array(row)
    factors = [ANY if each is None else each for each in evidence or [None] * (len(rows) - 1)]
    steps = [NOT_FALLING if each is ANY else each * NOT_FALLING for each in factors]
    forward = messages(rows, [*steps, NOT_FALLING])
    backward = messages(rows[::-1], [each.T for each in (NOT_FALLING, *steps)][::-1])[::-1]
    weight = messages(rows, [*factors, ANY])[-1, -1] if evidence else None
    return beliefs(rows, card, forward, backward, weight)


def messages(row: Chances, factors: Sequence[Factor]) -> Chances:
    """Forward messages: for each gap, what the cards left of it say about a card in it, by that card's rung.

    `factors[i]` is the factor of card i and the next one, the last that of the last card and a card after it. Backward
    messages are those of the row from right to left.
    """
    passed = np.ones((len(row) + 1, *row.shape[1:]))
    for at, factor in enumerate(factors):
        np.matmul(factor.T, row[at] * passed[at], passed[at + 1])
    return passed


def _over_rungs(terms: Chances) -> Chances:
    return np.asarray(terms.sum(axis=1))


def beliefs(
    row: Any,
    card: Any | None,
    forward: Any,
    backward: Any,
    weight: Any | None = None,
    *,
    xp: Any = np,
    summed: Callable[[Any], Any] = _over_rungs,
) -> Beliefs:
    """What the messages say about a row without falls, in which two neighbours also have the factors of their evidence.

    `weight` is the likelihood of that evidence whether the row falls or not; None without evidence. `summed` sums over
    the rungs, the second axis. Bots call this with numpy, `illusion.lab` for rows of many games with JAX.
    """
    right = forward[-1, -1]
    if card is None:
        stays = xp.empty((0, *right.shape))
    elif weight is None:
        stays = summed(forward * backward * card)
    else:  # between two cards with evidence: not above the right one, not below the left one
        up_to, left, other = xp.cumsum(card, axis=0), row * forward[:-1], row * backward[1:]
        inside = other[1:] * up_to * forward[1:-1] - left[:-1] * (up_to - card) * backward[1:-1]
        stays = summed(xp.concatenate([(backward[0] * card)[None], inside, (forward[-1] * card)[None]]))
    return Beliefs(right, stays) if weight is None else Beliefs(right / weight, stays / weight)


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
