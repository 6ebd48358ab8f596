"""The game as arrays is the game of the rules: decision by decision, in every kind of game, for any moves."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from harness.sweeps import sweep
from numpy.typing import NDArray

from illusion.lab.arrays import COLOURS, ArrayGame, deal, step
from illusion.lab.environment import reward
from illusion.rules import (
    ArrowReturned,
    Colour,
    ColourCard,
    Doubt,
    End,
    Ending,
    Event,
    GameEnded,
    Penalty,
    Place,
    RowDoubted,
    Variant,
    apply,
    legal,
    start,
)

KINDS: list[tuple[Variant, End | None, Penalty]] = [
    (Variant.FIRST_TO_THREE, None, Penalty.NOTHING),
    (Variant.TWELVE_ROUNDS, None, Penalty.NOTHING),
    (Variant.FIRST_TO_THREE, End(arrows_to_win=2, rounds=4), Penalty.ARROW),
    (Variant.TWELVE_ROUNDS, End(rounds=3), Penalty.ARROW),
]
LARGEST = 40
PILES = (2, 7, 20, LARGEST)
PLACES = sweep(24, 256)
DECISIONS = 70
"""In each of 24 places of sixty-four kinds of games: more than 7,500 games, in `make faults` ten times as many."""

Arrays = NDArray[Any]


class Kind(NamedTuple):
    players: int
    variant: Variant
    end: End | None
    penalty: Penalty
    pile: int


@cache
def cards(seed: str, pile: int = LARGEST) -> list[ColourCard]:
    """Shares of few values, so that neighbours are often equal (R3.1)."""
    rng = Random(seed)
    return [ColourCard(number, {colour: rng.randrange(12) for colour in Colour}) for number in range(pile)]


PACKS = [cards("one"), cards("other")]


def made(kind: Kind) -> ArrayGame:
    """All sizes of piles share what is compiled for the largest."""
    game = ArrayGame.of_cards(kind.players, PACKS, kind.variant, end=kind.end, penalty=kind.penalty)
    terms = game.terms._replace(pile=np.int32(kind.pile))
    return ArrayGame(terms, game.shares, None, game.longest)


choices, rewards = (jax.jit(jax.vmap(each, in_axes=(None, 0))) for each in (ArrayGame.choices, ArrayGame.rewards))


class Seen(NamedTuple):
    """The numbers of all places before a decision, and what is decided."""

    state: dict[str, list[Any]]
    actions: list[int]


def compare(kind: Kind, seen: list[Seen], at: int, did: dict[str, Any]) -> Counter[object]:
    """The rules play the game of a place after it. What lay in its piles is known when it is over."""
    first, last = seen[0].state, seen[-1].state
    deck = [PACKS[last["deck_number"][at]][card] for card in last["deck"][at][: kind.pile]]
    arrows = [COLOURS[arrow] for arrow in last["arrows"][at]]
    game = start(kind.players, arrows, deck, first["to_play"][at], kind.variant, kind.end, kind.penalty)
    found: Counter[object] = Counter(["games"])
    events: tuple[Event, ...] = ()
    for state, actions in seen:
        where = game.to_play, game.round, game.drawn, len(game.row)
        assert where == tuple(state[name][at] for name in ("to_play", "round", "drawn", "length"))
        assert [len(won) for won in game.arrows_won] == state["arrows_won"][at][: kind.players]
        laid = state["row"][at][: len(game.row)]
        assert [deck[game.drawn - len(laid) + turn] for turn in laid] == list(game.row)
        allowed = legal(game)
        assert (len(allowed.gaps), allowed.doubt) == (state["gaps"][at], state["may_doubt"][at])
        found["deck empty"] += game.next_card is None
        game, events = apply(game, Doubt() if actions[at] == LARGEST else Place(actions[at]))
        found["arrow returned"] += sum(isinstance(event, ArrowReturned) for event in events)
        if isinstance(events[0], RowDoubted):
            by = events[0].culprit
            assert state["broke"][at] == (0 if by is None else laid[by.at])
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert did["ending"][at] == 1 + list(Ending).index(ended.ending)
    assert did["arrows_won"][at][: kind.players] == [len(won) for won in game.arrows_won]
    assert did["rewards"][at] == pytest.approx(
        [reward(game, seat) for seat in range(kind.players)] + [0] * (5 - kind.players)
    )
    assert game.last_doubt is not None
    assert (did["taker"][at], did["round"][at], did["drawn"][at]) == (game.last_doubt.taker, game.round, game.drawn)
    found["shared"] += len(game.winners) > 1
    found[ended.ending] += 1
    return found


def careful(states: dict[str, Arrays], game: ArrayGame, rng: np.random.Generator) -> Arrays:
    """Legal actions. At half of the places the card mostly goes where it belongs, so that long right rows come up, too;
    at the others everything is by lot."""
    at = np.arange(PLACES)
    gaps, may_doubt = states["gaps"], states["may_doubt"]
    shares, arrow = np.asarray(game.shares), states["arrows"][at, states["round"] - 1]
    first, pile = states["drawn"] - states["length"], int(game.terms.pile)

    def share(position: Arrays) -> Arrays:
        card = np.take_along_axis(states["deck"], np.minimum(position, pile - 1), axis=1)
        found: Arrays = shares[states["deck_number"][:, None], arrow[:, None], card]
        return found

    there = np.arange(LARGEST) < states["length"][:, None]
    row = share(np.where(there, first[:, None] + states["row"], 0))
    fits = ((row <= share(states["drawn"][:, None])) & there).sum(axis=1)
    by_lot = rng.integers(gaps + may_doubt)
    by_lot = np.where(by_lot < gaps, by_lot, LARGEST)
    return np.asarray(np.where((gaps > 0) & (at % 2 > 0) & (rng.random(PLACES) < 0.7), fits, by_lot))


def played_beside(kind: Kind, seed: int) -> Counter[object]:
    game, rng = made(kind), np.random.default_rng(seed)
    state, begun = deal(game, seed, PLACES), [0] * PLACES
    seen, found = list[Seen](), Counter[object]()
    for number in range(1, DECISIONS + 1):
        states = dict(zip(("gaps", "may_doubt"), map(np.asarray, choices(game, state)), strict=True))
        states |= {name: np.asarray(each) for name, each in state._asdict().items()}
        actions = careful(states, game, rng)
        state, outcome = step(game, state, actions)
        seen.append(Seen({name: each.tolist() for name, each in states.items()}, actions.tolist()))
        did = {name: np.asarray(each).tolist() for name, each in outcome._asdict().items()}
        did["rewards"] = np.asarray(rewards(game, outcome)).tolist()
        assert all(did["legal"])
        assert all(ending or not any(won) for ending, won in zip(did["ending"], did["rewards"], strict=True))
        for at in np.flatnonzero(did["ending"]).tolist():
            found += compare(kind, seen[begun[at] : number], at, did)
            begun[at] = number
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_thousands_of_games_are_the_same_as_by_the_rules(players: int) -> None:
    """More than 1,900 for each number of players, with all sizes of decks; every way to end comes up. The next game
    begins in the step that ends one, and that step has the rewards."""
    kinds = [Kind(players, *kind, pile) for kind, pile in product(KINDS, PILES)]
    seen = sum((played_beside(kind, 100 * players + number) for number, kind in enumerate(kinds)), Counter[object]())
    assert seen["games"] > 80 * PLACES
    assert min(seen[each] for each in (*Ending, "deck empty", "arrow returned", "shared")) > PLACES / 8


def test_an_illegal_action_changes_nothing() -> None:
    game = made(Kind(2, *KINDS[0], LARGEST))
    state = deal(game, 1, PLACES)
    for action in (LARGEST, 2, -1, 99):  # a single card can be neither doubted nor laid beside in a third gap
        after, did = step(game, state, np.full(PLACES, action))
        assert not np.asarray(did.legal).any()
        for name, before in state._asdict().items():
            assert np.array_equal(before, getattr(after, name)), name
