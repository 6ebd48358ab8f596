"""Records play-throughs: all anew with --record, or into a folder.

python -m tests.playthroughs --record
python -m tests.playthroughs FOLDER [NAME ...]
"""

import logging
import shutil
import subprocess
import sys
from pathlib import Path

from harness.playthroughs.fixed import fix

fix()
from harness.playthroughs.people import RECORDINGS  # noqa: E402 - now that clocks stand still

from tests.playthroughs import games, games_with_bots, pages, refusals  # noqa: E402, F401

RECORDED = Path(__file__).parent / "recorded"


def main() -> None:
    match sys.argv[1:]:
        case ["--record"]:
            shutil.rmtree(RECORDED, ignore_errors=True)
            record_all(RECORDED)
        case [folder]:
            record_all(Path(folder))
        case [folder, *names]:
            record(Path(folder), names)
        case _:
            sys.exit(__doc__)


def record_all(folder: Path) -> None:
    """Half of it in another process, which fixes its own time and chance."""
    folder.mkdir(exist_ok=True)
    names = list(RECORDINGS)
    with subprocess.Popen([sys.executable, "-m", "tests.playthroughs", str(folder), *names[1::2]]) as other:
        record(folder, names[::2])
    if other.returncode:
        sys.exit("Not everything could be recorded.")


def record(folder: Path, names: list[str]) -> None:
    logging.getLogger("illusion").setLevel(logging.ERROR)  # guests of stories may be rude
    for name in names:
        RECORDINGS[name](folder)


if __name__ == "__main__":
    main()
