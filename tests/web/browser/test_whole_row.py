"""The whole row is in sight on every screen, its cards as large as promised, and so is the colour that counts."""

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from harness.browser.chromium import checked_contexts, settle
from harness.browser.page_checks import too_wide
from harness.servers import Seat, Server
from harness.sweeps import sweep
from harness.tables.rows import LONG_NAMES, long_row, sit_at
from playwright.sync_api import Browser, Page, ViewportSize, expect

COUNTS = (3, 6, 10, 15)
CASES = sweep([(3, "pl"), (6, "de"), (10, "pl"), (15, "de")], list(product(COUNTS, ("de", "pl"))))
LEAST = {
    (390, 844): (150, 115, 85, 72),
    (360, 640): (105, 100, 70, 58),
    (320, 568): (90, 88, 58, 50),
    (844, 390): (190, 110, 110, 72),
    (768, 1024): (220, 190, 130, 122),
    (1366, 768): (230, 200, 165, 138),
    (1440, 900): (250, 230, 175, 160),
    (2560, 1440): (450, 400, 320, 270),
}
"""By screen, how wide cards are at least with 3, 6, 10 and 15 in the row. From 1024 px on every line has room for one
card more."""
LONG_ROWS = ((16, "pl"), (20, "de"), (30, "pl"), (40, "de"))
LEAST_TARGET = 24
"""Pixels of what can be pressed (WCAG 2.5.8)."""
TELEVISION = (1920, 1080)
ON_TELEVISION = (420, 305, 245, 200)

_SIGHT = """(what) => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility()).map((each) => {
  const { left, top, right, bottom, width } = each.getBoundingClientRect();
  const isPressed = getComputedStyle(each).pointerEvents !== 'none'; // a shared screen has nothing to press
  const seen = !isPressed || document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).includes(each);
  const whole = seen && left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  return { width, whole, left, top, right, bottom };
})"""

Sight = list[dict[str, float]]


def sight(page: Page, what: str) -> Sight:
    """Where elements are on the screen, and whether each is wholly in sight."""
    found: Sight = page.evaluate(_SIGHT, what)
    return found


def resized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    settle(page)


@pytest.fixture(scope="module")
def seats(server: Server) -> dict[int, Seat]:
    """People at turn at tables of long names, by the length of the row. Nobody moves there."""
    return {cards: long_row(server, cards, LONG_NAMES) for cards in COUNTS}


@pytest.fixture(scope="module")
def pages(browser: Browser, server: Server, seats: dict[int, Seat]) -> Iterator[dict[tuple[int, str], Page]]:
    """Their pages, by the length of the row and by language."""
    with checked_contexts(browser, server.url) as new:
        devices = {language: new(locale=language) for language in ("de", "pl")}
        yield {
            (cards, language): sit_at(device, seat)
            for cards, seat in seats.items()
            for language, device in devices.items()
        }


@pytest.mark.parametrize(("cards", "language"), CASES)
def test_cards_are_as_large_as_promised_and_all_in_sight_and_so_is_what_happened(
    pages: dict[tuple[int, str], Page], cards: int, language: str
) -> None:
    page = pages[cards, language]
    problems = []
    for size, least in LEAST.items():
        resized(page, size)
        row = sight(page, "#row [data-card]")
        if len(row) != cards or not all(card["whole"] for card in row):
            problems.append(f"{size}: {row}")
        if min(card["width"] for card in row) < least[COUNTS.index(cards)]:
            problems.append(f"{size}: {row[0]['width']} px wide")
        if any(overlap(one, other) for one, other in pairwise(row)):
            problems.append(f"{size}: cards overlap")
        for part in (".colour-bar", "#next img", ".turn", "#doubt"):
            if [each["whole"] for each in sight(page, part)] != [True]:
                problems.append(f"{size}: {part} is not in sight")
        for part, count in ((".happened .laid", len(LONG_NAMES) - 1), (".happened [data-do=replay]", 1)):
            if [each["whole"] for each in sight(page, part)] != [True] * min(count, cards - 1):
                problems.append(f"{size}: {part}: {sight(page, part)}")
    assert problems == []


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    across = one["left"] < other["right"] and other["left"] < one["right"]
    return across and one["top"] < other["bottom"] and other["top"] < one["bottom"]


def test_a_lens_covers_neither_the_card_nor_the_next_one_nor_the_colour(pages: dict[tuple[int, str], Page]) -> None:
    page = pages[10, "de"]
    for size in ((320, 568), (390, 844), (844, 390), (1440, 900)):
        resized(page, size)
        for at in (0, 9):
            card = sight(page, "#row [data-card]")[at]
            page.mouse.move((card["left"] + card["right"]) / 2, (card["top"] + card["bottom"]) / 2)
            page.locator(".lens").wait_for()
            [shown] = sight(page, ".lens")
            for other in (card, *sight(page, "#next img, .colour-bar")):
                assert covered(other, shown) < 0.03, (size, at, other)
            page.mouse.move(1, 1)
            expect(page.locator(".lens")).to_have_count(0)


def covered(one: dict[str, float], other: dict[str, float]) -> float:
    """How much of the one is behind the other."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return max(0, across) * max(0, down) / ((one["right"] - one["left"]) * (one["bottom"] - one["top"]))


def test_on_a_television(browser: Browser, server: Server, seats: dict[int, Seat]) -> None:
    with checked_contexts(browser, server.url) as new:
        page = new(ViewportSize(width=TELEVISION[0], height=TELEVISION[1]), locale="de").new_page()
        for cards, least in zip(COUNTS, ON_TELEVISION, strict=True):
            page.goto(f"/watch/{seats[cards].table}")
            expect(page.locator("#row [data-card]")).to_have_count(cards)
            settle(page)
            row = sight(page, "#row [data-card]")
            assert all(card["whole"] for card in row), cards
            assert min(card["width"] for card in row) >= least, cards
            for part in (".colour-bar", "#next img", ".turn", ".join .code"):
                assert [each["whole"] for each in sight(page, part)] == [True], (cards, part)


@pytest.mark.parametrize("cards", [6, 15])
def test_row_and_colour_stay_in_sight_while_choosing_and_the_next_card_stands_between_its_neighbours(
    pages: dict[tuple[int, str], Page], cards: int
) -> None:
    """Beside the row as large as there is room; on wide screens in the row, and large only where that enlarges it."""
    page = pages[cards, "de"]
    for size in LEAST:
        resized(page, size)
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        settle(page)
        assert all(card["whole"] for card in sight(page, "#row [data-card]")), size
        assert [bar["whole"] for bar in sight(page, ".colour-bar")] == [True], size
        for button in page.locator(".confirm button:visible").all():
            expect(button).to_be_in_viewport(ratio=1)
        if size[0] >= 1024:
            [stands] = sight(page, ".opened img")
            row = sight(page, "#row [data-card]")
            assert stands["whole"], size
            assert stands["width"] == pytest.approx(row[0]["width"], abs=1), size
            assert not any(overlap(stands, other) for other in row), size
        trio = sight(page, ".neighbour img, #next img")
        if size[0] >= 1024 and len(trio) == 1:
            page.keyboard.press("Escape")
            continue
        assert [card["whole"] for card in trio] == [True] * 3, size
        assert [card["left"] for card in trio] == sorted(card["left"] for card in trio), size
        assert len({round(card["width"]) for card in trio}) == 1, size
        least = 1.25 * sight(page, "#row [data-card]")[0]["width"] if size[0] >= 1024 else min(size) / 5
        assert trio[0]["width"] >= least - 1, size
        page.keyboard.press("Escape")
        expect(page.locator(".gap.chosen")).to_have_count(0)


def test_the_colour_is_in_sight_in_the_zoom(pages: dict[tuple[int, str], Page]) -> None:
    page = pages[10, "de"]
    for size in LEAST:
        resized(page, size)
        page.keyboard.press("n")
        expect(page.locator("#zoom")).to_be_visible()
        assert [bar["whole"] for bar in sight(page, "#zoom .colour-bar")] == [True], size
        assert [card["whole"] for card in sight(page, "#zoom img")] == [True], size
        page.keyboard.press("Escape")
        expect(page.locator("#zoom")).to_be_hidden()


def test_a_line_that_breaks_begins_with_an_echo_and_its_gap_is_shown_at_both_ends(
    pages: dict[tuple[int, str], Page],
) -> None:
    page = pages[15, "pl"]
    resized(page, (390, 844))
    cards = page.locator("#row .cell:not(.far-end)")
    pictures = cards.locator("[data-card]").evaluate_all("all => all.map((card) => card.dataset.card)")
    echoes = cards.locator(".echo").evaluate_all("all => all.map((each) => each.querySelector('img')?.dataset.picture)")
    tops = [card["top"] for card in sight(page, "#row [data-card]")]
    breaks = [at for at in range(1, len(tops)) if tops[at] > tops[at - 1]]
    assert len(breaks) >= 2
    assert echoes == [pictures[at - 1] if at in breaks else None for at in range(len(pictures))]
    twin = page.locator(f".twin[data-twin='{breaks[0]}']")
    twin.click()  # the end of the line above is the same gap
    expect(page.locator(f".gap[data-gap='{breaks[0]}']")).to_have_attribute("aria-pressed", "true")
    expect(twin).to_have_class("twin chosen")
    page.keyboard.press("Escape")


def lies(page: Page, what: str) -> list[tuple[int, int, int]]:
    return [(round(card["left"]), round(card["top"]), round(card["width"])) for card in sight(page, what)]


def gaps_can_be_pressed(page: Page, cards: int) -> bool:
    gaps = sight(page, ".gap:enabled")
    sides = [(gap["right"] - gap["left"], gap["bottom"] - gap["top"]) for gap in gaps]
    return len(gaps) == cards + 1 and min(map(min, sides)) >= LEAST_TARGET


@pytest.mark.parametrize(("cards", "language"), [(3, "de"), *LONG_ROWS])
def test_rows_up_to_forty_cards_and_their_reveals_are_in_sight_and_every_gap_can_be_pressed(
    browser: Browser, server: Server, cards: int, language: str
) -> None:
    """In the reveal all pictures, shares and the colour, too; from 768 px on every card is where it lay."""
    seat = long_row(server, cards, LONG_NAMES)
    with checked_contexts(browser, server.url) as new:
        page = sit_at(new(locale=language), seat)
        before = {}
        for size in LEAST:
            resized(page, size)
            before[size] = lies(page, "#row [data-card]")
            row = sight(page, "#row [data-card]")
            assert [card["whole"] for card in row] == [True] * cards, size
            assert not any(overlap(one, other) for one, other in pairwise(row)), size
            assert [bar["whole"] for bar in sight(page, ".colour-bar")] == [True], size
            assert gaps_can_be_pressed(page, cards), size
        page.locator("#doubt").click()
        page.locator("#ask-doubt button[value=yes]").click()
        expect(page.locator("#reveal .turned:not(.veiled)")).to_have_count(cards)
        falls = page.evaluate("fetch(`/api/tables/${location.pathname.split('/')[2]}`).then((got) => got.json())")
        for size in LEAST:
            resized(page, size)
            parts = ((".colour-bar", 1), (".turned .picture img", cards), (".share", cards), ("[data-do=go-on]", 1))
            for part, count in parts:
                assert [each["whole"] for each in sight(page, f"#reveal {part}")] == [True] * count, (size, part)
            assert len(sight(page, "#reveal .fall .fall-mark")) == len(falls["last_doubt"]["falls"]), size
            expect(page.locator("#reveal .verdict b")).to_be_in_viewport(ratio=1)
            if size[0] >= 768:
                assert lies(page, "#reveal .turned .picture img") == before[size], size


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)], ids=["phone", "laptop"])
def test_with_text_twice_as_large_everything_is_still_in_sight(
    pages: dict[tuple[int, str], Page], size: tuple[int, int]
) -> None:
    page = pages[6, "de"]
    resized(page, size)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    settle(page)
    assert too_wide(page) == 0
    for what, count in (("#row [data-card]", 6), (".colour-bar", 1), (".player", 4), ("#next img", 1), (".turn", 1)):
        assert [each["whole"] for each in sight(page, what)] == [True] * count, what
    for above, below in ((".player >> nth=0", ".colour-bar"), (".colour-bar", "#next img")):
        upper, lower = (page.locator(each).bounding_box() for each in (above, below))
        assert upper
        assert lower
        assert upper["y"] + upper["height"] <= lower["y"] + 1, (above, below)
    page.locator("#doubt").scroll_into_view_if_needed()
    expect(page.locator("#doubt")).to_be_in_viewport()
    page.locator(".gap[data-gap='2']").click()
    settle(page)
    seen = ".opened img, #next img" if size[0] >= 1024 else ".neighbour img, #next img"
    assert [card["whole"] for card in sight(page, seen)] == [True] * (2 if size[0] >= 1024 else 3)
    for choice in ("place", "take-back"):
        expect(page.locator(f".confirm [data-do={choice}]")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.evaluate("document.documentElement.style.fontSize = ''")
