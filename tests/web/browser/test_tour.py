"""One walk through every page and every state of a table, in a real browser, at which all checks look.

The walk itself is in the pseudo language, so that texts which scripts put together on the way are seen, too. At each
stop the page is then shown in two languages whose texts are long, in `make faults` in all.
"""

import re
from collections import defaultdict

import pytest
from harness.browser.chromium import DESK, SCREENS, SMALL, checked_contexts
from harness.browser.layout import layout_breaks
from harness.browser.page_checks import accessibility_problems, too_faint, too_small
from harness.browser.tour import Stop, tour
from harness.sweeps import sweep
from playwright.sync_api import Browser, BrowserContext

from illusion.languages import languages
from tests.web.browser.pseudo_language import PSEUDO, serving, unmarked, unmarked_texts

Findings = dict[str, list[str]]

LOOKED_AT = sweep(("de", "pl"), tuple(languages()))
ON_EVERY_SCREEN = sweep(("de",), ("de", "pl"))
"""Languages with long words; the others are looked at on the smallest screen, where a text breaks first."""


@pytest.fixture(scope="module")
def findings(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """What was found on the whole walk, by kind; layouts by language."""
    found: Findings = defaultdict(list)
    with (
        serving(tmp_path_factory.mktemp("tour"), {**languages(), PSEUDO.code: PSEUDO}) as url,
        checked_contexts(browser, url) as new,
    ):

        def new_speaking() -> BrowserContext:
            return new(locale=PSEUDO.code)

        for stop in tour(new_speaking):
            look(stop, found)
            found["stops"].append(stop.name)
        page = new_speaking().new_page()
        for address in ("/language", "/api/tables/nowhere1"):
            page.goto(address)
            texts = page.locator("p.lead, pre").all_inner_texts()
            found["unmarked"] += [f"{address}: {text}" for text in texts if "⟦" not in text]
    return found


def look(stop: Stop, found: Findings) -> None:
    """All checks at one stop; in the languages also at those before it that are on the way."""
    found["unmarked"] += [f"{stop.name}: {text}" for text in unmarked_texts(stop.page)]
    found["accessibility"] += [f"{stop.name} {problem}" for problem in accessibility_problems(stop.page)]
    if not stop.steps:
        return
    for language in LOOKED_AT:
        stop.load(language)
        assert stop.page.locator("html").get_attribute("lang") == language
        sizes = SCREENS if language in ON_EVERY_SCREEN else (SMALL,)
        for name, step in stop.steps:
            step()
            found[f"{language} stops"].append(name)
            found[language] += [f"{name} {problem}" for problem in layout_breaks(stop.page, sizes)]
            if name == "settings":
                found["targets"] += [f"{language}: {problem}" for problem in too_small(stop.page)]
    stop.page.set_viewport_size(DESK)
    if stop.is_left:
        stop.use_language(PSEUDO.code)
    else:
        stop.speak(PSEUDO.code)


def test_axe_and_contrast_are_fine_everywhere(findings: Findings) -> None:
    assert not findings["accessibility"], "\n".join(findings["accessibility"])


@pytest.mark.parametrize("language", LOOKED_AT)
def test_no_layout_breaks(findings: Findings, language: str) -> None:
    assert not findings[language], "\n".join(findings[language])


def test_every_setting_is_large_enough_for_a_finger(findings: Findings) -> None:
    assert not findings["targets"], "\n".join(findings["targets"])


def test_every_text_of_every_page_is_marked(findings: Findings) -> None:
    assert not findings["unmarked"], "\n".join(dict.fromkeys(findings["unmarked"]))


def test_the_walk_saw_every_stop_once_in_each_of_these_languages(findings: Findings) -> None:
    assert len(findings["stops"]) == len(set(findings["stops"])) >= 30
    for language in LOOKED_AT:
        assert findings[f"{language} stops"] == findings["stops"]


def test_an_unmarked_text_would_be_found() -> None:
    known = re.compile("Ana|Illusion")
    for text in ("Play now", "⟦bot, ⟦keen⟧⟧ too", "⟦Your turn⟧ · Table · Illusion", "Anabel"):
        assert unmarked(text, known), text
    for text in ("⟦Play now⟧", "⟦bot, ⟦keen⟧⟧", "⟦Your turn⟧ · Illusion", "Ana", "12 / 98 %", "⟦Ana laid a card⟧"):
        assert not unmarked(text, known), text


def test_every_other_fault_would_be_found(browser: Browser) -> None:
    """A page with one planted fault for each check."""
    page = browser.new_context(viewport=DESK).new_page()
    page.set_content(
        "<!doctype html><html lang=en><title>Faults</title><body style='background:#fff'><main><h1>Faults</h1>"
        "<img src='data:,'><p style='color:#bbb'>faint</p><button>tiny</button>"
        "<div style='width:420px'>wide</div><div style='width:60px;border:1px solid;white-space:nowrap'>"
        "longer than its box</div></main><dialog aria-label=Fault><img class=within src='data:,'></dialog>"
    )
    assert len(too_faint(page)) == 1
    assert len(too_small(page)) == 1
    problems = accessibility_problems(page)
    assert any("image-alt" in problem for problem in problems)
    assert any("dark: color-contrast" in problem for problem in problems)
    assert any("by setting: faint" in problem for problem in problems)
    breaks = layout_breaks(page)
    assert any("320: div. from" in told for told in breaks)
    assert any("“longer than its box” leaves" in told for told in breaks)
    page.evaluate("document.querySelector('dialog').showModal()")
    problems = accessibility_problems(page)
    assert any("image-alt" in problem and ".within" in problem for problem in problems)
    page.context.close()
