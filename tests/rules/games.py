"""Cards, setups and whole games for the tests: by hand, and drawn by Hypothesis."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, is_dataclass
from typing import NamedTuple

from hypothesis import strategies as st

from illusion.rules import (
    ARROWS,
    CardId,
    Colour,
    ColourCard,
    Event,
    Game,
    Move,
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


class Step(NamedTuple):
    """A state on the way through a game, the move that led to it (None at the start) and what it told."""

    game: Game
    move: Move | None
    events: tuple[Event, ...]


def begun(setup: Setup) -> Game:
    return start(setup.players, setup.arrows, setup.deck, setup.first, setup.variant)


def steps(setup: Setup, moves: Iterable[Move]) -> Iterator[Step]:
    game = begun(setup)
    yield Step(game, None, (opening(setup),))
    for move in moves:
        game, events = apply(game, move)
        yield Step(game, move, events)


def encoded(value: object) -> bytes:
    """A value of the rules as bytes, to compare what leaves the house."""
    if isinstance(value, tuple):
        return b"\n".join(encoded(part) for part in value)
    assert is_dataclass(value)
    assert not isinstance(value, type)
    return f"{type(value).__name__} {json.dumps(asdict(value))}".encode()


shares = st.builds(Shares, *[st.integers(0, 25)] * 4)


@st.composite
def setups(draw: st.DrawFn, most_cards: int = 40) -> Setup:
    players = draw(st.integers(2, 5))
    backs = draw(st.lists(shares, min_size=2, max_size=most_cards))
    return Setup(
        players,
        draw(st.permutations(ARROWS)),
        [ColourCard(f"c{at}", back) for at, back in enumerate(backs)],
        draw(st.integers(0, players - 1)),
        draw(st.sampled_from(Variant)),
    )


@st.composite
def playthroughs(draw: st.DrawFn, most_cards: int = 40) -> tuple[Setup, list[Move]]:
    """A setup and moves through it, to the game's end or to somewhere before it."""
    setup = draw(setups(most_cards))
    game, moves = begun(setup), list[Move]()
    for choice in draw(st.lists(st.integers(0, 1000), max_size=60)):
        if game.over:
            break
        legal = legal_moves(game)
        # Every other choice is a doubt where one is possible, so that games reach their end.
        move = legal[-1] if choice % 2 else legal[choice // 2 % len(legal)]
        game, _ = apply(game, move)
        moves.append(move)
    return setup, moves
