"""What many players see at once has the distribution of `Eyes.see`, and is the same at a second look."""

from pathlib import Path

import numpy as np

from illusion.bots import CHARACTERS, levels
from illusion.bots.belief import posterior
from illusion.bots.eyes import Impression
from illusion.lab.batch import Engine, Lanes
from illusion.lab.batch.lanes import COLOURS
from illusion.lab.batch.lots import NORMAL
from illusion.lab.crowd.looks import HUNDREDTHS, Perception, chances, face_up, look, noise_index, perception
from illusion.lab.measured_decks import MeasuredPile, measured_pile

LOOKERS = [(levels()[character.level].eyes, character.name) for character in CHARACTERS]
LANES = 4000


def batch(folder: Path) -> tuple[Engine, Lanes, list[MeasuredPile], Perception]:
    piles = [measured_pile(deck, folder=folder) for deck in (0, 1)]
    engine = Engine(3, [pile.cards for pile in piles], name="numba")
    lanes, _ = engine.play_randomly(engine.init(2, LANES), 9)
    return engine, lanes, piles, perception(LOOKERS, piles)


def test_a_look_is_that_of_the_eyes(folder: Path) -> None:
    """The same noise leaves the same impression, and the same chances of the rungs."""
    engine, lanes, piles, tables = batch(folder)
    at = np.arange(LANES)
    laid, kind, seat = lanes.turn.length[:, None], at % len(LOOKERS), lanes.turn.to_play
    seen = look(tables, lanes, at, laid, kind, seat, engine.terms.pile)
    likely = chances(tables, seen)
    position, colour, card = face_up(lanes, at, laid, engine.terms.pile)
    noise = NORMAL[noise_index(lanes, at, position, colour, seat)]
    for lane in range(0, LANES, 20):
        pile, number = piles[card[lane, 0] // 98], card[lane, 0] % 98
        eyes, who = LOOKERS[kind[lane]]
        sight = pile.sights[pile.cards[number].id]
        expected = eyes.see(sight, COLOURS[colour[lane, 0]], who, noise[lane, 0])
        got = Impression(seen.hundredths[lane, 0] / HUNDREDTHS, tables.spreads[seen.spread[lane, 0]])
        assert got == expected
        assert np.allclose(likely[lane, 0], posterior(expected), rtol=0, atol=1e-12)


def test_the_noise_is_normal_and_everybody_has_their_own(folder: Path) -> None:
    """Kolmogorov and Smirnov's distance to the normal distribution, and correlations: larger once in a million."""
    engine, lanes, _, _ = batch(folder)
    at = np.arange(LANES)
    now, before = lanes.turn.length[:, None], lanes.turn.length[:, None] - 1
    looks = []
    for laid, seat in ((now, 0), (now, 1), (before, 0)):
        position, colour, _ = face_up(lanes, at, laid, engine.terms.pile)
        looks.append(noise_index(lanes, at, position, colour, np.full(LANES, seat))[:, 0])
    for look_ in looks:
        apart = np.abs((np.sort(look_) + 0.5) / len(NORMAL) - (np.arange(LANES) + 0.5) / LANES)
        assert apart.max() < 2.7 / LANES**0.5
    assert np.abs(np.corrcoef(NORMAL[np.array(looks)]) - np.eye(3)).max() < 5 / LANES**0.5


def test_a_card_looks_the_same_again_after_a_move(folder: Path) -> None:
    """The next card, and the same card once it has been laid in the row."""
    engine, lanes, _, tables = batch(folder)
    may_lay = np.flatnonzero((lanes.turn.drawn < engine.terms.pile - 1) & (lanes.turn.length < 90))
    kind, seat = np.zeros(LANES, int), np.ones(LANES, int)
    time = lanes.turn.length[may_lay, None]
    first = look(tables, lanes, may_lay, time, kind[may_lay], seat[may_lay], engine.terms.pile)
    gaps, _ = engine.legal(lanes)
    after, _ = engine.step(lanes, np.where(gaps > 0, 0, engine.terms.longest))
    again = look(tables, after, may_lay, time, kind[may_lay], seat[may_lay], engine.terms.pile)
    assert len(may_lay) > LANES / 2
    assert np.array_equal(first.hundredths, again.hundredths)
