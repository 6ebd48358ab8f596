"""Every page can be rendered in every language, and so can every text of the printed deck."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from harness.browser.pseudo_language import serving
from httpx import Client
from tools.messages import KEYWORDS, METHODS, OPTIONS, SOURCE

from illusion.deck.print_texts import print_texts
from illusion.languages import ENGLISH, languages
from illusion.rules import Variant
from illusion.web.pages import marked
from illusion.web.pages.static import STATIC


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("pages")) as url, Client(base_url=url, follow_redirects=True) as client:
        yield client


def data_of(page: str, name: str) -> Any:
    """A piece of JSON that a page has for its scripts."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("code", languages())
def test_a_table_has_the_texts_of_its_scripts(client: Client, code: str) -> None:
    headers = {"accept-language": code, "origin": str(client.base_url).rstrip("/")}
    played = client.post("/play-now", data={"name": "Ana"}, headers=headers)
    texts = data_of(played.text, "texts")
    told = {text: languages()[code].gettext(text) for text in marked("table")}
    assert {text: texts.get(text, text) for text in told} == told  # scripts show a text that is not there as it is
    assert texts.keys() <= told.keys()
    assert data_of(played.text, "names")["colours"]["red"] == languages()[code].gettext("red")


def test_a_page_gives_its_scripts_every_text_that_they_mark_and_no_other() -> None:
    """A page finds the marks by a pattern, the catalogues by Babel's grammar of JavaScript: both find the same."""
    scripts = [(pattern, method) for pattern, method in METHODS if method == "javascript"]
    found = extract_from_dir(SOURCE, scripts, OPTIONS, KEYWORDS)
    pages = (path.stem for path in (STATIC / "js" / "pages").glob("*.js"))
    assert {text for _, _, text, _, _ in found} == set().union(*map(marked, pages))
    assert len(marked("table")) > 80


@pytest.mark.parametrize("variant", Variant)
def test_every_variant_has_a_name_and_a_sentence(client: Client, variant: Variant) -> None:
    home = client.get("/").text
    assert home.count(f'<option value="{variant}"') == 2  # to invite others, to pass the device around
    headers = {"origin": str(client.base_url).rstrip("/")}
    table = client.post("/invite", data={"name": "Ana", "seats": "2", "variant": variant}, headers=headers)
    assert table.status_code == 200
    assert data_of(table.text, "page")["view"]["variant"] == variant
    names = data_of(table.text, "names")
    assert names["variants"][variant]
    assert names["variantSentences"][variant]


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH.code])
def test_nothing_is_printed_in_english(code: str) -> None:
    texts, english = print_texts(languages()[code], 7), print_texts(ENGLISH, 7)
    assert texts.deck != english.deck
    assert not set(texts.how) & set(english.how)
    assert not {words for _, words in texts.rules} & {words for _, words in english.rules}
