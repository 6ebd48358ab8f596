"""Honesty: a bot decides only from pictures and from what everybody has seen."""

from dataclasses import fields
from functools import partial
from random import Random
from typing import Any

import pytest

from illusion.bots import LEVEL_NAMES, Bot, levels, sight_of
from illusion.bots.eyes import repeatable_noise
from illusion.deck import Card
from illusion.rules import Game, Move, Shares, Variant, view
from tests.bots.situations import dealt_anew, look, some_cards, turns, with_other_backs


def bots() -> list[Bot]:
    """One of each level and temper, who have not seen anything yet."""
    noise = partial(repeatable_noise, "a game")
    return [Bot(levels()[level], "Iris", noise, temper) for level in LEVEL_NAMES for temper in (-1.0, 0.0, 1.0)]


def decisions(game: Game) -> list[tuple[Move, list[int]]]:
    """What each bot does, and what it believes of the row."""
    seen = view(game)
    assert seen.arrow is not None
    return [(bot.decide(seen, look), [bot.believed(card, seen.arrow, look) for card in seen.row]) for bot in bots()]


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_what_is_printed_or_unseen_changes_no_decision(players: int, variant: Variant) -> None:
    rng = Random(players)
    compared = 0
    for game in turns(players, players, variant):
        expected = decisions(game)
        assert decisions(with_other_backs(game, rng)) == expected
        assert decisions(dealt_anew(game, rng)) == expected
        compared += len(expected)
    assert compared > 100


class LyingCard(Card):
    """A card whose back says something else than its picture shows."""

    @property
    def picture(self) -> Any:
        return some_cards()[0].picture


def test_eyes_go_by_the_picture_and_not_by_the_back() -> None:
    card = some_cards()[0]
    lying = LyingCard(
        **{field.name: getattr(card, field.name) for field in fields(card)} | {"shares": Shares(1, 1, 1, 1)}
    )
    assert sight_of(lying) == sight_of(card)


def test_a_bot_looks_only_at_cards_that_lie_open() -> None:
    for game in turns(7, 3):
        seen = view(game)
        open_cards = {card: look(card) for card in (*seen.row, seen.next_card) if card is not None}
        for bot in bots():
            bot.decide(seen, open_cards.__getitem__)  # fails if it asks for another
