"""A first visit weighs at most 80 KB, and asks for little: all that Chromium counts, headers too, without pictures.

And nothing moves while a page is drawn, however late its script comes.
"""

from collections.abc import Callable

import pytest
from harness.browsers import PHONE, settle, wait_until
from harness.first_visit import first_visit
from harness.page_checks import COUNT_SHIFTS
from harness.servers import Server, opened, play_on
from harness.tables.rows import long_row
from playwright.sync_api import BrowserContext, Route

MOST_BYTES = 80_000
LANGUAGE = "pl"
"""The heaviest: its letters are not in ASCII."""


def waiting(server: Server) -> str:
    return f"/table/{opened(server)[0].table}"


def playing(server: Server) -> str:
    return f"/table/{long_row(server, 10).table}"


def over(server: Server) -> str:
    seats = opened(server)
    seats[0].post("start")
    play_on(seats)
    return f"/table/{seats[0].table}"


def watched(server: Server) -> str:
    return f"/watch/{long_row(server, 10).table}"


PAGES: dict[str, Callable[[Server], str]] = {
    "home": lambda _: "/",
    "rules": lambda _: "/rules",
    "tutorial": lambda _: "/tutorial",
    "eyes": lambda _: "/eyes",
    "waiting": waiting,
    "playing": playing,
    "over": over,
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


DRAWN = {
    **dict.fromkeys(("waiting", "playing", "over"), "#state:not(:empty)"),
    "replay": "#row, .turned-row",
    "review": ".totals",
}
"""What a page shows once its script has run."""


@pytest.mark.parametrize("page", DRAWN)
def test_nothing_shifts_while_a_page_is_drawn(
    new_context: Callable[..., BrowserContext], server: Server, page: str
) -> None:
    address = PAGES[page](server) if page in PAGES else f"{over(server)}/{page}"
    context = new_context(PHONE)
    context.add_init_script(COUNT_SHIFTS)
    opened_page = context.new_page()
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    opened_page.route("**/bundles/*.js", keep)
    opened_page.goto(address, wait_until="commit")
    opened_page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    wait_until(opened_page, lambda: late)
    for route in late:
        route.continue_()
    opened_page.locator(DRAWN[page]).first.wait_for()
    settle(opened_page)
    assert opened_page.evaluate("window.shifts") == []
