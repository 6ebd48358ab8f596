"""A bounded part of `make fuzz` with fixed seeds: no request makes the server fail."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.fuzzing import answered, by_description, by_nobody_in_particular, by_sockets
from harness.servers import Server


@pytest.fixture
def fuzzed(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    assert "5" not in answered(running)
    assert running.stop() == 0
    assert [line for line in map(json.loads, running.said) if line["level"] == "error"] == []


def test_no_request_makes_the_server_fail(fuzzed: Server) -> None:
    by_nobody_in_particular(fuzzed, 400, 1)
    counts = answered(fuzzed)
    assert counts["2"] > 25
    assert counts["4"] > 150


def test_no_frame_makes_the_server_fail(fuzzed: Server) -> None:
    by_sockets(fuzzed, 250, 1)
    counts = answered(fuzzed)
    assert counts["1"] > 100  # sockets that opened
    assert counts["4"] > 50


def test_requests_as_described_get_documented_answers(fuzzed: Server, tmp_path: Path) -> None:
    by_description(fuzzed, tmp_path, 3, 1)
