"""On wide screens the row opens at the chosen gap, and nothing else moves: every frame is looked at."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from harness.browser.chromium import settle
from harness.browser.people import cards_in_row
from harness.servers import Server
from harness.sweeps import sweep
from harness.tables.rows import LONG_NAMES, long_row, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]

SMALL, LARGE = (1024, 768), (1440, 900)
CASES = sweep(
    [(2, SMALL, "reduce"), (6, LARGE, "no-preference"), (11, LARGE, "reduce"), (30, SMALL, "no-preference")],
    list(product((2, 6, 11, 20, 30), (SMALL, LARGE), ("no-preference", "reduce"))),
)

WATCH = """() => {
  window.frames = [];
  const look = () => {
    const cards = [...document.querySelectorAll('#row [data-card]')];
    window.frames.push(Object.fromEntries(cards.map((card) => {
      const { left, top, width } = card.getBoundingClientRect();
      return [card.dataset.card, [left, top, width]];
    })));
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes in every frame where each card of the row is, and how wide."""

LOOK_FOR_EMPTY_CARDS = """
window.empty = 0;
const look = () => {
  const cards = [...document.querySelectorAll('img[data-picture][src]')];
  window.empty += cards.filter((card) => !card.complete || !card.naturalWidth).length;
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Counts images of cards that are shown before their picture is there; an init script."""

Frames = list[dict[str, list[float]]]


def frames(page: Page) -> Frames:
    seen: Frames = page.evaluate("window.frames.splice(0)")
    return seen


def most_moved(seen: Frames) -> tuple[float, float]:
    """How far any card was from its first place, in its own widths, and by how much its size changed."""
    first = seen[0]
    shifts = [
        (((now[0] - was[0]) ** 2 + (now[1] - was[1]) ** 2) ** 0.5 / was[2], abs(now[2] / was[2] - 1))
        for frame in seen
        for card, now in frame.items()
        if (was := first.get(card))
    ]
    return max(shift for shift, _ in shifts), max(change for _, change in shifts)


@pytest.mark.parametrize(("cards", "size", "motion"), CASES)
def test_from_a_press_on_a_gap_to_the_placed_card_the_row_only_opens(
    new_context: New, server: Server, cards: int, size: tuple[int, int], motion: Any
) -> None:
    seat = long_row(server, cards, LONG_NAMES)
    context = new_context(ViewportSize(width=size[0], height=size[1]), reduced_motion=motion)
    context.add_init_script(LOOK_FOR_EMPTY_CARDS)
    page = sit_at(context, seat)
    settle(page)
    page.evaluate(WATCH)
    new = page.locator("#next img").get_attribute("data-picture") or ""
    for gap in (0, cards // 2, cards):
        page.locator(f".gap[data-gap='{gap}']").click(position={"x": 8, "y": 8}, force=True)
        page.wait_for_timeout(300)
        assert page.locator(".opened img").bounding_box() != page.locator("#next img").bounding_box()
        page.locator("[data-do=take-back]").click()
        page.wait_for_timeout(300)
    page.locator(".gap[data-gap='1']").click(position={"x": 8, "y": 8}, force=True)
    page.wait_for_timeout(300)
    settle(page)
    stands = page.locator(".opened img").bounding_box()
    page.locator("[data-do=place]").click()
    expect(cards_in_row(page)).to_have_count(cards + 1)
    lies = page.locator(f"#row [data-card='{new}']").bounding_box()
    assert stands
    assert lies == pytest.approx(stands, abs=1)
    shift, change = most_moved(frames(page))
    assert 0.2 < shift <= 0.51, "half a card at most, and it did open"
    assert change <= 0.15
    assert page.evaluate("window.empty") == 0


_FLIGHT = """() => {
  window.flight = [];
  const box = (each) => {
    const { left, top, width } = each.getBoundingClientRect();
    return [left, top, width];
  };
  const look = () => {
    const arrow = document.querySelector('#reveal .flying');
    const cards = [...document.querySelectorAll('#reveal .turned:not(.tense) .picture img')].map(box);
    const slot = document.querySelector('#reveal .takes .mini.empty');
    window.flight.push({ arrow: arrow && box(arrow), cards, slot: slot && box(slot) });
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "desk"])
def test_the_row_is_turned_over_where_it_lies_and_the_arrow_flies_into_the_taker_s_slot(
    new_context: New, server: Server, size: tuple[int, int]
) -> None:
    seat = long_row(server, 3, LONG_NAMES)
    page = sit_at(new_context(ViewportSize(width=size[0], height=size[1]), reduced_motion="no-preference"), seat)
    settle(page)
    lay = page.locator("#row [data-card]").evaluate_all("all => all.map((each) => each.getBoundingClientRect().left)")
    page.evaluate(_FLIGHT)
    page.locator("#doubt").click()
    page.locator("#ask-doubt button[value=yes]").click()
    expect(page.locator("#reveal.done")).to_be_visible()
    seen = [frame for frame in page.evaluate("window.flight") if frame["cards"]]
    if size[0] >= 768:
        settled = [frame["cards"] for frame in seen if len(frame["cards"]) == len(lay)]
        for card, left in enumerate(lay):
            places = [cards[card] for cards in settled]
            assert (
                max(abs(place[0] - left) for place in places) <= 0.06 * places[0][2]
            )  # they come forward before a fall
    path = [frame["arrow"] for frame in seen if frame["arrow"]]
    assert len(path) > 5
    slot = [frame["slot"] for frame in seen if frame["slot"]][-1]
    assert path[0][2] > 3 * path[-1][2]  # large, and then as small as a slot
    if size[0] < 768:
        assert path[0][0] + path[0][2] / 2 == pytest.approx(size[0] / 2, abs=6), "it begins in the middle of the screen"
    assert abs(path[-1][0] + path[-1][2] / 2 - slot[0] - slot[2] / 2) < 40
    assert abs(path[-1][1] - slot[1]) < 40
    expect(page.locator("#reveal .players .mini:not(.empty)")).to_have_count(1)
