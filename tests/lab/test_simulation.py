"""Simulated games: they are played by the bots that people meet at tables."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from illusion.bots import LEVEL_NAMES, Bot, Impression, Sight, levels, sight_of
from illusion.bots.characters import of_level
from illusion.bots.eyes import Eyes, repeatable_noise
from illusion.bots.minds import PointEstimate
from illusion.deck import make_pile
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


def test_a_bot_of_each_level_asked_for_is_seated() -> None:
    bots = seated(["sharp", "first-timer", "sharp"], Random(1))
    assert [bot.level.name for bot in bots] == ["sharp", "first-timer", "sharp"]
    assert len({bot.name for bot in bots}) == 3


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
