"""Whatever a guest does, nothing breaks, and when the guest is gone every stream and connection is free."""

import asyncio
from pathlib import Path

import pytest
from harness.answers import errors
from harness.siege import SCENARIOS
from harness.siege.inside import open_connections, serving
from harness.siege.scenario import Scenario
from harness.sweeps import sweep

from illusion.tables import Pace, reviews

ROUNDS = sweep(4, 10)


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
async def test_after_an_attack_everything_comes_back(
    tmp_path: Path, scenario: Scenario, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "IDLE_S", 0.1)
    async with asyncio.timeout(60), serving(tmp_path, pace=Pace(bot_s=0.05)) as inside:
        known = await scenario.prepared(inside.guest(ROUNDS)) if scenario.prepared else []
        await inside.guest(1).own_table()  # whatever is loaded or opened with the first request
        await inside.until_calm()
        before = open_connections()
        guest = inside.guest(ROUNDS, known)
        await scenario.attack(guest)
        await guest.leave()
        await inside.until_calm()
        while inside.context.service.reviews.processes or open_connections() > before:
            await asyncio.sleep(0.01)
        assert "500" not in guest.answers, guest.answers
        assert (await inside.guest(1).ask("GET", "/healthz")).status == 200
    assert [record.getMessage() for record in errors(caplog.records)] == []
