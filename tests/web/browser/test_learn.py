"""The rules page and the tutorial: what they show is what the deck says; the tutorial by keyboard, touch and mouse."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.browser.chromium import DESK, PHONE, SMALL, settle
from harness.servers import Server
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from illusion.rules import Colour, Place, first_fall
from illusion.web.pages.learn import BACK, TO_PLACE, Lesson, ShownRow
from illusion.web.pictures import sample_deck

Contexts = Callable[..., BrowserContext]
RULES = Path(__file__).parents[3] / "docs" / "rules.md"
DECK = sample_deck()


def test_the_page_has_every_rule_under_its_number(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto("/rules#r4.2")
    numbers = re.findall(r"^- R(\d\.\d) ", RULES.read_text(), re.MULTILINE)
    assert [f"r{number}" for number in numbers] == page.locator(".rules li[id]").evaluate_all(
        "rules => rules.map((rule) => rule.id)"
    )
    assert page.locator(".number").all_inner_texts() == [f"R{number}" for number in numbers]
    houses = re.findall(r"^- R(\d\.\d) \*\*(?:House|Optional house) rule", RULES.read_text(), re.MULTILINE)
    assert page.locator("li:has(.house) .number").all_inner_texts() == [f"R{number}" for number in houses]
    expect(page.locator("li:target .number")).to_have_text("R4.2")


def test_the_pictures_load_and_their_percentages_are_what_the_deck_says(new_context: Contexts, server: Server) -> None:
    page = new_context().new_page()
    page.goto("/rules")
    assert page.locator("main img").evaluate_all("all => all.every((one) => one.naturalWidth > 0)")
    falls = []
    for figure in page.locator(".shown:has(.share)").all():
        arrow = Colour(figure.locator(".arrow-card b").inner_text())
        cards = [DECK[int(card.get_attribute("data-card") or 0) - 1] for card in figure.locator("li").all()]
        shown = [re.sub(r"\D", "", share) for share in figure.locator(".share").all_inner_texts()]
        assert shown == [str(card.shares[arrow]) for card in cards]
        sources = figure.locator("li img").evaluate_all("all => all.map((one) => new URL(one.src).pathname)")
        with server.client() as client:
            assert [client.get(source).text for source in sources] == [card.svg() for card in cards]
        fall = first_fall([card.colour_card for card in cards], arrow)
        assert figure.locator(".falls").count() == (fall is not None)
        falls.append((fall, len({card.shares[arrow] for card in cards}) < len(cards)))
    assert falls == [(None, False), (2, False), (None, True)]  # a right row, a wrong one, a tie
    back = {each.get_attribute("data-colour"): each.inner_text() for each in page.locator(".paper span").all()}
    assert {f"{DECK[BACK - 1].shares[colour]}%" for colour in Colour} == {text.strip() for text in back.values()}


def test_the_card_to_place_has_one_right_gap_with_a_card_on_either_side() -> None:
    arrow, row, next_card = TO_PLACE
    lesson = Lesson(ShownRow(arrow, tuple(DECK[number - 1] for number in row)), DECK[next_card - 1])
    assert lesson.right_gaps == [Place(1).gap]
    assert lesson.row.shares[0] < lesson.share < lesson.row.shares[1]


def heard(page: Page) -> str:
    return page.locator("#said").inner_text()


def shares(row: Locator) -> list[int]:
    return [int(share.removesuffix("%")) for share in row.locator(".share").all_inner_texts()]


def test_the_tutorial_by_keyboard_alone(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto("/tutorial")
    for key in ("ArrowRight", "ArrowRight", "Escape", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#place .verdict:visible")).to_contain_text("Right!")
    assert shares(page.locator("#place .row")) == [8, 23, 44]
    assert page.locator("#place .fall, #place .slot:visible").count() == 0
    assert re.sub(r"\s", " ", heard(page)).startswith("8%, 23%, 44%. Right!")
    page.keyboard.press("Enter")
    expect(page.locator("#doubt h1")).to_be_focused()
    assert "Step 2 of 3" in heard(page)
    page.keyboard.press("d")
    expect(page.locator("#doubt .verdict")).to_contain_text("You were right")
    assert shares(page.locator("#doubt .row")) == [9, 43, 27]
    assert page.locator("#doubt .turned").evaluate_all("all => all.map((one) => one.matches('.fall'))") == [
        False,
        False,
        True,
    ]
    page.keyboard.press("Enter")
    expect(page.locator("#won .mini:not(.empty)")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play against bots")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")


@pytest.mark.parametrize(("size", "gap"), [(PHONE, 0), (SMALL, 2)])
def test_the_tutorial_by_touch_with_a_wrong_placement(new_context: Contexts, size: ViewportSize, gap: int) -> None:
    page = new_context(size, touch=True).new_page()
    page.goto("/tutorial")
    for small in page.locator(".lesson button:visible, .tools a").all():
        box = small.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 43.9
    page.locator("#place .gap").nth(gap).tap()
    expect(page.locator("#place .gap").nth(gap)).to_have_attribute("aria-pressed", "true")
    page.locator("#lay").tap()
    expect(page.locator("#place .verdict:visible")).to_contain_text("belonged between 8")
    laid = [8, 44]
    laid.insert(gap, 23)
    assert shares(page.locator("#place .row")) == laid
    assert page.locator("#place .fall .share").inner_text() == f"{laid[gap or 1]}%"
    slot = page.locator("#place .slot:visible").bounding_box()
    low, high = (page.locator(f"#place .turned[data-share='{share}']").bounding_box() for share in (8, 44))
    assert slot
    assert low
    assert high
    assert low["x"] < slot["x"] < high["x"]
    assert high["x"] + high["width"] <= size["width"]
    assert "Fooled!" in heard(page)
    page.get_by_role("button", name="Continue").tap()
    page.locator("#say-doubt").tap()
    page.get_by_role("button", name="Take the arrow").tap()
    expect(page.locator("#won h1")).to_be_in_viewport()


SHOWN = """cards => cards.map((card) => {
  const box = (part) => card.querySelector(part).getBoundingClientRect();
  const [picture, bar, share] = ['img', '.bar i', '.share'].map(box);
  const seen = document.elementFromPoint(picture.left + picture.width / 2, picture.top + picture.height / 2);
  const tops = [picture.bottom, bar.top, bar.bottom, share.top];
  return [seen.matches('img'), tops.every((top, at) => !at || top >= tops[at - 1]), share.bottom <= innerHeight,
    Math.round(100 * bar.width / picture.width)];
})"""


def test_each_picture_is_seen_together_with_its_share(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto("/tutorial")
    page.locator("#place .gap").nth(0).click()
    page.locator("#lay").click()
    for step, told in (("place", [23, 8, 44]), ("doubt", [9, 43, 27])):
        cards = page.locator(f"#{step} .row .turned")
        for size in (PHONE, SMALL, DESK, ViewportSize(width=844, height=390)):
            page.set_viewport_size(size)
            settle(page)
            assert cards.evaluate_all(SHOWN) == [[True, True, True, share] for share in told], size
        assert cards.locator("img").evaluate_all("all => all.map((each) => parseInt(each.alt.split(': ')[1]))") == told
        assert cards.locator(".fall-mark:visible").count() == 1
        if step == "place":
            page.get_by_role("button", name="Continue").click()
            page.locator("#say-doubt").click()


def test_the_card_can_be_dragged_into_a_gap(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto("/tutorial")
    card, gap = page.locator(".next-card .card-front").bounding_box(), page.locator("#place .gap").nth(1).bounding_box()
    assert card
    assert gap
    page.mouse.move(card["x"] + 40, card["y"] + 40)
    page.mouse.down()
    page.mouse.move(gap["x"] + 30, gap["y"] + 90, steps=4)
    page.mouse.up()
    expect(page.locator("#place .gap").nth(1)).to_have_attribute("aria-pressed", "true")
    page.locator("#take-back").click()
    expect(page.locator("#place .gap.chosen")).to_have_count(0)
    page.locator("#place .gap").nth(1).dblclick()
    expect(page.locator("#place .gap").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#place .outcome")).to_be_hidden()  # a double click lays nothing
    page.locator("#lay").click()
    expect(page.locator("#place .verdict:visible")).to_contain_text("Right!")


def test_the_tutorial_can_be_skipped_and_repeated_and_is_offered_more_quietly_afterwards(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto("/")
    offer = page.locator(".offer")
    expect(offer).to_have_class(re.compile("button"))
    offer.click()
    page.locator("#skip").click()
    expect(offer).to_have_class(re.compile("button"))
    offer.click()
    for _ in range(2):
        page.locator("#place .gap").nth(1).click()
        page.locator("#lay").click()
        page.get_by_role("button", name="Continue").click()
        page.locator("#say-doubt").click()
        page.get_by_role("button", name="Take the arrow").click()
        page.locator("#again").click()
        expect(page.locator("#place h1")).to_be_focused()
        expect(page.locator("#skip")).to_be_visible()
        assert page.locator("#place .row .turned").count() == 2
    page.locator("#skip").click()
    expect(offer).not_to_have_class(re.compile("button"))
    expect(offer).to_be_visible()
