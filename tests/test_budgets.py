"""The house stays small: lines and files by room, as docs/house.md says, and the files that a move passes."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import httpx
from harness.asgi import Page, game, running_app, settled

import illusion

ROOT = Path(illusion.__file__).parent
HOUSE = ROOT.parents[1] / "docs" / "house.md"
GENEROUS = 1.1
ROW = re.compile(r"^\| `(\w+)/` \| ([\d,]+) \| (\d+) \|$", re.MULTILINE)
WRITTEN = {room: (int(lines.replace(",", "")), int(files)) for room, lines, files in ROW.findall(HOUSE.read_text())}


def test_every_room_has_a_budget_and_keeps_it() -> None:
    """Whoever needs more says for what, in the commit that raises the figure in docs/house.md."""
    assert set(WRITTEN) == {path.name for path in ROOT.iterdir() if any(path.rglob("*.py"))}
    for room, (most_lines, most_files) in WRITTEN.items():
        files = list((ROOT / room).rglob("*.py"))
        lines = sum(len(path.read_text().splitlines()) for path in files)
        assert lines <= most_lines * GENEROUS, room
        assert len(files) <= most_files * GENEROUS, room


@contextmanager
def walked() -> Iterator[set[str]]:
    """The files of ours whose functions are called, in any thread of this process."""
    files = set[str]()

    def on_event(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(ROOT)):
            files.add(name.removeprefix(f"{ROOT}/"))

    threading.setprofile(on_event)
    sys.setprofile(on_event)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def test_a_page_s_move_passes_few_files(tmp_path: Path) -> None:
    """From the text on its socket until both pages have been told, with everything that watches."""
    async with running_app(tmp_path) as (app, context):
        table, tokens = await game(context.service)
        pages = [await Page(app, table, [token], after=4).opened() for token in tokens]
        seat = (await context.service.get(table)).running()[1]
        with walked() as files:
            pages[seat].say({"id": 1, "move": "place", "gap": 0, "seq": 4})
            for page in pages:
                await page.hear(5)
            await settled()
        for page in pages:
            await page.hang_up()
    assert len(files) <= 12, sorted(files)


async def test_what_is_asked_for_passes_few_files(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            card = (await client.get(f"/api/tables/{table}")).json()["next_card"]
            for path, most in ((f"/cards/{card}.svg", 8), (f"/table/{table}", 20), ("/", 12)):
                await client.get(path)
                tries = list[set[str]]()
                for _ in range(3):  # what the server does meanwhile, such as extending its lease, can only add files
                    with walked() as files:
                        assert (await client.get(path)).status_code == 200
                    tries.append(files)
                fewest = min(tries, key=len)
                assert len(fewest) <= most, sorted(fewest)
