"""The leak law (R2.5): dealing anew whatever nobody has seen changes no byte of what anybody is told."""

from collections.abc import Callable, Collection

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from illusion.rules import Game, Move, Setup, legal_moves, view
from tests.rules.games import Step, playthroughs, steps
from tests.rules.redealing import redealt


def told(step: Step) -> bytes:
    """Everything that leaves the house at one step."""
    events = [(type(event).__name__, event) for event in step.events]
    return msgspec.json.encode([view(step.game), events, legal_moves(step.game)])


def check_the_law(tell: Callable[[Step], bytes], phases: Collection[Phase] = tuple(Phase)) -> None:
    @settings(phases=phases)
    @given(playthroughs(fewest_cards=8, most_cards=14), st.data())
    def at_every_step(play: tuple[Setup, list[Move]], data: st.DataObject) -> None:
        setup, moves = play
        heard: list[bytes] = []
        for step in steps(setup, moves):
            heard.append(tell(step))
            elsewhere = redealt(step.game, data)
            assert [tell(other) for other in steps(elsewhere, moves[: len(heard) - 1])] == heard

    at_every_step()


def test_the_leak_law() -> None:
    check_the_law(told)


@pytest.mark.parametrize(
    "secret",
    [
        lambda game: game.row[-1:],
        lambda game: game.next_card,
        lambda game: game.setup.arrows[game.round : game.round + 1],
        lambda game: [card.id for card in game.setup.deck[game.drawn + 1 :]],
    ],
    ids=["a back in the row", "the back of the next card", "the next arrow", "a later picture"],
)
def test_the_leak_law_notices_each_secret(secret: Callable[[Game], object]) -> None:
    with pytest.raises(AssertionError):
        check_the_law(lambda step: told(step) + repr(secret(step.game)).encode(), phases=[Phase.generate])
