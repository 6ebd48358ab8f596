"""What a device keeps of its reader in cookies: language, settings, name. It holds what can be chosen, and no more."""

import re
from urllib.parse import quote

import pytest
from harness.servers import Server, opened
from harness.sockets.page import Page

from illusion.web.reader import CHOICES


def home(server: Server, cookie: str) -> str:
    return server.client().get("/", headers={"cookie": cookie}).text


@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "evil", ""],
)
def test_nobody_is_sent_to_another_site(server: Server, elsewhere: str) -> None:
    switched = server.client().post("/language", data={"language": "de", "back": elsewhere})
    assert (switched.status_code, switched.headers["location"]) == (303, "/")


@pytest.mark.parametrize("code", ["tlh", "en-XA", "", "../de", "DE"])
def test_an_unknown_language_is_refused_and_never_used(server: Server, code: str) -> None:
    refused = server.client().post("/language", data={"language": code})
    assert refused.status_code == 400
    assert "set-cookie" not in refused.headers
    assert '<html lang="en" dir="ltr"' in home(server, f"language={code}")


def test_a_page_hears_refusals_in_its_language(server: Server) -> None:
    seats = opened(server)
    seats[0].post("start")
    with Page(server, seats[0].table, after=0, headers={"accept-language": "tlh, de;q=0.5"}) as page:
        problem = page.doubt(1)["problem"]
    assert problem["code"] == "no-token"
    assert problem["detail"].startswith("Sag, wer du bist")


@pytest.mark.parametrize(
    "cookie", ["", "palette=pink&theme", "%%%", "palette=texture&palette=" + "x" * 3000, "theme=dark"]
)
def test_a_cookie_that_cannot_be_read_is_no_choice(server: Server, cookie: str) -> None:
    html = home(server, f"settings={cookie}")
    for name, possible in CHOICES.items():
        found = re.search(f'<html[^>]* data-{name}="([^"]*)"', html)
        assert found
        assert found[1] == ("dark" if (name, cookie) == ("theme", "theme=dark") else possible[0])


@pytest.mark.parametrize(
    ("kept", "offered"),
    [(quote("Ana"), "Ana"), (quote("🦉" * 24), "🦉" * 24), ("x" * 9000, "x" * 24), (quote("🦉" * 500), "🦉" * 24)],
)
def test_the_name_used_last_is_offered(server: Server, kept: str, offered: str) -> None:
    assert f'value="{offered}"' in home(server, f"name={kept}")


def test_a_name_is_kept_as_long_as_a_name_can_be(server: Server) -> None:
    answer = server.client().post("/settings", data={"name": "x" * 3000}, headers={"origin": server.url})
    assert answer.cookies["name"] == "x" * 24
