"""The batch plays the same game as the rules: decision by decision, in every kind of game, for any moves."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import numpy as np
import pytest
from harness.sweeps import sweep
from hypothesis import given, settings
from hypothesis import strategies as st

from illusion.lab.batch import BACKENDS, CannotPlay, Engine, Lanes
from illusion.lab.batch.in_words import Lane
from illusion.rules import (
    ARROWS,
    ArrowReturned,
    CardId,
    Colour,
    ColourCard,
    Doubt,
    End,
    Ending,
    Game,
    GameEnded,
    IllegalMove,
    Move,
    Penalty,
    Place,
    RulesError,
    Setup,
    Shares,
    Variant,
    apply,
    deal,
    first_fall,
    legal,
    legal_moves,
    opening,
    replay,
    start,
    view,
)
from illusion.rules.row import culprit

Chooser = Callable[[Game], Move]


def dealt(rng: Random, players: int, pile: int, variant: Variant, end: End | None, penalty: Penalty | None) -> Setup:
    """A game by lot; shares of few values, so that neighbours are often equal (R3.1)."""
    cards = [ColourCard(number, {colour: rng.randrange(12) for colour in Colour}) for number in range(pile)]
    arrows = list(ARROWS)
    rng.shuffle(arrows)
    return Setup(players, arrows, cards, rng.randrange(players), variant, end, penalty or Penalty.NOTHING)


def careful(rng: Random) -> Chooser:
    """Mostly lays the card where it belongs and doubts now and then, so that long right rows come up, too."""

    def chosen(game: Game) -> Move:
        card, arrow = game.next_card, game.arrow
        if card is None or arrow is None or rng.random() < 0.3:
            return rng.choice(legal_moves(game))
        return Place(sum(other.shares[arrow] <= card.shares[arrow] for other in game.row))

    return chosen


def numbers(games: Sequence[Game]) -> dict[str, list[int]]:
    """What the rules say about each game, as the batch counts it."""
    return {
        "to_play": [-1 if game.to_play is None else game.to_play for game in games],
        "round": [game.round for game in games],
        "drawn": [game.drawn for game in games],
        "length": [len(game.row) for game in games],
        "arrows_won": [sum(len(won) << 4 * seat for seat, won in enumerate(game.arrows_won)) for game in games],
    }


def play_beside(engine: Engine, lanes: Lanes, games: list[Game], chosen: Chooser) -> Counter[object]:
    """The batch and the rules make the same moves until all games are over; returns what came up."""
    seen: Counter[object] = Counter()
    doubt, pile = engine.terms.longest, engine.terms.pile
    while True:
        for name, values in numbers(games).items():
            assert np.array_equal(np.asarray(getattr(lanes.turn, name)), values), name
        gaps, may_doubt = (np.asarray(each).tolist() for each in engine.legal(lanes))
        deck, row = np.asarray(lanes.cards.deck), np.asarray(lanes.cards.row)
        for at, game in enumerate(games):
            if game.over:
                assert not gaps[at] + may_doubt[at]
                continue
            allowed = legal(game)
            assert (len(allowed.gaps), allowed.doubt) == (gaps[at], may_doubt[at])
            first = game.drawn - len(game.row)
            ids = (deck[at, first + row[at, : len(game.row)].astype(int)] - at * pile).tolist()
            assert ids == [card.id for card in game.row]
            seen["deck empty"] += game.next_card is None
        if all(game.over for game in games):
            return seen
        moves = [None if game.over else chosen(game) for game in games]
        actions = [move.gap if isinstance(move, Place) else doubt for move in moves]
        broke = np.asarray(lanes.turn.broke).tolist()
        lanes, did = engine.step(lanes, np.array(actions), renew=False)
        for at, move in enumerate(moves):
            if move is None:
                continue
            before = games[at]
            games[at], events = apply(before, move)
            if isinstance(move, Doubt):
                doubted = games[at].last_doubt
                assert doubted is not None
                assert doubted.first_fall == first_fall(before.row, doubted.arrow)
                assert doubted.culprit == culprit(before.row, doubted.arrow, before.placed_by, before.as_laid)
                by = None if doubted.culprit is None else doubted.row[doubted.culprit.at].card
                assert broke[at] == (0 if by is None else int(by) - (int(min(card.card for card in doubted.row))))
                assert int(did.taker[at]) == doubted.taker
                assert int(did.returned[at]) == sum(isinstance(event, ArrowReturned) for event in events)
                seen["arrow returned"] += int(did.returned[at])
            for event in events:
                if isinstance(event, GameEnded):
                    seen[event.ending] += 1
                    seen["shared"] += len(event.winners) > 1
                    assert (int(did.ending[at]), Lane(engine, lanes, at).winners) == (
                        1 + list(Ending).index(event.ending),
                        event.winners,
                    )


KINDS = [
    (Variant.FIRST_TO_THREE, None, None),
    (Variant.TWELVE_ROUNDS, None, None),
    (Variant.FIRST_TO_THREE, End(arrows_to_win=2, rounds=4), Penalty.ARROW),
    (Variant.TWELVE_ROUNDS, End(rounds=3), Penalty.ARROW),
]
PILES = (2, 3, 7, 16, 30)
LANES = sweep(60, 250)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_thousands_of_games_are_the_same_as_by_the_rules(players: int) -> None:
    """1,200 for each number of players, in `make faults` 5,000, with all sizes of decks; every way to end comes up."""
    seen: Counter[object] = Counter()
    for number, ((variant, end, penalty), pile) in enumerate(product(KINDS, PILES)):
        rng = Random(f"{players} {number}")
        setups = [dealt(rng, players, pile, variant, end, penalty) for _ in range(LANES)]
        engine, lanes = Engine.in_order(setups, "numba")
        games = [
            start(players, setup.arrows, setup.deck, setup.first, variant, setup.end, setup.penalty) for setup in setups
        ]
        chosen = careful(rng) if number % 2 else lambda game: rng.choice(legal_moves(game))  # noqa: B023
        seen += play_beside(engine, lanes, games, chosen)
    assert sum(seen[ending] for ending in Ending) == len(KINDS) * len(PILES) * LANES
    assert min(seen[each] for each in (*Ending, "deck empty", "arrow returned", "shared")) > LANES / 25


@pytest.mark.parametrize("name", ["numpy", "numba"])
def test_full_decks_are_the_same(name: str) -> None:
    rng = Random(name)
    setups = [dealt(rng, 3, 98, Variant.FIRST_TO_THREE, None, None) for _ in range(24)]
    engine, lanes = Engine.in_order(setups, name)
    games = [start(3, setup.arrows, setup.deck, setup.first) for setup in setups]
    seen = play_beside(engine, lanes, games, lambda game: rng.choice(legal_moves(game)))
    assert seen[Ending.THIRD_ARROW] > 5


def refusals(engine: Engine, lanes: Lanes, at: int) -> list[bool]:
    """Whether the batch refuses a gap before the row, each gap and one too many, and a doubt."""
    gaps, may_doubt = (np.asarray(each).tolist()[at] for each in engine.legal(lanes))
    length = int(lanes.turn.length[at])
    return [True, *(gap >= gaps for gap in range(length + 2)), not may_doubt]


def refusals_by_the_rules(game: Game) -> list[bool]:
    moves: list[Move] = [Place(gap) for gap in range(-1, len(game.row) + 2)]
    return [refused(game, move) for move in (*moves, Doubt())]


def refused(game: Game, move: Move) -> bool:
    try:
        apply(game, move)
    except IllegalMove:
        return True
    return False


def public_part(game: Game) -> tuple[tuple[int, ...], int, tuple[CardId, ...]]:
    """Of what people at the table see."""
    seen = view(game)
    return seen.laid, seen.round, seen.row


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    players=st.integers(2, 5),
    pile=st.integers(2, 20),
    kind=st.sampled_from(KINDS),
    choices=st.lists(st.integers(0, 2**16), min_size=80, max_size=80),
)
def test_for_any_moves_the_events_are_those_of_the_rules(
    seed: int, players: int, pile: int, kind: tuple[Variant, End | None, Penalty | None], choices: list[int]
) -> None:
    setup = dealt(Random(seed), players, pile, *kind)
    engine, lanes = Engine.in_order([setup])
    game = start(players, setup.arrows, setup.deck, setup.first, setup.variant, setup.end, setup.penalty)
    begun, made = game, list[Move]()
    first, opened = Lane(engine, lanes, 0), opening(setup)
    assert first.next_card is not None
    assert (opened.arrow, opened.first_card, opened.next_card, opened.to_play) == (
        first.arrows[0],
        first.row[0].id,
        first.next_card.id,
        first.to_play,
    )
    for choice in choices:
        lane = Lane(engine, lanes, 0)
        assert refusals(engine, lanes, 0) == refusals_by_the_rules(game)
        assert (lane.to_play, lane.row, lane.placed_by) == (game.to_play, game.row, game.placed_by)
        assert (lane.arrows_won, lane.next_card) == (game.arrows_won, game.next_card)
        assert (lane.laid, lane.round, tuple(card.id for card in lane.row)) == public_part(game)
        if game.over:
            assert lane.winners == game.winners
            break
        moves = legal_moves(game)
        move = moves[choice % len(moves)]
        action = move.gap if isinstance(move, Place) else engine.terms.longest
        assert lane.move(action) == move
        lanes, did = engine.step(lanes, np.array([action]), renew=False)
        game, events = apply(game, move)
        made.append(move)
        assert lane.events(action, did, 0, Lane(engine, lanes, 0)) == events
    assert replay(begun, made) == game


CARDS = [ColourCard(number, Shares(number, 1, 1, 1)) for number in range(6)]
REFUSED: dict[str, Callable[[], object]] = {
    "players-out-of-range": lambda: deal(6, CARDS, Random(1)),
    "first-out-of-range": lambda: Setup(2, ARROWS, CARDS, 2),
    "arrows-not-three-of-each": lambda: Setup(2, ARROWS[1:], CARDS, 0),
    "not-a-colour-card": lambda: Setup(2, ARROWS, [*CARDS, 7], 0),  # type: ignore[list-item]
    "duplicate-card-id": lambda: Setup(2, ARROWS, [*CARDS, CARDS[0]], 0),
    "deck-too-small": lambda: Setup(2, ARROWS, CARDS[:1], 0),
    "unknown-variant": lambda: Setup(2, ARROWS, CARDS, 0, "chess"),  # type: ignore[arg-type]
    "not-an-end": lambda: Setup(2, ARROWS, CARDS, 0, end=3),  # type: ignore[arg-type]
    "end-out-of-range": lambda: End(rounds=0),
    "unknown-penalty": lambda: Setup(2, ARROWS, CARDS, 0, penalty="a song"),  # type: ignore[arg-type]
    "shares-not-four-colours": lambda: ColourCard(1, {Colour.RED: 5}),
    "share-not-an-integer": lambda: Shares(1.5, 1, 1, 1),  # type: ignore[arg-type]
    "share-out-of-range": lambda: Shares(101, 0, 0, 0),
    "shares-over-100": lambda: Shares(60, 60, 0, 0),
    "gap-not-an-integer": lambda: Place("2"),  # type: ignore[arg-type]
    "not-a-move": lambda: apply(deal(2, CARDS, Random(1)), "doubt"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_the_rules_refuse_never_gets_into_a_lane(code: str) -> None:
    """Lanes are made of setups, and of nothing else."""
    with pytest.raises(RulesError, match=code):
        REFUSED[code]()


@pytest.mark.parametrize("name", BACKENDS)
def test_an_illegal_action_is_refused_in_a_sentence_and_changes_nothing(name: str) -> None:
    engine, lanes = Engine.in_order([dealt(Random(1), 2, 6, Variant.FIRST_TO_THREE, None, None)] * 2, name)
    doubt = engine.terms.longest
    for action in (doubt, 2, -1, 99):  # a single card can be neither doubted nor laid beside in a third gap
        with pytest.raises(CannotPlay, match=f"The action {action} is not legal in lane 1"):
            engine.step(lanes, np.array([0, action]))
    assert np.asarray(lanes.turn.length).tolist() == [1, 1]
    with pytest.raises(CannotPlay, match="2 lanes need as many actions, not 3"):
        engine.step(lanes, np.array([0, 0, 0]))


def test_a_row_as_long_as_it_can_be_must_be_doubted() -> None:
    engine, lanes = Engine.in_order([dealt(Random(1), 2, 9, Variant.FIRST_TO_THREE, None, None)], longest=3)
    for _ in range(2):
        lanes, _ = engine.step(lanes, np.array([0]))
    gaps, may_doubt = engine.legal(lanes)
    assert (gaps.tolist(), may_doubt.tolist()) == ([0], [True])
    lanes, _ = engine.step(lanes, np.array([3]))
    assert lanes.turn.round.tolist() == [2]
