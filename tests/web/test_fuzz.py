"""A bounded part of `make fuzz` with fixed seeds: no request and no frame makes the server fail."""

import json
from pathlib import Path

from harness.fuzzing import answered, by_description, by_nobody_in_particular, by_sockets
from harness.servers import Server


def test_nothing_makes_the_server_fail_and_what_is_described_gets_documented_answers(tmp_path: Path) -> None:
    server = Server(tmp_path)
    by_nobody_in_particular(server, 250, 1)
    counts = answered(server)
    assert counts["2"] > 15
    assert counts["4"] > 90
    by_sockets(server, 150, 1)
    assert answered(server)["1"] > 60  # sockets that opened
    by_description(server, tmp_path, 1, 1)
    assert "5" not in answered(server)
    assert server.stop() == 0
    assert [line for line in map(json.loads, server.said) if line["level"] == "error"] == []
