"""A table's events in memory: all of them, in order, from any number on, and small."""

import json
import pickle

import msgspec
from harness.tables.records import finished_record
from hypothesis import given
from hypothesis import strategies as st

from illusion.tables.public.event_log import BLOCK, EventLog


def log_of(events: list[bytes]) -> EventLog:
    log = EventLog()
    for event in events:
        log.append(event)
    return log


@given(st.integers(0, 5 * BLOCK), st.integers(0, 6 * BLOCK))
def test_all_events_after_any_number_are_there(count: int, seq: int) -> None:
    events = [b'{"seq":%d}' % number for number in range(count)]
    assert log_of(events).after(seq) == events[seq:]


def test_what_has_been_told_stays_as_it_was() -> None:
    events = [json.dumps({"seq": seq, "name": "a\nb \u2028 é"}).encode() for seq in range(2 * BLOCK)]
    log = EventLog()
    for number, event in enumerate(events, 1):
        log.append(event)
        assert log.after(0) == events[:number]
        assert log.after(number - 1) == [event]


def test_a_game_takes_little_memory() -> None:
    """Less than a third of what its events have in bytes."""
    moves = [msgspec.json.encode(move) for move in finished_record().moves][:BLOCK]
    assert len(moves) == BLOCK
    assert len(pickle.dumps(log_of(moves))) < sum(map(len, moves)) / 3
