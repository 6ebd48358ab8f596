"""A bounded part of `make fuzz` with fixed seeds: no request makes the server fail."""

from pathlib import Path

from harness.fuzzing import answered, by_nobody_in_particular
from harness.servers import Server


def test_no_request_makes_the_server_fail(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        by_nobody_in_particular(server, 800, 1)
        counts = answered(server)
    finally:
        server.stop()
    assert counts["2"] > 50
    assert counts["4"] > 300
    assert "5" not in counts
