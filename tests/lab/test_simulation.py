"""Simulated games: they are played by the bots that people meet at tables, with the cards that tables deal, whose
measurements are kept in files that name the pictures' version and the seed."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest

from illusion.bots import LEVEL_NAMES, Bot, Impression, Sight, levels, sight_of
from illusion.bots.characters import of_level
from illusion.bots.eyes import Eyes, repeatable_noise
from illusion.bots.minds import PointEstimate
from illusion.deck import PICTURES_VERSION, make_pile
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import even_bot, play, seated
from illusion.rules import CardId, Colour, Game, Move, Variant, View


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_a_bot_decides_the_same_in_the_arena_and_at_a_table(level: str, folder: Path) -> None:
    """Two of the same character with the same noise: one looks at measured piles, one at the pictures of a table."""
    cards = {card.number: card for card in make_pile(0, Variant.FIRST_TO_THREE)}

    def pictures(card: CardId) -> Sight:
        return sight_of(cards[int(card)])

    def both() -> list[Bot]:
        return [
            Bot(levels()[level], who.name, partial(repeatable_noise, f"a game {seat}"), who.temper)
            for seat, who in enumerate(of_level(level)[:2])
        ]

    at_table, compared = both(), 0

    def watch(game: Game, view: View, move: Move) -> None:
        nonlocal compared
        assert game.to_play is not None
        assert at_table[game.to_play].decide(view, pictures) == move
        compared += 1

    play(both(), measured_pile(0, folder=folder), Random(1), watch=watch)
    assert compared > 8


def test_a_level_plays_with_its_characters_drawn_by_lot() -> None:
    """As at a table: nobody sits there twice while others of the level are free."""
    keen = {(character.name, character.temper) for character in of_level("keen")}
    games = set()
    for number in range(50):
        bots = [(bot.name, bot.temper) for bot in seated(["keen"] * 5, Random(number))]
        assert set(bots[:4]) == keen
        assert bots[4] in keen
        games.add(tuple(bots))
    assert len(games) > 30
    mixed = seated(["sharp", "first-timer", "sharp"], Random(1))
    assert [bot.level.name for bot in mixed] == ["sharp", "first-timer", "sharp"]
    assert len({bot.name for bot in mixed}) == 3


def test_a_bot_sees_a_card_the_same_throughout_a_game(folder: Path) -> None:
    seen: dict[tuple[int | None, CardId | None, Colour | None], Impression | None] = {}
    looks = 0

    class Noting(PointEstimate):
        def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
            nonlocal looks
            for id, impression in zip((*view.row, view.next_card), (*row, card), strict=True):
                looks += 1
                assert seen.setdefault((view.to_play, id, view.arrow), impression) == impression
            return super().decide(view, row, card, temper)

    rng = Random(1)
    play([even_bot(Eyes(0.2), Noting(2.0), rng) for _ in range(3)], measured_pile(0, folder=folder), rng)
    assert looks > 1.5 * len(seen)


@pytest.mark.parametrize("variant", Variant)
def test_a_measured_pile_has_the_cards_that_a_table_deals(variant: Variant, folder: Path) -> None:
    pile, cards = measured_pile(0, variant, folder=folder), make_pile(0, variant)
    assert pile.cards == tuple(card.colour_card for card in cards)
    assert list(pile.sights) == [card.number for card in cards]
    for card in (cards[0], cards[97], cards[-1]):
        assert pile.sights[card.number] == sight_of(card)


DECK = f"deck-measurements-{PICTURES_VERSION}-0.json"


def test_a_measured_deck_is_kept_and_read_again(tmp_path: Path, folder: Path) -> None:
    deck = measured_pile(0, folder=folder)
    kept = tmp_path / DECK
    kept.write_bytes((folder / DECK).read_bytes())
    before = (kept.stat().st_ino, kept.stat().st_mtime_ns)
    again = measured_pile(0, folder=tmp_path)
    assert again is not deck
    assert (again.cards, again.sights) == (deck.cards, deck.sights)
    assert [(file.stat().st_ino, file.stat().st_mtime_ns) for file in tmp_path.iterdir()] == [before]


@pytest.mark.parametrize("wrong", ["half a f", "seed", "cards"])
def test_a_file_of_something_else_is_measured_again(wrong: str, tmp_path: Path, folder: Path) -> None:
    deck = measured_pile(0, folder=folder)
    good = (folder / DECK).read_bytes()
    content = msgspec.json.decode(good)
    changed = {"seed": "1", "cards": dict(list(content["cards"].items())[1:])}
    bad = msgspec.json.encode(content | {wrong: changed[wrong]}) if wrong in changed else wrong.encode()
    (tmp_path / DECK).write_bytes(bad)
    assert measured_pile(0, folder=tmp_path).sights == deck.sights
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [good]


def test_without_a_place_to_keep_it_a_deck_is_measured_all_the_same(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "file").touch()
    pile = measured_pile(0, folder=tmp_path / "file" / "folder")
    assert pile.sights == measured_pile(0, folder=folder).sights
