"""Records play-throughs: all anew with --record, or into a folder.

python -m tests.playthroughs --record
python -m tests.playthroughs FOLDER [NAME ...]
"""

import logging
import sys
import tempfile
from inspect import getdoc
from pathlib import Path

from harness.playthroughs.fixed import fix

fix()
from harness.playthroughs.story import Story  # noqa: E402 - only now: clocks stand still

from tests.playthroughs import games, games_with_bots, refusals  # noqa: E402, F401
from tests.playthroughs.telling import STORIES  # noqa: E402

RECORDED = Path(__file__).parent / "recorded"


def record(folder: Path, names: list[str]) -> None:
    for name in names:
        told = STORIES[name]
        with tempfile.TemporaryDirectory() as data:
            story = Story(name, getdoc(told.tells) or "", Path(data), **told.settings)
            told.tells(story)
            (folder / f"{name}.txt").write_text(story.end())


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    logging.getLogger("illusion").setLevel(logging.ERROR)  # guests of stories may be rude
    folder = RECORDED if sys.argv[1] == "--record" else Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    record(folder, sys.argv[2:] or list(STORIES))


if __name__ == "__main__":
    main()
