"""Cards, setups and whole games for the tests: by hand, and drawn by Hypothesis."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from illusion.rules import (
    ARROWS,
    CardId,
    Colour,
    ColourCard,
    Event,
    Game,
    Move,
    Penalty,
    RulesError,
    Setup,
    Shares,
    Variant,
    apply,
    legal_moves,
    opening,
    start,
)


def card(id: CardId, red: int = 0, yellow: int = 0, green: int = 0, blue: int = 0) -> ColourCard:
    return ColourCard(id, Shares(red, yellow, green, blue))


def reds(*shares: int) -> list[ColourCard]:
    """A deck whose cards are told apart by their red shares; yellow, green and blue never fall."""
    return [card(f"c{at}", red=share) for at, share in enumerate(shares)]


def arrows_from(*top: Colour) -> list[Colour]:
    """All twelve arrow cards, these on top."""
    rest = list(ARROWS)
    for arrow in top:
        rest.remove(arrow)
    return [*top, *rest]


RED_FIRST = arrows_from(Colour.RED, Colour.RED, Colour.RED)


@contextmanager
def refused(kind: type[RulesError], code: str, **parameters: object) -> Iterator[None]:
    """Something that the rules refuse for this reason."""
    with pytest.raises(kind) as caught:
        yield
    assert (caught.value.code, caught.value.parameters) == (code, parameters)


Play = tuple[Setup, list[Move]]
"""A setup and the moves made from it."""


class Step(NamedTuple):
    """A state on the way through a game, the move that led to it (None at the start) and what it told."""

    game: Game
    move: Move | None
    events: tuple[Event, ...]


def begun(setup: Setup) -> Game:
    return start(setup.players, setup.arrows, setup.deck, setup.first, setup.variant, setup.end, setup.penalty)


def steps(setup: Setup, moves: Iterable[Move]) -> Iterator[Step]:
    game = begun(setup)
    yield Step(game, None, (opening(setup),))
    for move in moves:
        game, events = apply(game, move)
        yield Step(game, move, events)


MOST_PACKED = 26**4 - 1
"""Four shares up to 25 are packed in one number, which Hypothesis draws four times as fast."""


def unpacked(packed: int) -> Shares:
    return Shares(*(packed // 26**place % 26 for place in range(4)))


@st.composite
def setups(draw: st.DrawFn, fewest_cards: int = 20, most_cards: int = 40) -> Setup:
    players = draw(st.integers(2, 5))
    cards = draw(st.integers(fewest_cards, most_cards))
    backs = draw(st.lists(st.integers(0, MOST_PACKED), min_size=cards, max_size=cards))
    return Setup(
        players,
        draw(st.permutations(ARROWS)),
        [ColourCard(f"c{at}", unpacked(back)) for at, back in enumerate(backs)],
        draw(st.integers(0, players - 1)),
        draw(st.sampled_from(Variant)),
        penalty=draw(st.sampled_from(Penalty)),
    )


@st.composite
def playthroughs(draw: st.DrawFn, fewest_cards: int = 20, most_cards: int = 40) -> Play:
    """A setup and moves through it, to the game's end or to somewhere before it.

    The number of choices is drawn first: a list that Hypothesis may end anywhere is short most of the time, and a short
    game has no second round.
    """
    setup = draw(setups(fewest_cards, most_cards))
    game, moves = begun(setup), list[Move]()
    choices, eager = draw(st.integers(20, 60)), draw(st.integers(2, 4))
    for choice in draw(st.lists(st.integers(0, 1000), min_size=choices, max_size=choices)):
        if game.over:
            break
        legal = legal_moves(game)
        # Every second to fourth choice is a doubt where one is possible, so that games reach their end.
        move = legal[choice // eager % len(legal)] if choice % eager else legal[-1]
        game, _ = apply(game, move)
        moves.append(move)
    return setup, moves
