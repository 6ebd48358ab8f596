"""Under a path of a site that has other pages: a browser through nginx, set as the document says.

And the progressive web app, there and at the root: its manifest, and the page shown while the server cannot be reached.
"""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import httpx
import pytest
from harness.browser.chromium import PHONE
from harness.browser.people import by_mouse, cards_in_row, choose_setting, read_the_reveal, seated
from harness.proxies import ROOT, is_installed, running_nginx
from harness.servers import Seat, Server, play_on
from PIL import Image
from playwright.sync_api import BrowserContext, expect

New = Callable[..., BrowserContext]
WORKING: Final = """new Promise((done) => {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) done();
  else serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
})"""


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not is_installed("nginx"):
        pytest.skip("nginx or openssl is not installed")
    server = Server(tmp_path_factory.mktemp("behind"), "--trusted-proxy", "127.0.0.1")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def site(behind: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The game's address, behind a proxy that has nothing else."""
    with running_nginx(tmp_path_factory.mktemp("nginx"), [behind.port], under_a_path=True) as port:
        yield f"http://127.0.0.1:{port}{ROOT}/"


def failed(context: BrowserContext) -> list[str]:
    """What the browser asks for in vain from now on, or outside of the path."""
    found: list[str] = []
    context.on("response", lambda each: found.append(f"{each.status} {each.url}") if each.status >= 400 else None)
    context.on(
        "request",
        lambda each: None if each.url.startswith("blob:") or f"{ROOT}/" in each.url else found.append(each.url),
    )
    return found


def test_two_people_meet_play_look_back_and_open_an_evening(new_context: New, behind: Server, site: str) -> None:
    contexts = [new_context(base=site), new_context(PHONE, base=site)]
    in_vain = [failed(context) for context in contexts]
    page, friend = seated(contexts, ("Ana", "Bob"))
    assert page.url == friend.url
    choose_setting(page, "palette", "texture")
    page.locator("#start").click()
    for each in (page, friend):
        expect(each.locator("#state")).to_have_attribute("data-phase", "playing")
    for cards in (2, 3):
        by_mouse(next(each for each in (page, friend) if each.locator(".gap:enabled").count()), doubting=False)
        for each in (page, friend):
            expect(cards_in_row(each)).to_have_count(cards)
    table = page.url.rpartition("/")[2]
    by_mouse(next(each for each in (page, friend) if each.locator(".gap:enabled").count()), doubting=True)
    for each in (page, friend):
        expect(each.locator("#reveal[open]")).to_be_visible()
        read_the_reveal(each)
        expect(cards_in_row(each)).to_have_count(1)
        each.goto(f"{site}rules")
    tokens = [
        next(cookie["value"] for cookie in context.cookies() if cookie["name"] == f"seat-{table}")
        for context in contexts
    ]
    play_on([Seat(behind, table, token) for token in tokens], row=2)
    page.goto(f"{site}table/{table}")
    page.locator(".others summary").click()
    page.get_by_role("link", name="Watch it again").click()
    expect(page.locator("#row, .turned-row").first).to_be_visible()
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("link", name="How it went").click()
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("link", name="My eyes").first.click()
    assert page.url == f"{site}eyes"
    page.locator("a.brand").click()
    assert page.url == site
    expect(page.locator("html")).to_have_attribute("data-palette", "texture")
    page.goto(f"{site}evening")
    page.locator("main .primary").click()
    evening = page.url
    friend.goto(f"{evening}/wall")
    people = evening.replace("/evening/", "/api/evenings/") + "/people"
    assert httpx.post(people, json={"name": "Zoë"}).status_code == 201
    for each in (page, friend):
        expect(each.locator("#present, #shown")).to_contain_text("Zoë")
    page.goto(site)
    page.get_by_role("link", name="Back to your evening").click()
    assert page.url == evening
    assert {cookie["path"] for cookie in contexts[0].cookies()} == {ROOT}
    assert in_vain == [[], []]


def test_the_manifest_and_its_icons(new_context: New, server: Server) -> None:
    with server.client() as client:
        answer = client.get("/manifest.webmanifest")
        assert answer.headers["content-type"] == "application/manifest+json"
        told = answer.json()
        assert (told["display"], told["start_url"], told["name"]) == ("standalone", "./", "Illusion")
        purposes = []
        for icon in told["icons"]:
            got = client.get(urljoin("/manifest.webmanifest", icon["src"]))
            assert got.headers["content-type"].split(";")[0] == icon["type"]
            if icon["type"] == "image/png":
                width, height = Image.open(BytesIO(got.content)).size
                assert icon["sizes"] == f"{width}x{height}"
            purposes.append((icon["sizes"], icon.get("purpose", "any")))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"), ("any", "any")} == set(purposes)
    page = new_context().new_page()
    page.goto("/")
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []


@pytest.mark.parametrize("root", ["", ROOT], ids=["at the root", "under a path"])
def test_without_a_server_a_page_says_so_and_comes_back_by_itself(new_context: New, tmp_path: Path, root: str) -> None:
    server = Server(tmp_path, "--root-path", root)
    try:
        home = f"{server.url}{root}/"
        page = new_context(base=home, service_workers="allow").new_page()
        page.goto(f"{server.url}/healthz")
        page.evaluate(
            """async (ours) => {
              await (await caches.open('a neighbour')).put('/theirs', new Response('kept'));
              await (await caches.open(ours)).put('/ours', new Response('gone'));
            }""",
            f"illusion {root}/ an older version",
        )
        page.goto(home)
        page.evaluate(WORKING)
        assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == home
        page.wait_for_function("caches.keys().then((names) => names.every((name) => !name.includes('older')))")
        for address in ("rules", "tutorial"):
            page.goto(home + address)
        kept = page.evaluate("""async () => {
          const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
          const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
          return requests.map(({ url }) => new URL(url).pathname);
        }""")
        assert {"/theirs", f"{root}/offline"} <= set(kept)  # and of us that page's parts alone
        own = [each for each in kept if each not in ("/theirs", f"{root}/offline")]
        assert [each for each in own if not each.startswith(f"{root}/static/")] == []
        server.kill()
        page.goto(f"{home}rules#r5.2")
        expect(page.locator("h1")).to_have_text("No connection")
        expect(page.locator("main")).to_have_css("text-align", "center")  # its style is there too
        server.start()
        expect(page.locator("h1")).to_have_text("The rules")
        assert page.url == f"{home}rules#r5.2"
        page.goto(home)
        server.kill()
        page.locator("#begin .primary").click()  # a form that could not be sent
        expect(page.locator("h1")).to_have_text("No connection")
        server.start()
        expect(page.locator("#begin")).to_be_visible()
        assert page.url == home
    finally:
        server.stop()
