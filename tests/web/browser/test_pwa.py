"""The progressive web app: its manifest, and the page it shows while the server cannot be reached."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from harness.servers import Server
from PIL import Image
from playwright.sync_api import BrowserContext, expect

Contexts = Callable[..., BrowserContext]
WORKING: Final = """new Promise((done) => {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) done();
  else serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
})"""


def test_the_manifest_and_its_icons(server: Server) -> None:
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


def test_the_browser_finds_nothing_wrong_with_the_manifest(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto("/")
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []


def test_without_a_server_a_page_says_so_and_comes_back_by_itself(new_context: Contexts, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        page = new_context(base=server.url, service_workers="allow").new_page()
        page.goto("/")
        page.evaluate(WORKING)
        server.kill()
        page.goto("/rules#r5.2")
        expect(page.locator("h1")).to_have_text("No connection")
        expect(page.locator("main")).to_have_css("text-align", "center")  # its style is there too
        server.start()
        expect(page.locator("h1")).to_have_text("The rules")
        assert page.url == f"{server.url}/rules#r5.2"
        page.goto("/")
        server.kill()
        page.locator("#begin .primary").click()  # a form that could not be sent
        expect(page.locator("h1")).to_have_text("No connection")
        server.start()
        expect(page.locator("#begin")).to_be_visible()
        assert page.url == f"{server.url}/"
    finally:
        server.stop()


def test_only_the_page_for_no_connection_and_its_parts_are_kept(new_context: Contexts) -> None:
    page = new_context(service_workers="allow").new_page()
    page.goto("/")
    page.evaluate(WORKING)
    for address in ("/rules", "/tutorial", "/"):
        page.goto(address)
    kept = page.evaluate("""async () => {
      const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
      return requests.map(({ url }) => new URL(url).pathname);
    }""")
    assert "/offline" in kept
    assert all(address == "/offline" or address.startswith("/static/") for address in kept)
