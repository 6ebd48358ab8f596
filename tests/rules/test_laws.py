"""The laws hold in every game, and the games they are tried on have enough in them."""

import pickle
from collections import Counter

import pytest
from hypothesis import Phase, given, settings

from illusion.rules import Place, RulesError, UnparsableMove
from tests.rules.games import Play, playthroughs
from tests.rules.laws import LAWS, Engine, Law, kinds


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_law_holds_in_every_game(law: Law) -> None:
    @given(playthroughs())
    def in_every_game(play: Play) -> None:
        law(play, Engine())

    in_every_game()


def test_most_games_tried_have_several_rounds_and_doubts_of_both_kinds() -> None:
    """A law says little if the games it is tried on are over before it could be broken."""
    games: list[Counter[str]] = []

    @settings(max_examples=200, derandomize=True, database=None, phases=[Phase.generate])
    @given(playthroughs())
    def collect(play: Play) -> None:
        games.append(kinds(play))

    collect()

    def share(wanted: dict[str, int]) -> float:
        return sum(all(game[kind] >= number for kind, number in wanted.items()) for game in games) / len(games)

    assert len(games) >= 200
    assert share({"rounds": 2}) > 0.95
    assert share({"rounds": 4}) > 0.6
    assert share({"moves": 11}) > 0.6
    assert share({"right doubts": 1, "wrong doubts": 1}) > 0.7
    assert share({"wrong doubts by a player with an arrow": 1}) > 0.35
    assert share({"turns with an empty deck": 1}) > 0.02


def test_an_error_survives_the_way_to_another_process() -> None:
    with pytest.raises(RulesError) as caught:
        Place("here")  # type: ignore[arg-type]
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  (our own bytes)
    assert (type(copy), copy.code, copy.parameters) == (UnparsableMove, "gap-not-an-integer", {"gap": "here"})
    assert str(copy) == str(caught.value)
    assert copy.args == (copy.code,)
