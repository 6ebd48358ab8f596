"""What breaks the layout of a page: anything outside the screen, text outside its box, a revealed row over its verdict.

Where a row touches the edge of the screen, its box cuts off the targets of gaps and the echoes of cards on purpose.
"""

from collections.abc import Sequence
from typing import Final

from playwright.sync_api import Page, ViewportSize

from harness.browser.chromium import SCREENS, SETTLE

_BREAKS: Final = """() => {
  const told = (element) => `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className}`;
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !element.closest('.hide, .skip, template, dialog:not([open])');
  const scrolls = (element) => element && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
    || scrolls(element.parentElement));
  const boxed = (element) => {
    const style = getComputedStyle(element);
    const drawn = parseFloat(style.borderLeftWidth) > 0 || style.backgroundColor !== 'rgba(0, 0, 0, 0)';
    return drawn && style.display !== 'inline';
  };
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} wide`);
  for (const element of document.body.querySelectorAll('*')) {
    if (!seen(element) || element.ownerSVGElement) continue; // a drawing cuts off its shapes
    if (scrolls(element.parentElement) || element.closest('.gap, .twin, .echo')) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width && (left < -1 || right > innerWidth + 1)) found.push(`${told(element)} from ${left} to ${right}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const parent = text.parentElement;
    if (!text.data.trim() || !seen(parent) || getComputedStyle(parent).textOverflow === 'ellipsis') continue;
    let box = parent;
    while (box !== document.body && !boxed(box)) box = box.parentElement;
    const range = document.createRange();
    range.selectNodeContents(text);
    const [inner, outer] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    const out = inner.left < outer.left - 1 || inner.right > outer.right + 1
      || (box.matches('button, a') && (inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1));
    if (out && !scrolls(parent)) found.push(`“${text.data.trim()}” leaves ${told(box)}`);
  }
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  for (const words of boxes('#reveal[open] :is(h2, .verdict b)')) {
    const over = boxes('#reveal :is(.turned .picture, .facts-below, .saw)').filter(({ left, right, top, bottom }) =>
      left < words.right - 1 && words.left < right - 1 && top < words.bottom - 1 && words.top < bottom - 1);
    if (over.length) found.push(`${over.length} parts of the row lie over the verdict`);
  }
  return found;
}"""


_LOOK: Final = f"async () => {{ await ({SETTLE})(); return ({_BREAKS})(); }}"


def layout_breaks(page: Page, sizes: Sequence[ViewportSize] = SCREENS) -> list[str]:
    """Elements left or right of the screen and texts outside their box, unless they can be scrolled into view.

    On each screen, beginning with the page's own: changing the size of a page is what takes the longest here.
    """
    found = []
    for size in sorted(sizes, key=lambda size: size != page.viewport_size):
        if size != page.viewport_size:
            page.set_viewport_size(size)
        found += [f"{size['width']}: {problem}" for problem in page.evaluate(_LOOK)]
    return found
