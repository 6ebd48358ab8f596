"""A first visit weighs at most 80 KB, and asks for little: all that Chromium counts, headers too, without pictures.

And nothing moves while a page is drawn, however late its script comes.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from harness.browser.chromium import PHONE, settle, wait_until
from harness.browser.page_checks import COUNT_SHIFTS
from harness.servers import Server, opened, play_on
from harness.tables.rows import long_row
from playwright.sync_api import BrowserContext, Route


class Loaded(NamedTuple):
    address: str
    kind: str
    """Document, Stylesheet, Script, Font, Image, …"""
    size: int
    """Bytes that came over the network: headers, and the body as it was compressed."""


def first_visit(context: BrowserContext, address: str) -> list[Loaded]:
    """All that a page loads before it is quiet, as Chromium counts it; `context` has loaded nothing yet."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    answers: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    network.on("Network.responseReceived", lambda event: answers.update({event["requestId"]: event}))
    network.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(address, wait_until="networkidle")
    found = [
        Loaded(
            event["response"]["url"],
            "Image" if event["response"]["mimeType"].startswith("image/") else event["type"],
            sizes[request],
        )
        for request, event in answers.items()
        if request in sizes
    ]
    network.detach()
    return found


MOST_BYTES = 80_000
LANGUAGE = "pl"
"""The heaviest: its letters are not in ASCII."""


PAGES = ("home", "rules", "tutorial", "eyes", "waiting", "playing", "over", "shared screen")


@pytest.fixture(scope="module")
def addresses(server: Server) -> dict[str, str]:
    """Of all these pages; who looks at one changes nothing there."""
    playing = long_row(server, 10).table
    seats = opened(server)
    seats[0].post("start")
    play_on(seats)
    over = f"/table/{seats[0].table}"
    return {
        "home": "/",
        **{name: f"/{name}" for name in ("rules", "tutorial", "eyes")},
        "waiting": f"/table/{opened(server)[0].table}",
        "playing": f"/table/{playing}",
        "shared screen": f"/watch/{playing}",
        "over": over,
        **{name: f"{over}/{name}" for name in ("replay", "review")},
    }


@pytest.mark.parametrize("page", PAGES)
def test_a_first_visit_weighs_little_without_pictures(
    new_context: Callable[..., BrowserContext], addresses: dict[str, str], page: str
) -> None:
    loaded = first_visit(new_context(locale=LANGUAGE), addresses[page])
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
    new_context: Callable[..., BrowserContext], addresses: dict[str, str], page: str
) -> None:
    context = new_context(PHONE)
    context.add_init_script(COUNT_SHIFTS)
    opened_page = context.new_page()
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    opened_page.route("**/bundles/*.js", keep)
    opened_page.goto(addresses[page], wait_until="commit")
    opened_page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    wait_until(opened_page, lambda: late)
    for route in late:
        route.continue_()
    opened_page.locator(DRAWN[page]).first.wait_for()
    settle(opened_page)
    assert opened_page.evaluate("window.shifts") == []
