"""Under a path of a site that has other pages: a browser through nginx, set as the document says."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from harness.browser.chromium import PHONE
from harness.browser.people import by_mouse, choose_setting, play, play_now, read_the_reveal, seated
from harness.proxies import ROOT, is_installed, running_nginx
from harness.servers import Server
from playwright.sync_api import BrowserContext, expect

Contexts = Callable[..., BrowserContext]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The game's address, behind a proxy that has nothing else."""
    if not is_installed("nginx"):
        pytest.skip("nginx or openssl is not installed")
    server = Server(tmp_path, "--trusted-proxy", "127.0.0.1")
    with running_nginx(tmp_path, [server.port], under_a_path=True) as port:
        yield f"http://127.0.0.1:{port}{ROOT}/"
    server.stop()


def failed(context: BrowserContext) -> list[str]:
    """What the browser asks for in vain from now on, or outside of the path."""
    found: list[str] = []
    context.on("response", lambda each: found.append(f"{each.status} {each.url}") if each.status >= 400 else None)
    context.on(
        "request",
        lambda each: None if each.url.startswith("blob:") or f"{ROOT}/" in each.url else found.append(each.url),
    )
    return found


def test_a_whole_game_and_a_look_back_at_it(new_context: Contexts, site: str) -> None:
    context = new_context(base=site)
    in_vain = failed(context)
    page = context.new_page()
    play_now(page)
    choose_setting(page, "palette", "texture")
    play([page], by_mouse)
    read_the_reveal(page)
    table = page.url.rpartition("/")[2]
    page.locator(".others summary").click()
    page.get_by_role("link", name="Watch it again").click()
    expect(page.locator("#replay, #state").first).to_be_visible()
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("link", name="How it went").click()
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("link", name="My eyes").first.click()
    assert page.url == f"{site}eyes"
    page.locator("a.brand").click()
    assert page.url == site
    expect(page.locator("html")).to_have_attribute("data-palette", "texture")
    page.goto(f"{site}table/{table}")
    page.locator("#rematch").click()
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    assert {cookie["path"] for cookie in context.cookies()} == {ROOT}
    assert in_vain == []


def test_two_people_meet_by_a_link(new_context: Contexts, site: str) -> None:
    contexts = [new_context(base=site), new_context(PHONE, base=site)]
    in_vain = [failed(context) for context in contexts]
    host, friend = seated(contexts, ("Ana", "Bob"))
    assert host.url == friend.url
    host.locator("#start").click()
    for page in (host, friend):
        expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    assert in_vain == [[], []]


def test_the_service_worker_has_the_path_and_what_others_keep_stays(new_context: Contexts, tmp_path: Path) -> None:
    server = Server(tmp_path, "--root-path", ROOT)
    url = f"{server.url}{ROOT}/"
    page = new_context(base=url, service_workers="allow").new_page()
    page.goto(f"{server.url}/healthz")
    page.evaluate("""async () => {
      await (await caches.open('a neighbour')).put('/theirs', new Response('kept'));
      await (await caches.open('illusion /illusion/ an older version')).put('/ours', new Response('gone'));
    }""")
    page.goto(url)
    assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == url
    page.wait_for_function("caches.keys().then((names) => names.every((name) => !name.includes('older')))")
    kept = page.evaluate("caches.keys()")
    assert "a neighbour" in kept
    assert len(kept) == 2
    server.kill()
    page.goto(f"{url}rules")
    expect(page.locator("h1")).to_have_text("No connection")
    server.start()
    expect(page.locator("h1")).to_have_text("The rules")
    assert page.url == f"{url}rules"
    server.stop()


def test_a_club_evening_and_the_way_back_to_it(new_context: Contexts, site: str) -> None:
    contexts = [new_context(size, base=site) for size in (PHONE, PHONE, PHONE)]
    in_vain = [failed(context) for context in contexts]
    host, phone, wall = (context.new_page() for context in contexts)
    host.goto(site)
    host.locator("#way-friends > summary").click()
    host.get_by_role("link", name="Club evening").click()
    host.locator("main .primary").click()
    wall.goto(f"{host.url}/wall")
    expect(wall.locator(".qr")).to_be_visible()
    phone.goto(host.url)
    phone.locator("main input[name=name]").fill("Zoë")
    phone.locator("main .primary").click()
    people = f"{site}api/evenings/{host.url[-8:]}/people"
    for name in ("Ada", "Ben"):
        assert httpx.post(people, json={"name": name}).status_code == 201
    expect(host.locator("#draw")).to_be_enabled()
    host.locator("#draw").click()
    expect(wall.locator(".tables > li")).to_have_count(1)
    phone.locator("#sit").click()
    expect(phone.locator("#state")).to_have_attribute("data-phase", "playing")
    phone.goto(site)
    phone.get_by_role("link", name="Back to your evening").click()
    assert phone.url == host.url
    expect(phone.locator("#sit")).to_be_visible()
    assert in_vain == [[], [], []]
