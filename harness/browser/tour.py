"""A walk through every page and every state of a table, for all checks that must see each of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import urljoin

from playwright.sync_api import BrowserContext, Page, Route, expect

from harness.browser.people import at_one_device, cards_in_row, open_table
from illusion.tables.eyes import HeldSeat, seats_code

LONG_ROW = 66
"""Cards, so that each of two players places thirty and more."""


def _nothing() -> None:
    """Most states are there again as soon as the page is loaded."""


@dataclass(frozen=True)
class Stop:
    """One state of one page. The walk goes on from here, so a check must leave the page in this state."""

    name: str
    page: Page
    arrange: Callable[[], object] = _nothing
    """Brings the page from just loaded to this state."""

    def speak(self, language: str) -> None:
        """Show the same state in another language."""
        site = urljoin(self.page.url, "/")
        self.page.context.add_cookies([{"name": "language", "value": language, "url": site}])
        _loaded_anew(self.page)
        self.arrange()


def _loaded_anew(page: Page) -> None:
    """Without the reveal that somebody had not read to its end."""
    page.evaluate("sessionStorage.clear()")
    page.reload()


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
    yield from _evening(new().new_page())


def _pages(page: Page) -> Iterator[Stop]:
    for name, address in {
        "home": "/",
        "home-joining": "/?code=abcd2345",
        "home-problem": "/watch?code=nowhere1",
        "rules": "/rules",
        "eyes-empty": "/eyes",
        "evening-new": "/evening",
        "hello": "/hello",
        "api": "/api/docs",
        "not-found": "/nothing",
        "no-such-table": "/table/nowhere1",
    }.items():
        page.goto(address)
        yield Stop(name, page)
    for way in ("alone", "friends", "device", "code"):
        page.goto("/")
        _open_all(page, way)
        yield Stop(f"home-{way}", page, partial(_open_all, page, way))


def _open_all(page: Page, way: str) -> None:
    for summary in (f"#way-{way} > summary", f"#way-{way} .more > summary"):
        page.locator(summary).click()


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
    steps = {
        "tutorial-place": _nothing,
        "tutorial-chosen": page.locator("#place .gap").last.click,
        "tutorial-belonged": page.locator("#lay").click,
        "tutorial-doubt": page.locator("#place .primary.big").click,
        "tutorial-doubted": page.locator("#say-doubt").click,
        "tutorial-won": page.locator("#doubt .primary.big").click,
    }

    def arrange(count: int) -> None:
        for step in list(steps.values())[:count]:
            step()

    page.goto("/tutorial")
    for number, (name, step) in enumerate(steps.items(), 1):
        step()
        yield Stop(name, page, partial(arrange, number))


def _waiting(host: Page, guest: Page) -> Iterator[Stop]:
    open_table(host)
    more = host.locator("#invite .more > summary")
    yield Stop("waiting-host", host)

    def opened() -> None:
        more.click()
        host.locator("#arrange > summary").click()

    def free_seat() -> None:
        host.locator("#fill-1").click()
        expect(host.locator("#fill")).to_be_visible()

    opened()
    yield Stop("waiting-more", host, opened)
    free_seat()
    yield Stop("waiting-free-seat", host, free_seat)
    guest.goto(host.url)
    yield Stop("waiting-door", guest)
    guest.locator("form.sit input[name=name]").fill("Łukasz")
    guest.locator("form.sit button").click()
    guest.wait_for_url("**/table/*")
    yield Stop("waiting-guest", guest)
    guest.goto(f"{guest.url}/invitation")
    yield Stop("invitation", guest)


def _playing(page: Page, onlooker: Page) -> Iterator[Stop]:
    """Three people with long names at one device, which holds all seats; somebody looks on."""
    at_one_device(page, "Maximiliane Wagenknecht", "Brzęczyszczykiewicz", "Bartholomäus Weihrauch")
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
    expect(page.locator("#reveal.done")).to_be_visible()
    yield Stop("reveal", page, partial(page.keyboard.press, "l"))
    address = page.url
    page.goto("/rules")  # no need to show the other reveals
    play_to_the_end(page, address)
    page.goto(address)
    expect(page.locator("#state")).to_have_attribute("data-phase", "over")
    yield Stop("over", page)
    for name, shown in (("replay", "#row, .turned-row"), ("review", ".totals"), ("illusion", "#guess")):
        page.goto(f"{address}/{name}")
        ready = page.locator(shown).first.wait_for
        ready()
        yield Stop(name, page, ready)


def _bots(page: Page) -> Iterator[Stop]:
    """One person against three bots: their faces, and what they saw in a row that was turned over."""
    page.goto("/")
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
    _loaded_anew(page)
    yield Stop("bots", page)

    def believed() -> None:
        page.keyboard.press("l")
        page.locator("[data-do=believed]").click()
        page.locator(".saw").first.wait_for()

    believed()
    yield Stop("bots-believed", page, believed)


def _eyes(page: Page) -> Iterator[Stop]:
    """With every figure: the two seats of a game with a very long row have placements enough for a trend."""
    at_one_device(page, "Ana", "Ben")
    address = page.url
    page.goto("/rules")
    for _ in range(LONG_ROW):
        move(page, "place", address)
    move(page, "doubt", address)
    play_to_the_end(page, address)
    table = address.rsplit("/", 1)[1]
    page.goto("/eyes")
    page.locator(".keep > summary").click()
    page.locator("[name=code]").fill(seats_code([HeldSeat(table, 0), HeldSeat(table, 1)]))
    page.locator(".keep form button").first.click()
    ready = page.locator(".trend").wait_for
    ready()
    yield Stop("eyes", page, ready)


def _evening(page: Page) -> Iterator[Stop]:
    """As its host, who plays, too: before the first round, and when that has been drawn; and the wall."""
    page.goto("/evening")
    page.locator("main [name=name]").fill("Ana")
    page.locator("main .primary").click()
    address = page.url
    wall = f"{address}/wall"
    page.locator("#yours [name=name]").fill("Ana")
    page.locator("#yours button").click()
    people = address.replace("/evening/", "/api/evenings/") + "/people"
    for name in ("Bob", "Maximiliane Wagenknecht", "W" * 24):
        page.request.post(people, data={"name": name})
    page.reload()
    yield Stop("evening", page)
    page.goto(wall)
    yield Stop("evening-wall", page)
    page.goto(address)
    page.locator("#draw").click()
    page.locator(".your-table").wait_for()
    page.request.post(people, data={"name": "Łukasz"})
    page.reload()
    yield Stop("evening-drawn", page)
    page.goto(wall)
    yield Stop("evening-wall-drawn", page)
    page.goto(address)
    page.locator("[value=leave-out]").click()
    page.locator(".tables .out").wait_for()
    page.locator(".leave button").click()
    page.locator(".leave .primary").wait_for()
    yield Stop("evening-away", page)


def _dialogs(page: Page) -> Iterator[Stop]:
    for name, opener in (
        ("ask-doubt", "#doubt"),
        ("ask-leave", "[data-do=ask-leave]"),
        ("help", "[data-do=help]"),
        ("settings", "[data-do=settings]"),
        ("zoom", "#row .look >> nth=0"),
    ):
        opened = partial(_opened, page, opener, f"#{name}")
        opened()
        yield Stop(name, page, opened)
    _closed(page)


def _opened(page: Page, opener: str, dialog: str) -> None:
    _closed(page)
    page.locator(opener).click()
    expect(page.locator(dialog)).to_be_visible()


def _closed(page: Page) -> None:
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


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
