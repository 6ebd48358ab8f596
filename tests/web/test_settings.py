"""Settings are kept in a cookie that the server sets, out of reach of scripts, and hold only what can be chosen."""

from urllib.parse import parse_qs, unquote

import pytest
from harness.servers import Server


def kept(server: Server, form: dict[str, str], cookie: str = "") -> dict[str, str]:
    """The cookies that an answer sets, by their names."""
    headers = {"origin": server.url} | ({"cookie": cookie} if cookie else {})
    answer = server.client().post("/settings", data=form, headers=headers)
    assert answer.status_code == 204
    lines = answer.headers.get_list("set-cookie")
    assert all("HttpOnly" in line and "SameSite=lax" in line and "Max-Age=31536000" in line for line in lines)
    return dict(line.partition(";")[0].split("=", 1) for line in lines)


def test_a_choice_is_kept_beside_those_made_before(server: Server) -> None:
    first = kept(server, {"palette": "texture"})
    assert first.keys() == {"settings"}
    second = kept(server, {"theme": "dark"}, f"settings={first['settings']}")
    page = server.client().get("/", headers={"cookie": f"settings={second['settings']}"}).text
    assert 'data-palette="texture"' in page
    assert 'data-theme="dark"' in page


@pytest.mark.parametrize("form", [{}, {"nonsense": "1"}, {"settings": "theme=dark"}])
def test_what_is_no_setting_sets_nothing(server: Server, form: dict[str, str]) -> None:
    assert kept(server, form) == {}


def test_a_value_that_cannot_be_chosen_counts_as_none(server: Server) -> None:
    chosen = parse_qs(unquote(kept(server, {"theme": "pink\r\nset-cookie: x=1"})["settings"]))
    assert chosen["theme"] == ["system"]


def test_a_name_is_kept_as_long_as_a_name_can_be(server: Server) -> None:
    assert kept(server, {"name": "  Łukasz  "})["name"] == "%C5%81ukasz"
    assert kept(server, {"name": "x" * 3000})["name"] == "x" * 24
