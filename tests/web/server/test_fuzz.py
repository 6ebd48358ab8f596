"""A bounded part of `make fuzz`, with seeds that stay: nothing that can be sent breaks the server."""

from pathlib import Path

from harness.fuzzing import answered, by_nobody_in_particular
from harness.servers import Server


def test_whatever_is_sent_to_any_door_nothing_breaks(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        by_nobody_in_particular(server, 800, 1)
        counts = answered(server)
    finally:
        server.stop()
    assert counts["2"] > 50
    assert counts["4"] > 300
    assert "5" not in counts
