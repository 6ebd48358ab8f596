"""The game of Illusion: pure values and functions, with nothing but the standard library.

The rules are numbered in docs/rules.md; code and tests cite the numbers (R4.2). Seats are counted from 0, clockwise.
"""

from illusion.rules.cards import ARROWS, CardId, Colour, ColourCard, Shares
from illusion.rules.errors import IllegalMove, InvalidSetup, RuleCode, RulesError, UnparsableMove
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
from illusion.rules.game import Game, deal, opening, start
from illusion.rules.legal import Legal, legal, legal_moves
from illusion.rules.moves import Doubt, Move, Place
from illusion.rules.row import falls, first_fall
from illusion.rules.setup import Setup
from illusion.rules.turn import apply, replay
from illusion.rules.variant import End, Penalty, Variant
from illusion.rules.view import View, view

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
