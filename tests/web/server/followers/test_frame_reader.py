"""Frames of a client are read however they arrive, and what is none has the code to close with (RFC 6455)."""

from contextlib import suppress
from itertools import pairwise

import pytest
from harness.sockets.frames import BINARY, CLOSE, CONTINUATION, MASK, PING, PONG, TEXT, FrameReader, frame
from hypothesis import given
from hypothesis import strategies as st

from illusion.web.live import frames as ours
from illusion.web.server.followers import frame_reader
from illusion.web.server.followers.frame_reader import MAX_MESSAGE_BYTES, BadFrame, Frame, close_code

_contents = st.binary(max_size=130) | st.sampled_from([125, 126, 127, 300, MAX_MESSAGE_BYTES]).map(bytes)
_controls = st.builds(Frame, st.sampled_from([PING, PONG]), st.binary(max_size=125))
_messages = st.builds(Frame, st.just(BINARY), _contents) | st.builds(
    lambda text: Frame(TEXT, text.encode()), st.text(max_size=40)
)


def read_all(reader: frame_reader.FrameReader, data: bytes) -> list[Frame]:
    reader.feed(data)
    return list(iter(reader.next_frame, None))


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(min(place, len(data)) for place in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


@given(st.lists(_messages | _controls, max_size=6), st.lists(st.integers(0, 500), max_size=10))
def test_every_frame_is_read_once_however_it_is_cut(sent: list[Frame], cuts: list[int]) -> None:
    reader = frame_reader.FrameReader()
    pieces = cut(b"".join(frame(*each) for each in sent), cuts)
    assert [each for piece in pieces for each in read_all(reader, piece)] == sent


@given(_messages, st.lists(st.integers(0, 130), max_size=5), st.binary(max_size=20))
def test_fragments_are_joined_whatever_comes_between_them(message: Frame, cuts: list[int], ping: bytes) -> None:
    pieces = cut(message.content, cuts) or [b""]
    opcodes = [message.opcode, *[CONTINUATION] * len(pieces)]
    parts = [frame(opcode, piece, last=False) for opcode, piece in zip(opcodes, pieces, strict=False)]
    reader, read = frame_reader.FrameReader(), []
    for number, part in enumerate(parts, 1):
        read += read_all(reader, part + frame(PING, ping))
        assert reader.fragments == number
    read += read_all(reader, frame(CONTINUATION) + frame(BINARY, b"next"))
    assert reader.fragments == 0
    assert [each for each in read if each.opcode in (TEXT, BINARY)] == [message, Frame(BINARY, b"next")]
    assert read.count(Frame(PING, ping)) == read.count(Frame(CONTINUATION, b"")) == len(pieces)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_anything_is_read_or_refused(data: bytes, cuts: list[int]) -> None:
    reader = frame_reader.FrameReader()
    with suppress(BadFrame):
        for piece in cut(data, cuts):
            for read in read_all(reader, piece):
                assert len(read.content) <= len(data)


def code_of(data: bytes) -> int:
    with pytest.raises(BadFrame) as refused:
        read_all(frame_reader.FrameReader(), data)
    return refused.value.code


def test_a_message_that_is_too_large_is_refused_before_it_arrives() -> None:
    assert code_of(frame(BINARY, announced=MAX_MESSAGE_BYTES + 1)[:4]) == 1009
    assert code_of(frame(BINARY, announced=1 << 62)[:10]) == 1009
    begun = frame(TEXT, bytes(MAX_MESSAGE_BYTES - 9), last=False)
    assert code_of(begun + frame(CONTINUATION, announced=10)[:2]) == 1009
    (_, whole) = read_all(frame_reader.FrameReader(), begun + frame(CONTINUATION, bytes(9)))
    assert len(whole.content) == MAX_MESSAGE_BYTES


def test_what_is_no_frame_is_refused_at_its_first_two_bytes() -> None:
    for first, second in ((0x91, 0x80), (0x83, 0x80), (0x8B, 0x80), (0x81, 0x00), (0x09, 0x80), (0x89, 0xFE)):
        assert code_of(bytes((first, second))) == 1002


def test_a_mask_is_taken_off() -> None:
    """RFC 6455, 5.7: a single-frame masked text message."""
    assert read_all(frame_reader.FrameReader(), bytes.fromhex("818537fa213d7f9f4d5158")) == [Frame(TEXT, b"Hello")]
    assert read_all(frame_reader.FrameReader(), bytes((0x82, 0x84)) + MASK + MASK) == [Frame(BINARY, bytes(4))]


def test_a_text_is_utf_8_as_a_whole() -> None:
    sign = "€".encode()
    halves = frame(TEXT, sign[:1], last=False) + frame(CONTINUATION, sign[1:])
    assert read_all(frame_reader.FrameReader(), halves)[-1] == Frame(TEXT, sign)
    assert code_of(frame(TEXT, sign[:1])) == 1007
    assert read_all(frame_reader.FrameReader(), frame(BINARY, sign[:1])) == [Frame(BINARY, sign[:1])]


@pytest.mark.parametrize("code", [1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999])
def test_a_client_may_close_with_a_code_or_without(code: int) -> None:
    assert close_code(code.to_bytes(2)) == close_code(code.to_bytes(2) + "vorüber".encode()) == code
    assert close_code(b"") is None


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535])
def test_a_code_that_nobody_may_send_is_refused(code: int) -> None:
    with pytest.raises(BadFrame) as refused:
        close_code(code.to_bytes(2))
    assert refused.value.code == 1002


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_what_we_send_is_read_by_others(size: int) -> None:
    content = bytes(size)
    sent = ours.frame(ours.BINARY, content) + ours.text_frame(b"{}") + ours.close_frame(1012)
    (binary, text, close) = FrameReader().take(sent)
    assert (binary.opcode, binary.payload) == (BINARY, content)
    assert (text.opcode, text.payload) == (TEXT, b"{}")
    assert (close.opcode, close.close_code) == (CLOSE, 1012)
