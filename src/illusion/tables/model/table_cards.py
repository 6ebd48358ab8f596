"""The cards of a table whose pictures are needed now, and those that may be needed next."""

from collections.abc import Iterable
from typing import Final

from illusion.deck import Card
from illusion.rules import ColourCard
from illusion.tables.model.fair_deal import Dealing
from illusion.tables.model.table import Table

CARDS_AHEAD: Final = 3
"""A new round shows two cards at once; one more is for a quick player."""


def seen_cards(table: Table, after: int = 0) -> list[Card]:
    """Those that have been visible, in the order of the deck, but for the first `after`."""
    if table.dealing is None or table.game is None:
        return []
    return _drawn(table.dealing, table.game.setup.deck[after : table.game.drawn + 1])


def visible_cards(table: Table) -> list[Card]:
    """The row and the card to be placed."""
    if table.dealing is None or table.game is None:
        return []
    following = table.game.next_card
    return _drawn(table.dealing, (*table.game.row, *(() if following is None else (following,))))


def newest_cards(table: Table) -> list[Card]:
    """Those that the last move can have made visible: all at the beginning of a round, then the card to be placed."""
    if table.dealing is None or table.game is None:
        return []
    game = table.game
    return (
        visible_cards(table)
        if len(game.row) == 1
        else _drawn(table.dealing, game.setup.deck[game.drawn : game.drawn + 1])
    )


def coming_cards(table: Table) -> list[Card]:
    """The next cards of the deck, which nobody has seen; none once the game is over."""
    if table.dealing is None or table.game is None or table.game.over:
        return []
    first = table.game.drawn + 1  # the top of the deck is seen already
    return _drawn(table.dealing, table.game.setup.deck[first : first + CARDS_AHEAD])


def _drawn(dealing: Dealing, cards: Iterable[ColourCard]) -> list[Card]:
    return [dealing.pile[int(card.id) - 1] for card in cards]
