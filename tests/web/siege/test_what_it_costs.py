"""What a guest makes the server work out: each thing once, and nothing for a refusal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import pytest
from harness.siege import costs, tables
from harness.siege.inside import serving

from illusion.tables import service as service_module
from illusion.tables.model.table import Table
from illusion.web import Limits


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[None]:
    """Grows with every call; the real thing is called."""
    real: Callable[..., Any] = getattr(owner, name)
    calls: list[None] = []

    def counting(*arguments: Any, **options: Any) -> Any:
        calls.append(None)
        return real(*arguments, **options)

    monkeypatch.setattr(owner, name, counting)
    return calls


async def test_a_refusal_for_going_too_fast_renders_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """M2"""
    async with serving(tmp_path, Limits(requests=1)) as inside:
        rendered = counted(monkeypatch, jinja2.Template, "render")
        guest = inside.guest(rounds=200)
        await costs.refusals(guest)
        await guest.leave()
    served = guest.answers["200"]
    assert guest.answers["429"] > 150
    assert len(rendered) <= 3 * served


async def test_a_restart_takes_up_no_table_that_nobody_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M2: dealing anew is what a dealt table costs; here people are to play, and nobody comes."""
    async with serving(tmp_path) as inside:
        await tables.dealt_tables(inside.guest(rounds=8))
    dealt = counted(monkeypatch, Table, "dealing_for")
    async with serving(tmp_path) as inside:
        guest = inside.guest(rounds=30)
        for _ in guest.rounds():
            assert (await guest.ask("GET", "/")).status == 200
        await guest.leave()
        assert inside.context.service.tables_in_memory() == []
    assert len(dealt) == 0


async def test_a_review_is_reckoned_once_however_often_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M2"""
    asked = counted(monkeypatch, service_module, "finished_game")
    async with serving(tmp_path) as inside:
        guest = inside.guest(rounds=60)
        own = await guest.finished_game()
        await guest.ready()
        await guest.flood(lambda _: guest.request("GET", f"{own.path}/review"))
        await guest.leave()
    assert set(guest.answers) <= {"200", "202"}
    assert len(asked) == 1
