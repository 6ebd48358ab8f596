"""The leak law for tables: dealing anew what nobody has seen changes no byte of the view or the events.

Pages draw themselves from these alone.
"""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from illusion.deck import PICTURES_VERSION
from illusion.rules import ColourCard, Move, Place, Setup
from illusion.tables import Table, public_view
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown, Terms
from illusion.tables.model.fair_deal import Dealing, Secret
from illusion.tables.public.view import public_event
from tests.rules.games import begun, playthroughs, steps
from tests.rules.redealing import redealt

SECRET = Secret("00" * 32, "11" * 16, PICTURES_VERSION)
TOKENS = b"".join(SECRET.picture_token(number) for number in range(1, 2000)).hex()


def told(setup: Setup, moves: list[Move]) -> list[bytes]:
    """Everything a table tells, step by step, when it is dealt this setup instead of what its seed would give."""
    dealing = Dealing(SECRET, SECRET.commitment, (), begun(setup), TOKENS)
    table = Table("abcdefgh")
    table.apply(Opened(0, setup.players, Terms(setup.variant, penalty=setup.penalty)))
    for seat in range(setup.players):
        table.apply(SatDown(0, seat, f"Player {seat}"))
    heard: list[bytes] = []

    def say(entry: AnyEntry) -> None:
        event = public_event(table, entry, table.apply(entry))
        heard.append(msgspec.json.encode(event) + msgspec.json.encode(public_view(table)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("illusion.tables.model.table.dealing", lambda *_: dealing)
        say(Dealt(0, SECRET.seed, SECRET.nonce, SECRET.generator))
    for move in moves:
        assert table.game is not None
        to_play = table.game.to_play
        assert to_play is not None
        say(Placed(0, to_play, move.gap) if isinstance(move, Place) else Doubted(0, to_play))
    return heard


def numbered(setup: Setup) -> Setup:
    """Tables number their cards: seen ones keep their numbers in a deal alike to the eye, the others get new ones."""
    deck = [
        ColourCard(place if str(card.id).startswith("c") else 1000 + place, card.shares)
        for place, card in enumerate(setup.deck, 1)
    ]
    return replace(setup, deck=tuple(deck))


@settings(max_examples=40)
@given(playthroughs(fewest_cards=6, most_cards=10), st.data())
def test_the_leak_law_at_the_table(play: tuple[Setup, list[Move]], data: st.DataObject) -> None:
    setup, moves = play
    for made, step in enumerate(steps(setup, moves)):
        if step.game.over:
            break  # now the seed is told, and with it everything
        elsewhere = redealt(step.game, data)
        assert told(numbered(elsewhere), moves[:made]) == told(numbered(setup), moves[:made])
