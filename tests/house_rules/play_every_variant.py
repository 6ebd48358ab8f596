"""Whole games of every variant by bots, at tables, and as the lab sees them; prints how many arrows were put back.

tests/house_rules/test_page.py runs it in a copy of the program that has one variant more.
"""

import json
import random
from collections import Counter
from math import log

import msgspec

from illusion.bots import levels
from illusion.bots.eyes import Impression
from illusion.bots.minds import Mind
from illusion.cli.arena import VARIANTS
from illusion.deck import PICTURES_VERSION, make_pile
from illusion.deck.shares import CARDS
from illusion.lab.observation import Layout
from illusion.rules import (
    ArrowReturned,
    Colour,
    ColourCard,
    Event,
    Game,
    Move,
    Place,
    Variant,
    apply,
    legal_moves,
    view,
)
from illusion.tables import Table, public_view
from illusion.tables.model import entries
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown

PLAYERS = 3
SEED = "07" * 32


def impression_of(card: ColourCard, arrow: Colour, rng: random.Random) -> Impression:
    return Impression.rounded(log(max(card.shares[arrow], 1)) + rng.gauss(0, 0.4), 0.4)


def decided(mind: Mind, game: Game, layout: Layout, rng: random.Random) -> Move:
    assert game.arrow is not None
    assert game.to_play is not None
    row = [impression_of(card, game.arrow, rng) for card in game.row]
    card = None if game.next_card is None else impression_of(game.next_card, game.arrow, rng)
    assert layout.observation(view(game), game.to_play, row, card).size
    return mind.decide(view(game), row, card)


def play(variant: Variant, mind: Mind, rng: random.Random) -> list[Event]:
    """A game at a table, each entry of its log written as JSON and read again."""
    pile = make_pile(int(SEED, 16), variant)
    layout = Layout(len(pile), len(pile))
    assert len(pile) == variant.end.decks * CARDS
    table = Table("abcdefgh")
    happened: list[Event] = []

    def add(entry: AnyEntry) -> None:
        happened.extend(table.apply(entries.decode(entries.encode(entry))))
        assert msgspec.json.encode(public_view(table))

    add(Opened(0, PLAYERS, variant, None))
    for seat in range(PLAYERS):
        add(SatDown(0, seat, f"Player {seat}"))
    add(Dealt(0, SEED, "11" * 16, PICTURES_VERSION))
    while table.game is not None and table.game.to_play is not None:
        game, seat = table.game, table.game.to_play
        move = decided(mind, game, layout, rng)
        assert move in legal_moves(game)
        after, _ = apply(game, move)
        add(Placed(0, seat, move.gap) if isinstance(move, Place) else Doubted(0, seat))
        assert table.game == after
    return happened


def main() -> None:
    assert set(VARIANTS) == set(Variant)
    rng = random.Random(7)
    returned = Counter[str]()
    for variant in Variant:
        for level in levels().values():
            events = play(variant, level.mind, rng)
            returned[variant.value] += sum(isinstance(event, ArrowReturned) for event in events)
    print(json.dumps(returned))  # noqa: T201


if __name__ == "__main__":
    main()
