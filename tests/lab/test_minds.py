"""The minds for arrays decide as the bots' minds do, from the same looks, in every situation that comes up."""

from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from harness.sweeps import sweep

from illusion.bots import levels
from illusion.bots.belief import believe, posterior
from illusion.bots.eyes import Impression
from illusion.bots.minds import Mind, Value
from illusion.lab.arrays import NO_GOAL, ArrayGame, CannotPlay, State, array_game, deal, step, terms_of
from illusion.lab.minds import Situation, array_mind, decided, situations
from illusion.rules import Penalty, Place, Variant, View, view
from tests.lab.words import in_words

PLACES, WIDTH, PILE = 60, 40, 40
KINDS = [
    (2, Variant.FIRST_TO_THREE, Penalty.NOTHING),
    (3, Variant.FIRST_TO_THREE, Penalty.ARROW),
    (4, Variant.TWELVE_ROUNDS, Penalty.NOTHING),
    (5, Variant.TWELVE_ROUNDS, Penalty.ARROW),
]
SITUATIONS = [(*kind, level) for kind, level in product(KINDS, levels())]
"""Every second of these has all levels, and minds of all sorts in every kind of game."""
SAME = 3e-4
"""What differs less is decided by how numbers of single precision are rounded."""


def share(game: ArrayGame, state: State, position: Any) -> Any:
    at = np.arange(PLACES)[:, None]
    card = np.take_along_axis(state.deck, position, axis=1)
    colour = state.arrows[at, state.round[:, None] - 1]
    return np.asarray(game.shares)[state.deck_number[:, None], colour, card]


@cache
def played(folder: Path, players: int, variant: Variant, penalty: Penalty) -> tuple[ArrayGame, list[State]]:
    """Players who mostly lay the card where it belongs, so that rows are as long as careful players make them. All with
    the first forty cards of a deck, and the eyes of *keen*."""
    keen = array_game(2, decks=(0,), longest=WIDTH, folder=folder)
    terms = terms_of(players, variant.end, penalty, PILE)
    assert keen.eyes is not None
    game = ArrayGame(terms, keen.shares, jax.tree.map(lambda each: each[:20], keen.eyes), WIDTH)
    states, rng = deal(game, players, PLACES), np.random.default_rng(players)
    states = states._replace(kinds=rng.integers(0, 20, (PLACES, 5), np.int32))
    kept = []
    for number in range(26):
        now = jax.tree.map(np.asarray, states)
        if number in (0, 7, 16, 25):
            kept.append(now)
        there = np.arange(WIDTH) < now.length[:, None]
        row = share(game, now, np.where(there, (now.drawn - now.length)[:, None] + now.row, 0))
        card = share(game, now, np.minimum(now.drawn, PILE - 1)[:, None])
        fits = ((row <= card) & there).sum(axis=1)
        fits = np.clip(fits + rng.integers(-1, 2, PLACES) * (rng.random(PLACES) < 0.2), 0, now.length)
        doubts = (now.drawn >= PILE) | ((now.length > 1) & (rng.random(PLACES) < 0.12))
        states, _ = step(game, states, np.where(doubts, WIDTH, fits))
    return game, kept


@partial(jax.jit)
def weighed(game: ArrayGame, mind: Any, states: State, tempers: Any) -> tuple[Situation, Any, Any]:
    known = situations(game, states, tempers, WIDTH)
    judged = mind.judge(known)
    return known, judged, decided(known, judged, game.longest)


def are_worth_the_same(mind: Mind, told: View, row: list[Impression], card: Impression | None, gaps: set[int]) -> bool:
    """Whether the row stays right as likely with the card in either gap."""
    if not gaps <= set(told.legal.gaps):
        return False
    belief = believe([posterior(each) for each in row], None if card is None else posterior(card))
    stays = mind.weigh(told, row, card).stays if isinstance(mind, Value) else belief.stays
    one, other = (stays[gap] for gap in (*gaps, *gaps)[:2])
    return abs(one - other) < SAME


@pytest.mark.parametrize(("players", "variant", "penalty", "level"), sweep(SITUATIONS[::2], SITUATIONS))
def test_they_decide_as_the_bots_do(players: int, variant: Variant, penalty: Penalty, level: str, folder: Path) -> None:
    """With rows padded to the longest one. A choice may differ only where two are worth the same."""
    game, kept = played(folder, players, variant, penalty)
    mind = levels()[level].mind
    can_batch = array_mind(mind, game.terms)
    for number, states in enumerate(kept):
        tempers = np.random.default_rng(number).integers(-1, 2, PLACES).astype(np.float32)
        known, (eagerness, _), actions = jax.tree.map(np.asarray, weighed(game, can_batch, states, tempers))
        doubts = 0
        for at, action in enumerate(actions.tolist()):
            told = view(in_words(game, states, at, folder, variant))
            seen = [
                Impression(round(float(a), 2), float(b))
                for a, b in zip(known.seen[:, at], known.spread[:, at], strict=True)
            ]
            row, card = seen[: len(told.row)], None if told.next_card is None else seen[-1]
            move = mind.decide(told, row, card, float(tempers[at]))
            expected = move.gap if isinstance(move, Place) else WIDTH
            same = abs(eagerness[at]) < SAME or are_worth_the_same(mind, told, row, card, {action, expected})
            assert action == expected or same, (at, len(told.row))
            doubts += expected == WIDTH
        assert number == 0 or 0 < doubts < PLACES


def test_a_mind_that_is_not_there_is_refused_in_a_sentence() -> None:
    terms = terms_of(2, Variant.FIRST_TO_THREE.end, Penalty.NOTHING, PILE)
    with pytest.raises(CannotPlay, match="There is no object for arrays; there are PointEstimate"):
        array_mind(object(), terms)  # type: ignore[arg-type]
    assert terms_of(2, Variant.TWELVE_ROUNDS.end, Penalty.NOTHING, PILE).arrows_to_win == NO_GOAL
