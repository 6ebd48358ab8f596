"""Axe finds nothing to complain about: on every page, in every state of a table, light and dark, on two screens."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from harness.browsers import DESK, PHONE, SETTLED
from harness.servers import Server
from harness.tour import tour
from playwright.sync_api import BrowserContext, Page, expect

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
ALL_RULES: Final = {"resultTypes": ["violations"]}
COLOURS: Final = {"runOnly": {"type": "tag", "values": ["cat.color"]}} | ALL_RULES
"""All that can differ in the dark."""


def complaints(name: str, page: Page) -> list[str]:
    found = []
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate(SETTLED)
            options = ALL_RULES if scheme == "light" else COLOURS
            for each in Axe().run(page, options=options).response["violations"]:
                places = ", ".join(str(node["target"][0]) for node in each["nodes"])
                found.append(f"{name} {size['width']} {scheme}: {each['id']} ({each['help']}) at {places}")
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


def test_axe_is_content_everywhere(new_context: Callable[..., BrowserContext]) -> None:
    found = [told for name, page in tour(new_context) for told in complaints(name, page)]
    assert not found, "\n".join(found)


def test_axe_is_content_where_things_went_wrong(new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    server = Server(tmp_path, "--idle-hours", "0", "--tables-a-minute", "1")
    try:
        page = new_context(base=server.url).new_page()
        page.goto("/")
        page.locator("#name").fill("Ana")
        page.locator("[formaction='/invite']").click()
        page.wait_for_url("**/table/*")
        page.reload()
        expect(page.locator("#state")).to_have_attribute("data-phase", "closed")
        found = complaints("closed", page)
        page.goto("/")
        page.locator("#begin .primary").click()
        expect(page.locator("h1")).to_have_text("Not so fast")
        found += complaints("too-many", page)
        with sqlite3.connect(server.database) as database:
            database.execute("DROP TABLE log")
        database.close()
        answer = page.goto("/table/abcd2345")
        assert answer
        assert answer.status >= 500
        expect(page.locator("h1")).to_have_text("Something broke on our side")
        assert answer.headers["content-security-policy"]
        found += complaints("broken", page)
    finally:
        server.stop()
    assert not found, "\n".join(found)
