"""The minds of a batch decide as the bots' minds do, from the same impressions, in every situation that comes up."""

from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from illusion.bots import CHARACTERS, levels
from illusion.bots.belief import believe, posterior
from illusion.bots.eyes import Eyes, Impression
from illusion.bots.minds import Mind, Value
from illusion.lab.batch import CannotPlay, Engine, Lanes
from illusion.lab.batch.in_words import Lane
from illusion.lab.crowd.looks import perception
from illusion.lab.crowd.minds import batch_mind, decided
from illusion.lab.crowd.situations import Situations, situations
from illusion.lab.learning.learned import Learned, first_weights
from illusion.lab.measured_decks import measured_pile
from illusion.rules import Game, Penalty, Place, Setup, Variant, View, view

Asked: TypeAlias = tuple[View, list[Impression], Impression | None, float]
LANES = 60
SAME = 1e-5
"""What differs less is decided by how numbers are rounded; networks have single precision."""
UNTRAINED = Learned({players: first_weights(players, np.random.default_rng(players)) for players in (2, 3, 4, 5)})
MINDS: dict[str, tuple[Mind, Eyes]] = {name: (level.mind, level.eyes) for name, level in levels().items()}
MINDS["learned"] = UNTRAINED, levels()["eagle-eye"].eyes


@cache
def played(folder: Path, players: int, variant: Variant, penalty: Penalty, steps: int) -> tuple[Engine, Lanes]:
    """Players who mostly lay the card where it belongs, so that rows are as long as careful players make them."""
    engine = Engine(players, [measured_pile(0, folder=folder).cards[:40]], variant, penalty=penalty, name="numpy")
    lanes, rng = engine.init(players, LANES), np.random.default_rng(players)
    for _ in range(steps):
        actions = []
        for number in range(LANES):
            lane = Lane(engine, lanes, number)
            arrow, card = lane.arrows[lane.round - 1], lane.next_card
            if card is None or (lane.length > 1 and rng.random() < 0.12):
                actions.append(engine.terms.longest)
                continue
            fits = sum(other.shares[arrow] <= card.shares[arrow] for other in lane.row)
            actions.append(int(np.clip(fits + rng.integers(-1, 2) * (rng.random() < 0.2), 0, lane.length)))
        lanes, _ = engine.step(lanes, np.array(actions))
    return engine, lanes


def as_one(engine: Engine, lanes: Lanes, number: int, known: Situations, variant: Variant) -> Asked:
    """What a bot's mind is told in a lane, with the same impressions."""
    lane = Lane(engine, lanes, number)
    penalty = Penalty.ARROW if engine.terms.arrows_returned else Penalty.NOTHING
    setup = Setup(engine.terms.players, lane.arrows, lane.deck, 0, variant, penalty=penalty)
    game = Game(setup, lane.round, lane.drawn, lane.row, lane.placed_by, lane.to_play, lane.arrows_won, (), None)
    seen = [Impression(round(a, 2), b) for a, b in zip(known.seen[number], known.spread[number], strict=True)]
    card = None if lane.next_card is None else seen[-1]
    return view(game), seen[: lane.length], card, float(known.temper[number])


def are_worth_the_same(mind: Mind, asked: Asked, gap: int, other: int) -> bool:
    """Whether the row stays right as likely with the card in either gap."""
    told, row, card, _ = asked
    if not {gap, other} <= set(told.legal.gaps):
        return False
    belief = believe([posterior(each) for each in row], None if card is None else posterior(card))
    stays = mind.weigh(told, row, card).stays if isinstance(mind, Value) else belief.stays
    return abs(stays[gap] - stays[other]) < SAME


@pytest.mark.parametrize("level", MINDS)
@pytest.mark.parametrize(
    ("players", "variant", "penalty"),
    [
        (2, Variant.FIRST_TO_THREE, Penalty.NOTHING),
        (3, Variant.FIRST_TO_THREE, Penalty.ARROW),
        (4, Variant.TWELVE_ROUNDS, Penalty.NOTHING),
        (5, Variant.FIRST_TO_THREE, Penalty.NOTHING),
        (5, Variant.TWELVE_ROUNDS, Penalty.ARROW),
    ],
)
def test_a_batch_decides_as_the_bots_do(
    level: str, players: int, variant: Variant, penalty: Penalty, folder: Path
) -> None:
    """With rows padded to the longest one. A choice may differ only where two are worth the same."""
    mind, eyes = MINDS[level]
    lookers = [(eyes, character.name) for character in CHARACTERS]
    for steps in (0, 7, 16, 25):
        engine, lanes = played(folder, players, variant, penalty, steps)
        tables = perception(lookers, [measured_pile(0, folder=folder)])
        at, rng = np.arange(LANES), np.random.default_rng(steps)
        width, temper = int(lanes.turn.length.max()), rng.integers(-1, 2, LANES).astype(float)
        # cards of the batch are numbered within forty, those of the tables within ninety-eight: the same first forty
        known = situations(lanes, at, width, tables, rng.integers(0, len(lookers), LANES), temper, engine.terms)
        judged = batch_mind(mind, engine.terms)(known)
        actions = decided(known, judged, engine.terms).tolist()
        doubts = 0
        for number in range(LANES):
            asked = as_one(engine, lanes, number, known, variant)
            move = mind.decide(*asked)
            action = move.gap if isinstance(move, Place) else engine.terms.longest
            same = abs(judged[0][number]) < SAME or are_worth_the_same(mind, asked, actions[number], action)
            assert actions[number] == action or same, (number, lanes.turn.length[number])
            doubts += not isinstance(move, Place)
        assert steps == 0 or 0 < doubts < LANES


def test_rows_of_one_length_need_no_padding(folder: Path) -> None:
    engine, lanes = played(folder, 3, Variant.FIRST_TO_THREE, Penalty.NOTHING, 12)
    level = levels()["eagle-eye"]
    tables = perception([(level.eyes, "Argus")], [measured_pile(0, folder=folder)])
    mind = batch_mind(level.mind, engine.terms)
    longest = int(lanes.turn.length.max())
    for length in range(1, longest + 1):
        at = np.flatnonzero(lanes.turn.length == length)
        if at.size:
            none = np.zeros(at.size, int)
            exact, padded = (
                mind(situations(lanes, at, width, tables, none, 0.0 * none, engine.terms))
                for width in (length, longest)
            )
            assert np.array_equal(exact[1], padded[1])
            assert np.allclose(exact[0], padded[0], rtol=0, atol=1e-12)


def test_a_mind_that_no_batch_knows_is_refused_in_a_sentence(folder: Path) -> None:
    engine, _ = played(folder, 2, Variant.FIRST_TO_THREE, Penalty.NOTHING, 0)
    with pytest.raises(CannotPlay, match="There is no batch of object; there are"):
        batch_mind(object(), engine.terms)  # type: ignore[arg-type]
