"""What a guest can write and keep: entries, tables, lines in the log, bytes in memory."""

import gc
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from harness.siege import SCENARIOS, requests, tables
from harness.siege.inside import serving

from illusion.tables import Pace
from illusion.web import Limits

LONGEST_LOG = 2000
"""A game of five that lasts twelve rounds and is disturbed all the time has fewer entries."""
PATIENT = replace(Limits(), requests=0, changes=0)
"""A guest who takes their time is not stopped by rates."""


async def test_a_log_has_an_end(tmp_path: Path) -> None:
    """H3: whatever comes and goes at a table, at most as much as would fill many games."""
    async with serving(tmp_path, PATIENT) as inside:
        guest = inside.guest(rounds=20)
        own = await guest.own_table()
        await inside.write(own, LONGEST_LOG - 10)

        def request(number: int) -> bytes:
            wanted = {"variant": "twelve-rounds", "clock": (20, 45)[number % 2]}
            return guest.request("PUT", own.path, own.bearer, wanted)

        await guest.flood(request, lines=1)
        assert guest.answers["409"] > 0
        assert inside.entries(own) <= LONGEST_LOG


async def test_tables_that_everybody_left_are_not_played_on(tmp_path: Path) -> None:
    """M2: here bots take no time, and would make many moves while forty other requests are answered."""
    async with serving(tmp_path, pace=Pace(bot_s=0)) as inside:
        guest = inside.guest(rounds=3)
        left = await tables.left_tables(guest)
        dealt = [inside.entries(own) for own in left]
        own = await guest.own_table()
        for number in range(40):
            wanted = {"variant": "twelve-rounds", "clock": (20, 45)[number % 2]}
            assert (await guest.ask("PUT", own.path, own.bearer, wanted)).status == 200
        assert [inside.entries(own) for own in left] == dealt


@pytest.mark.parametrize("name", ["new-hosts", "long-addresses", "many-tokens"])
async def test_nothing_that_a_guest_sends_is_kept(tmp_path: Path, name: str) -> None:
    """H5: requests of 15 KB, each another one, leave less than a tenth of that behind."""
    rounds = 40
    async with serving(tmp_path, PATIENT) as inside:

        async def attack(rounds: int) -> None:
            guest = inside.guest(rounds)
            await SCENARIOS[name].attack(guest)
            await guest.leave()
            await inside.until_calm()
            gc.collect()

        await attack(5)  # whatever is loaded or opened with the first requests
        tracemalloc.start()
        try:
            await attack(rounds)
            kept = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
    assert kept < rounds * requests.FITS / 10
