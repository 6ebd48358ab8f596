"""A mind that was learned by playing itself: a small network on top of exact inference.

It sees what the value mind sees: how likely the row is right and stays right with the card in each gap, with and
without others' moves as evidence; and besides, every two neighbours and the race. It puts out how much it likes each
gap and the doubt, and how much it expects to win. `tools/train_mind.py` trains it; the functions here are written for
many lanes at once and take the array library as an argument, so that training and playing share them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from illusion.bots.belief import believe, others_evidence, posterior
from illusion.bots.eyes import Impression
from illusion.bots.minds import decided
from illusion.rules import Doubt, Move, Place, View

TEMPER: Final = 0.5
"""How much a temper of 1 adds to the liking of a doubt."""

Array: TypeAlias = Any
"""An array of numpy or JAX."""

_PAIR, _GAP, _WHOLE = 4, 4, 9
_POOLED, _HIDDEN, _GAP_HIDDEN = 16, 64, 16
_NEVER: Final = -1e9
_PRIOR_GAP, _PRIOR_DOUBT = 10.0, 1.0
"""An untrained network places where the row most likely stays right, and doubts a row that is likelier wrong."""


class Known(NamedTuple):
    """What the network is told, for many players at turn; places beyond a row are padded and masked."""

    pairs: Array
    """Two neighbours each: how far they rise, how long they have lain side by side, whether I laid them, how late."""
    pair_there: Array
    gaps: Array
    """Every gap: what the card there does to the row's chances with and without evidence, and whether it is an end."""
    gap_there: Array
    whole: Array
    """The row, the race and the deck."""
    may_doubt: Array


class Weights(NamedTuple):
    """Of the network for one number of players."""

    pair_in: Array
    pair_in_bias: Array
    pair_out: Array
    whole_in: Array
    whole_in_bias: Array
    whole_mid: Array
    whole_mid_bias: Array
    doubt: Array
    value: Array
    gap_in: Array
    gap_context: Array
    gap_out: Array


def first_weights(players: int, rng: np.random.Generator) -> Weights:
    """Random, with variances after He et al. (2015); what goes out begins small, so that the prior decides at first."""

    def layer(inputs: int, outputs: int, scale: float = 1.0) -> Array:
        return (rng.normal(size=(inputs, outputs)) * scale * (2 / inputs) ** 0.5).astype(np.float32)

    def bias(outputs: int) -> Array:
        return np.zeros(outputs, np.float32)

    return Weights(
        layer(_PAIR, _POOLED),
        bias(_POOLED),
        layer(_POOLED, _POOLED, 0.3),
        layer(_WHOLE + players + _POOLED, _HIDDEN),
        bias(_HIDDEN),
        layer(_HIDDEN, _HIDDEN),
        bias(_HIDDEN),
        layer(_HIDDEN, 1, 0.01),
        layer(_HIDDEN, 1, 0.01),
        layer(_GAP, _GAP_HIDDEN),
        layer(_HIDDEN, _GAP_HIDDEN, 0.3),
        layer(_GAP_HIDDEN, 1, 0.01),
    )


class Look(NamedTuple):
    """What the features are made of; the first axis are the lanes, the second the places of the row."""

    seen: Array
    spread: Array
    laid: Array
    there: Array
    length: Array
    arrows: Array
    """Of each player, mine first."""
    cards_left: Array
    gaps: Array
    """How many gaps take the next card."""
    may_doubt: Array


def features(xp: Any, look: Look, with_evidence: tuple[Array, Array], without: tuple[Array, Array]) -> Known:
    """`with_evidence` and `without`: the chance that the row is right, and that it stays so with the card in a gap."""
    players = look.arrows.shape[1]
    rise = look.seen[:, 1:] - look.seen[:, :-1]
    spread = xp.hypot(look.spread[:, 1:], look.spread[:, :-1])
    later = xp.maximum(look.laid[:, 1:], look.laid[:, :-1])
    since = look.length[:, None] - 1 - later
    pairs = [
        xp.clip(rise / xp.maximum(spread, 0.01), -6, 6) / 3,
        xp.minimum(since, 10) / 5,
        ((since + 1) % players == 0) * 1.0,
        later / look.length[:, None],
    ]
    place = xp.arange(look.there.shape[1] + 1)
    kept = [
        xp.log(xp.clip(stays / xp.maximum(right, 1e-9)[:, None], 1e-4, 1)) for right, stays in (with_evidence, without)
    ]
    gap_there = place < look.gaps[:, None]
    ends = [xp.broadcast_to(place == 0, gap_there.shape) * 1.0, (place == look.length[:, None]) * 1.0]
    wrong = [xp.clip(1 - right, 1e-4, 1 - 1e-4) for right, _ in (with_evidence, without)]
    best = [xp.where(gap_there, each, -10).max(axis=1) for each in kept]
    whole = [
        *(xp.log(each / (1 - each)) / 3 for each in wrong),
        *(xp.maximum(each, -10) for each in best),
        look.length / 10,
        1 / look.length,
        look.cards_left / 98,
        (look.arrows[:, 1:].max(axis=1) - look.arrows[:, 0]) / 3,
        xp.where(look.there, look.spread, 0).sum(axis=1) / look.length * 10,
    ]
    return Known(
        xp.stack(pairs, 2).astype(np.float32),
        look.there[:, 1:],
        xp.stack([*kept, *ends], 2).astype(np.float32),
        gap_there,
        xp.concatenate([xp.stack(whole, 1), look.arrows / 3], axis=1).astype(np.float32),
        look.may_doubt,
    )


def judged(xp: Any, weights: Weights, known: Known) -> tuple[Array, Array]:
    """How much each gap and, last, the doubt is liked (logits), and how much the network expects to win.

    What is illegal is never liked.
    """
    pair = xp.maximum(known.pairs @ weights.pair_in + weights.pair_in_bias, 0) @ weights.pair_out
    pooled = xp.where(known.pair_there[..., None], pair, 0).sum(axis=1)
    whole = xp.concatenate([known.whole, pooled], axis=1)
    whole = xp.maximum(whole @ weights.whole_in + weights.whole_in_bias, 0)
    whole = xp.maximum(whole @ weights.whole_mid + weights.whole_mid_bias, 0)
    context = (whole @ weights.gap_context)[:, None]
    gap = (xp.maximum(known.gaps @ weights.gap_in + context, 0) @ weights.gap_out)[..., 0]
    gap = xp.where(known.gap_there, gap + _PRIOR_GAP * known.gaps[..., 0], _NEVER)
    doubt = (whole @ weights.doubt)[:, 0] + _PRIOR_DOUBT * known.whole[:, 0]
    doubt = xp.where(known.may_doubt, doubt, _NEVER)
    return xp.concatenate([gap, doubt[:, None]], axis=1), (whole @ weights.value)[:, 0]


@dataclass(frozen=True, eq=False)
class Learned:
    """Plays what it likes best; `weights` by the number of players."""

    weights: Mapping[int, Weights]

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        if card is None:
            return decided(view, 1.0, 0)
        assert view.to_play is not None
        chances, chance = [posterior(each) for each in row], posterior(card)
        others = others_evidence(view, view.to_play)
        beliefs = [believe(chances, chance, others), believe(chances, chance)]
        won = [len(arrows) for arrows in view.arrows_won]
        look = Look(
            np.array([[each.seen for each in row]]),
            np.array([[each.spread for each in row]]),
            np.array([view.laid]),
            np.ones((1, len(row)), np.bool_),
            np.array([len(row)]),
            np.array([won[view.to_play :] + won[: view.to_play]]),
            np.array([view.cards_left]),
            np.array([len(view.legal.gaps)]),
            np.array([view.legal.doubt]),
        )
        known = features(np, look, *((np.array([each.right]), np.array([each.stays])) for each in beliefs))
        liking, _ = judged(np, self.weights[view.players], known)
        liking[0, -1] += TEMPER * temper
        best = int(liking[0].argmax())
        return Doubt() if best == len(row) + 1 else Place(best)


class NoWeights(ValueError):
    """Why a file has no weights to play with, in a sentence."""


def read_weights(file: Any) -> dict[int, Weights]:
    """From an .npz file with an array for each number of players and weight."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            players = sorted({int(name.split("-")[0]) for name in stored.files})
            found = {n: Weights(*(stored[f"{n}-{each}"] for each in Weights._fields)) for n in players}
    except OSError as error:
        raise NoWeights(f"{file} cannot be read: {error.strerror or 'it is no .npz file'}.") from None
    except (ValueError, KeyError, AttributeError, BadZipFile):
        raise NoWeights(f"{file} holds no weights of a learned mind.") from None
    for n, weights in found.items():
        if [each.shape for each in weights] != [each.shape for each in first_weights(n, np.random.default_rng(0))]:
            raise NoWeights(f"{file} holds weights of another network.")
    return {n: Weights(*(each.astype(np.float32) for each in weights)) for n, weights in found.items()}


def write_weights(file: Any, weights: Mapping[int, Weights]) -> None:
    """In half precision: a network of 8,000 numbers has 16 KB."""
    arrays: dict[str, NDArray[Any]] = {
        f"{n}-{name}": np.asarray(array, np.float16)
        for n, each in weights.items()
        for name, array in each._asdict().items()
    }
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
