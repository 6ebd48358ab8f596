"""Axe and our contrast check find nothing on the pages that are shown when something went wrong.

All other pages are on the tour: see test_tour.py.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from harness.browser.page_checks import accessibility_problems
from harness.browser.people import open_table
from harness.servers import Server
from playwright.sync_api import BrowserContext, expect


def test_pages_of_things_that_went_wrong(new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    server = Server(tmp_path, "--idle-hours", "0", "--tables-a-minute", "1")
    try:
        page = new_context(base=server.url).new_page()
        open_table(page)
        page.reload()
        expect(page.locator("#state")).to_have_attribute("data-phase", "closed")
        found = {"closed": accessibility_problems(page)}
        page.goto("/")
        page.locator("#begin .primary").click()
        expect(page.locator("h1")).to_have_text("Not so fast")
        found["too-many"] = accessibility_problems(page)
        with sqlite3.connect(server.database) as database:
            database.execute("DROP TABLE log")
        database.close()
        answer = page.goto("/table/abcd2345")
        assert answer
        assert answer.status >= 500
        expect(page.locator("h1")).to_have_text("Something broke on our side")
        assert answer.headers["content-security-policy"]
        found["broken"] = accessibility_problems(page)
    finally:
        server.stop()
    assert found == {"closed": [], "too-many": [], "broken": []}
