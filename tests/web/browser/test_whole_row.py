"""The whole row is in sight on every screen, its cards as large as promised, and so is the colour that counts.

tests/js/fitting.test.js reckons the same for all lengths of a row, from the room that these pages leave for it.
"""

from collections.abc import Callable
from itertools import pairwise, product

import pytest
from harness.browser.chromium import PHONE, settle
from harness.browser.page_checks import too_wide
from harness.servers import Server
from harness.sweeps import sweep
from harness.tables.rows import LONG_NAMES, long_row, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]

COUNTS = (3, 6, 10, 15)
CASES = sweep([(3, "pl"), (15, "de"), (40, "de")], list(product((*COUNTS, 16, 20, 30, 40), ("de", "pl"))))
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


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    across = one["left"] < other["right"] and other["left"] < one["right"]
    return across and one["top"] < other["bottom"] and other["top"] < one["bottom"]


def all_in_sight(page: Page, parts: dict[str, int], where: object) -> None:
    for part, count in parts.items():
        assert [each["whole"] for each in sight(page, part)] == [True] * count, (where, part)


def lies(page: Page, what: str) -> list[tuple[int, int, int]]:
    return [(round(card["left"]), round(card["top"]), round(card["width"])) for card in sight(page, what)]


@pytest.mark.parametrize(("cards", "language"), CASES)
def test_a_row_and_its_reveal_are_in_sight_and_what_can_be_pressed_there(
    new_context: New, server: Server, cards: int, language: str
) -> None:
    """In the reveal all pictures, shares and the colour, too; from 768 px on every card is where it lay."""
    seat = long_row(server, cards, LONG_NAMES)
    page = sit_at(new_context(locale=language), seat)
    lay = {}
    for size, least in LEAST.items():
        resized(page, size)
        lay[size] = lies(page, "#row [data-card]")
        row = sight(page, "#row [data-card]")
        assert not any(overlap(one, other) for one, other in pairwise(row)), size
        all_in_sight(page, {"#row [data-card]": cards, ".colour-bar": 1}, size)
        gaps = sight(page, ".gap:enabled")
        sides = [(gap["right"] - gap["left"], gap["bottom"] - gap["top"]) for gap in gaps]
        assert len(gaps) == cards + 1
        assert min(map(min, sides)) >= LEAST_TARGET, size
        assert rightmost_plus(page) <= size[0]
        if cards in COUNTS:
            assert min(card["width"] for card in row) >= least[COUNTS.index(cards)], size
            laid = min(len(LONG_NAMES) - 1, cards - 1)
            parts = {"#next img": 1, ".turn": 1, "#doubt": 1, ".happened .laid": laid, ".happened [data-do=replay]": 1}
            all_in_sight(page, parts, size)
            if cards >= 10:  # fewer are large enough without a lens
                a_lens_covers_nothing_that_counts(page, size)
            the_next_card_stands_between_its_neighbours(page, size)
            the_colour_is_in_sight_in_the_zoom(page, size)
    if cards in COUNTS:
        on_a_television(new_context, seat.table, cards)
    page.locator("#doubt").click()
    page.locator("#ask-doubt button[value=yes]").click()
    expect(page.locator("#reveal .turned:not(.veiled)")).to_have_count(cards)
    falls = len(seat.view()["last_doubt"]["falls"])
    for size in LEAST:
        resized(page, size)
        parts = {".colour-bar": 1, ".turned .picture img": cards, ".share": cards, "[data-do=go-on]": 1}
        all_in_sight(page, {f"#reveal {part}": count for part, count in parts.items()}, size)
        assert len(sight(page, "#reveal .fall .fall-mark")) == falls, size
        expect(page.locator("#reveal .verdict b")).to_be_in_viewport(ratio=1)
        if size[0] >= 768:
            assert lies(page, "#reveal .turned .picture img") == lay[size], size


def rightmost_plus(page: Page) -> float:
    """Where the last sign of a gap ends; its box may cross the edge of the screen."""
    ends: list[float] = page.locator(".gap:enabled, .twin:visible").evaluate_all(
        """all => all.map((each) => {
          const sign = getComputedStyle(each, '::before');
          return each.getBoundingClientRect().left + parseFloat(sign.left) + parseFloat(sign.width);
        })"""
    )
    return max(ends)


def a_lens_covers_nothing_that_counts(page: Page, size: tuple[int, int]) -> None:
    """Neither the card nor the next one nor the colour."""
    for card in (sight(page, "#row [data-card]")[at] for at in (0, -1)):
        page.mouse.move((card["left"] + card["right"]) / 2, (card["top"] + card["bottom"]) / 2)
        page.locator(".lens").wait_for()
        [shown] = sight(page, ".lens")
        for other in (card, *sight(page, "#next img, .colour-bar")):
            assert covered(other, shown) < 0.03, (size, card, other)
        page.mouse.move(1, 1)
        expect(page.locator(".lens")).to_have_count(0)


def covered(one: dict[str, float], other: dict[str, float]) -> float:
    """How much of the one is behind the other."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return max(0, across) * max(0, down) / ((one["right"] - one["left"]) * (one["bottom"] - one["top"]))


def on_a_television(new_context: New, table: str, cards: int) -> None:
    page = new_context(ViewportSize(width=TELEVISION[0], height=TELEVISION[1]), locale="de").new_page()
    page.goto(f"/watch/{table}")
    expect(page.locator("#row [data-card]")).to_have_count(cards)
    settle(page)
    parts = {"#row [data-card]": cards, ".colour-bar": 1, "#next img": 1, ".turn": 1, ".join .code": 1}
    all_in_sight(page, parts, TELEVISION)
    assert min(card["width"] for card in sight(page, "#row [data-card]")) >= ON_TELEVISION[COUNTS.index(cards)]
    page.close()


def the_next_card_stands_between_its_neighbours(page: Page, size: tuple[int, int]) -> None:
    """Beside the row as large as there is room; on wide screens in the row, and large only where that enlarges it."""
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
    if size[0] < 1024 or len(trio) > 1:
        assert [card["whole"] for card in trio] == [True] * 3, size
        assert [card["left"] for card in trio] == sorted(card["left"] for card in trio), size
        assert len({round(card["width"]) for card in trio}) == 1, size
        least = 1.25 * sight(page, "#row [data-card]")[0]["width"] if size[0] >= 1024 else min(size) / 5
        assert trio[0]["width"] >= least - 1, size
    page.keyboard.press("Escape")
    expect(page.locator(".gap.chosen")).to_have_count(0)


def the_colour_is_in_sight_in_the_zoom(page: Page, size: tuple[int, int]) -> None:
    page.keyboard.press("n")
    expect(page.locator("#zoom")).to_be_visible()
    all_in_sight(page, {"#zoom .colour-bar": 1, "#zoom img": 1}, size)
    page.keyboard.press("Escape")
    expect(page.locator("#zoom")).to_be_hidden()


def test_a_line_that_breaks_begins_with_an_echo_and_its_gap_is_shown_at_both_ends(
    new_context: New, server: Server
) -> None:
    page = sit_at(new_context(PHONE), long_row(server, 15, LONG_NAMES))
    settle(page)
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


def test_with_text_twice_as_large_everything_is_still_in_sight(new_context: New, server: Server) -> None:
    page = sit_at(new_context(locale="de"), long_row(server, 6, LONG_NAMES))
    for size in ((390, 844), (1366, 768)):
        resized(page, size)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        settle(page)
        assert too_wide(page) == 0
        all_in_sight(page, {"#row [data-card]": 6, ".colour-bar": 1, ".player": 4, "#next img": 1, ".turn": 1}, size)
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
