"""CSRF, security headers and cookies, sizes of requests, and seat tokens that stay secret."""

import math
import re
import socket
from pathlib import Path

import httpx
import pytest
from harness.answers import problem_code
from harness.servers import Server, opened, play_on

from illusion.tables.model.commands import hashed, new_id
from illusion.tables.model.entries import ID_ALPHABET, ID_LENGTH
from illusion.tables.model.table import Sitter, Table
from illusion.web.app import ROUTES
from illusion.web.tokens import MAX_SEAT_COOKIES, parse_tokens

CHANGING = sorted(
    (method, re.sub(r"{\w+:number}", "1", route.path))
    for route in ROUTES
    for method in route.methods or ()
    if method not in ("GET", "HEAD")
)


def own(server: Server) -> dict[str, str]:
    """What a browser says of a page that came from the server itself."""
    return {"origin": server.url}


@pytest.mark.parametrize(("method", "path"), CHANGING)
def test_nothing_is_changed_for_another_site(server: Server, method: str, path: str) -> None:
    host, _ = opened(server, 2)
    at = path.replace("{table}", host.table)
    before = host.view()
    form = {"name": "Eve", "code": host.table}
    name = server.url.removeprefix("http://")
    others = ("http://elsewhere.example", "null", f"{server.url}.elsewhere.example", "http://[", "file://", name)
    for origin in (*others, f"file://{name}", f"javascript://{name}", f"//{name}"):
        answer = host.client.request(method, at, headers={"origin": origin}, data=form)
        assert answer.status_code == 403, origin
        assert "another site" in answer.text
        assert "set-cookie" not in answer.headers
    assert host.view() == before
    assert host.client.request(method, at, headers=own(server), data=form).status_code != 403


def test_under_tls_an_http_origin_is_another_site(behind_proxy: Server) -> None:
    host, _ = opened(behind_proxy, 2)
    tls = {"x-forwarded-proto": "https"}
    at, name = f"/api/tables/{host.table}/start", behind_proxy.url.removeprefix("http://")
    assert problem_code(host.client.post(at, headers={**tls, "origin": f"http://{name}"})) == (403, "foreign-origin")
    assert host.client.post(at, headers={**tls, "origin": f"https://{name}"}).status_code == 200


@pytest.mark.parametrize("host", ["[", "a b", "x" * 300, "a/b", "a:b", "evil.example\\", "[::1"])
def test_a_host_that_is_no_name_is_refused(server: Server, host: str) -> None:
    seat, _ = opened(server, 2)
    for path in ("/", f"/table/{seat.table}"):
        assert seat.client.get(path, headers={"host": host}).status_code == 400
    assert problem_code(seat.client.post("/api/tables", json={"name": "Ana"}, headers={"host": host})) == (
        400,
        "unparsable",
    )


@pytest.mark.parametrize("host", ["illusion.example", "illusion.example:8443", "[2001:db8::1]:80", "a_b", "192.0.2.1"])
def test_a_host_by_any_name_is_served(server: Server, host: str) -> None:
    seat, _ = opened(server, 2)
    page = seat.client.get(f"/table/{seat.table}", headers={"host": host})
    assert f"http://{host}/table/{seat.table}" in page.text


def test_a_server_that_was_named_answers_to_its_names_and_addresses_alone(tmp_path: Path) -> None:
    server = Server(tmp_path, "--host-name", "illusion.example", "--host-name", "Play.Club.example")
    own = ["illusion.example", "ILLUSION.example:8443", "illusion.example.", "play.club.example", "localhost:8000"]
    foreign = ["evil.example", "illusion.example.evil.example", "xillusion.example", "192.0.2.1.example", "2130706433"]
    try:
        client = server.client()
        for host in (*own, "192.0.2.1", "[2001:db8::1]:80", f"127.0.0.1:{server.port}"):
            assert client.get("/rules", headers={"host": host}).status_code == 200, host
        for host in foreign:
            assert client.get("/rules", headers={"host": host}).status_code == 400, host
            asked = client.post("/api/tables", json={"name": "Ana"}, headers={"host": host})
            assert problem_code(asked) == (400, "unparsable")
            assert host not in asked.text
    finally:
        assert server.stop() == 0


@pytest.mark.parametrize("path", ["/play-now", "/api/tables"])
def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(behind_proxy: Server, path: str) -> None:
    def cookies(**headers: str) -> list[str]:
        name = {"json": {"name": "Ana"}} if path.startswith("/api") else {"data": {"name": "Ana"}}
        told = {key.replace("_", "-"): value for key, value in headers.items()}
        answer = behind_proxy.client().post(path, headers=told, **name)  # type: ignore[arg-type]
        return answer.headers.get_list("set-cookie")

    for cookie in cookies():
        assert "HttpOnly" in cookie or cookie.startswith("name=")  # the settings panel shows and changes the name
        assert "SameSite=lax" in cookie
        assert "Secure" not in cookie
    for cookie in cookies(x_forwarded_proto="https"):
        assert "HttpOnly" in cookie or cookie.startswith("name=")
        assert "Secure" in cookie


def test_a_browser_keeps_the_cookies_of_its_newest_seats_only(server: Server) -> None:
    browser, tables = server.client(), []
    for _ in range(MAX_SEAT_COOKIES + 5):
        made = browser.post("/api/tables", json={"name": "Ana"}, headers=own(server))
        tables.append(made.json()["table"])
    kept = [name for name in browser.cookies if name.startswith("seat-")]
    assert kept == [f"seat-{table}" for table in tables[-MAX_SEAT_COOKIES:]]


def test_bodies_and_names_have_a_size(server: Server) -> None:
    host, _ = opened(server, 2)
    for method, path in CHANGING:
        large = host.client.request(method, path.replace("{table}", host.table), content=b" " * 20_000)
        takes_a_body = method != "DELETE" and not path.endswith(("/seats/me", "/start", "/rematch", "/host"))
        assert (large.status_code == 413) is takes_a_body, path
    nobody = server.client()
    assert problem_code(nobody.post("/api/tables", json={"name": "n" * 25})) == (400, "bad-name")
    assert problem_code(nobody.post(f"/api/tables/{host.table}/seats", json={"name": "n" * 25})) == (400, "bad-name")
    for page in ("/play-now", "/invite", "/pass-and-play"):
        assert nobody.post(page, data={"name": ["B", "n" * 25]}).status_code == 400


def test_what_the_host_may_do_strangers_may_not(server: Server) -> None:
    """That guests of the table may not is recorded in `tests/playthroughs`."""
    host, elsewhere = opened(server, 3)[0], opened(server, 2)[0]
    changes: tuple[tuple[str, str, object], ...] = (
        ("POST", "/bots", {"level": "keen"}),
        ("DELETE", "/bots/2", None),
        ("PUT", "", {"variant": "twelve-rounds", "clock": 20}),
        ("DELETE", "/seats/0", None),
        ("DELETE", "/people/0", None),
        ("PUT", "/lock", {"locked": True}),
        ("POST", "/start", None),
    )
    for method, what, body in changes:
        at = f"/api/tables/{host.table}{what}"
        for client in (server.client("not-a-token"), elsewhere.client):
            assert problem_code(client.request(method, at, json=body)) == (403, "not-seated")
        assert problem_code(server.client().request(method, at, json=body)) == (401, "no-token")


def test_tokens_are_in_no_address_and_no_page(server: Server) -> None:
    """A whole game: no answer but the one that gives a seat holds its token, and no address ever does."""
    seats = opened(server, 2)
    seats[0].post("start")
    heard: list[httpx.Response] = []
    for seat in seats:
        seat.client.event_hooks["response"] = [heard.append]
    play_on(seats)
    for seat in seats:
        for path in (f"/table/{seat.table}", "/", f"/api/tables/{seat.table}/record"):
            seat.client.get(path)
        seat.client.post("/join", data={"code": seat.table, "name": "Ana"})
        again = seat.post("rematch").json()["table"]
        assert seat.client.get(f"/api/tables/{again}").json()["you"] is not None
    tokens = [seat.token for seat in seats]
    for answer in heard:
        told = answer.text + str(answer.url) + answer.headers.get("location", "")
        assert not any(token in told or hashed(token) in told for token in tokens)


def test_tables_are_not_found_by_guessing() -> None:
    assert len(set(ID_ALPHABET)) == 31
    assert math.log2(len(ID_ALPHABET)) * ID_LENGTH > 39
    ids = {new_id() for _ in range(100)}
    assert len(ids) == 100
    for place in range(ID_LENGTH):  # every place varies: nothing in them counts up
        assert len({id[place] for id in ids}) > 15


class Watched(str):
    """Text that must not be compared sign by sign."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared in a time that tells something")


def test_tokens_are_compared_in_constant_time() -> None:
    chairs = [Sitter(name, Watched(hashed(name)), None) for name in ("Ana", "Bob")]
    assert [Table("t", chairs=[*chairs, None]).seat_of(hashed(name)) for name in ("Ana", "Bob", "Eve")] == [0, 1, None]


def test_a_token_repeated_counts_once(server: Server) -> None:
    """One request writes one entry for each seat it holds, however often it names the seat."""
    seats = host, _ = opened(server, 2)
    host.post("start")
    before = host.view()
    idle = next(seat for seat in seats if seat.view()["you"] != before["to_play"])  # so that no bot moves for them
    repeated = {"cookie": f"seat-{host.table}=" + ".".join([idle.token] * 300), **own(server)}
    with server.client() as client:
        for method in ("DELETE", "PUT"):
            assert client.request(method, f"/api/tables/{host.table}/seats/me", headers=repeated).status_code == 200
    assert host.view()["seq"] == before["seq"] + 2


@pytest.mark.parametrize(
    ("authorization", "cookies", "parsed"),
    [
        ("Bearer " + "a" * 64, "", ("a" * 64,)),
        ("Bearer " + "a" * 65, "", ()),
        ("", "seat-t=a.b.a.c", ("a", "b", "c")),
        ("", "seat-t=" + ".".join("abcdefgh"), tuple("abcde")),
        ("", f"seat-t=a.{'b' * 65}.c", ("a", "c")),
        ("", "seat-t=....", ()),
    ],
)
def test_tokens_have_a_length_and_a_number(authorization: str, cookies: str, parsed: tuple[str, ...]) -> None:
    assert parse_tokens(authorization, cookies, "t", "http") == parsed


def test_two_hosts_or_two_origins_are_none(server: Server) -> None:
    """Of two, one part of a server might believe the first and another the second."""
    own_host = server.url.removeprefix("http://").encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nhost: %s\r\nhost: elsewhere.example\r\n\r\n" % own_host)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    with server.client() as client:
        for origins in ([server.url, "http://elsewhere.example"], ["http://elsewhere.example", server.url]):
            headers = [("origin", origin) for origin in origins]
            assert client.post("/join", headers=headers, data={"code": "x"}).status_code == 403
