"""The state of many games side by side. A lane is the place of one game; when it is over, another can begin there.

A field has one entry per lane: an array of the whole batch, or the entry itself where numba compiles a loop over lanes.
Nothing is stored that follows from something else. Who laid a card follows from when it was laid, because seats take
turns (`placed_by`); the shares of the row follow from the deck.
"""

from typing import Any, Final, NamedTuple, TypeAlias

from illusion.rules import ARROWS, Colour, End, Penalty

Number: TypeAlias = Any
"""A number of each lane: an array of numpy or JAX, or in compiled code the number of one lane."""
Table: TypeAlias = Any
"""Several numbers of each lane: an array with the lanes first. Compiled code writes into it."""

COLOURS: Final = tuple(Colour)
"""A colour is its index here."""
NO_GOAL: Final = len(ARROWS) + 1
"""`Terms.arrows_to_win` where only the rounds count: more arrows than there are."""
SEAT_BITS: Final = 4
"""The arrows of all seats are counted in one number, four bits for each."""
SEAT_MASK: Final = (1 << SEAT_BITS) - 1
COLOUR_BITS: Final = 2
LANES_OF_A_BLOCK: Final = 32
"""As many lanes as a multiprocessor of a GPU plays in step (a warp)."""


class Terms(NamedTuple):
    """What is the same in all lanes of a batch, as plain numbers."""

    players: int
    arrows_to_win: int
    rounds: int
    arrows_returned: int
    """How many arrow cards a wrong doubt costs at most (R5.5)."""
    pile: int
    """Cards in the deck of each lane."""
    longest: int
    """The longest row that has room. An action below it is a gap; this number is the doubt."""
    by_lot: int
    """1: the piles are shuffled as they are drawn. 0: they lie in order, top first."""

    @classmethod
    def of(cls, players: int, end: End, penalty: Penalty, pile: int, longest: int, *, by_lot: bool) -> "Terms":
        to_win = NO_GOAL if end.arrows_to_win is None else end.arrows_to_win
        return cls(players, to_win, end.rounds, penalty.returned(len(ARROWS)), pile, longest, int(by_lot))


class Cards(NamedTuple):
    """What lies on the table, in tables with a line for each lane."""

    deck: Table
    """The numbers of the cards, top first; those above `drawn` have been used."""
    row: Table
    """From the arrow's tip on: when each card was laid, 0 for the first. Beyond the row's length there is anything."""
    arrows: Table
    """The colours of the arrow pile, top first."""
    stacks: Table
    """The arrow cards of each seat, as a stack in one number: 1, then two bits for each arrow, the last one lowest."""


class LaneTurn(NamedTuple):
    """Where the game of each lane stands."""

    round: Number
    drawn: Number
    """Cards taken off the deck so far; the next one lies face up."""
    length: Number
    """Cards in the row; 0 once the game is over."""
    to_play: Number
    """The seat whose turn it is; -1 once the game is over."""
    arrows_won: Number
    """How many arrow cards each seat has, four bits for each, seat 0 lowest."""
    broke: Number
    """When the card was laid that made the row wrong; 0 while it is right. The first card never breaks a row."""
    decisions: Number
    """Decisions made in the lane in all its games: random numbers are counted by it."""
    dealt: Number
    """`decisions` when this game was dealt: tells the games of a lane apart."""


class Outcome(NamedTuple):
    """What a step did in each lane."""

    legal: Number
    """Whether the action was legal. If not, nothing has changed in the lane."""
    taker: Number
    """Who took the arrow; -1 without a doubt."""
    returned: Number
    """How many arrow cards the doubter put back (R5.5)."""
    ending: Number
    """GOES_ON, or why the game is over."""
    arrows_won: Number
    """As in `LaneTurn`, after the step and before another game begins in the lane."""


GOES_ON: Final = 0
GOAL_REACHED: Final = 1
ROUNDS_PLAYED: Final = 2
DECK_TOO_SMALL: Final = 3


class Lanes(NamedTuple):
    """The whole state of a batch: frozen, like a game of the rules."""

    cards: Cards
    turn: LaneTurn
    seed: Number
    """The key of the lane's random numbers: the batch's seed"""
    lane: Number
    """and the number of the lane."""
