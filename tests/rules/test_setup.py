"""R1, R2 and R4.1: what is in the box, how a game and a round begin, and what makes no game."""

import random
from collections import Counter
from typing import Any

import pytest

from illusion.rules import (
    ARROWS,
    Colour,
    ColourCard,
    End,
    InvalidSetup,
    Penalty,
    RoundStarted,
    Setup,
    Shares,
    Variant,
    deal,
    opening,
    start,
    view,
)
from tests.rules.games import RED_FIRST, arrows_from, card, reds, refused

FOUR = {Colour.RED: 12, Colour.YELLOW: 3, Colour.GREEN: 30, Colour.BLUE: 7}
DECK = reds(10, 20, 30)


def test_r1_2_there_are_three_arrows_of_each_colour() -> None:
    assert Counter(ARROWS) == {Colour.RED: 3, Colour.YELLOW: 3, Colour.GREEN: 3, Colour.BLUE: 3}


def test_r1_3_a_card_states_a_share_for_each_colour_up_to_the_whole_area() -> None:
    assert {colour: ColourCard("a", FOUR).shares[colour] for colour in Colour} == FOUR
    assert ColourCard("a", FOUR) == ColourCard("a", Shares(red=12, yellow=3, green=30, blue=7))
    for whole in ((100, 0, 0, 0), (25, 25, 25, 25), (0, 0, 0, 100), (0, 0, 0, 0)):
        assert tuple(Shares(*whole)[colour] for colour in Colour) == whole


@pytest.mark.parametrize(
    ("shares", "code", "parameters"),
    [
        *[({**FOUR, at: -1}, "share-out-of-range", {"colour": at, "share": -1}) for at in Colour],
        *[({**FOUR, at: 101}, "share-out-of-range", {"colour": at, "share": 101}) for at in Colour],
        *[
            ({**FOUR, Colour.YELLOW: share}, "share-not-an-integer", {"colour": Colour.YELLOW, "share": share})
            for share in (1.0, "1", None, True)
        ],
        ({**FOUR, Colour.RED: 61}, "shares-over-100", {"total": 101}),
        (dict.fromkeys(Colour, 100), "shares-over-100", {"total": 400}),
        ({}, "shares-not-four-colours", {"given": ()}),
        (dict.fromkeys([*Colour, "pink"], 1), "shares-not-four-colours", {"given": (*Colour, "pink")}),
    ],
)
def test_r1_3_other_shares_are_refused(shares: Any, code: str, parameters: dict[str, object]) -> None:
    with refused(InvalidSetup, code, **parameters):
        ColourCard("a", shares)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r1_1_two_to_five_can_play(players: int) -> None:
    game = start(players, RED_FIRST, DECK, first=players - 1)
    assert (game.players, game.to_play) == (players, players - 1)
    assert game.arrows_won == ((),) * players


@pytest.mark.parametrize("players", [1, 6, 0, -2, "3", 3.0, None, True])
def test_r1_1_other_numbers_of_players_are_refused(players: int) -> None:
    with refused(InvalidSetup, "players-out-of-range", players=players):
        start(players, RED_FIRST, DECK, 0)
    with refused(InvalidSetup, "players-out-of-range", players=players):
        deal(players, DECK, random.Random(0))


def test_r2_2_r2_3_r2_4_how_a_game_begins() -> None:
    """The top arrow gives the colour, the top card begins the row and nobody laid it, and everybody sees the next."""
    game = start(3, arrows_from(Colour.BLUE, Colour.GREEN), DECK, 1)
    assert (game.round, game.arrow, game.row, game.placed_by) == (1, Colour.BLUE, (DECK[0],), (None,))
    assert (game.next_card, game.cards_left, view(game).next_card) == (DECK[1], 2, "c1")
    assert (game.over, game.winners, game.last_doubt) == (False, (), None)
    assert opening(game.setup) == RoundStarted(1, Colour.BLUE, first_card="c0", next_card="c1", to_play=1)


def test_r2_1_a_deal_shuffles_both_piles_as_its_generator_alone_decides() -> None:
    deck, kind = reds(*range(98)), (Variant.TWELVE_ROUNDS, End(rounds=5), Penalty.ARROW)
    given = list(deck)
    game = deal(4, given, random.Random(5), *kind)
    setup = game.setup
    assert Counter(setup.arrows) == Counter(ARROWS)
    assert Counter(setup.deck) == Counter(deck)
    assert setup.arrows != ARROWS
    assert setup.deck != tuple(deck)
    assert (setup.variant, setup.end, setup.penalty) == kind
    assert given == deck
    assert game == deal(4, iter(deck), random.Random(5), *kind)
    assert game != deal(4, deck, random.Random(6), *kind)


def test_r4_1_the_first_player_is_drawn_by_lot() -> None:
    firsts = Counter(deal(5, DECK, random.Random(seed)).to_play for seed in range(500))
    assert set(firsts) == {0, 1, 2, 3, 4}
    assert min(firsts.values()) > 60  # 100 each on average


def test_names_of_colours_variants_and_penalties_become_values() -> None:
    names: Any = [arrow.value for arrow in ARROWS]
    variant: Any = "twelve-rounds"
    penalty: Any = "arrow"
    setup = Setup(2, names, DECK, 0, variant, penalty=penalty)
    assert (setup.arrows, setup.variant, setup.penalty) == (ARROWS, Variant.TWELVE_ROUNDS, Penalty.ARROW)
    assert {*map(type, setup.arrows), type(setup.variant), type(setup.penalty)} == {Colour, Variant, Penalty}


def test_a_printed_game_keeps_the_piles_to_itself() -> None:
    assert "c1" not in repr(Setup(2, RED_FIRST, DECK, 0))


@pytest.mark.parametrize(
    ("part", "wrong", "code", "parameters"),
    [
        *[
            ("first", seat, "first-out-of-range", {"first": seat, "players": 2})
            for seat in (-1, 2, "0", None, 0.0, True)
        ],
        *[
            ("arrows", pile, "arrows-not-three-of-each", {"arrows": pile})
            for pile in ((), ARROWS[1:], (*ARROWS, Colour.RED), (*ARROWS[1:], Colour.BLUE), (*ARROWS[1:], "pink"))
        ],
        *[("deck", DECK[:cards], "deck-too-small", {"cards": cards}) for cards in (0, 1)],
        ("deck", [*DECK, card("c1", red=9)], "duplicate-card-id", {"id": "c1"}),
        ("deck", [*DECK, "b"], "not-a-colour-card", {"card": "b"}),
        *[("variant", name, "unknown-variant", {"variant": name}) for name in ("four-rounds", None, 3)],
        *[("penalty", name, "unknown-penalty", {"penalty": name}) for name in ("two", 1, ())],
        *[("end", end, "not-an-end", {"end": end}) for end in ("twelve-rounds", 12)],
    ],
)
def test_r1_2_r6_5_what_makes_no_game_is_refused(
    part: str, wrong: object, code: str, parameters: dict[str, object]
) -> None:
    given: Any = {"players": 2, "arrows": RED_FIRST, "deck": DECK, "first": 0, part: wrong}
    with refused(InvalidSetup, code, **parameters):
        Setup(**given)
