"""What a guest makes the server work out: each thing once, and nothing for a refusal."""

import gzip
import threading
import zlib
from pathlib import Path

import jinja2
import pytest
import segno
from harness.siege import SCENARIOS, tables
from harness.siege.addresses import FORM, GZIP, all_the_games
from harness.siege.inside import calls_of, serving

from illusion.tables import service as service_module
from illusion.tables.model.table import Table
from illusion.web import Limits


async def test_a_refusal_for_going_too_fast_renders_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """M2"""
    async with serving(tmp_path, Limits(requests=1)) as inside:
        rendered = calls_of(monkeypatch, jinja2.Template, "render")
        guest = inside.guest(rounds=200)
        await SCENARIOS["refusals"].attack(guest)
    assert guest.answers["429"] > 150
    assert len(rendered) <= 3 * guest.answers["200"]


async def test_a_restart_takes_up_no_table_that_nobody_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M2: dealing anew is what a dealt table costs; here people are to play, and nobody comes."""
    async with serving(tmp_path) as inside:
        await tables.dealt_tables(inside.guest(rounds=8))
    dealt = calls_of(monkeypatch, Table, "dealing_for")
    async with serving(tmp_path) as inside:
        for _ in range(30):
            assert (await inside.guest(rounds=1).ask("GET", "/")).status == 200
        assert inside.context.service.tables_in_memory() == []
    assert dealt == []


async def test_a_review_is_reckoned_once_however_often_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M2"""
    asked = calls_of(monkeypatch, service_module, "finished_game")
    async with serving(tmp_path) as inside:
        guest = inside.guest(rounds=60)
        own = await guest.finished_game()
        await guest.ready()
        await guest.flood(lambda _: guest.request("GET", f"{own.path}/review"))
    assert set(guest.answers) <= {"200", "202"}
    assert len(asked) == 1


async def test_a_qr_code_is_drawn_once_where_it_is_shown_and_not_in_the_loops_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M2, N3: not for the page that offers one of many games, nor for a refusal, nor at a game that has begun."""
    drawn = calls_of(monkeypatch, segno, "make")
    cookie = all_the_games()
    async with serving(tmp_path) as inside:
        guest = inside.guest(rounds=1)
        running, waiting = await guest.own_game(), await guest.own_table()
        assert (await guest.ask("GET", "/eyes", cookie)).status == 200
        assert (await guest.ask("POST", "/eyes", FORM | cookie, b"code=x")).status == 400
        await guest.ask("GET", f"/table/{running.table}")
        assert drawn == []
        for _ in range(3):
            assert (await guest.ask("GET", "/eyes/code.svg", cookie)).status == 200
            await guest.ask("GET", f"/watch/{running.table}")
            await guest.ask("GET", f"/table/{waiting.table}", waiting.cookie)
    assert len(drawn) == 3
    assert threading.get_ident() not in drawn


async def test_a_static_file_is_compressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N3"""
    async with serving(tmp_path) as inside:
        guest = inside.guest(rounds=1)
        path = "/static/0/fonts/display-whole.ttf"
        plain, first = await guest.ask("GET", path), await guest.ask("GET", path, GZIP)
        compressed = [calls_of(monkeypatch, zlib, name) for name in ("compress", "compressobj")]
        again = await guest.ask("GET", path, GZIP)
    assert compressed == [[], []]
    assert again.body == first.body
    assert gzip.decompress(first.body) == plain.body
    assert all(b"vary: accept-encoding" in answer.head.lower() for answer in (plain, first, again))
