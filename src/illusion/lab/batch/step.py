"""The rules of a turn, written once for one lane and for many: `rules/game.py` in arithmetic without branches.

`numpy` and `JAX` call these functions with arrays of the whole batch; numba compiles them for one lane (`compiled.py`).
`tests/lab/batch/test_same_game.py` plays them beside the rules, decision by decision.
"""

from illusion.lab.batch.lanes import (
    COLOUR_BITS,
    DECK_TOO_SMALL,
    GOAL_REACHED,
    GOES_ON,
    ROUNDS_PLAYED,
    SEAT_BITS,
    SEAT_MASK,
    Cards,
    LaneTurn,
    Number,
    Outcome,
    Table,
    Terms,
)
from illusion.lab.batch.lots import below
from illusion.lab.batch.primitives import insert, put, take, where, whole
from illusion.rules import ARROWS
from illusion.rules.setup import CARDS_TO_BEGIN

_ARROWS = len(ARROWS)


def step(
    cards: Cards, turn: LaneTurn, at: Number, action: Number, terms: Terms, shares: Table, lots: tuple[Number, Number]
) -> tuple[Cards, LaneTurn, Outcome]:
    """A move of the player whose turn it is in each lane: a gap, or `terms.longest` for a doubt.

    `shares[colour, card]` are the backs of the cards; `lots` are two random words for what is turned up.
    """
    seat, length, nothing = turn.to_play, turn.length, 0 * turn.to_play
    gaps, may_doubt = choices(turn, terms)
    places = (action >= 0) & (action < gaps)
    doubts = (action == terms.longest) & may_doubt

    gap = where(places, action, 0)
    breaks = places & (turn.broke == 0) & _falls(cards, turn, at, gap, terms, shares)
    row = insert(cards.row, at, gap, length, length, places)  # R3.2

    stacks, won, taker, returned, ending = _doubted(cards, turn, at, terms, doubts)
    begins = doubts & (ending == GOES_ON)  # R5.4
    row = put(row, at, nothing, nothing, begins)
    drawn, round = turn.drawn + whole(places | begins), turn.round + whole(begins)  # R2.3, R2.2
    deck = _turned_up(cards.deck, at, drawn, lots[0], terms.pile, (places | begins) & (terms.by_lot > 0))  # R2.4
    arrows = _turned_up(cards.arrows, at, round - 1, lots[1], _ARROWS, begins & (terms.by_lot > 0))
    following = where(seat + 1 < terms.players, seat + 1, 0)  # R4.1
    after = LaneTurn(
        round,
        drawn,
        where(places, length + 1, where(doubts, whole(begins), length)),
        where(places, following, where(doubts, where(begins, taker, -1), seat)),
        won,
        where(breaks, length, where(doubts, 0, turn.broke)),
        turn.decisions + whole(places | doubts),
        turn.dealt,
    )
    did = Outcome(places | doubts, where(doubts, taker, -1), returned, ending, won)
    return Cards(deck, row, arrows, stacks), after, did


def _doubted(
    cards: Cards, turn: LaneTurn, at: Number, terms: Terms, when: Number
) -> tuple[Table, Number, Number, Number, Number]:
    """R5: who takes the arrow, what a wrong doubt costs, and whether the game ends."""
    doubter = where(when, turn.to_play, 0)
    before = where(doubter > 0, doubter, terms.players) - 1
    taker = where(turn.broke > 0, doubter, before)  # R5.2, R5.3
    arrow = take(cards.arrows, at, turn.round - 1)
    stacks = put(cards.stacks, at, taker, (take(cards.stacks, at, taker) << COLOUR_BITS) | arrow, when)
    won = turn.arrows_won + where(when, 1 << (SEAT_BITS * taker), 0)

    held = (won >> (SEAT_BITS * doubter)) & SEAT_MASK
    returned = where(held < terms.arrows_returned, held, terms.arrows_returned)  # R5.5
    returned = where(when & (turn.broke == 0), returned, 0)
    stacks = put(stacks, at, doubter, take(stacks, at, doubter) >> (COLOUR_BITS * returned), returned > 0)
    won = won - (returned << (SEAT_BITS * doubter))

    ending = where(terms.pile - turn.drawn < CARDS_TO_BEGIN, DECK_TOO_SMALL, GOES_ON)  # R6.5
    ending = where(turn.round == terms.rounds, ROUNDS_PLAYED, ending)  # R6.2
    ending = where(((won >> (SEAT_BITS * taker)) & SEAT_MASK) == terms.arrows_to_win, GOAL_REACHED, ending)  # R6.1
    return stacks, won, taker, returned, where(when, ending, GOES_ON)


def choices(turn: LaneTurn, terms: Terms) -> tuple[Number, Number]:
    """How many gaps take the next card, from the arrow's tip on, and whether the row can be doubted."""
    goes_on = turn.to_play >= 0
    can_place = goes_on & (turn.drawn < terms.pile) & (turn.length < terms.longest)  # R6.4
    return where(can_place, turn.length + 1, 0), goes_on & (turn.length > 1)  # R4.3, R4.2


def _falls(cards: Cards, turn: LaneTurn, at: Number, gap: Number, terms: Terms, shares: Table) -> Number:
    """Whether the next card is below the card left of a gap, or above the one right of it (R3.1)."""
    colour = take(cards.arrows, at, turn.round - 1)
    first = turn.drawn - turn.length  # where the row's first card lay in the deck
    laid_left = take(cards.row, at, where(gap > 0, gap - 1, 0))
    laid_right = take(cards.row, at, where(gap < turn.length, gap, 0))
    left = shares[colour, take(cards.deck, at, first + where(gap > 0, laid_left, 0))]
    right = shares[colour, take(cards.deck, at, first + where(gap < turn.length, laid_right, 0))]
    card = shares[colour, take(cards.deck, at, where(turn.drawn < terms.pile, turn.drawn, 0))]
    return ((gap > 0) & (left > card)) | ((gap < turn.length) & (card > right))


def _turned_up(pile: Table, at: Number, top: Number, lot: Number, size: int, when: Number) -> Table:
    """Any of the cards not yet seen comes to the top: the shuffle of Fisher and Yates (Durstenfeld 1964), card by card.

    What nobody has seen has no order yet, and a pile in any order can be shuffled so for the next game.
    """
    when = when & (top < size)
    top = where(when, top, 0)
    chosen = top + below(lot, size - top)
    card, other = take(pile, at, top), take(pile, at, chosen)
    return put(put(pile, at, chosen, card, when), at, top, other, when)


def begin(
    cards: Cards, turn: LaneTurn, at: Number, terms: Terms, lots: tuple[Number, ...], when: Number
) -> tuple[Cards, LaneTurn]:
    """A new game in the lanes where `when` holds, with four random words: two cards, the arrow, who begins (R2.1)."""
    here = 0 * turn.round
    deck, arrows, first = cards.deck, cards.arrows, below(lots[3], terms.players + here)  # R4.1
    deck = _turned_up(deck, at, here, lots[0], terms.pile, when)
    deck = _turned_up(deck, at, here + 1, lots[1], terms.pile, when)
    arrows = _turned_up(arrows, at, here, lots[2], _ARROWS, when)
    row = put(cards.row, at, here, here, when)
    stacks = cards.stacks
    for seat in range(terms.players):
        stacks = put(stacks, at, here + seat, here + 1, when)
    return Cards(deck, row, arrows, stacks), LaneTurn(
        where(when, 1, turn.round),
        where(when, 1, turn.drawn),
        where(when, 1, turn.length),
        where(when, first, turn.to_play),
        where(when, 0, turn.arrows_won),
        where(when, 0, turn.broke),
        turn.decisions,
        where(when, turn.decisions, turn.dealt),
    )


def random_action(turn: LaneTurn, terms: Terms, lot: Number) -> Number:
    """One of the legal actions, all equally likely."""
    gaps, may_doubt = choices(turn, terms)
    chosen = below(lot, where(turn.to_play >= 0, gaps + whole(may_doubt), 1))
    return where(chosen < gaps, chosen, terms.longest)


def winners(arrows_won: Number, players: int) -> Number:
    """The seats with the most arrow cards, a bit for each (R6.2, R6.3)."""
    most = 0 * arrows_won
    for seat in range(players):
        held = (arrows_won >> (SEAT_BITS * seat)) & SEAT_MASK
        most = where(held > most, held, most)
    bits = 0 * arrows_won
    for seat in range(players):
        bits = bits | (whole(((arrows_won >> (SEAT_BITS * seat)) & SEAT_MASK) == most) << seat)
    return bits
