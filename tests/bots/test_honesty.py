"""The honesty law: a bot decides from pictures and from what everybody saw, from nothing else."""

from dataclasses import replace
from random import Random

import pytest

from illusion.bots import CHARACTERS, LEVEL_NAMES, Bot, levels
from illusion.bots.sight import sight_of
from illusion.rules import ColourCard, Game, Shares, Variant, view
from illusion.rules.setup import Setup
from tests.bots.situations import look, some_cards, turns


def bots() -> list[Bot]:
    return [Bot(levels()[level], "Iris", "a game", temper) for level in LEVEL_NAMES for temper in (-1.0, 0.0, 1.0)]


def dealt_anew(game: Game, rng: Random) -> Game:
    """The same game as far as anybody has seen it; what lies face down is shuffled, arrows and cards."""
    seen_arrows, seen_cards = game.round, game.drawn + 1
    arrows, deck = list(game.setup.arrows[seen_arrows:]), list(game.setup.deck[seen_cards:])
    rng.shuffle(arrows)
    rng.shuffle(deck)
    setup = Setup(
        game.players,
        game.setup.arrows[:seen_arrows] + tuple(arrows),
        game.setup.deck[:seen_cards] + tuple(deck),
        game.setup.first,
        game.variant,
    )
    return replace(game, setup=setup)


def with_other_backs(game: Game, rng: Random) -> Game:
    """The same pictures with any numbers printed on their backs, on cards that nobody has turned over."""

    def reprinted(card: ColourCard) -> ColourCard:
        return ColourCard(card.id, Shares(*(rng.randint(0, 25) for _ in range(4))))

    new = {card.id: reprinted(card) for card in game.setup.deck}
    setup = Setup(
        game.players, game.setup.arrows, [new[card.id] for card in game.setup.deck], game.setup.first, game.variant
    )
    return replace(game, setup=setup, row=tuple(new[card.id] for card in game.row))


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_what_is_printed_or_unseen_changes_no_decision(players: int, variant: Variant) -> None:
    rng = Random(players)
    compared = 0
    for game in turns(players, players, variant):
        for bot in bots():
            decision = bot.decide(view(game), look)
            assert bot.decide(view(with_other_backs(game, rng)), look) == decision
            assert bot.decide(view(dealt_anew(game, rng)), look) == decision
            compared += 1
    assert compared > 100


def test_eyes_go_by_the_picture_and_not_by_the_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card whose back lies: what is measured on it stays what its picture shows."""
    card = some_cards()[0]
    lying = replace(card, shares=Shares(1, 1, 1, 1))
    honest, picture = sight_of(card), card.picture
    monkeypatch.setattr("illusion.deck.card.picture_of", lambda _: picture)
    assert sight_of(lying) == honest


def test_a_bot_looks_only_at_cards_that_lie_open() -> None:
    for game in turns(7, 3):
        seen = view(game)
        open_cards = {card: look(card) for card in (*seen.row, seen.next_card) if card is not None}
        for bot in bots():
            bot.decide(seen, open_cards.__getitem__)  # fails if it asks for another


def test_characters_have_names_of_their_own_and_a_level() -> None:
    assert len({character.name for character in CHARACTERS}) == len(CHARACTERS)
    assert {character.level for character in CHARACTERS} == set(LEVEL_NAMES)
