"""Accessibility checks of a page: axe, the size of targets, contrast, layout shifts, what live regions
say, and where the focus is.
"""

from typing import Any, Final, Literal

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Page, ViewportSize

from harness.browser.chromium import DESK, FINISH, PHONE, SETTLE, settle

COUNT_SHIFTS: Final = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    window.shifts.push(`${value}: ${sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ')}`);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""
"""Collects what the browser counts as layout shifts in `window.shifts`; an init script."""
_TARGETS = """() => {
  const root = document.querySelector('dialog[open]') ?? document;
  return [...root.querySelectorAll('button, a[href], input, select, summary')].flatMap((each) => {
    const isRadio = each.type === 'radio';
    const { width, height } = (isRadio ? each.parentElement : each).getBoundingClientRect();
    const inText = each.matches('p a, p .link') && getComputedStyle(each).display === 'inline';
    const shown = each.checkVisibility({ checkVisibilityCSS: true }) && width > 1;
    if (!shown || each.matches('.skip, :disabled') || inText || (width >= 43.9 && height >= 43.9)) return [];
    return [`${each.outerHTML.slice(0, 90)}: ${width} x ${height}`];
  });
}"""

_FAINT = """() => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const parse = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return { rgb: [r, g, b], alpha: alpha / 255 };
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      const stops = backgroundImage.match(/(?:rgb|rgba|oklab|oklch|color)\\([^()]*\\)/g) ?? [];
      for (const colours of [stops.map(parse), [parse(backgroundColor)]]) {
        if (colours.length && colours.every(({ alpha }) => alpha === 1)) return colours.map(({ rgb }) => rgb);
      }
    }
    return [matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255]];
  };
  const contrast = (text, ground) => {
    const [one, other] = [light(text), light(ground)].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05);
  };
  const root = document.querySelector('dialog[open]') ?? document.body;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    if (!text || element.closest('.hide, :disabled, template, script, style, option')) continue;
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const style = getComputedStyle(element);
    const ratio = Math.min(...grounds(element).map((ground) => contrast(parse(style.color).rgb, ground)));
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return found;
}"""

_THEME: Final = f"""async ({{ other, contrast }}) => {{
  const settle = {SETTLE};
  const finish = {FINISH};
  const faint = {_FAINT};
  const root = document.documentElement;
  await settle();
  const shown = document.querySelector('dialog:modal') ?? document;
  const rules = {{ 'color-contrast': {{ enabled: contrast }} }};
  const {{ violations }} = await axe.run(shown, {{ resultTypes: ['violations'], rules }});
  const places = (nodes) => nodes.map((node) => node.target[0]).join(', ');
  const found = violations.map(({{ id, help, nodes }}) => `${{id}} (${{help}}) at ${{places(nodes)}}`).concat(faint());
  const {{ theme }} = root.dataset;
  root.dataset.theme = other;
  finish();
  found.push(...faint().map((text) => `${{other}} by setting: ${{text}}`));
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  finish();
  return found;
}}"""
"""The setting is changed and taken back before a frame is drawn: contrast is reckoned from computed styles, and no size
changes with a theme."""

_HEAR = """
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target.matches?.('.live')) for (const line of addedNodes) window.hear(line.textContent);
  }
}).observe(document, { childList: true, subtree: true });
"""


LOOKS: Final[tuple[tuple[ViewportSize, Literal["light", "dark"]], ...]] = ((PHONE, "light"), (DESK, "dark"))


def accessibility_problems(page: Page) -> list[str]:
    """What axe and our own contrast check find: on a phone whose system is light, and on a desktop whose is dark."""
    return [problem for size, system in LOOKS for problem in problems_on(page, size, system)]


def problems_on(page: Page, size: ViewportSize, system: Literal["light", "dark"]) -> list[str]:
    """On one screen, where contrast is also reckoned with the other theme as this device's own setting, so that each
    theme is checked on each screen, and each both ways.

    Axe reckons contrast on the desktop alone: that takes three quarters of its time, and finds what hangs on how things
    lie on each other, whatever the theme. Of a page with a modal dialog, the dialog: nobody reaches what is behind it,
    and the page is checked without it, too.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=system, reduced_motion="reduce")
    how = {"other": "dark" if system == "light" else "light", "contrast": size == DESK}
    return [f"{size['width']} {system}: {problem}" for problem in page.evaluate(_THEME, how)]


def too_small(page: Page) -> list[str]:
    """What can be pressed and is less than 44 px wide or high; links within a sentence may be smaller."""
    found: list[str] = page.evaluate(_TARGETS)
    return found


def too_faint(page: Page) -> list[str]:
    """Texts whose contrast is less than WCAG AA asks for."""
    settle(page)
    found: list[str] = page.evaluate(_FAINT)
    return found


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(wide, 0)


def hearing(context: BrowserContext) -> list[str]:
    """Everything the live regions of this person's pages say, as it is said."""
    heard: list[str] = []

    def hear(line: str) -> None:
        heard.append(line)

    context.expose_function("hear", hear)
    context.add_init_script(_HEAR)
    return heard


def focused(page: Page) -> dict[str, Any]:
    """What has the focus, and whether one sees it."""
    found: dict[str, Any] = page.evaluate(
        """() => {
          const at = document.activeElement;
          const shown = at.type === 'radio' ? at.nextElementSibling : at;
          const { outlineStyle, outlineWidth } = getComputedStyle(shown);
          const seen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
          return { id: at.id, what: at.outerHTML.slice(0, 80), seen };
        }"""
    )
    return found
