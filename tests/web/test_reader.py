"""What a device keeps of its reader in cookies: language, settings, name. It holds what can be chosen, and no more."""

import re
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from illusion.web.reader import CHOICES


def home(client: TestClient, cookie: str) -> str:
    return client.get("/", headers={"cookie": cookie}).text


def test_nobody_is_sent_to_another_site(client: TestClient) -> None:
    client.follow_redirects = False
    rude = ("//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example", "/\t/evil.example")
    for elsewhere in (*rude, "evil", ""):
        switched = client.post("/language", data={"language": "de", "back": elsewhere})
        assert (switched.status_code, switched.headers["location"]) == (303, "/"), elsewhere


def test_an_unknown_language_is_refused_and_never_used(client: TestClient) -> None:
    for code in ("tlh", "en-XA", "", "../de", "DE"):
        refused = client.post("/language", data={"language": code})
        assert refused.status_code == 400
        assert "set-cookie" not in refused.headers
        assert '<html lang="en" dir="ltr"' in home(client, f"language={code}")


def test_a_page_hears_refusals_in_its_language(client: TestClient) -> None:
    table = client.post("/api/tables", json={"name": "Ana"}).json()["table"]
    sent = {"accept-language": "tlh, de;q=0.5", "cookie": ""}
    with client.websocket_connect(f"ws://x/table/{table}/live?after=9", headers=sent) as page:
        page.send_json({"move": "doubt", "seq": 1})
        problem = page.receive_json()["problem"]
    assert problem["code"] == "no-token"
    assert problem["detail"].startswith("Sag, wer du bist")


@pytest.mark.parametrize(
    "cookie", ["", "palette=pink&theme", "%%%", "palette=texture&palette=" + "x" * 3000, "theme=dark"]
)
def test_a_cookie_that_cannot_be_read_is_no_choice(client: TestClient, cookie: str) -> None:
    html = home(client, f"settings={cookie}")
    for name, possible in CHOICES.items():
        found = re.search(f'<html[^>]* data-{name}="([^"]*)"', html)
        assert found
        assert found[1] == ("dark" if (name, cookie) == ("theme", "theme=dark") else possible[0])


def test_the_name_used_last_is_kept_and_offered_as_long_as_a_name_can_be(client: TestClient) -> None:
    owl = "\N{OWL}"
    for kept, offered in (("Ana", "Ana"), (owl * 24, owl * 24), ("x" * 9000, "x" * 24), (owl * 500, owl * 24)):
        assert f'value="{offered}"' in home(client, f"name={quote(kept)}")
    assert client.post("/settings", data={"name": "x" * 3000}, follow_redirects=False).cookies["name"] == "x" * 24
