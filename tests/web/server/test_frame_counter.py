"""Frames are counted from their headers, however they arrive."""

from itertools import pairwise

from harness.sockets.frames import BINARY, CONTINUATION, PING, TEXT, frame
from hypothesis import given
from hypothesis import strategies as st

from illusion.web.server.frame_counter import CONTROL_WEIGHT, FrameCounter

MOST = 1000
_frames = st.builds(
    lambda opcode, size, last, masked: frame(opcode, bytes(size), last=last, masked=masked),
    st.sampled_from([TEXT, BINARY, CONTINUATION, PING]),
    st.sampled_from([0, 1, 125, 126, 127, 300, 70_000]),
    st.booleans(),
    st.booleans(),
)


def weight(frame: bytes) -> int:
    return CONTROL_WEIGHT if frame[0] & 0x0F == PING else 1


@given(st.lists(_frames, max_size=6), st.lists(st.integers(0, 500), max_size=10))
def test_every_frame_is_counted_once_however_it_is_cut(frames: list[bytes], cuts: list[int]) -> None:
    sent, counter = b"".join(frames), FrameCounter()
    places = sorted({0, len(sent), *(min(cut, len(sent)) for cut in cuts)})
    pieces = [sent[start:end] for start, end in pairwise(places)]
    assert sum(counter.count(piece, MOST) for piece in pieces) == sum(map(weight, frames))


@given(st.binary(max_size=200))
def test_anything_can_be_counted(data: bytes) -> None:
    assert 0 <= FrameCounter().count(data, MOST) <= CONTROL_WEIGHT * len(data) // 2


def test_a_frame_counts_when_its_header_is_complete() -> None:
    counter, whole = FrameCounter(), frame(TEXT, bytes(70_000))
    assert [counter.count(whole[place : place + 1], MOST) for place in range(15)] == [0] * 13 + [1, 0]
    assert counter.count(whole[15:-1], MOST) == 0
    assert counter.count(whole[-1:] + frame(TEXT), MOST) == 1


def test_fragments_are_those_of_the_message_that_has_not_ended() -> None:
    counter = FrameCounter()
    for sent, fragments in (
        (frame(TEXT, b"a", last=False), 1),
        (frame(CONTINUATION, last=False), 2),
        (frame(PING), 2),  # may come in between
        (frame(CONTINUATION), 0),
        (frame(TEXT), 0),
    ):
        assert counter.count(sent, MOST) == weight(sent)
        assert counter.fragments == fragments


def test_no_more_are_counted_than_anybody_may_send() -> None:
    """A client that sends too many at once is not worth looking at the rest."""
    assert FrameCounter().count(frame(TEXT) * 40_000, 256) == 257
