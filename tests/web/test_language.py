"""The reader's language over the wire: chosen, remembered, and the same for pages, streams and errors."""

import pytest
from harness.servers import Server, opened
from harness.sockets.page import Page

from illusion.languages import languages


@pytest.mark.parametrize("code", languages())
def test_the_browser_says_which_language(server: Server, code: str) -> None:
    page = server.client().get("/", headers={"accept-language": f"tlh, {code};q=0.5"})
    assert f'<html lang="{code}" dir="{languages()[code].direction}"' in page.text
    assert languages()[code].gettext("Open a table") in page.text


def test_a_language_once_chosen_stays_and_the_page_comes_back_at_once(server: Server) -> None:
    client = server.client()
    switched = client.post("/language", data={"language": "pl", "back": "/?code=abcd2345"})
    assert (switched.status_code, switched.headers["location"]) == (303, "/?code=abcd2345")
    cookie = switched.headers["set-cookie"]
    assert cookie.startswith("language=pl;")
    assert "Max-Age=31536000" in cookie
    assert "SameSite=lax" in cookie
    page = client.get("/", headers={"accept-language": "de"})
    assert "Zagraj teraz" in page.text


@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "evil", ""],
)
def test_nobody_is_sent_to_another_site(server: Server, elsewhere: str) -> None:
    switched = server.client().post("/language", data={"language": "de", "back": elsewhere})
    assert (switched.status_code, switched.headers["location"]) == (303, "/")


@pytest.mark.parametrize("code", ["tlh", "en-XA", "", "../de", "DE"])
def test_an_unknown_language_is_refused_and_never_used(server: Server, code: str) -> None:
    client = server.client()
    refused = client.post("/language", data={"language": code}, headers={"accept-language": "de"})
    assert refused.status_code == 400
    assert "Diese Anfrage ist nicht lesbar: diese Sprache gibt es nicht." in refused.text
    assert "set-cookie" not in refused.headers
    client.cookies.set("language", code)
    assert '<html lang="en" dir="ltr"' in client.get("/").text


def test_the_language_switch_on_a_form_error_returns_to_a_page_with_an_address(server: Server) -> None:
    client = server.client()
    assert 'name="back" value="/api/docs"' in client.get("/api/docs").text
    assert 'name="back" value="/nothing?a=1&amp;b=2"' in client.get("/nothing?a=1&b=2").text
    refused = client.post("/join", data={"code": "nowhere1", "name": "Ana"})
    assert 'name="back" value="/?code=nowhere1"' in refused.text


def test_the_same_bytes_for_everybody_and_refusals_in_their_language(server: Server) -> None:
    """What happens is told to all in the same bytes, for pages to translate; a refusal is a sentence for one reader."""
    seats = opened(server)
    assert seats[0].post("start").status_code == 200
    sent, said = [], []
    for asked in ("de", "pl"):
        with Page(server, seats[0].table, after=0, headers={"accept-language": asked}) as page:
            page.message()
            sent.append(page.frames)
            said.append(page.send({"move": "doubt", "seq": 1})["problem"])
    assert sent[0][0] == sent[1][0]
    assert [problem["code"] for problem in said] == ["no-token", "no-token"]
    assert said[0]["detail"].startswith("Sag, wer du bist")
    assert said[0]["detail"] != said[1]["detail"]
