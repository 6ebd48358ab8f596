"""A walk through every page and every state of a table, for whoever wants to look at them all."""

from collections.abc import Callable, Iterator

from playwright.sync_api import BrowserContext, Page, expect

Stop = tuple[str, Page]


def tour(new: Callable[[], BrowserContext]) -> Iterator[Stop]:
    """Names each stop. `new` makes the context of somebody at a device of their own."""
    page = new().new_page()
    yield from _around(page)
    yield from _without_connection(new())
    yield from tutorial(page)
    yield from _waiting(page, new().new_page())
    yield from _playing(new().new_page(), new().new_page())
    yield from _bots(new().new_page())


def _around(page: Page) -> Iterator[Stop]:
    for name, address in {
        "home": "/",
        "home-joining": "/?code=abcd2345",
        "home-problem": "/watch?code=nowhere1",
        "rules": "/rules",
        "api": "/api/docs",
        "not-found": "/nothing",
        "no-such-table": "/table/nowhere1",
    }.items():
        page.goto(address)
        yield name, page


def _without_connection(context: BrowserContext) -> Iterator[Stop]:
    page = context.new_page()
    page.goto("/offline")
    context.set_offline(True)  # else it would be gone in a moment
    yield "no-connection", page
    page.close()


def tutorial(page: Page) -> Iterator[Stop]:
    """With a wrong placement."""
    page.goto("/tutorial")
    yield "tutorial-place", page
    page.locator("#place .gap").last.click()
    yield "tutorial-chosen", page
    page.locator("#lay").click()
    yield "tutorial-belonged", page
    page.locator("#place .told button").click()
    yield "tutorial-doubt", page
    page.locator("#say-doubt").click()
    yield "tutorial-doubted", page
    page.locator("#doubt .told button").click()
    yield "tutorial-won", page


def _waiting(host: Page, guest: Page) -> Iterator[Stop]:
    host.goto("/")
    host.locator("#name").fill("Ana")
    host.locator("[formaction='/invite']").click()
    host.wait_for_url("**/table/*")
    yield "waiting-host", host
    guest.goto(host.url)
    yield "waiting-door", guest
    guest.locator("form.sit input[name=name]").fill("Łukasz")
    guest.locator("form.sit button").click()
    guest.wait_for_url("**/table/*")
    yield "waiting-guest", guest


def _playing(page: Page, onlooker: Page) -> Iterator[Stop]:
    """Three with long names at one device, who hold all seats; somebody looks on."""
    page.goto("/")
    form = page.locator("form[action='/pass-and-play']")
    for at, name in enumerate(("Maximiliane Wagenknecht", "Brzęczyszczykiewicz", "Bartholomäus Weihrauch")):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").last.click()
    page.wait_for_url("**/table/*")
    yield "playing-first", page
    page.locator(".gap:enabled").last.click()
    yield "playing-chosen", page
    page.locator(".confirm [data-do=place]").click()
    expect(page.locator("ol.row .look img.card")).to_have_count(2)
    for _ in range(3):
        move(page, "place")
    expect(page.locator("ol.row .look img.card")).to_have_count(5)
    yield "playing", page
    onlooker.goto(page.url)
    yield "looking-on", onlooker
    onlooker.goto(page.url.replace("/table/", "/watch/"))
    yield "shared-screen", onlooker
    yield from _dialogs(page)
    page.locator("#doubt").click()
    page.locator("#ask-doubt button[value=yes]").click()
    expect(page.locator("#reveal")).to_be_visible()
    yield "reveal", page
    address = page.url
    page.goto("/rules")  # nobody need see the other reveals
    play_to_the_end(page, address)
    page.goto(address)
    expect(page.locator("#state")).to_have_attribute("data-phase", "over")
    yield "over", page


def _bots(page: Page) -> Iterator[Stop]:
    """One against three bots: their faces, and what they saw in a row that was turned over."""
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
    yield "bots", page
    page.locator("#again").click()
    page.locator("[data-do=believed]").click()
    page.locator(".saw").first.wait_for()
    yield "bots-believed", page


def _dialogs(page: Page) -> Iterator[Stop]:
    for name, opener, dialog in (
        ("ask-doubt", "#doubt", "#ask-doubt"),
        ("ask-leave", "[data-do=ask-leave]", "#ask-leave"),
        ("help", "[data-do=help]", "#help"),
        ("settings", "[data-do=settings]", "#settings"),
        ("zoom", "ol.row .look", "#zoom"),
    ):
        page.locator(opener).first.click()
        expect(page.locator(dialog)).to_be_visible()
        yield name, page
        page.keyboard.press("Escape")
        expect(page.locator(dialog)).to_be_hidden()


def move(page: Page, what: str, address: str = "") -> bool:
    """A move of whoever is to play, by the device's own seats; whether there is still a game to move in."""
    table = (address or page.url).rsplit("/", 1)[1]
    view = page.request.get(f"/api/tables/{table}").json()
    if view["over"]:
        return False
    body = {"move": what, "seq": view["seq"]} | ({"gap": 0} if what == "place" else {})
    here = "/".join(page.url.split("/")[:3])  # a cookie speaks only for a page of ours, which says where it is
    answer = page.request.post(f"/api/tables/{table}/moves", data=body, headers={"origin": here})
    assert answer.ok, answer.text()
    return True


def play_to_the_end(page: Page, address: str) -> None:
    while move(page, "place", address) and move(page, "doubt", address):
        pass
