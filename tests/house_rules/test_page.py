"""docs/house-rules.md, followed word for word in a copy of the program."""

import json
from pathlib import Path

import pytest
from harness.followed_pages import copied, follow, patched, run, section, undo

FEWER_GAMES = """
from hypothesis import HealthCheck, settings
settings.register_profile(
    "fewer", max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fewer")
"""
GAMES = """
import asyncio, json, random
from bisect import bisect_left
from collections import Counter
from harness.tables.services import dealt_table, running_service
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import play, seated
from illusion.rules import Doubt, Penalty, Place

for penalty in Penalty:
    rng = random.Random(1)
    play(seated(["keen", "sharp", "casual"], rng), measured_pile(0), rng, penalty=penalty)

async def main():
    returned, rng = Counter(), random.Random(1)
    async with running_service("tables.db") as service:
        for penalty in [*Penalty] * 3:
            table, _ = await dealt_table(service, seats=2, bots=["keen"], penalty=penalty)
            while not (state := await service.get(table)).game.over:
                game, me = state.game, state.game.to_play
                if me is not None and not state.sitter(me).is_bot:
                    row = [card.shares[game.arrow] for card in game.row]
                    doubts = len(row) > 1 and (game.arrows_won[me] or row != sorted(row))
                    right = bisect_left(row, game.next_card.shares[game.arrow])
                    await service.move(table, me, Doubt() if doubts else Place(right), state.seq)
                await asyncio.sleep(0.001)
            happened = [event["event"] for move in (await service.record(table)).moves for event in move.happened]
            returned[penalty.value] += happened.count("arrow-returned")
    print(json.dumps(returned))

asyncio.run(main())
"""
"""In the lab, and at tables of a bot and a person who sees everything, and doubts each row while holding an arrow.

Prints how many arrows were put back."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("illusion"), "src", "docs", "harness", "tests/__init__.py", "tests/rules")
    (copy / "pytest.ini").touch()
    (copy / "conftest.py").write_text(FEWER_GAMES)
    page = section("house-rules.md", "Add a house rule")
    undo(page, copy)
    assert len(list(follow(page, copy))) == 6
    return copy


def test_r5_5_games_by_the_new_rule_and_by_the_old_ones(copy: Path) -> None:
    """Log, records, bots and lab take the new penalty from `Penalty`; the others are unchanged."""
    returned = json.loads(run(copy, "-c", GAMES))
    assert returned.pop("nothing") == 0
    assert min(returned["arrow"], returned["all-arrows"]) > 0


def test_the_laws_hold_with_the_new_rule_and_its_own_test_passes(copy: Path) -> None:
    chosen = ["tests/rules/test_laws.py", "tests/rules/test_variant.py"]
    told = run(copy, "-m", "pytest", "-v", "-p", "no:cacheprovider", *chosen, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert "test_r5_6_a_wrong_doubt_can_cost_all_arrows PASSED" in told
    assert told.count("tests/rules/test_laws.py::") > 8


def test_a_page_that_no_longer_fits_the_code_is_noticed() -> None:
    assert patched("a\nb\nc\n", " a\n-b\n+d\n") == "a\nd\nc\n"
    for block in (" d\n+e\n", "-a\n c\n"):
        with pytest.raises(AssertionError, match="this is not in the file"):
            patched("a\nb\nc\n", block)
