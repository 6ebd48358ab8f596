"""A player's own eyes, from what they did: how fine they are, and what looks larger to them than it is.

The model is that of the bots' eyes (`bots.eyes`), with an unknown `w`. How likely a player's turns in a round are for
some w is counted over many simulated players, who look once at each card and remember it: each places a card where it
makes the least trouble, and doubts a fall that seems large enough, as the simplest mind does (`PointEstimate`). How
large a fall that is differs from player to player; it is estimated along with w and averaged out. Before any turn, w is
taken for one of those that people have been found to have (0.10 to 0.19, see `bots.eyes`).
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import exp, log
from random import Random
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from illusion.bots import levels
from illusion.bots.eyes import FRAGMENTS, LEAST_SHARE_PERCENT, ORDINARY_BROKEN, SWAY, TASTE
from illusion.review.ordinary import Numbers
from illusion.review.seat_looks import Round, SeatLooks, SeatTurn

NEEDED: Final = 30
"""Placements without which there is no figure."""
ENOUGH_FOR_BIAS: Final = 12
STRETCH: Final = 30
"""Placements of one step of the trend."""
LAPSE: Final = 0.01
"""How often a card goes anywhere, and a row is doubted or believed without a look."""

_LOOKS: Final = 256
_WIDTHS: Final = np.exp(np.linspace(log(0.03), log(1.0), 36))
_LOG_WIDTHS: Final = np.log(_WIDTHS)
_BEFORE: Final = -(((_LOG_WIDTHS - log(0.10 * 0.19) / 2) / 0.35) ** 2) / 2
"""The logarithm of how likely each w is, before any turn: about the middle of what people have."""
_DOUBTS_AT: Final = np.array([0.1, 0.4, 0.7, 1.0, 1.4, 2.0, 3.0])
"""Falls that make players doubt, in standard deviations of a difference; all equally likely beforehand."""
_UNSTEADY: Final = 0.15
"""By how much the same player differs from turn to turn in that."""
_BIASES: Final = np.linspace(-0.6, 0.6, 25)
_BIAS_BEFORE: Final = -((_BIASES / 0.25) ** 2) / 2
_TAIL: Final = 0.025


class Estimate(msgspec.Struct, frozen=True):
    """A figure and its interval of 95 %."""

    figure: float
    low: float
    high: float


class Bias(msgspec.Struct, frozen=True):
    """By which part cards look larger than they are (below 0: smaller), beyond what is assumed of all eyes."""

    of: str
    placements: int
    larger: Estimate


class Stretch(msgspec.Struct, frozen=True):
    """Some placements in the order of playing."""

    placements: int
    w: Estimate


class OwnEyes(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's placements tell. Without enough of them there is no figure, and `needed` says how many more."""

    games: int
    placements: int
    placed_right: int
    needed: int
    w: Estimate | None = None
    """The noise of ln(seen / true) for one disc."""
    like: str | None = None
    """The level of bots that sees most alike."""
    colours: list[Bias] = []
    """A colour that looks larger on all cards changes no order. Here it is the card to be placed that looks larger than
    those in the row."""
    families: list[Bias] = []
    trend: list[Stretch] = []
    change: Literal["finer", "coarser"] | None = None
    """Whether the second half is clearly better or worse than the first."""
    doubts: int
    doubts_right: int
    believed: int
    believed_wrong: int


def own_eyes(games: Sequence[SeatLooks], progress: Callable[[int, int], object] = lambda _done, _all: None) -> OwnEyes:
    """Over all games, in the order of playing."""
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
        doubts=len(doubts),
        doubts_right=sum(turn.right for turn in doubts),
        believed=len(believed),
        believed_wrong=sum(turn.row_wrong for turn in believed),
    )
    if known.needed:
        return known
    simulated = []
    for number, each in enumerate(rounds, 1):
        simulated.append(_simulated(each, number))
        progress(number, len(rounds))
    told = np.array([_likelihood(each) for each in simulated])
    w = _estimated(told)
    return msgspec.structs.replace(
        known,
        w=w,
        like=_like(w.figure),
        colours=_biases(simulated, w.figure, lambda looked, _: looked.round.arrow, _new_card),
        families=_biases(simulated, w.figure, lambda looked, turn: looked.round.cards[turn.card].family, _its_family),
        trend=_trend(told, [len(each.placements) for each in rounds]),
        change=_change(told),
    )


class _Simulated(NamedTuple):
    """A round as many players see it."""

    round: Round
    logs: Numbers
    """Of the shares."""
    units: Numbers
    """By player and card: how far each is seen off, in units of w."""
    spreads: Numbers
    """By card: how unsure players are, in units of w."""


def _simulated(looked: Round, number: int) -> _Simulated:
    """Noise and tastes are drawn in pairs of opposite sign, as in `many_eyes`, and are the same in every process."""
    cards, rng = looked.cards, Random(f"illusion own eyes {number}")
    families = sorted({card.family for card in cards})
    drawn = np.array([[rng.gauss(0, 1) for _ in (*cards, *families)] for _ in range(_LOOKS // 2)])
    drawn = np.concatenate([drawn, -drawn])
    noise, likings = drawn[:, : len(cards)], drawn[:, len(cards) :]
    broken = np.array([card.broken for card in cards])
    tastes = likings[:, [families.index(card.family) for card in cards]]
    units = SWAY * (broken - ORDINARY_BROKEN) + TASTE * tastes + (1 + FRAGMENTS * broken) * noise
    spreads = np.hypot(1 + FRAGMENTS * broken, np.hypot(0.35 * SWAY, TASTE))
    logs = np.log([max(card.share, LEAST_SHARE_PERCENT) for card in cards])
    return _Simulated(looked, logs, units, np.asarray(spreads))


def _likelihood(looked: _Simulated) -> Numbers:
    """By `_DOUBTS_AT` and w, the logarithm of how many of the simulated players take all these turns."""
    seen = looked.logs + _WIDTHS[:, None, None] * looked.units
    alike = np.ones((len(_DOUBTS_AT), *seen.shape[:2]))
    for turn in looked.round.turns:
        believes = np.ones_like(alike)
        if len(turn.row) > 1:
            steps = np.hypot(looked.spreads[turn.row[:-1]], looked.spreads[turn.row[1:]])
            steepest = ((seen[..., turn.row[:-1]] - seen[..., turn.row[1:]]) / steps).max(axis=-1) / _WIDTHS[:, None]
            believes = 1 / (1 + np.exp((steepest - _DOUBTS_AT[:, None, None]) / _UNSTEADY))
        if turn.gap is None:
            alike *= (1 - LAPSE) * (1 - believes) + LAPSE / 2
        else:
            places = _gaps(seen, turn, looked.spreads) == turn.gap
            alike *= (1 - LAPSE) * believes * places + LAPSE / 2 / (len(turn.row) + 1)
    return np.asarray(np.log(alike.mean(axis=-1)))


def _gaps(seen: Numbers, turn: SeatTurn, spreads: Numbers) -> Numbers:
    """The gaps in which the card makes the least trouble: the sum of the falls with all cards left and right of it.
    Moving the card over a neighbour changes the sum by the signed fall between the two."""
    falls = (seen[..., turn.row] - seen[..., [turn.card]]) / np.hypot(spreads[turn.row], spreads[turn.card])
    trouble = np.concatenate([np.zeros_like(falls[..., :1]), falls.cumsum(axis=-1)], axis=-1)
    return np.asarray(trouble.argmin(axis=-1))


def _estimated(told: Numbers) -> Estimate:
    mean, low, high, _ = _about_w(told)
    return Estimate(*(round(exp(each), 4) for each in (mean, low, high)))


def _about_w(told: Numbers) -> tuple[float, float, float, float]:
    """What some rounds tell about ln w."""
    return _summed(np.logaddexp.reduce(told.sum(axis=0), axis=0) + _BEFORE, _LOG_WIDTHS)


def _summed(weights: Numbers, at: Numbers) -> tuple[float, float, float, float]:
    """Mean, ends of the interval, and variance of what has these logarithms of chances."""
    chances = np.exp(weights - weights.max())
    chances /= chances.sum()
    mean = float(chances @ at)
    low, high = np.interp([_TAIL, 1 - _TAIL], chances.cumsum() - chances / 2, at)
    return mean, float(low), float(high), float(chances @ (at - mean) ** 2)


def _like(w: float) -> str:
    return min(levels().values(), key=lambda level: abs(log(level.eyes.w / w))).name


def _trend(told: Numbers, placements: Sequence[int]) -> list[Stretch]:
    """Rounds are taken together until they have enough placements; what is left over at the end is left out."""
    found, first, placed = [], 0, 0
    for at, count in enumerate(placements, 1):
        placed += count
        if placed >= STRETCH:
            found.append(Stretch(placed, _estimated(told[first:at])))
            first, placed = at, 0
    return found


def _change(told: Numbers) -> Literal["finer", "coarser"] | None:
    half = len(told) // 2
    (first, *_, unsure), (second, *_, also) = _about_w(told[:half]), _about_w(told[half:])
    if abs(second - first) < 1.96 * (unsure + also) ** 0.5:
        return None
    return "finer" if second < first else "coarser"


def _biases(
    simulated: Sequence[_Simulated],
    w: float,
    of: Callable[[_Simulated, SeatTurn], str],
    larger: Callable[[_Simulated, SeatTurn], Numbers],
) -> list[Bias]:
    """For every group with enough placements, by its name. `larger` says which cards look larger."""
    groups: dict[str, list[tuple[_Simulated, SeatTurn]]] = defaultdict(list)
    for looked in simulated:
        for turn in looked.round.placements:
            groups[of(looked, turn)].append((looked, turn))
    found = []
    for name, group in sorted(groups.items()):
        if len(group) < ENOUGH_FOR_BIAS:
            continue
        told = np.array(_BIAS_BEFORE)
        for looked, turn in group:
            seen = looked.logs + w * looked.units + _BIASES[:, None, None] * larger(looked, turn)
            often = (_gaps(seen, turn, looked.spreads) == turn.gap).mean(axis=-1)
            told += np.log((1 - LAPSE) * often + LAPSE / (len(turn.row) + 1))
        mean, low, high, _ = _summed(told, _BIASES)
        found.append(Bias(str(name), len(group), Estimate(*(round(exp(each) - 1, 4) for each in (mean, low, high)))))
    return found


def _new_card(looked: _Simulated, turn: SeatTurn) -> Numbers:
    return np.array([float(at == turn.card) for at in range(len(looked.round.cards))])


def _its_family(looked: _Simulated, turn: SeatTurn) -> Numbers:
    """A card of the same family in the row looks larger, too."""
    family = looked.round.cards[turn.card].family
    return np.array([float(card.family == family) for card in looked.round.cards])
