"""Learning the game: the rules, whose figures are the deck's; the tutorial; and what is said at the first table.

At its first table a device is told what one plays for: three times, each once, and nothing is covered.
"""

import re
from collections.abc import Callable
from pathlib import Path

from harness.browser.chromium import DESK, PHONE, SMALL, settle
from harness.browser.people import press_tool, read_the_reveal
from harness.servers import Seat, Server
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect
from starlette.testclient import TestClient

from illusion.rules import Colour, first_fall
from illusion.web.pages.learn import BACK
from illusion.web.pictures import sample_deck

New = Callable[..., BrowserContext]
RULES = Path(__file__).parents[3] / "docs" / "rules.md"
DECK = sample_deck()
SIDEWAYS = ViewportSize(width=844, height=390)


def test_the_page_has_every_rule_under_its_number(client: TestClient) -> None:
    document, html = RULES.read_text(), client.get("/rules").text
    numbers = re.findall(r"^- R(\d\.\d) ", document, re.MULTILINE)
    assert re.findall(r'<li id="r(\d\.\d)">', html) == numbers
    shown = re.findall(r'<a class="number" href="#r(\d\.\d)"[^>]*>R(\d\.\d)<', html)
    assert shown == [(number, number) for number in numbers]
    houses = re.findall(r"^- R(\d\.\d) \*\*(?:House|Optional house) rule", document, re.MULTILINE)
    rules = html.split('<li id="r')[1:]
    assert [rule[:3] for rule in rules if 'class="house"' in rule] == houses


def test_the_percentages_are_what_the_deck_says(client: TestClient) -> None:
    html, falls = client.get("/rules").text, []
    for figure in re.findall(r'<figure class="shown">.*?</figure>', html, re.DOTALL):
        if 'class="share"' not in figure:
            continue
        (arrow,) = map(Colour, re.findall(r"<b>(\w+)</b>", figure))
        cards = [DECK[int(number) - 1] for number in re.findall(r'data-card="(\d+)"', figure)]
        assert re.findall(r"(\d+)%</p>", figure) == [str(card.shares[arrow]) for card in cards]
        pictures = [client.get(source).text for source in re.findall(r'<img [^>]*src="([^"]+)"', figure)]
        assert pictures == [card.svg() for card in cards]
        fall = first_fall([card.colour_card for card in cards], arrow)
        assert figure.count('class="falls"') == (fall is not None)
        falls.append((fall, len({card.shares[arrow] for card in cards}) < len(cards)))
    assert falls == [(None, False), (2, False), (None, True)]  # a right row, a wrong one, a tie
    back = re.findall(r'<span data-colour="(\w+)">.*?(\d+)%</span>', html, re.DOTALL)
    assert back == [(colour, str(DECK[BACK - 1].shares[colour])) for colour in Colour]


def heard(page: Page) -> str:
    return page.locator("#said").inner_text()


def shares(row: Locator) -> list[int]:
    return [int(share.removesuffix("%")) for share in row.locator(".share").all_inner_texts()]


def test_the_tutorial_by_keyboard_alone_and_the_card_dragged(new_context: New) -> None:
    page = new_context().new_page()
    page.goto("/tutorial")
    gap = page.locator("#place .gap").nth(1)
    card, place = page.locator(".next-card .card-front").bounding_box(), gap.bounding_box()
    assert card
    assert place
    page.mouse.move(card["x"] + 40, card["y"] + 40)
    page.mouse.down()
    page.mouse.move(place["x"] + 30, place["y"] + 90, steps=4)
    page.mouse.up()
    expect(gap).to_have_attribute("aria-pressed", "true")
    page.locator("#take-back").click()
    expect(page.locator("#place .gap.chosen")).to_have_count(0)
    gap.dblclick()
    expect(gap).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#place .outcome")).to_be_hidden()  # a double click lays nothing
    page.reload()
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
    fallen = page.locator("#doubt .turned").evaluate_all("all => all.map((one) => one.matches('.fall'))")
    assert fallen == [False, False, True]
    page.keyboard.press("Enter")
    expect(page.locator("#won .mini:not(.empty)")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play against bots")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")


SHOWN = """cards => cards.map((card) => {
  const box = (part) => card.querySelector(part).getBoundingClientRect();
  const [picture, bar, share] = ['img', '.bar i', '.share'].map(box);
  const seen = document.elementFromPoint(picture.left + picture.width / 2, picture.top + picture.height / 2);
  const tops = [picture.bottom, bar.top, bar.bottom, share.top];
  return [seen.matches('img'), tops.every((top, at) => !at || top >= tops[at - 1]), share.bottom <= innerHeight,
    Math.round(100 * bar.width / picture.width)];
})"""


def each_picture_is_seen_with_its_share(page: Page, cards: Locator, told: list[int]) -> None:
    for size in (DESK, SIDEWAYS, PHONE, SMALL):
        page.set_viewport_size(size)
        settle(page)
        assert cards.evaluate_all(SHOWN) == [[True, True, True, share] for share in told], size
    assert cards.locator("img").evaluate_all("all => all.map((each) => parseInt(each.alt.split(': ')[1]))") == told
    assert cards.locator(".fall-mark:visible").count() == 1


def test_the_tutorial_by_touch_placed_wrong_twice_skipped_repeated_and_offered_more_quietly(new_context: New) -> None:
    page = new_context(PHONE, touch=True).new_page()
    page.goto("/")
    offer = page.locator(".offer")
    expect(offer).to_have_class(re.compile("button"))
    offer.tap()
    page.locator("#skip").tap()
    expect(offer).to_have_class(re.compile("button"))
    offer.tap()
    for small in page.locator(".lesson button:visible, .tools a").all():
        box = small.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 43.9
    for gap, laid in ((0, [23, 8, 44]), (2, [8, 44, 23])):
        page.locator("#place .gap").nth(gap).tap()
        expect(page.locator("#place .gap").nth(gap)).to_have_attribute("aria-pressed", "true")
        page.locator("#lay").tap()
        expect(page.locator("#place .verdict:visible")).to_contain_text("belonged between 8")
        assert shares(page.locator("#place .row")) == laid
        assert page.locator("#place .fall .share").inner_text() == f"{laid[gap or 1]}%"
        each_picture_is_seen_with_its_share(page, page.locator("#place .row .turned"), laid)
        slot = page.locator("#place .slot:visible").bounding_box()
        low, high = (page.locator(f"#place .turned[data-share='{share}']").bounding_box() for share in (8, 44))
        assert slot
        assert low
        assert high
        assert low["x"] < slot["x"] < high["x"]
        assert high["x"] + high["width"] <= SMALL["width"]
        assert "Fooled!" in heard(page)
        page.get_by_role("button", name="Continue").tap()
        page.locator("#say-doubt").tap()
        if not gap:
            each_picture_is_seen_with_its_share(page, page.locator("#doubt .row .turned"), [9, 43, 27])
        page.get_by_role("button", name="Take the arrow").tap()
        expect(page.locator("#won h1")).to_be_in_viewport()
        page.locator("#again").tap()
        expect(page.locator("#place h1")).to_be_focused()
        assert page.locator("#place .row .turned").count() == 2
    page.locator("#skip").tap()
    expect(offer).not_to_have_class(re.compile("button"))
    expect(offer).to_be_visible()


_COVERED = """() => {
  const box = document.querySelector('.lesson').getBoundingClientRect();
  return [...document.querySelectorAll('#row .card, .gap:enabled, #doubt, #next img, .player')].filter((each) => {
    const it = each.getBoundingClientRect();
    return it.width && it.left < box.right - 1 && it.right > box.left + 1
      && it.top < box.bottom - 1 && it.bottom > box.top + 1;
  }).map((each) => each.className);
}"""
"""What the bubble lies on."""
AT_TABLES = ViewportSize(width=320, height=568), PHONE, SIDEWAYS, DESK


def others_move(seats: list[Seat], me: int) -> None:
    """Until it is this seat's turn: they place at the far end."""
    view = seats[0].view()
    while view["to_play"] != me:
        seats[view["to_play"]].place(len(view["row"]), view["seq"])
        view = seats[0].view()


def place(page: Page) -> None:
    cards = page.locator("#row [data-card]").count()
    page.locator(".gap:enabled").first.click()
    page.locator("[data-do=place]").click()
    expect(page.locator("#row [data-card]")).not_to_have_count(cards)


def test_three_things_are_said_once_and_cover_nothing(new_context: New, server: Server) -> None:
    seat = long_row(server, 1, ("Ana", "Bob"))
    seats, me = seats_at(seat), seat.view()["to_play"]
    page = sit_at(new_context(newcomer=True), seat)
    lesson, mine = page.locator(".lesson"), page.locator(".state.mine")

    def said(text: str) -> None:
        expect(mine).to_be_visible()
        expect(lesson).to_contain_text(text)
        for size in AT_TABLES:
            page.set_viewport_size(size)
            settle(page)
            assert page.evaluate(_COVERED) == [], size

    said(f"Least {seat.view()['arrow']} left")
    onlooker = new_context(newcomer=True).new_page()
    onlooker.goto(page.url)
    expect(onlooker.locator("#row [data-card]")).to_have_count(1)
    expect(onlooker.locator(".lesson")).to_have_count(0)
    place(page)
    expect(lesson).to_have_count(0)
    others_move(seats, me)
    said("Somebody wrong?")
    place(page)
    view = seat.view()
    assert seats[1 - me].doubt(view["seq"]).status_code == 200
    expect(page.locator("#reveal")).to_be_visible()
    read_the_reveal(page)
    expect(page.locator("#row [data-card]")).to_have_count(1)
    others_move(seats, me)
    said("Whoever has 3 of these wins.")
    place(page)
    others_move(seats, me)
    expect(mine).to_be_visible()
    expect(lesson).to_have_count(0)
    page.reload()
    expect(mine).to_be_visible()
    expect(lesson).to_have_count(0)
    press_tool(page, "[data-do=settings]")
    page.locator("[data-do=explain-again]").click()
    expect(page.locator("[data-do=explain-again]")).to_have_text("It will be explained again.")
    page.reload()
    expect(lesson).to_contain_text("Least")
