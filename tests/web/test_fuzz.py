"""A bounded part of `make fuzz` with fixed seeds: no request makes the server fail."""

import json
from pathlib import Path

from harness.fuzzing import answered, by_nobody_in_particular, by_sockets
from harness.servers import Server


def test_no_request_makes_the_server_fail(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        by_nobody_in_particular(server, 400, 1)
        counts = answered(server)
    finally:
        server.stop()
    assert counts["2"] > 25
    assert counts["4"] > 150
    assert "5" not in counts


def test_no_frame_makes_the_server_fail(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        by_sockets(server, 250, 1)
        counts = answered(server)
    finally:
        server.stop()
    assert counts["1"] > 100  # sockets that opened
    assert counts["4"] > 50
    assert "5" not in counts
    assert [line for line in map(json.loads, server.said) if line["level"] == "error"] == []
