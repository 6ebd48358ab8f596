"""Recorded games, one for each way a round or a game can end; tests/rules/recorded/ holds them as readable files.

A story's lines beginning with `>` are moves; the lines below a move are the events it must cause, no more and no less.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Colour,
    Doubt,
    Event,
    GameEnded,
    Move,
    Penalty,
    Place,
    RoundStarted,
    Setup,
    Variant,
)
from tests.rules.games import card, steps

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.toml"))


def line(event: Event) -> str:
    match event:
        case RoundStarted():
            return (
                f"round {event.round}: {event.arrow} arrow; {event.first_card} lies, {event.next_card} is next; "
                f"seat {event.to_play} to play"
            )
        case CardPlaced():
            seen = "the deck is empty" if event.next_card is None else f"{event.next_card} is next"
            return f"seat {event.seat} lays {event.card} into gap {event.gap}; {seen}; seat {event.to_play} to play"
        case ArrowAwarded():
            return f"seat {event.seat} takes the {event.arrow} arrow"
        case ArrowReturned():
            return f"seat {event.seat} puts the {event.arrow} arrow back"
        case GameEnded():
            return f"the end ({event.ending}): won by {' and '.join(f'seat {seat}' for seat in event.winners)}"
        case doubted:
            row = ", ".join(
                f"{turned.card} {turned.shares[doubted.arrow]} %"
                f" ({'first' if turned.placed_by is None else f'seat {turned.placed_by}'})"
                for turned in doubted.row
            )
            read = "no fall"
            if doubted.culprit is not None:
                falls = " and ".join(str(doubted.row[at].card) for at in doubted.falls)
                read = (
                    f"falls at {falls}, broken by {doubted.row[doubted.culprit.at].card} (seat {doubted.culprit.seat})"
                )
            return f"seat {doubted.seat} doubts: {row}; {read}"


def told(setup: Setup, moves: list[str]) -> Iterator[str]:
    made: list[Move] = [Doubt() if move == "doubt" else Place(int(move.removeprefix("place "))) for move in moves]
    for step, move in zip(steps(setup, made), [None, *moves], strict=True):
        if move is not None:
            yield f"> {move}"
        yield from map(line, step.events)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_plays_out_as_told(path: Path) -> None:
    record = tomllib.loads(path.read_text())
    deck = [card(id, *map(int, backs)) for id, *backs in map(str.split, record["deck"].strip().splitlines())]
    arrows = [Colour(name) for name in record["arrows"].split()]
    penalty = Penalty(record.get("penalty", "nothing"))
    setup = Setup(record["players"], arrows, deck, record["first"], Variant(record["variant"]), penalty=penalty)
    story = [line.strip() for line in record["story"].strip().splitlines()]
    moves = [line.removeprefix("> ") for line in story if line.startswith("> ")]
    assert list(told(setup, moves)) == story


def test_every_way_to_end_is_recorded() -> None:
    stories = "\n".join(path.read_text() for path in RECORDED)
    for ending in ("third-arrow", "twelfth-round", "deck-too-small"):
        assert f"the end ({ending})" in stories
    for told in ("falls at", "no fall", "the deck is empty", "arrow back"):
        assert told in stories
