"""Estimates of a player's own eyes from their moves: their noise w, and their biases.

`turn_chances` computes the likelihood of a round's turns by w and by the doubt threshold; rounds are multiplied, and
the threshold is averaged out. The prior of w is log-normal around what people have been found to have (0.10 to 0.19,
see `bots.eyes`), with a factor of two as its standard deviation: it counts less than the first ten placements.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import exp, log
from random import Random
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from illusion.bots import levels
from illusion.bots.eyes import TASTE
from illusion.bots.race import Numbers
from illusion.review.turn_chances import LAPSE, WIDTHS, CardsSeen, Round, SeatLooks, SeatTurn, between, turn_chances

NEEDED: Final = 30
"""Placements needed for an estimate."""
ENOUGH_FOR_BIAS: Final = 12
STRETCH: Final = 30
"""Placements per step of the trend."""

_LOOKS: Final = 256
_LOG_WIDTHS: Final = np.log(WIDTHS)
_BEFORE: Final = -(((_LOG_WIDTHS - log(0.10 * 0.19) / 2) / log(2)) ** 2) / 2
"""The log prior of each w."""
_BIASES: Final = np.linspace(-0.6, 0.6, 25)
_BIAS_BEFORE: Final = -((_BIASES / 0.25) ** 2) / 2
_TAIL: Final = 0.025


class Estimate(msgspec.Struct, frozen=True):
    """A figure and its interval of 95 %."""

    figure: float
    low: float
    high: float


class Bias(msgspec.Struct, frozen=True):
    """The fraction by which cards look larger (below 0: smaller), beyond what is assumed of all eyes."""

    of: str
    placements: int
    larger: Estimate


class Stretch(msgspec.Struct, frozen=True):
    """A step of the trend: consecutive placements."""

    placements: int
    w: Estimate


class OwnEyes(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates from a player's placements. If there are too few, there are none, and `needed` says how many more."""

    games: int
    placements: int
    placed_right: int
    needed: int
    w: Estimate | None = None
    """The noise of ln(seen / true) for one disc."""
    like: str | None = None
    """The level of bots with the most similar w."""
    colours: list[Bias] = []
    """By colour, how much larger the card to be placed looks than those in the row. (A colour that looks larger on all
    cards changes no order.)"""
    families: list[Bias] = []
    trend: list[Stretch] = []
    """At least two steps, or none."""
    needed_for_trend: int = 0
    change: Literal["finer", "coarser"] | None = None
    """Whether the second half is clearly better or worse than the first."""
    doubts: int
    doubts_right: int
    believed: int
    believed_wrong: int


def own_eyes(games: Sequence[SeatLooks]) -> OwnEyes:
    """Estimates over all games, given in the order of playing."""
    rounds = [each for game in games for each in game.rounds]
    turns = [turn for each in rounds for turn in each.turns]
    placements = [turn for turn in turns if turn.gap is not None]
    doubts = [turn for turn in turns if turn.gap is None]
    believed = [turn for turn in placements if len(turn.row) > 1]
    known = OwnEyes(
        games=len(games),
        placements=len(placements),
        placed_right=sum(turn.right for turn in placements),
        needed=max(NEEDED - len(placements), 0),
        needed_for_trend=max(NEEDED - len(placements), 0) + STRETCH,
        doubts=len(doubts),
        doubts_right=sum(turn.right for turn in doubts),
        believed=len(believed),
        believed_wrong=sum(turn.row_wrong for turn in believed),
    )
    if known.needed:
        return known
    simulated, chances = [], []
    for number, each in enumerate(rounds, 1):
        simulated.append(_simulated(each, number))
        chances.append(turn_chances(each, number))
    log_likelihoods = np.array(chances)
    w = _estimated(log_likelihoods)
    trend, needed_for_trend = _trend(log_likelihoods, [len(each.placements) for each in rounds])
    return msgspec.structs.replace(
        known,
        w=w,
        like=_like(w.figure),
        colours=_biases(simulated, w.figure, lambda looked, _: looked.round.arrow, _new_card),
        families=_biases(simulated, w.figure, lambda looked, turn: looked.round.cards[turn.card].family, _its_family),
        trend=trend,
        needed_for_trend=needed_for_trend,
        change=_change(log_likelihoods),
    )


class _Simulated(NamedTuple):
    """A round as simulated players see it."""

    round: Round
    cards: CardsSeen
    units: Numbers
    """The error of seeing by player and card, in units of w."""


def _simulated(looked: Round, number: int) -> _Simulated:
    """Noise and tastes are antithetic variates, as in `ordinary`, and reproducible."""
    cards, rng = CardsSeen(looked), Random(f"illusion own eyes {number}")
    count = len(cards.family)
    drawn = np.array([[rng.gauss(0, 1) for _ in range(count + len(cards.families))] for _ in range(_LOOKS // 2)])
    noise, likings = np.split(np.concatenate([drawn, -drawn]), [count], axis=1)
    return _Simulated(looked, cards, cards.swayed + TASTE * likings[:, cards.family] + cards.noise * noise)


def _estimated(log_likelihoods: Numbers) -> Estimate:
    mean, low, high, _ = _about_w(log_likelihoods)
    return Estimate(*(round(exp(each), 4) for each in (mean, low, high)))


def _about_w(log_likelihoods: Numbers) -> tuple[float, float, float, float]:
    """Mean, ends of the interval, and variance of ln w, from log-likelihoods by w and threshold."""
    return _summed(np.logaddexp.reduce(log_likelihoods.sum(axis=0), axis=0) + _BEFORE, _LOG_WIDTHS)


def _summed(weights: Numbers, at: Numbers) -> tuple[float, float, float, float]:
    """Mean, ends of the interval, and variance of the values `at`, from their log probabilities."""
    chances = np.exp(weights - weights.max())
    chances /= chances.sum()
    mean = float(chances @ at)
    low, high = np.interp([_TAIL, 1 - _TAIL], chances.cumsum() - chances / 2, at)
    return mean, float(low), float(high), float(chances @ (at - mean) ** 2)


def _like(w: float) -> str:
    return min(levels().values(), key=lambda level: abs(log(level.eyes.w / w))).name


def _trend(log_likelihoods: Numbers, placements: Sequence[int]) -> tuple[list[Stretch], int]:
    """The trend, and the number of placements still needed for one. A step is as many rounds as have enough placements;
    a remainder is left out."""
    found, first, placed = [], 0, 0
    for at, count in enumerate(placements, 1):
        placed += count
        if placed >= STRETCH:
            found.append(Stretch(placed, _estimated(log_likelihoods[first:at])))
            first, placed = at, 0
    return (found, 0) if len(found) > 1 else ([], STRETCH - placed)


def _change(log_likelihoods: Numbers) -> Literal["finer", "coarser"] | None:
    half = len(log_likelihoods) // 2
    (first, *_, unsure), (second, *_, also) = _about_w(log_likelihoods[:half]), _about_w(log_likelihoods[half:])
    if abs(second - first) < 1.96 * (unsure + also) ** 0.5:
        return None
    return "finer" if second < first else "coarser"


def _biases(
    simulated: Sequence[_Simulated],
    w: float,
    of: Callable[[_Simulated, SeatTurn], str],
    larger: Callable[[_Simulated, SeatTurn], Numbers],
) -> list[Bias]:
    """The bias of each group with enough placements, by its name. `larger` says which cards look larger."""
    groups: dict[str, list[tuple[_Simulated, SeatTurn]]] = defaultdict(list)
    for looked in simulated:
        for turn in looked.round.placements:
            groups[of(looked, turn)].append((looked, turn))
    found = []
    for name, group in sorted(groups.items()):
        if len(group) < ENOUGH_FOR_BIAS:
            continue
        log_chances = np.array(_BIAS_BEFORE)
        for looked, turn in group:
            seen = looked.cards.logs + w * looked.units + _BIASES[:, None, None] * larger(looked, turn)
            low, high = between(seen[..., turn.row], turn, looked.cards.spreads)
            often = ((low <= seen[..., turn.card]) & (seen[..., turn.card] < high)).mean(axis=-1)
            log_chances += np.log((1 - LAPSE) * often + LAPSE / (len(turn.row) + 1))
        figures = _summed(log_chances, _BIASES)[:3]
        found.append(Bias(str(name), len(group), Estimate(*(round(exp(each) - 1, 4) for each in figures))))
    return found


def _new_card(looked: _Simulated, turn: SeatTurn) -> Numbers:
    return np.array([float(at == turn.card) for at in range(len(looked.round.cards))])


def _its_family(looked: _Simulated, turn: SeatTurn) -> Numbers:
    """Cards of the same family in the row look larger, too."""
    family = looked.round.cards[turn.card].family
    return np.array([float(card.family == family) for card in looked.round.cards])
