"""What a first visit costs: bytes sent, compressed and without pictures, and the time until a table can be played."""

import tempfile
from pathlib import Path
from time import perf_counter

from harness.browser.chromium import running_chromium
from harness.browser.first_visit import first_visit
from harness.servers import Server


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running_chromium() as browser:
        server = Server(Path(folder), "--drawing", "process")
        try:
            with browser.new_context() as context:
                loaded = first_visit(context, server.url)
                weight = sum(each.size for each in loaded if each.kind in ("Document", "Script", "Stylesheet"))
            page = browser.new_context().new_page()
            began = perf_counter()
            page.goto(server.url)
            home = perf_counter() - began
            began = perf_counter()
            page.get_by_role("button", name="Play now").click()
            page.locator("#next img.card").wait_for()
            table = perf_counter() - began
        finally:
            server.stop()
    print("Pages: a first visit in Chromium on this machine")
    print(f"  home page, compressed    {weight / 1000:9.1f} KB  without pictures and fonts")
    print(f"  home page to be seen     {home:9.2f} s")
    print(f"  from there to the table  {table:9.2f} s   the next card shown")
