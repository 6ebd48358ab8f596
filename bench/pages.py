"""What a first visit costs: bytes sent, compressed and without pictures, and the time until a table can be played."""

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from time import perf_counter

from playwright.sync_api import Response, sync_playwright


def main() -> None:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        print("Pages: no Chromium here to measure them with")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "illusion", "serve", "--port", "0", "--database", f"{folder}/tables.db"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                address = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
                assert address
                browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
                page = browser.new_page()
                answers: list[Response] = []
                page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108  (Playwright marks the function)
                began = perf_counter()
                page.goto(address.group())
                home = perf_counter() - began
                kinds = ("document", "script", "stylesheet")
                texts = [answer.body() for answer in answers if answer.request.resource_type in kinds]
                weight = sum(len(gzip.compress(text)) for text in texts)
                began = perf_counter()
                page.get_by_role("button", name="Play now").click()
                page.locator("#next img.card").wait_for()
                table = perf_counter() - began
                browser.close()
            finally:
                server.terminate()
    print("Pages: a first visit in Chromium on this machine")
    print(f"  home page, compressed    {weight / 1000:9.1f} KB  without pictures")
    print(f"  home page to be seen     {home:9.2f} s")
    print(f"  from there to the table  {table:9.2f} s   the next card shown")
