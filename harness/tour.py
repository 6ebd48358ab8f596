"""A walk through every page and every state of a table, for all checks that must see each of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import urljoin

from playwright.sync_api import BrowserContext, Page, Route, expect

from harness.people import cards_in_row, press_tool
from illusion.tables.public.seats_code import HeldSeat, seats_code

LONG_ROW = 66
"""Cards, so that each of two players places thirty and more."""


def _nothing() -> None:
    """Most states are there again as soon as the page is loaded."""


@dataclass(frozen=True)
class Stop:
    """One state of one page. The walk goes on from here, so a check must leave the page in this state."""

    name: str
    page: Page
    arrange: Callable[[], None] = _nothing
    """Brings the page from just loaded to this state."""

    def speak(self, language: str) -> None:
        """Show the same state in another language."""
        site = urljoin(self.page.url, "/")
        self.page.context.add_cookies([{"name": "language", "value": language, "url": site}])
        self.page.reload()
        self.arrange()


def tour(new: Callable[[], BrowserContext]) -> Iterator[Stop]:
    """All stops. `new` makes the browser context of somebody at a device of their own, without service workers.

    A page registers its worker anew in each language, and that takes longer than to load the page.
    """
    page = new().new_page()
    yield from _pages(page)
    yield from _no_connection(new().new_page())
    yield from _tutorial(page)
    yield from _waiting(page, new().new_page())
    yield from _playing(new().new_page(), new().new_page())
    yield from _bots(new().new_page())
    yield from _eyes(new().new_page())


def _pages(page: Page) -> Iterator[Stop]:
    for name, address in {
        "home": "/",
        "home-joining": "/?code=abcd2345",
        "home-problem": "/watch?code=nowhere1",
        "rules": "/rules",
        "eyes-empty": "/eyes",
        "api": "/api/docs",
        "not-found": "/nothing",
        "no-such-table": "/table/nowhere1",
    }.items():
        page.goto(address)
        yield Stop(name, page)


def _no_connection(page: Page) -> Iterator[Stop]:
    """The page that asks until the server answers. Here nothing answers, or the page would be gone in a moment."""

    def lost(route: Route) -> None:
        if route.request.method == "HEAD":
            route.abort()
        else:
            route.continue_()

    page.route("**/offline", lost)
    page.goto("/offline")
    yield Stop("no-connection", page)
    page.close()


def _tutorial(page: Page) -> Iterator[Stop]:
    """With a wrong placement."""
    clicks = {
        "tutorial-chosen": page.locator("#place .gap").last,
        "tutorial-belonged": page.locator("#lay"),
        "tutorial-doubt": page.locator("#place .primary.big"),
        "tutorial-doubted": page.locator("#say-doubt"),
        "tutorial-won": page.locator("#doubt .primary.big"),
    }
    steps = list(clicks.values())

    def arrange(count: int) -> None:
        for step in steps[:count]:
            step.click()

    page.goto("/tutorial")
    yield Stop("tutorial-place", page)
    for number, (name, step) in enumerate(clicks.items(), 1):
        step.click()
        yield Stop(name, page, partial(arrange, number))


def _waiting(host: Page, guest: Page) -> Iterator[Stop]:
    host.goto("/")
    host.locator("#name").fill("Ana")
    host.locator("[formaction='/invite']").click()
    host.wait_for_url("**/table/*")
    yield Stop("waiting-host", host)
    guest.goto(host.url)
    yield Stop("waiting-door", guest)
    guest.locator("form.sit input[name=name]").fill("Łukasz")
    guest.locator("form.sit button").click()
    guest.wait_for_url("**/table/*")
    yield Stop("waiting-guest", guest)


def _playing(page: Page, onlooker: Page) -> Iterator[Stop]:
    """Three people with long names at one device, which holds all seats; somebody looks on."""
    page.goto("/")
    form = page.locator("form[action='/pass-and-play']")
    for at, name in enumerate(("Maximiliane Wagenknecht", "Brzęczyszczykiewicz", "Bartholomäus Weihrauch")):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").last.click()
    page.wait_for_url("**/table/*")
    yield Stop("playing-first", page)
    choose = page.locator(".gap:enabled").last.click
    choose()
    yield Stop("playing-chosen", page, choose)
    page.locator(".confirm [data-do=place]").click()
    expect(cards_in_row(page)).to_have_count(2)
    for _ in range(3):
        move(page, "place")
    expect(cards_in_row(page)).to_have_count(5)
    yield Stop("playing", page)
    onlooker.goto(page.url)
    yield Stop("looking-on", onlooker)
    onlooker.goto(page.url.replace("/table/", "/watch/"))
    yield Stop("shared-screen", onlooker)
    yield from _dialogs(page)
    page.locator("#doubt").click()
    page.locator("#ask-doubt button[value=yes]").click()
    expect(page.locator("#reveal")).to_be_visible()
    yield Stop("reveal", page, partial(page.keyboard.press, "l"))
    address = page.url
    page.goto("/rules")  # no need to show the other reveals
    play_to_the_end(page, address)
    page.goto(address)
    expect(page.locator("#state")).to_have_attribute("data-phase", "over")
    yield Stop("over", page)
    for name, shown in (("replay", "#row, .turned-row"), ("review", ".totals")):
        page.goto(f"{address}/{name}")
        ready = page.locator(shown).first.wait_for
        ready()
        yield Stop(name, page, ready)


def _bots(page: Page) -> Iterator[Stop]:
    """One person against three bots: their faces, and what they saw in a row that was turned over."""
    page.goto("/")
    page.locator("#name").fill("Ana")
    page.locator("#begin .primary").click()
    page.wait_for_url("**/table/*")
    table = f"/api/tables/{page.url.rsplit('/', 1)[1]}"
    while True:
        view = page.request.get(table).json()
        if view["over"] or view["to_play"] == view["you"]:  # the bots wait: no other row is turned over while we look
            if view["last_doubt"]:
                break
            move(page, "doubt" if len(view["row"]) > 2 else "place")
        page.wait_for_timeout(50)
    page.goto(page.url)
    yield Stop("bots", page)

    def believed() -> None:
        page.keyboard.press("l")
        page.locator("[data-do=believed]").click()
        page.locator(".saw").first.wait_for()

    believed()
    yield Stop("bots-believed", page, believed)


def _eyes(page: Page) -> Iterator[Stop]:
    """With every figure: the two seats of a game with a very long row have placements enough for a trend."""
    page.goto("/")
    form = page.locator("form[action='/pass-and-play']")
    for at, name in enumerate(("Ana", "Ben")):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").last.click()
    page.wait_for_url("**/table/*")
    address = page.url
    page.goto("/rules")
    for _ in range(LONG_ROW):
        move(page, "place", address)
    move(page, "doubt", address)
    play_to_the_end(page, address)
    table = address.rsplit("/", 1)[1]
    page.goto("/eyes")
    page.locator("[name=code]").fill(seats_code([HeldSeat(table, 0), HeldSeat(table, 1)]))
    page.locator(".keep form button").first.click()
    ready = page.locator(".trend").wait_for
    ready()
    yield Stop("eyes", page, ready)


def _dialogs(page: Page) -> Iterator[Stop]:
    for name, opener, dialog in (
        ("ask-doubt", "#doubt", "#ask-doubt"),
        ("ask-leave", "[data-do=ask-leave]", "#ask-leave"),
        ("help", "[data-do=help]", "#help"),
        ("settings", "[data-do=settings]", "#settings"),
        ("zoom", "#row .look >> nth=0", "#zoom"),
    ):
        opened = partial(_opened, page, opener, dialog)
        opened()
        yield Stop(name, page, opened)
        page.keyboard.press("Escape")
        expect(page.locator(dialog)).to_be_hidden()


def _opened(page: Page, opener: str, dialog: str) -> None:
    press_tool(page, opener)
    expect(page.locator(dialog)).to_be_visible()


def move(page: Page, what: str, address: str = "") -> bool:
    """Make a move for the seat whose turn it is, which this device must hold. False if the game is over."""
    table = (address or page.url).rsplit("/", 1)[1]
    view = page.request.get(f"/api/tables/{table}").json()
    if view["over"]:
        return False
    body = {"move": what, "seq": view["seq"]} | ({"gap": 0} if what == "place" else {})
    origin = "/".join(page.url.split("/")[:3])  # the server accepts a seat's cookie only with its own origin
    answer = page.request.post(f"/api/tables/{table}/moves", data=body, headers={"origin": origin})
    assert answer.ok, answer.text()
    return True


def play_to_the_end(page: Page, address: str) -> None:
    while move(page, "place", address) and move(page, "doubt", address):
        pass
