"""The observations of many lanes, compiled by numba: the numbers of `BatchEnvironment` written in place, lane by lane.

A second definition beside the one for arrays: that one makes thirty passes over numbers which are mostly zero, this one
writes each number that is there once and is three times as fast. They are tested against each other.
"""

from typing import Any, Final

import numpy as np

from illusion.lab import observation
from illusion.lab.batch.compiled import compiled
from illusion.lab.batch.lanes import COLOURS, NO_GOAL, SEAT_BITS, SEAT_MASK, Lanes, Number, Table, Terms
from illusion.lab.batch.lots import LOOKS, NORMAL_BITS, random_words
from illusion.lab.crowd import looks
from illusion.lab.crowd.looks import FAINTEST, HUNDREDTHS, STRONGEST, Perception
from illusion.lab.observation import Layout
from illusion.rules.setup import MOST_PLAYERS

_COLOURS: Final = len(COLOURS)
_PER_CARD: Final = Layout.per_card


def _written(lanes: Lanes, kinds: Table, seats: Number, terms: Terms, eyes: Perception, numbers: Table) -> None:
    cards, turn, players = lanes.cards, lanes.turn, terms.players
    for at in range(lanes.lane.size):
        line = numbers[at]
        line[:] = 0
        me, length, drawn, to_play = seats[at], turn.length[at], turn.drawn[at], turn.to_play[at]
        kind, first, after_row = kinds[at, me], drawn - length, terms.longest * _PER_CARD
        colour = np.int64(cards.arrows[at, turn.round[at] - 1])
        looks_at_next = int(to_play >= 0 and drawn < terms.pile)
        for place in range(length + looks_at_next):
            laid = np.int64(cards.row[at, place]) if place < length else np.int64(length)
            start = place * _PER_CARD if place < length else after_row + 1
            position = first + laid
            which = (position * _COLOURS + colour) * (MOST_PLAYERS + 1) + me + LOOKS
            bits, _ = random_words(lanes.seed[at], lanes.lane[at], np.uint32(turn.dealt[at]), np.uint32(which))
            card = cards.deck[at, position]
            noise = eyes.normal[np.int64(bits) >> (32 - NORMAL_BITS)]
            mean, deviation = eyes.mean[kind, colour, card], eyes.deviation[kind, colour, card]
            seen = np.rint(np.float32(HUNDREDTHS) * (mean + deviation * noise))
            line[start] = 1
            line[start + 1] = min(max(seen, FAINTEST), STRONGEST) / np.float32(HUNDREDTHS)
            line[start + 2] = eyes.spreads[eyes.spread[kind, colour, card]]
            if place < length:
                line[start + 3] = laid
                by = (to_play - length + laid - me) % players
                line[start + 4 + (1 + by if laid > 0 else 0)] = 1
        line[after_row] = length
        start = after_row + 4
        if to_play >= 0:
            line[start + colour] = 1
            line[start + _COLOURS + (to_play - me) % players] = 1
        start += _COLOURS + MOST_PLAYERS
        for seat in range(players):
            line[start + seat] = (turn.arrows_won[at] >> (SEAT_BITS * ((me + seat) % players))) & SEAT_MASK
        start += MOST_PLAYERS
        line[start] = players
        line[start + 1] = turn.round[at]
        line[start + 2] = terms.pile - drawn
        line[start + 3] = terms.arrows_to_win == NO_GOAL


_write: Any = compiled(_written, looks, observation)


def observed(lanes: Lanes, kinds: Table, seats: Number, terms: Terms, eyes: Perception, size: int) -> Number:
    numbers = np.empty((lanes.lane.size, size), np.float32)
    _write(lanes, kinds, seats, terms, eyes, numbers)
    return numbers
