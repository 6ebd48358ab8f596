"""Support for tests: a game of a batch as the rules have it."""

from pathlib import Path

import jax
import numpy as np

from illusion.lab.arrays import COLOURS, ArrayGame, State
from illusion.lab.measured_decks import measured_pile
from illusion.rules import Game, Penalty, Setup, Variant


def in_words(game: ArrayGame, states: State, at: int, folder: Path, variant: Variant = Variant.FIRST_TO_THREE) -> Game:
    one = jax.tree.map(lambda each: np.asarray(each)[at].tolist(), states)
    players, cards = int(game.terms.players), measured_pile(one.deck_number, folder=folder).cards
    deck = [cards[number] for number in one.deck[: int(game.terms.pile)]]
    penalty = Penalty.ARROW if game.terms.arrows_returned else Penalty.NOTHING
    setup = Setup(players, [COLOURS[arrow] for arrow in one.arrows], deck, 0, variant, penalty=penalty)
    laid = one.row[: one.length]
    row = tuple(deck[one.drawn - one.length + turn] for turn in laid)
    placed_by = tuple((one.to_play - one.length + turn) % players if turn else None for turn in laid)
    won = tuple((COLOURS[0],) * many for many in one.arrows_won[:players])
    return Game(setup, one.round, one.drawn, row, placed_by, one.to_play, won, (), None)
