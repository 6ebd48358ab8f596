"""Reactions, a connection that is lost and comes back, clocks that go on after a reload, and leaving a table."""

import time
from collections.abc import Callable
from pathlib import Path

from harness.browser.chromium import wait_until
from harness.browser.page_checks import hearing
from harness.browser.people import at_one_device, by_mouse, cards_in_row, choose_setting, invited, seated
from harness.servers import Server
from harness.tables.rows import long_row, sit_at
from harness.wire import wire_to
from playwright.sync_api import BrowserContext, expect

New = Callable[..., BrowserContext]
DEAD_S = 14
"""Longer than a page waits for a silent server."""


def test_a_reaction_is_seen_at_the_senders_seat_and_heard_by_all_but_those_who_mute(new_context: New) -> None:
    contexts = [new_context() for _ in range(3)]
    heard = [hearing(context) for context in contexts]
    pages = seated(contexts)
    choose_setting(pages[2], "reactions", "muted")
    assert pages[2].locator(".reactions").first.is_hidden()
    pages[0].get_by_role("button", name="Laughter").click()
    for page in pages[:2]:
        expect(page.locator("[data-seat='0'] .says")).to_have_count(1)
    pages[1].get_by_role("button", name="Applause").click()
    for page in pages[:2]:
        expect(page.locator("[data-seat='1'] .says")).to_have_count(1)
    wait_until(pages[0], lambda: "Ana laughs." in heard[1] and "Bob applauds." in heard[0])
    assert pages[2].locator(".says").count() == 0
    assert not any("laughs" in line for line in heard[2])
    expect(pages[0].locator(".says")).to_have_count(0)  # and after a moment it is gone
    pages[0].locator("#start").click()
    for doubting in (False, True):
        for page in pages:
            expect(cards_in_row(page)).to_have_count(2 if doubting else 1)
        by_mouse(next(page for page in pages if page.locator(".gap:enabled").count()), doubting=doubting)
    for page in pages:
        expect(page.locator("#reveal")).to_be_visible()
    pages[0].locator("#reveal").get_by_role("button", name="Laughter").click()
    for page in pages[:2]:
        expect(page.locator("#reveal .shelf span")).to_contain_text("Ana")  # over the row that is turned over
    assert pages[2].locator("#reveal .shelf span:visible").count() == 0


def test_when_the_server_is_killed_a_page_says_so_recovers_by_itself_and_the_game_goes_on(
    new_context: New, tmp_path: Path
) -> None:
    server = Server(tmp_path)
    try:
        contexts = [new_context(base=server.url) for _ in range(2)]
        heard = hearing(contexts[1])
        pages = invited(contexts)
        seat = pages[0].url.rsplit("/", 1)[1]
        server.kill()
        for page in pages:
            expect(page.locator("#banner")).to_have_text("No connection. Trying again…")
        server.start()
        with server.client() as client:  # somebody plays on before this page is back
            view = client.get(f"/api/tables/{seat}").json()
            tokens = [
                {each["name"]: each["value"] for each in context.cookies()}[f"seat-{seat}"] for context in contexts
            ]
            body = {"move": "place", "gap": 0, "seq": view["seq"]}
            mover = server.client(tokens[view["to_play"]])
            assert mover.post(f"/api/tables/{seat}/moves", json=body).status_code == 200
        expect(pages[1].locator("#banner")).to_have_text("Connected again.")
        expect(cards_in_row(pages[1])).to_have_count(2)
        for page in pages:
            expect(page.locator("#banner")).to_be_hidden()
        assert heard.count("No connection. Trying again…") == 1
        assert heard.count("Connected again.") == 1
        lays = "You place" if view["to_play"] == 1 else "Ana places"
        assert f"{lays} the card next to the arrow, before card 1." in heard
        by_mouse(pages[1 - view["to_play"]], doubting=False)
        for page in pages:
            expect(cards_in_row(page)).to_have_count(3)
    finally:
        server.stop()


def test_a_network_that_is_silently_dead_is_noticed_and_nothing_is_lost(new_context: New, server: Server) -> None:
    seat = long_row(server, 3)
    with wire_to(server.port) as wire:
        page = sit_at(new_context(), seat, f"http://127.0.0.1:{wire.port}")
        card = page.locator("#next").get_attribute("data-look") or ""
        page.locator(".gap[data-gap='2']").click()
        wire.freeze()
        dead_since = time.monotonic()
        page.locator(".confirm [data-do=place]").click()
        expect(page.locator("#toast")).to_have_text("That did not reach the table. Try again.")
        expect(page.locator("#banner")).to_have_text("No connection. Trying again…")
        expect(page.locator(".gap[data-gap='2']")).to_have_attribute("aria-pressed", "true")
        assert len(seat.view()["row"]) == 3
        page.wait_for_timeout(1000 * (dead_since + DEAD_S - time.monotonic()))
        expect(page.locator("#banner")).to_have_text("No connection. Trying again…")
        wire.mend()
        expect(page.locator("#banner")).to_have_text("Connected again.")
        page.keyboard.press("Enter")  # once more, unless what was sent before has arrived by now
        expect(cards_in_row(page).nth(2)).to_have_attribute("data-card", card)
        assert seat.view()["row"].count(card) == 1
        assert len(seat.view()["row"]) == 4


def test_the_clock_goes_on_when_the_page_is_opened_again(new_context: New, server: Server) -> None:
    context = new_context()
    page = context.new_page()
    made = page.request.post("/api/tables", data={"name": "Ana", "seats": 2, "clock": 90}).json()
    sat = server.client().post(f"/api/tables/{made['table']}/seats", json={"name": "Bob"}).json()
    assert sat["seat"] == 1
    own = {"origin": server.url}
    assert page.request.post(f"/api/tables/{made['table']}/start", headers=own).ok

    def run() -> float:
        spent: float = page.evaluate(
            "90000 * document.getAnimations().find((each) => each.animationName === 'run-out')"
            ".effect.getComputedTiming().progress"
        )
        return spent

    page.goto(f"/table/{made['table']}")
    wait_until(page, lambda: run() >= 1500)
    before = run()
    page.reload()
    assert run() >= before


def test_people_at_one_device_leave_and_come_back_together(new_context: New) -> None:
    page = new_context().new_page()
    at_one_device(page, "Ana", "Bob")
    table = page.url
    page.locator("[data-do=ask-leave]").click()
    page.locator("#ask-leave button[value=yes]").click()
    page.wait_for_url(lambda url: "/table/" not in url)
    for away in (True, False):  # then they open the page again
        view = page.request.get(table.replace("/table/", "/api/tables/")).json()
        assert view["over"] or [player["away"] for player in view["players"]] == [away] * 2  # bots are quick here
        page.goto(table)
