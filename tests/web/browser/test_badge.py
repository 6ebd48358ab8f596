"""The installed app's badge: the page asks the browser for it; no browser without a window has a place to show it."""

from collections.abc import Callable

from harness.browser.people import by_mouse, open_way
from harness.servers import Seat, Server
from playwright.sync_api import BrowserContext, expect

Contexts = Callable[..., BrowserContext]
RECORDING = """
  window.badges = [];
  navigator.setAppBadge = async (count) => void window.badges.push(count);
  navigator.clearAppBadge = async () => void window.badges.push(0);
"""


def test_the_badge_says_at_how_many_tables_it_is_my_turn(new_context: Contexts, server: Server) -> None:
    context = new_context()
    context.add_init_script(RECORDING)
    page = context.new_page()
    way = open_way(page, "friends")
    assert page.evaluate("window.badges") == [0]
    way.locator("[name=name]").fill("Ana")
    way.locator(".more > summary").click()
    way.locator("[name=clock]").select_option("86400")
    way.locator("[name=seats]").select_option("2")
    way.locator("button").last.click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#state")).to_contain_text("One day a turn")
    table = page.url.rpartition("/")[2]
    with server.client() as client:
        token = client.post(f"/api/tables/{table}/seats", json={"name": "Bob"}).json()["token"]
    bob = Seat(server, table, token)
    page.locator("#start").click()
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    view = bob.view()
    if view["to_play"] == view["you"]:
        assert bob.place(0, view["seq"]).status_code == 200
    expect(page.locator(".gap:enabled").first).to_be_visible()
    page.wait_for_function("window.badges.at(-1) === 1")
    page.goto("./")
    expect(page.locator(".my-turn a")).to_have_text(f"Your turn at table {table[:4]} {table[4:]}")
    assert page.evaluate("window.badges") == [1]
    page.locator(".my-turn a").click()
    by_mouse(page, doubting=False)
    page.wait_for_function("window.badges.at(-1) === 0")
    page.goto("./")
    assert page.evaluate("window.badges") == [0]
