"""The JSON API of a really running server, beside what `tests/playthroughs` records."""

import contextlib
import sqlite3

import pytest
from harness.answers import problem_code
from harness.servers import Server, opened

from illusion.deck import PALETTES


def test_json_that_is_nested_deeply_is_refused(server: Server) -> None:
    deep = server.client().post("/api/tables", content=b'{"bots":' + b"[" * 9000)
    assert problem_code(deep) == (400, "unparsable")


def test_pictures_are_served_once_visible_and_cached_for_ever(server: Server) -> None:
    seats = opened(server, 2)
    seats[0].post("start")
    view = seats[0].view()
    with server.client() as client:
        for address in (view["row"][0], view["next_card"]):
            answer = client.get(f"/cards/{address}.svg")
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("image/svg+xml")
            assert "immutable" in answer.headers["cache-control"]
        for palette in PALETTES:
            assert client.get(f"/cards/{view['next_card']}.svg?palette={palette}").status_code == 200
        assert problem_code(client.get(f"/cards/{view['next_card']}.svg?palette=pink")) == (400, "unparsable")
        assert problem_code(client.get(f"/cards/{seats[0].table}{'0' * 32}.svg")) == (404, "not-found")
        assert problem_code(client.get("/cards/nowhere1.svg")) == (404, "not-found")


def test_a_failed_write_is_a_clear_error_and_loses_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Somebody else holds the database for longer than the writer waits."""
    hindered = Server(tmp_path_factory.mktemp("hindered"))
    try:
        host, _ = opened(hindered, 2)
        before = host.view()
        with contextlib.closing(sqlite3.connect(hindered.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert problem_code(host.post("start")) == (503, "store-failed")
            other.execute("ROLLBACK")
        assert host.view() == before
        assert host.post("start").status_code == 200
    finally:
        hindered.stop()
