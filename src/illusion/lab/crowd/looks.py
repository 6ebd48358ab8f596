"""What many players see at once: `Eyes.see` for the rows of many lanes, with noise that is a function of the look.

The distribution is that of the eyes (`bots/eyes.py`): their means, deviations and spreads are tables made by
`Eyes.perception`. The noise comes from the batch's own generator, so a seed of the batch gives another game than the
same seed of the arena's or of the one-game environment. It is a function of the lane, the game, the seat, the card and
the colour: whoever looks twice sees the same, and nothing is stored.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots.belief import posteriors
from illusion.bots.eyes import Eyes
from illusion.lab.batch.lanes import COLOURS, Lanes, Number, Table
from illusion.lab.batch.lots import LOOKS, NORMAL, NORMAL_BITS, random_words
from illusion.lab.batch.primitives import namespace, word
from illusion.lab.measured_decks import MeasuredPile
from illusion.rules.setup import MOST_PLAYERS

HUNDREDTHS: int = 100
"""Eyes are no finer than this (`Impression.rounded`)."""
FAINTEST, STRONGEST = -400, 700
"""No look of any eyes leaves this range, in hundredths: from 0.02 to 1,000 percent."""

Looker: TypeAlias = tuple[Eyes, str]
"""Eyes, and whose taste in patterns they have."""


class Perception(NamedTuple):
    """Tables of what each kind of player sees, by kind, colour and card; and what they make of it."""

    mean: Table
    deviation: Table
    spread: Table
    """How unsure the player is, as an index of `spreads`."""
    spreads: Table
    chances: Table
    """How likely each rung is, by spread and by hundredths seen."""
    normal: Table


class BatchSeen(NamedTuple):
    """What the player at turn sees in each lane: the row from the arrow's tip on, then the next card."""

    hundredths: Number
    """ln of the share seen, in percent, times a hundred."""
    spread: Number
    """An index of `Perception.spreads`."""


def perception(lookers: Sequence[Looker], piles: Sequence[MeasuredPile], kind: Any = np.float64) -> Perception:
    """The tables for these kinds of players and the cards of these piles, in the order of an `Engine` of the piles."""
    sights = [pile.sights[card.id] for pile in piles for card in pile.cards]
    known = [[[eyes.perception(sight, colour, who) for sight in sights] for colour in COLOURS] for eyes, who in lookers]
    mean, deviation, spread = np.moveaxis(np.array(known), -1, 0)
    spreads, index = np.unique(spread, return_inverse=True)
    seen = np.arange(FAINTEST, STRONGEST + 1) / HUNDREDTHS
    chances = posteriors(*np.broadcast_arrays(seen, spreads[:, None]))
    return Perception(
        mean.astype(kind),
        deviation.astype(kind),
        index.reshape(spread.shape).astype(np.int16),
        spreads.astype(kind),
        chances.astype(kind),
        NORMAL.astype(kind),
    )


def look(eyes: Perception, lanes: Lanes, at: Number, laid: Number, kind: Number, seat: Number, pile: int) -> BatchSeen:
    """What `seat`, a player of a `kind`, sees of the cards that were laid at these times of this round.

    `at` are the lanes, `laid` has several times for each of them; the next card's time is the row's length.
    """
    xp = namespace(laid)
    position, colour, card = face_up(lanes, at, laid, pile)
    where = kind[:, None], colour, card
    noise = eyes.normal[noise_index(lanes, at, position, colour, seat)]
    hundredths = xp.rint(HUNDREDTHS * (eyes.mean[where] + eyes.deviation[where] * noise)).astype(np.int32)
    return BatchSeen(xp.clip(hundredths, FAINTEST, STRONGEST), eyes.spread[where].astype(np.int32))


def face_up(lanes: Lanes, at: Number, laid: Number, pile: int) -> tuple[Number, Number, Number]:
    """Where these cards lay in the deck, the round's colour, and which cards they are."""
    turn, xp = lanes.turn, namespace(laid)
    position = xp.minimum((turn.drawn[at] - turn.length[at])[:, None] + laid, pile - 1)
    colour = lanes.cards.arrows[at, turn.round[at] - 1].astype(np.int32)[:, None]
    return position, colour, lanes.cards.deck[at[:, None], position].astype(np.int32)


def noise_index(lanes: Lanes, at: Number, position: Number, colour: Number, seat: Number) -> Number:
    """Where the noise of these looks is in the table of the normal distribution."""
    which = (position * len(COLOURS) + colour) * (MOST_PLAYERS + 1) + seat[:, None] + LOOKS
    game = word(lanes.turn.dealt[at])[:, None] + 0 * word(which)
    bits, _ = random_words(lanes.seed[at][:, None], lanes.lane[at][:, None], game, word(which))
    return (bits >> np.uint32(32 - NORMAL_BITS)).astype(np.int32)


def chances(eyes: Perception, seen: BatchSeen) -> NDArray[Any]:
    """How likely each rung is for each card that was seen; the rungs are the last axis."""
    found: NDArray[Any] = eyes.chances[seen.spread, seen.hundredths - FAINTEST]
    return found
