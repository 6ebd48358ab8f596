"""The game of Illusion: pure values and functions, with nothing but the standard library.

The rules are numbered in docs/rules.md; code and tests cite the numbers (R4.2). Seats are counted from 0, clockwise.
"""

from illusion.rules.cards import (
    ARROWS,
    CardId,
    Colour,
    ColourCard,
    Doubt,
    IllegalMove,
    InvalidSetup,
    Move,
    Place,
    RuleCode,
    RulesError,
    Shares,
    UnparsableMove,
)
from illusion.rules.events import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Culprit,
    Ending,
    Event,
    GameEnded,
    RoundStarted,
    RowDoubted,
    TurnedCard,
)
from illusion.rules.game import Game, Legal, View, deal, legal, legal_moves, opening, start, view
from illusion.rules.setup import End, Penalty, Setup, Variant
from illusion.rules.turn import apply, falls, first_fall, replay

__all__ = [
    "ARROWS",
    "ArrowAwarded",
    "ArrowReturned",
    "CardId",
    "CardPlaced",
    "Colour",
    "ColourCard",
    "Culprit",
    "Doubt",
    "End",
    "Ending",
    "Event",
    "Game",
    "GameEnded",
    "IllegalMove",
    "InvalidSetup",
    "Legal",
    "Move",
    "Penalty",
    "Place",
    "RoundStarted",
    "RowDoubted",
    "RuleCode",
    "RulesError",
    "Setup",
    "Shares",
    "TurnedCard",
    "UnparsableMove",
    "Variant",
    "View",
    "apply",
    "deal",
    "falls",
    "first_fall",
    "legal",
    "legal_moves",
    "opening",
    "replay",
    "start",
    "view",
]
