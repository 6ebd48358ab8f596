"""A decision in every lane, with the random numbers it needs; where a game is over, the next one can begin at once."""

from illusion.lab.batch.lanes import Cards, Lanes, LaneTurn, Number, Outcome, Table, Terms
from illusion.lab.batch.lots import CHOICE, DEAL, FIRST_CARDS, FIRST_PLAYER, random_words
from illusion.lab.batch.primitives import some, word
from illusion.lab.batch.step import begin, random_action, step


def advance(
    lanes: Lanes, at: Number, action: Number, terms: Terms, shares: Table, renew: int
) -> tuple[Cards, LaneTurn, Outcome]:
    """A step; with `renew`, a new game begins where one ended (Gymnasium calls it auto-reset, in the same step)."""
    count = word(lanes.turn.decisions)
    lots = random_words(lanes.seed, lanes.lane, count, word(0 * count + DEAL))
    cards, turn, outcome = step(lanes.cards, lanes.turn, at, action, terms, shares, lots)
    if renew and some(turn.to_play < 0):
        cards, turn = dealt(Lanes(cards, turn, lanes.seed, lanes.lane), at, terms, turn.to_play < 0)
    return cards, turn, outcome


def dealt(lanes: Lanes, at: Number, terms: Terms, when: Number) -> tuple[Cards, LaneTurn]:
    """A new game where `when` holds."""
    count = word(lanes.turn.decisions)
    one, other = random_words(lanes.seed, lanes.lane, count, word(0 * count + FIRST_CARDS))
    arrow, first = random_words(lanes.seed, lanes.lane, count, word(0 * count + FIRST_PLAYER))
    return begin(lanes.cards, lanes.turn, at, terms, (one, other, arrow, first), when)


def chosen_at_random(lanes: Lanes, terms: Terms) -> Number:
    """What random players do."""
    count = word(lanes.turn.decisions)
    lot, _ = random_words(lanes.seed, lanes.lane, count, word(0 * count + CHOICE))
    return random_action(lanes.turn, terms, lot)
