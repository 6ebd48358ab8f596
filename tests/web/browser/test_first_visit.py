"""A first visit, and home: it weighs at most 80 KB, nothing moves while a page is drawn, one press leads to a game.

All that Chromium counts, headers too, without pictures; and however late the page's script comes.
"""

from collections.abc import Callable

import pytest
from harness.browser.chromium import DESK, PHONE, settle, wait_until
from harness.browser.page_checks import COUNT_SHIFTS
from harness.browser.people import by_mouse, open_way
from harness.servers import Server, opened, play_on
from harness.sweeps import sweep
from harness.tables.rows import long_row, sit_at
from playwright.sync_api import BrowserContext, Request, Route, expect

New = Callable[..., BrowserContext]


def first_visit(context: BrowserContext, address: str) -> dict[Request, int]:
    """All that a page loads before it is quiet, but pictures: bytes over the network, of headers and compressed bodies.

    `context` has loaded nothing yet.
    """
    page, loaded, parts = context.new_page(), list[Request](), dict[Request, int]()

    def note(request: Request) -> None:
        loaded.append(request)

    page.on("requestfinished", note)
    page.goto(address, wait_until="networkidle")
    for request in loaded:
        answer, size = request.response(), request.sizes()
        if answer and not answer.headers["content-type"].startswith("image/"):
            parts[request] = size["responseHeadersSize"] + size["responseBodySize"]
    return parts


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


@pytest.mark.parametrize("page", sweep(("home", "waiting", "over", "shared screen"), PAGES))
def test_a_first_visit_weighs_little_without_pictures(new_context: New, addresses: dict[str, str], page: str) -> None:
    loaded = first_visit(new_context(locale=LANGUAGE), addresses[page])
    kinds = [part.resource_type for part in loaded]
    assert {"document", "stylesheet", "font"} <= set(kinds)
    assert kinds.count("script") == 1
    assert sum(loaded.values()) <= MOST_BYTES, loaded
    assert [part.url.rsplit("/", 1)[1] for part in loaded if part.resource_type == "font"] == ["display.ttf"]


DRAWN = {
    **dict.fromkeys(("waiting", "playing", "over"), "#state:not(:empty)"),
    "replay": "#row, .turned-row",
    "review": ".totals",
}
"""What a page shows once its script has run."""


def test_nothing_shifts_while_a_page_is_drawn(new_context: New, addresses: dict[str, str]) -> None:
    context = new_context(PHONE)
    context.add_init_script(COUNT_SHIFTS)
    page = context.new_page()
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    page.route("**/bundles/*.js", keep)
    for name, drawn in DRAWN.items():
        page.goto(addresses[name], wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
        wait_until(page, lambda: late)
        while late:
            late.pop().continue_()
        page.locator(drawn).first.wait_for()
        settle(page)
        assert page.evaluate("window.shifts") == [], name


WAYS = ("alone", "friends", "device", "code")


def test_a_game_and_four_ways_are_on_the_first_screen_and_ask_two_questions(new_context: New) -> None:
    page = new_context().new_page()
    page.goto("/")
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        for part in ("#begin .primary", *(f"#way-{way} > summary b" for way in WAYS)):
            box = page.locator(part).bounding_box()
            assert box
            assert box["y"] + box["height"] <= size["height"], part
    for way in WAYS:
        page.locator(f"#way-{way} > summary").click()
        asked = page.locator("[id^=way-]").locator("label:visible, legend:visible")  # one way at a time
        expect(asked).to_have_count(1 if way == "device" else 2)
        page.locator(f"#way-{way} .more > summary").click()
        assert asked.count() > 2


def test_who_plays_alone_meets_as_many_bots_as_chosen_and_finds_them_again(new_context: New) -> None:
    page = new_context().new_page()
    page.goto("/")
    expect(page.locator("#begin")).to_contain_text("three bots")
    form = open_way(page, "alone")
    form.locator("[name=bots]").select_option("4")
    form.locator("[name=level]").select_option("eagle-eye")
    form.locator(".more > summary").click()
    form.locator("[name=variant]").select_option("twelve-rounds")
    form.locator("button").click()
    page.wait_for_url("**/table/*")
    view = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    assert [player["level"] for player in view["players"]] == [None, *["eagle-eye"] * 4]
    assert view["variant"] == "twelve-rounds"
    page.goto("/")
    expect(page.locator("#begin")).to_contain_text("As last time: 4 bots (eagle-eye).")
    expect(open_way(page, "alone").locator("[name=bots]")).to_have_value("4")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    view = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    assert [player["level"] for player in view["players"]] == [None, *["eagle-eye"] * 4]
    assert view["variant"] == "first-to-three"


def test_the_ways_open_and_lead_to_a_table_without_scripts(new_context: New) -> None:
    page = new_context(PHONE, java_script_enabled=False).new_page()
    form = open_way(page, "device")
    for at, name in enumerate(("Ana", "Bob")):
        form.locator("[name=name]").nth(at).fill(name)
    form.locator("button").click()
    page.wait_for_url("**/table/*")
    form = open_way(page, "friends")
    form.locator("[name=name]").fill("Ana")
    form.locator("button").click()
    page.wait_for_url("**/table/*")


RECORDING = """
  window.badges = [];
  navigator.setAppBadge = async (count) => void window.badges.push(count);
  navigator.clearAppBadge = async () => void window.badges.push(0);
"""


def test_the_badge_says_at_how_many_tables_it_is_my_turn(new_context: New, server: Server) -> None:
    """The installed app's: the page asks the browser for it; no browser without a window has a place to show it."""
    context = new_context()
    context.add_init_script(RECORDING)
    seats = opened(server, 2, clock=86_400)
    seats[0].post("start")
    view = seats[0].view()
    seat, other = seats if view["to_play"] == view["you"] else reversed(seats)
    page = sit_at(context, other)
    seat.place(0, view["seq"])
    page.wait_for_function("() => window.badges.at(-1) === 1")
    page.goto("./")
    expect(page.locator(".my-turn a")).to_have_text(f"Your turn at table {seat.table[:4]} {seat.table[4:]}")
    assert page.evaluate("window.badges") == [1]
    page.locator(".my-turn a").click()
    by_mouse(page, doubting=False)
    page.wait_for_function("() => window.badges.at(-1) === 0")
    page.goto("./")
    assert page.evaluate("window.badges") == [0]
