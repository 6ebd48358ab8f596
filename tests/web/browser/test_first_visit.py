"""A first visit weighs at most 80 KB, and asks for little: all that Chromium counts, headers too, without pictures."""

from collections.abc import Callable

import pytest
from harness.first_visit import first_visit
from harness.servers import Server, opened
from harness.tables.rows import long_row
from playwright.sync_api import BrowserContext

MOST_BYTES = 80_000
LANGUAGE = "pl"
"""The heaviest: its letters are not in ASCII."""


def waiting(server: Server) -> str:
    return f"/table/{opened(server)[0].table}"


def playing(server: Server) -> str:
    return f"/table/{long_row(server, 10).table}"


def watched(server: Server) -> str:
    return f"/watch/{long_row(server, 10).table}"


PAGES: dict[str, Callable[[Server], str]] = {
    "home": lambda _: "/",
    "rules": lambda _: "/rules",
    "tutorial": lambda _: "/tutorial",
    "eyes": lambda _: "/eyes",
    "waiting": waiting,
    "playing": playing,
    "shared screen": watched,
}


@pytest.mark.parametrize("page", PAGES)
def test_a_first_visit_weighs_little_without_pictures(
    new_context: Callable[..., BrowserContext], server: Server, page: str
) -> None:
    loaded = first_visit(new_context(locale=LANGUAGE), PAGES[page](server))
    parts = [part for part in loaded if part.kind != "Image"]
    assert {"Document", "Stylesheet", "Script", "Font"} <= {part.kind for part in parts}
    assert sum(part.size for part in parts) <= MOST_BYTES, parts
    assert len([part for part in parts if part.kind == "Script"]) == 1
    assert [part.address.split("/")[-1] for part in parts if part.kind == "Font"] == ["display.ttf"]
