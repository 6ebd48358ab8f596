"""What the rules refuse, as stable codes with parameters; the web makes sentences of them in the reader's language."""

from enum import StrEnum


class RuleCode(StrEnum):
    """Every reason to refuse. A code never changes its meaning, so a client may rely on it."""

    # A setup that is no game of Illusion.
    PLAYERS_OUT_OF_RANGE = "players-out-of-range"
    FIRST_OUT_OF_RANGE = "first-out-of-range"
    UNKNOWN_VARIANT = "unknown-variant"
    UNKNOWN_PENALTY = "unknown-penalty"
    NOT_AN_END = "not-an-end"
    END_OUT_OF_RANGE = "end-out-of-range"
    ARROWS_NOT_THREE_OF_EACH = "arrows-not-three-of-each"
    NOT_A_COLOUR_CARD = "not-a-colour-card"
    DECK_TOO_SMALL = "deck-too-small"
    DUPLICATE_CARD_ID = "duplicate-card-id"
    SHARES_NOT_FOUR_COLOURS = "shares-not-four-colours"
    SHARE_NOT_AN_INTEGER = "share-not-an-integer"
    SHARE_OUT_OF_RANGE = "share-out-of-range"
    SHARES_OVER_100 = "shares-over-100"

    # A move that is well formed but not allowed now.
    GAME_OVER = "game-over"
    GAP_OUT_OF_RANGE = "gap-out-of-range"
    DECK_EMPTY = "deck-empty"
    NOTHING_TO_DOUBT = "nothing-to-doubt"

    # Something that is no move at all.
    NOT_A_MOVE = "not-a-move"
    GAP_NOT_AN_INTEGER = "gap-not-an-integer"


class RulesError(ValueError):
    """Something the rules refuse: a `code` and the `parameters` a sentence about it needs."""

    def __init__(self, code: RuleCode, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters

    def __str__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.code} ({parameters})" if parameters else str(self.code)


class InvalidSetup(RulesError):
    """The cards, the players or the variant do not make a game."""


class IllegalMove(RulesError):
    """A move that the rules do not allow in this state; the state is unchanged."""


class UnparsableMove(RulesError):
    """Not a move in any state."""
