"""The leak law (R2.5): dealing anew whatever nobody has seen changes no byte of what anybody is told."""

from collections.abc import Callable, Collection
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from illusion.rules import ColourCard, Game, Move, Setup, legal_moves, view
from tests.rules.games import Step, encoded, playthroughs, shares, steps


def told(step: Step) -> bytes:
    """Everything that leaves the house at one step."""
    return b"\n".join([encoded(view(step.game)), encoded(step.events), encoded(legal_moves(step.game))])


def redealt(game: Game, data: st.DataObject) -> Setup:
    """Another deal that nobody at the table could tell from this one.

    Seen: the arrows turned up so far, the pictures of the row, of the deck's top and of all cards gone, and the backs
    of the cards gone. Unseen, and so drawn anew: the other backs, all other pictures, the order of the other arrows.
    """
    setup = game.setup
    pictures_seen = game.drawn + (game.next_card is not None)
    backs_seen = game.drawn - len(game.row)
    deck = []
    for at, card in enumerate(setup.deck):
        picture = card.id if at < pictures_seen else f"unseen-{data.draw(st.integers(0, 10**6))}-{at}"
        deck.append(ColourCard(picture, card.shares if at < backs_seen else data.draw(shares)))
    arrows = [*setup.arrows[: game.round], *data.draw(st.permutations(setup.arrows[game.round :]))]
    return replace(setup, arrows=tuple(arrows), deck=tuple(deck))


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
