"""Every page can be rendered in every language, and so can every text of the printed deck."""

from collections.abc import Iterator

import pytest
from harness.pseudo_language import serving
from httpx import Client

from illusion.deck.output.print_texts import print_texts
from illusion.languages import ENGLISH, languages
from illusion.rules import Variant

HEADINGS = {
    "/": "How much colour can you really see?",
    "/rules": "The rules",
    "/tutorial": "That is the whole game",
    "/offline": "No connection",
    "/nothing": "That is not what it looked like",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("pages")) as url, Client(base_url=url, follow_redirects=True) as client:
        yield client


@pytest.mark.parametrize("code", languages())
def test_pages_are_rendered(client: Client, code: str) -> None:
    language = languages()[code]
    for path, heading in HEADINGS.items():
        page = client.get(path, headers={"accept-language": code})
        assert f'<html lang="{code}" dir="{language.direction}"' in page.text
        assert f">{language.gettext(heading)}</h1>" in page.text


@pytest.mark.parametrize("code", languages())
def test_a_table_is_rendered(client: Client, code: str) -> None:
    headers = {"accept-language": code, "origin": str(client.base_url).rstrip("/")}
    played = client.post("/play-now", data={"name": "Ana"}, headers=headers)
    assert languages()[code].gettext("Show the pictures") in played.text


@pytest.mark.parametrize("variant", Variant)
def test_every_variant_has_a_name_and_a_sentence(client: Client, variant: Variant) -> None:
    home = client.get("/").text
    assert home.count(f'<option value="{variant}"') == 2  # to invite others, to pass the device around
    headers = {"origin": str(client.base_url).rstrip("/")}
    table = client.post("/invite", data={"name": "Ana", "seats": "2", "variant": variant}, headers=headers)
    assert table.status_code == 200
    assert f'<option value="{variant}" selected>' in table.text


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH.code])
def test_nothing_is_printed_in_english(code: str) -> None:
    texts, english = print_texts(languages()[code], 7), print_texts(ENGLISH, 7)
    assert texts.deck != english.deck
    assert not set(texts.how) & set(english.how)
    assert not {words for _, words in texts.rules} & {words for _, words in english.rules}
