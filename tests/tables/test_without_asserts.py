"""Untrusted files are checked the same under `python -O`, which leaves out every assert."""

import subprocess
import sys
from pathlib import Path

from illusion.deck import PICTURES_VERSION
from illusion.rules import Variant
from illusion.tables.model.entries import AnyEntry, Closed, Dealt, Doubted, Opened, Placed, SatDown, WentAway, encode

OPENED = Opened(0, 2, Variant.FIRST_TO_THREE, None)
SAT = [SatDown(0, 0, "Ana", "a" * 64), SatDown(0, 1, "Bob", "b" * 64)]
DEALT = Dealt(0, "0" * 64, "1" * 32, PICTURES_VERSION)

BAD_LOGS: dict[str, list[AnyEntry]] = {
    "a move before the deal": [OPENED, *SAT, Doubted(0, 0)],
    "a seat that does not exist": [OPENED, SatDown(0, 7, "Eve", "e" * 64)],
    "a seat taken twice": [OPENED, SAT[0], SAT[0]],
    "an absent nobody": [OPENED, WentAway(0, 1, "left")],
    "a deal to nobody": [OPENED, DEALT],
    "a deal of other pictures": [OPENED, *SAT, Dealt(0, "0" * 64, "1" * 32, 99)],
    "a seed that is no number": [OPENED, *SAT, Dealt(0, "seed", "1" * 32, PICTURES_VERSION)],
    "seats dealt twice": [OPENED, *SAT, Dealt(0, "0" * 64, "1" * 32, PICTURES_VERSION, [0, 0])],
    "a gap that does not exist": [OPENED, *SAT, DEALT, Placed(0, 0, 5), Placed(0, 1, 5)],
    "a move after the end": [OPENED, *SAT, DEALT, Closed(0), Placed(0, 0, 0)],
}


IMPORT_EACH = """
import asyncio, sys
from illusion.tables import store_at
from illusion.tables.transfer import CannotTransfer, import_lines

async def main():
    store = store_at(sys.argv[1])
    await store.open()
    for line in sys.stdin.buffer:
        try:
            print(await import_lines(store, [line]))
        except CannotTransfer as refusal:
            print(refusal)
    print(await store.tables())
    await store.close()

assert False, "this is not run with -O"
asyncio.run(main())
"""


def test_a_log_that_makes_no_table_is_not_imported(tmp_path: Path) -> None:
    lines = [
        b'{"table":"22222222","log":[%s]}\n' % b",".join(encode(entry) for entry in log) for log in BAD_LOGS.values()
    ]
    ran = subprocess.run(
        [sys.executable, "-O", "-c", IMPORT_EACH, tmp_path / "t.db"],
        input=b"".join(lines),
        capture_output=True,
        check=True,
    )
    *refusals, tables = ran.stdout.decode().splitlines()
    assert ran.stderr == b""
    assert tables == "[]"
    for name, refusal in zip(BAD_LOGS, refusals, strict=True):
        assert refusal.startswith("line 1 is not a table: entry "), name
