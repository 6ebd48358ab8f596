"""The cards of a table whose pictures are needed now, and the one that may be needed next."""

from collections.abc import Iterable

from illusion.deck import Card
from illusion.rules import ColourCard
from illusion.tables.model.fair_deal import Dealing
from illusion.tables.model.table import Table


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


def turned_over_cards(table: Table) -> list[Card]:
    """The row that was doubted last."""
    if table.dealing is None or table.game is None or table.game.last_doubt is None:
        return []
    return [table.dealing.pile[int(turned.card) - 1] for turned in table.game.last_doubt.row]


def cards_to_prefetch(table: Table) -> list[Card]:
    """The card laid last, the one to be placed, and the next of the deck, which nobody has seen yet."""
    if table.dealing is None or table.game is None or table.game.over:
        return []
    drawn = table.game.drawn
    return _drawn(table.dealing, table.game.setup.deck[drawn - 1 : drawn + 2])


def _drawn(dealing: Dealing, cards: Iterable[ColourCard]) -> list[Card]:
    return [dealing.pile[int(card.id) - 1] for card in cards]
