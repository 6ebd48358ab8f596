"""What the players at turn know, in many lanes at once: all that a mind decides from."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from illusion.bots.belief import NOT_FALLING, RUNGS
from illusion.lab.batch.lanes import SEAT_BITS, SEAT_MASK, Lanes, LaneTurn, Number, Table, Terms
from illusion.lab.batch.primitives import namespace, some
from illusion.lab.batch.step import choices
from illusion.lab.crowd.looks import HUNDREDTHS, Perception, chances, look

_ONE_THREAD: Final = 2**18
"""The largest product of three dimensions for which OpenBLAS multiplies in one thread."""


class Situations(NamedTuple):
    """Of as many lanes as were asked about. Rows are padded to the same length; `there` says which cards are real."""

    there: Number
    """By lane and place in the row."""
    laid: Number
    """When each card was laid."""
    length: Number
    seen: Number
    """ln of the share seen of each card of the row, and then of the next card."""
    spread: Number
    row: Number
    """The chances of the rungs of each card of the row. A card that is not there is surely on the highest rung: at the
    end of a row it changes nothing."""
    card: Number
    """The chances of the rungs of the next card."""
    arrows: Number
    """Arrows won by each player, the one at turn first."""
    gaps: Number
    """How many gaps take the next card."""
    may_doubt: Number
    cards_left: Number
    temper: Number


def situations(
    lanes: Lanes, at: Number, width: int, eyes: Perception, kind: Number, temper: Number, terms: Terms
) -> Situations:
    """For the lanes `at`, whose rows have at most `width` cards; `kind` and `temper` are of the players at turn."""
    xp, n = namespace(at), terms.players
    turn = LaneTurn(*(numbers[at] for numbers in lanes.turn))
    laid = lanes.cards.row[at, :width].astype(np.int32)
    there = xp.arange(width, dtype=np.int32) < turn.length[:, None]
    padded = some(~there)
    if padded:
        laid = xp.where(there, laid, 0)
    looked = look(eyes, lanes, at, xp.concatenate([laid, turn.length[:, None]], axis=1), kind, turn.to_play, terms.pile)
    likely = chances(eyes, looked)
    row = likely[:, :-1]
    if padded:
        row = xp.where(there[..., None], row, xp.arange(len(RUNGS)) == len(RUNGS) - 1)
    seats = (turn.to_play[:, None] + xp.arange(n, dtype=np.int32)) % n
    gaps, may_doubt = choices(turn, terms)
    return Situations(
        there,
        laid,
        turn.length,
        looked.hundredths / eyes.mean.dtype.type(HUNDREDTHS),
        eyes.spreads[looked.spread],
        row,
        likely[:, -1],
        (turn.arrows_won[:, None] >> (SEAT_BITS * seats)) & SEAT_MASK,
        gaps,
        may_doubt,
        terms.pile - turn.drawn,
        temper,
    )


class BatchBelief(NamedTuple):
    """As `bots.belief.Belief`, for many."""

    right: Number
    stays: Table


class Ties(NamedTuple):
    """The weights of two neighbours on their rungs, by kind of tie; kind 0 holds where nothing is known of them.

    The kinds lie side by side, so that one product passes a message through all of them.
    """

    forward: Table
    """0 where the left rung is above the right one."""
    backward: Table
    """The same from right to left."""
    unmasked: Table
    """The weights of rows that may fall."""


def ties(weights: Sequence[NDArray[Any]]) -> Ties:
    right = [NOT_FALLING * each for each in weights]
    return Ties(np.hstack(right), np.hstack([each.T for each in right]), np.hstack(list(weights)))


def believe(row: Number, card: Number, tied: Ties, tie: Number | None) -> BatchBelief:
    """Forward-backward as in `bots/belief.py`, with the same messages. `tie` is the kind of each two neighbours; None
    where nothing but the eyes tells about them."""
    xp = namespace(row)
    rows = xp.moveaxis(row, 1, 0)
    after = before = None
    if tie is not None:
        kinds, none = xp.moveaxis(tie, 1, 0), xp.zeros((1, row.shape[0]), dtype=tie.dtype)
        after, before = xp.concatenate([kinds, none]), xp.concatenate([none, kinds])[::-1]
    forward = _messages(rows, tied.forward, after)
    backward = _messages(rows[::-1], tied.backward, before)[::-1]
    right, stays = forward[-1, :, -1], _summed(forward * backward * card)
    if tie is None:
        return BatchBelief(right, stays.T)
    up_to = xp.cumsum(card, axis=1)  # inside, the card comes between two that the evidence ties together
    left, other = rows * forward[:-1], rows * backward[1:]
    inside = other[1:] * up_to * forward[1:-1] - left[:-1] * (up_to - card) * backward[1:-1]
    stays = xp.concatenate([stays[:1], _summed(inside), stays[-1:]])
    total = _messages(rows, tied.unmasked, after)[-1, :, -1]
    return BatchBelief(right / total, (stays / total).T)


def _messages(rows: Number, weight_of: Table, kinds: Number | None) -> Number:
    """What the cards so far say about the next one, by its rung: before the first card, and after each."""
    first = namespace(rows).ones_like(rows[0])
    if isinstance(rows, np.ndarray):
        passed = [first]
        for at, chances_ in enumerate(rows):
            passed.append(_passed(chances_ * passed[-1], weight_of, None if kinds is None else kinds[at]))
        return np.stack(passed)
    from jax import lax, numpy  # noqa: PLC0415  (an extra; a loop that JAX compiles once, however long rows are)

    def card(message: Number, this: tuple[Number, Number | None]) -> tuple[Number, Number]:
        message = _passed(this[0] * message, weight_of, this[1])
        return message, message

    _, messages = lax.scan(card, first, (rows, kinds))
    return numpy.concatenate([first[None], messages])


def _summed(weights: Number) -> Number:
    """Over the rungs."""
    return namespace(weights).einsum("cbr->cb", weights)


def _passed(weights: Number, weight_of: Table, tie: Number | None) -> Number:
    """The message to the next card: through every kind of tie at once, then the one that holds in each lane."""
    rungs = weights.shape[1]
    if tie is None:
        return _product(weights, weight_of[:, :rungs])
    every = _product(weights, weight_of).reshape(weights.shape[0], -1, rungs)
    return every[namespace(weights).arange(weights.shape[0]), tie]


def _product(weights: Number, weight_of: Table) -> Number:
    """With numpy in parts for which OpenBLAS starts no threads: they gain nothing here, and cores have other work."""
    part = _ONE_THREAD // weight_of.size
    if not isinstance(weights, np.ndarray) or len(weights) <= part:
        return weights @ weight_of
    made = np.empty((len(weights), weight_of.shape[1]), weights.dtype)
    for start in range(0, len(weights), part):
        np.matmul(weights[start : start + part], weight_of, out=made[start : start + part])
    return made
