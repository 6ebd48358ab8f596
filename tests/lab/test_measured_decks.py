"""Measured decks: the cards that tables deal, kept in files that name the pictures' version and the seed."""

from pathlib import Path

import msgspec
import pytest

from illusion.bots import sight_of
from illusion.deck import PICTURES_VERSION, make_pile
from illusion.lab.measured_decks import measured_pile
from illusion.rules import Variant


@pytest.mark.parametrize("variant", Variant)
def test_a_measured_pile_has_the_cards_that_a_table_deals(variant: Variant, folder: Path) -> None:
    pile, cards = measured_pile(0, variant, folder=folder), make_pile(0, variant)
    assert pile.cards == tuple(card.colour_card for card in cards)
    assert list(pile.sights) == [card.number for card in cards]
    for card in (cards[0], cards[97], cards[-1]):
        assert pile.sights[card.number] == sight_of(card)


def test_a_measured_deck_is_kept_and_read_again(tmp_path: Path, folder: Path) -> None:
    deck = measured_pile(0, folder=folder)
    name = f"deck-measurements-{PICTURES_VERSION}-0.json"
    kept = tmp_path / name
    kept.write_bytes((folder / name).read_bytes())
    before = (kept.stat().st_ino, kept.stat().st_mtime_ns)
    again = measured_pile(0, folder=tmp_path)
    assert again is not deck
    assert again.cards == deck.cards
    assert again.sights == deck.sights
    assert [(file.stat().st_ino, file.stat().st_mtime_ns) for file in tmp_path.iterdir()] == [before]


@pytest.mark.parametrize("wrong", ["half a f", "seed", "cards"])
def test_a_file_of_something_else_is_measured_again(wrong: str, tmp_path: Path, folder: Path) -> None:
    deck = measured_pile(0, folder=folder)
    name = f"deck-measurements-{PICTURES_VERSION}-0.json"
    good = (folder / name).read_bytes()
    content = msgspec.json.decode(good)
    if wrong in content:
        content[wrong] = {"seed": "1", "cards": dict(list(content["cards"].items())[1:])}[wrong]
        bad = msgspec.json.encode(content)
    else:
        bad = wrong.encode()
    (tmp_path / name).write_bytes(bad)
    assert measured_pile(0, folder=tmp_path).sights == deck.sights
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [good]


def test_without_a_place_to_keep_it_a_deck_is_measured_all_the_same(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "file").touch()
    pile = measured_pile(0, folder=tmp_path / "file" / "folder")
    assert pile.sights == measured_pile(0, folder=folder).sights
