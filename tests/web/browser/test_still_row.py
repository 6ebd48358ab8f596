"""Every frame is looked at: on wide screens the row opens at the chosen gap, and nothing else moves; a row is turned
over where it lies, the arrow flies to its taker, and the next round begins behind a curtain."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from harness.browser.chromium import settle
from harness.browser.page_checks import COUNT_SHIFTS
from harness.browser.people import by_mouse, cards_in_row, read_the_reveal
from harness.servers import Server, play_on
from harness.sweeps import sweep
from harness.tables.rows import LONG_NAMES, long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]

SMALL, LARGE = (1024, 768), (1440, 900)
CASES = sweep(
    [(6, LARGE, "no-preference"), (30, SMALL, "reduce")],
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


_ROUND = """
window.round = [];
const look = () => {
  const curtain = document.querySelector('.curtain');
  const first = document.querySelector('#row .look');
  window.round.push({
    at: performance.now(),
    curtain: curtain ? Number(getComputedStyle(curtain).opacity) : 0,
    cards: document.querySelectorAll('#row [data-card]').length,
    seen: first ? Number(getComputedStyle(first).opacity) : 0,
  });
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "desk"])
def test_nothing_shifts_the_row_is_turned_over_where_it_lies_the_arrow_flies_to_its_taker_and_a_round_begins(
    new_context: New, server: Server, size: tuple[int, int]
) -> None:
    """By the browser's own measure: cumulative layout shift is 0, from the first frame on."""
    context = new_context(ViewportSize(width=size[0], height=size[1]), reduced_motion="no-preference")
    context.add_init_script(COUNT_SHIFTS)
    seat = long_row(server, 2, LONG_NAMES)
    seats = seats_at(seat)
    page = sit_at(context, seat)
    by_mouse(page, doubting=False)
    for cards in (3, 4):
        expect(cards_in_row(page)).to_have_count(cards)
        page.wait_for_timeout(600)  # longer than a shift after a press is forgiven, and than cards glide
        if cards == 3:
            play_on(seats, 1, row=4)
    settle(page)
    lay = page.locator("#row [data-card]").evaluate_all("all => all.map((each) => each.getBoundingClientRect().left)")
    page.evaluate(_FLIGHT)
    play_on(seats, 1, row=4)
    expect(page.locator("#reveal.done")).to_be_visible()
    assert_turned_over_where_it_lay_and_the_arrow_flew(page.evaluate("window.flight"), lay, size[0])
    expect(page.locator("#reveal .players .mini:not(.empty)")).to_have_count(1)
    page.evaluate(_ROUND)
    play_on(seats, 1, row=4)
    read_the_reveal(page)
    expect(cards_in_row(page)).to_have_count(2)
    assert_the_curtain_then_the_deal_and_the_first_card_alone(page.evaluate("window.round"))
    settle(page)
    assert page.evaluate("window.shifts") == []


def assert_turned_over_where_it_lay_and_the_arrow_flew(flight: list[Any], lay: list[float], wide: int) -> None:
    seen = [frame for frame in flight if frame["cards"]]
    if wide >= 768:
        settled = [frame["cards"] for frame in seen if len(frame["cards"]) == len(lay)]
        for card, left in enumerate(lay):
            places = [cards[card] for cards in settled]
            most = max(abs(place[0] - left) for place in places)
            assert most <= 0.06 * places[0][2]  # they come forward before a fall
    path = [frame["arrow"] for frame in seen if frame["arrow"]]
    assert len(path) > 5
    slot = [frame["slot"] for frame in seen if frame["slot"]][-1]
    assert path[0][2] > 3 * path[-1][2]  # large, and then as small as a slot
    if wide < 768:
        assert path[0][0] + path[0][2] / 2 == pytest.approx(wide / 2, abs=6), "it begins in the middle of the screen"
    assert abs(path[-1][0] + path[-1][2] / 2 - slot[0] - slot[2] / 2) < 40
    assert abs(path[-1][1] - slot[1]) < 40


def assert_the_curtain_then_the_deal_and_the_first_card_alone(frames: list[Any]) -> None:
    dealt = [frame for frame in frames if frame["cards"] == 1]
    assert dealt[0]["curtain"] > 0.9  # nobody sees the rows change places
    assert all(frame["seen"] < 0.1 for frame in dealt if frame["curtain"] > 0.9)
    not_yet = [frame for frame in dealt if frame["seen"] <= 0.95 or frame["curtain"]][-1]
    second = next(frame for frame in frames if frame["cards"] == 2)
    assert second["at"] - not_yet["at"] >= 1100  # whole for so long, however few frames a busy machine draws
