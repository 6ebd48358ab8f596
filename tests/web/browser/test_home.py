"""The home page: one press to a game, and four ways to a table, each with its two questions."""

from collections.abc import Callable

import pytest
from harness.browser.chromium import DESK, PHONE
from harness.browser.people import open_way
from playwright.sync_api import BrowserContext, ViewportSize, expect

New = Callable[..., BrowserContext]
WAYS = ("alone", "friends", "device", "code")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_game_and_all_four_ways_are_on_the_first_screen(new_context: New, size: ViewportSize) -> None:
    page = new_context(size).new_page()
    page.goto("/")
    for part in ("#begin .primary", *(f"#way-{way} > summary b" for way in WAYS)):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] <= size["height"], part


@pytest.mark.parametrize("way", WAYS)
def test_a_way_asks_two_questions_and_the_rest_under_more(new_context: New, way: str) -> None:
    page = new_context().new_page()
    opened = open_way(page, way)
    asked = opened.locator("label:visible, legend:visible")
    expect(asked).to_have_count(1 if way == "device" else 2)
    opened.locator(".more > summary").click()
    assert asked.count() > 2
    other = next(each for each in WAYS if each != way)
    page.locator(f"#way-{other} > summary").click()  # one at a time
    expect(asked).to_have_count(0)


def test_who_plays_alone_meets_as_many_bots_as_chosen_and_finds_them_again(new_context: New) -> None:
    context = new_context()
    page = context.new_page()
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
