"""Nothing is wider than the screen and no text leaves its box: on every page, in every language, on three screens."""

from collections.abc import Callable
from typing import Final

import pytest
from harness.browsers import DESK, PHONE, SETTLED, SMALL
from harness.servers import Server
from harness.tour import tour
from playwright.sync_api import BrowserContext

from illusion.languages import languages

BREAKS: Final = """() => {
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
    if (!seen(element) || scrolls(element.parentElement)) continue;
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
  return found;
}"""


@pytest.mark.parametrize("language", languages())
def test_no_layout_breaks(language: str, new_context: Callable[..., BrowserContext], server: Server) -> None:
    def new() -> BrowserContext:
        context = new_context()
        context.add_cookies([{"name": "language", "value": language, "url": server.url}])
        return context

    broken = []
    for name, page in tour(new):
        for size in (SMALL, PHONE, DESK):
            page.set_viewport_size(size)
            page.evaluate(SETTLED)
            broken += [f"{name} {size['width']}: {told}" for told in page.evaluate(BREAKS)]
    assert not broken, "\n".join(broken)
