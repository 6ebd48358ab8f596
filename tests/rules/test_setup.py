"""R2 and R4.1: how a game and a round begin."""

import random
from collections import Counter
from typing import Any

import pytest

from illusion.rules import ARROWS, Colour, InvalidSetup, RoundStarted, Setup, Variant, deal, opening, start, view
from tests.rules.games import RED_FIRST, arrows_from, card, reds, refused

DECK = reds(10, 20, 30)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r1_1_two_to_five_can_play(players: int) -> None:
    game = start(players, RED_FIRST, DECK, first=players - 1)
    assert (game.players, game.to_play) == (players, players - 1)
    assert game.arrows_won == ((),) * players


def test_r2_2_r2_3_r2_4_how_a_game_begins() -> None:
    """The top arrow gives the colour, the top card begins the row and nobody laid it, and everybody sees the next."""
    game = start(3, arrows_from(Colour.BLUE, Colour.GREEN), DECK, 1)
    assert (game.round, game.arrow, game.row, game.placed_by) == (1, Colour.BLUE, (DECK[0],), (None,))
    assert (game.next_card, game.cards_left, view(game).next_card) == (DECK[1], 2, "c1")
    assert (game.over, game.winners, game.last_doubt) == (False, (), None)
    assert game.variant is Variant.FIRST_TO_THREE
    assert opening(game.setup) == RoundStarted(1, Colour.BLUE, first_card="c0", next_card="c1", to_play=1)


def test_r2_1_a_deal_shuffles_both_piles_and_loses_nothing() -> None:
    deck = reds(*range(98))
    setup = deal(4, deck, random.Random(7)).setup
    assert Counter(setup.arrows) == Counter(ARROWS)
    assert Counter(setup.deck) == Counter(deck)
    assert setup.arrows != ARROWS
    assert setup.deck != tuple(deck)
    assert setup.variant is Variant.FIRST_TO_THREE


def test_r4_1_the_first_player_is_drawn_by_lot() -> None:
    firsts = Counter(deal(5, DECK, random.Random(seed)).to_play for seed in range(500))
    assert set(firsts) == {0, 1, 2, 3, 4}
    assert min(firsts.values()) > 60  # 100 each on average


def test_r2_1_a_deal_is_decided_by_its_generator_alone_and_leaves_the_given_cards_alone() -> None:
    deck = reds(*range(98))
    given = list(deck)
    game = deal(3, given, random.Random(5), Variant.TWELVE_ROUNDS)
    assert game == deal(3, iter(given), random.Random(5), Variant.TWELVE_ROUNDS)
    assert game != deal(3, given, random.Random(6), Variant.TWELVE_ROUNDS)
    assert given == deck
    assert game.variant is Variant.TWELVE_ROUNDS


def test_names_of_colours_and_variants_become_values() -> None:
    names: Any = [arrow.value for arrow in ARROWS]
    long_game: Any = "twelve-rounds"
    named = Setup(2, names, DECK, 0, long_game)
    assert named.variant is Variant.TWELVE_ROUNDS
    assert named.arrows == ARROWS
    assert all(isinstance(arrow, Colour) for arrow in named.arrows)


def test_a_printed_game_keeps_the_piles_to_itself() -> None:
    assert "c1" not in repr(Setup(2, RED_FIRST, DECK, 0))


@pytest.mark.parametrize("players", [1, 6, 0, -2, "3", 3.0, None, True])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with refused(InvalidSetup, "players-out-of-range", players=players):
        start(players, RED_FIRST, DECK, 0)
    with pytest.raises(InvalidSetup, match="players-out-of-range"):
        deal(players, DECK, random.Random(0))


@pytest.mark.parametrize("first", [-1, 2, "0", None, 0.0, True])
def test_the_first_player_sits_at_the_table(first: int) -> None:
    with refused(InvalidSetup, "first-out-of-range", first=first, players=2):
        start(2, RED_FIRST, DECK, first)


@pytest.mark.parametrize(
    "arrows",
    [[], ARROWS[:-1], [*ARROWS, Colour.RED], [*ARROWS[:-1], Colour.RED], ["red"] * 12, [*ARROWS[:-1], "pink"]],
)
def test_r1_2_other_arrows_are_refused(arrows: list[Colour]) -> None:
    with refused(InvalidSetup, "arrows-not-three-of-each", arrows=tuple(arrows)):
        start(2, arrows, DECK, 0)


@pytest.mark.parametrize("cards", [0, 1])
def test_r6_5_a_deck_too_small_for_one_round_is_refused(cards: int) -> None:
    with refused(InvalidSetup, "deck-too-small", cards=cards):
        start(2, RED_FIRST, DECK[:cards], 0)


def test_r6_6_any_longer_pile_is_a_deck() -> None:
    assert start(2, RED_FIRST, DECK[:2], 0).cards_left == 1
    assert start(2, RED_FIRST, [card(number) for number in range(196)], 0).cards_left == 195


def test_two_cards_of_one_id_are_refused() -> None:
    with refused(InvalidSetup, "duplicate-card-id", id="b"):
        start(2, RED_FIRST, [card("a"), card("b"), card("b", red=9)], 0)


def test_what_is_no_colour_card_is_refused() -> None:
    with refused(InvalidSetup, "not-a-colour-card", card="b"):
        start(2, RED_FIRST, [card("a"), "b"], 0)  # type: ignore[list-item]


@pytest.mark.parametrize("variant", ["four-rounds", None, 3])
def test_an_unknown_variant_is_refused(variant: Variant) -> None:
    with refused(InvalidSetup, "unknown-variant", variant=variant):
        start(2, RED_FIRST, DECK, 0, variant)
