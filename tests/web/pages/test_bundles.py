"""Modules are linked into one script: each runs once, after those that it imports."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from illusion.web.pages.static import link

MODULES = {
    "pages/table.js": """import { $, said as told } from '../shared/dom.js';
import {
  draw,
  Row,
} from '../draw/row.js';
import '../shared/types.js';

window.ran.push('table');
await draw($, new Row(), told);
window.ran.push('drawn');
""",
    "pages/every-page.js": "import { $ } from '../shared/dom.js';\n\nwindow.ran.push(`every page ${$}`);\n",
    "draw/row.js": """import { $ } from '../shared/dom.js';

const said = 'not exported'; // a reader's word

export class Row {}

export async function draw(dollar, row, told) {
  window.ran.push(dollar === $, row instanceof Row, told, said);
}
""",
    "shared/dom.js": "export const $ = '$';\nexport const said = 'exported';\nwindow.ran.push('dom');\n",
    "shared/types.js": "export {};\n",
}


def ran(browser: Browser, script: str) -> Any:
    page = browser.new_page()
    try:
        page.set_content(f"<script>window.ran = [];</script><script type=module>{script}</script>")
        page.wait_for_function("window.ran.includes('drawn')")
        return page.evaluate("window.ran")
    finally:
        page.close()


def test_every_module_runs_once_with_what_it_imports(browser: Browser) -> None:
    script = link(MODULES, ["pages/every-page.js", "pages/table.js"])
    assert ran(browser, script) == ["dom", "every page $", "table", True, True, "exported", "not exported", "drawn"]


def test_what_only_readers_need_is_left_out() -> None:
    script = link(MODULES, ["pages/table.js"])
    assert "reader" not in script
    assert "\n " not in script


@pytest.mark.parametrize(
    ("modules", "why"),
    [
        ({"a.js": "export const text = `one\n  two`;\n"}, "runs over several lines"),  # its indentation would be lost
        (
            {"a.js": "import { b } from './b.js';\n", "b.js": "import { a } from './a.js';\n"},
            r"a\.js imports b\.js imports a\.js",
        ),
        ({"a.js": "import * as b from './b.js';\n", "b.js": ""}, "cannot link"),
        ({"a.js": "export default 3;\n"}, "cannot link"),
        ({"a.js": "export { b };\n"}, "cannot link"),
        ({"a.js": "export let c;\n"}, "cannot link"),
    ],
)
def test_what_cannot_be_linked_is_refused(modules: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        link(modules, ["a.js"])
