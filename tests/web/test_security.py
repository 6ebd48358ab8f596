"""CSRF, hosts, cookies and sizes of requests; tokens stay secret, and no seat is lost or anybody else's by a cookie."""

import math
import re
import socket
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import httpx
import pytest
from harness.asgi import told
from harness.servers import Server, opened, play_on
from starlette.testclient import TestClient
from starlette.types import Message

from illusion.tables.eyes import HeldSeat, seats_code
from illusion.tables.model.commands import hashed, new_id
from illusion.tables.model.entries import ID_ALPHABET, ID_LENGTH
from illusion.tables.model.table import Sitter, Table
from illusion.web.app import ROUTES
from illusion.web.tokens import MAX_SEAT_COOKIES, parse_tokens

Serve = Callable[..., TestClient]
CHANGING = sorted(
    (method, re.sub(r"{\w+:number}", "1", route.path))
    for route in ROUTES
    for method in route.methods or ()
    if method not in ("GET", "HEAD")
)
FOREIGN = (
    "http://elsewhere.example",
    "null",
    "http://x.elsewhere.example",
    "http://[",
    "file://",
    "x",
    "file://x",
    "javascript://x",
    "//x",
)
NEIGHBOURS = "; ".join(f"seat-x {number}=y" for number in range(25))
"""A neighbouring subdomain can set such cookies for us."""


@pytest.fixture
def by_tls(serve: Serve) -> Iterator[TestClient]:
    with serve("https://x") as client:
        yield client


def opened_table(client: TestClient) -> tuple[str, str]:
    """The address of Ana's table for five in the API, and her token."""
    made = client.post("/api/tables", json={"name": "Ana", "seats": 5}).json()
    client.cookies.clear()
    return f"/api/tables/{made['table']}", made["token"]


def by(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_nothing_is_changed_for_another_site(client: TestClient) -> None:
    """Nor if there are two origins, of which one part of a server might believe the first and another the second."""
    at, token = opened_table(client)
    before, form = client.get(at).json(), {"name": "Eve", "code": at[-8:]}
    for method, path in CHANGING:
        ask = partial(client.request, method, path.replace("{table}", at[-8:]), data=form)
        for origins in (*((origin,) for origin in FOREIGN), ("http://x", FOREIGN[0]), (FOREIGN[0], "http://x")):
            answer = ask(headers=[*by(token).items(), *(("origin", origin) for origin in origins)])
            assert (answer.status_code, "another site" in answer.text) == (403, True), (method, path, origins)
            assert "set-cookie" not in answer.headers
    assert client.get(at).json() == before
    for method, path in CHANGING:
        answer = client.request(method, path.replace("{table}", at[-8:]), data=form, headers=by(token))
        assert "another site" not in answer.text


def test_under_tls_an_http_origin_is_another_site(by_tls: TestClient) -> None:
    at, token = opened_table(by_tls)
    assert by_tls.put(f"{at}/seats/me", headers=by(token) | {"origin": "http://x"}).status_code == 403
    assert by_tls.put(f"{at}/seats/me", headers=by(token)).status_code == 200


def test_a_host_that_is_no_name_is_refused_and_any_other_is_served(client: TestClient) -> None:
    at, token = opened_table(client)
    for host in ("[", "a b", "x" * 300, "a/b", "a:b", "evil.example\\", "[::1"):
        for path in ("/", f"/table/{at[-8:]}"):
            assert client.get(path, headers={"host": host}).status_code == 400
        asked = client.post("/api/tables", json={"name": "Ana"}, headers={"host": host})
        assert (asked.status_code, asked.json()["code"]) == (400, "unparsable")
    for host in ("illusion.example", "illusion.example:8443", "[2001:db8::1]:80", "a_b", "192.0.2.1"):
        page = client.get(f"/table/{at[-8:]}", headers={"host": host} | by(token))
        assert f"http://{host}/table/{at[-8:]}" in page.text


def test_a_server_that_was_named_answers_to_its_names_and_addresses_alone(serve: Serve) -> None:
    own = ["illusion.example", "ILLUSION.example:8443", "illusion.example.", "play.club.example", "localhost:8000"]
    foreign = ["evil.example", "illusion.example.evil.example", "xillusion.example", "192.0.2.1.example", "2130706433"]
    with serve(host_names=["illusion.example", "Play.Club.example"]) as client:
        for host in (*own, "192.0.2.1", "[2001:db8::1]:80"):
            assert client.get("/rules", headers={"host": host}).status_code == 200, host
        for host in foreign:
            assert client.get("/rules", headers={"host": host}).status_code == 400, host
            asked = client.post("/api/tables", json={"name": "Ana"}, headers={"host": host})
            assert (asked.status_code, asked.json()["code"], host in asked.text) == (400, "unparsable", False)


def test_two_hosts_are_none(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        own = server.url.removeprefix("http://").encode()
        connection.sendall(b"GET / HTTP/1.1\r\nhost: %s\r\nhost: elsewhere.example\r\n\r\n" % own)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("at", ["http://x", "https://x"])
def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(serve: Serve, at: str) -> None:
    with serve(at) as client:
        page = client.post("/play-now", data={"name": "Ana"}, follow_redirects=False)
        program = client.post("/api/tables", json={"name": "Ana"})
    cookies = [*page.headers.get_list("set-cookie"), *program.headers.get_list("set-cookie")]
    assert len(cookies) == 3
    for cookie in cookies:
        assert "HttpOnly" in cookie or cookie.startswith("name=")  # the settings panel shows and changes the name
        assert "SameSite=lax" in cookie
        assert ("Secure" in cookie) == at.startswith("https")


def test_a_browser_keeps_the_cookies_of_its_newest_seats_and_evenings_only(client: TestClient) -> None:
    made = [client.post("/api/tables", json={"name": "Ana"}).json()["table"] for _ in range(MAX_SEAT_COOKIES + 5)]
    made = [f"seat-{table}" for table in made]
    assert [name for name in client.cookies if name.startswith("seat-")] == made[5:]
    for _ in range(MAX_SEAT_COOKIES + 3):
        client.post("/evening", data={"name": "Tuesday"})
    assert len([name for name in client.cookies if name.startswith("seat-evening-")]) == MAX_SEAT_COOKIES


@pytest.mark.parametrize("way", ["/api/tables", "/play-now", "/join", "/table/{table}/join"])
def test_whoever_has_cookies_of_no_table_gets_a_seat(client: TestClient, way: str) -> None:
    """N9"""
    at, _ = opened_table(client)
    form = {"json": {"name": "Bob"}} if way.startswith("/api") else {"data": {"name": "Bob", "code": at[-8:]}}
    address, neighbours = way.format(table=at[-8:]), {"cookie": NEIGHBOURS}
    answer = client.post(address, headers=neighbours, follow_redirects=False, **form)  # type: ignore[arg-type]
    assert answer.status_code in (201, 303)
    assert sum("seat-" in cookie for cookie in answer.headers.get_list("set-cookie")) == 1


def test_under_tls_a_neighbour_cannot_say_whose_seat_it_is(by_tls: TestClient) -> None:
    """L5: a subdomain beside ours can set a cookie for us, but none whose name begins with `__Host-`."""
    made = by_tls.post("/api/tables", json={"name": "Ana", "seats": 2}).json()
    own = by_tls.cookies[f"__Host-seat-{made['table']}"]
    at = f"/api/tables/{made['table']}"
    by_tls.cookies.clear()
    other = by_tls.post(f"{at}/seats", json={"name": "Bob"}).json()["token"]
    by_tls.cookies.clear()
    planted = f"seat-{made['table']}={other}"
    ours = f"__Host-seat-{made['table']}={own}"
    assert own == made["token"]
    assert "you" not in by_tls.get(at, headers={"cookie": planted}).json()
    assert by_tls.get(at, headers={"cookie": f"{planted}; {ours}"}).json()["you"] == 0
    assert by_tls.post(f"{at}/start", headers={"cookie": planted}).json()["code"] == "no-token"
    assert by_tls.post(f"{at}/start", headers={"cookie": f"{planted}; {ours}"}).status_code == 200
    view = by_tls.get(at).json()
    holder = {0: made["token"], 1: other}[view["to_play"]]
    sent = {"cookie": f"seat-{made['table']}=x; __Host-seat-{made['table']}={holder}"}
    with by_tls.websocket_connect(f"wss://x/table/{made['table']}/live?after={view['seq']}", headers=sent) as page:
        page.send_json({"move": "place", "gap": 0, "seq": view["seq"], "id": 1})
        assert {"id": 1, "answer": {"seq": view["seq"] + 1}} in islice(told(page), 2)


def test_the_cookie_that_remembers_seats_is_guarded_as_well(by_tls: TestClient) -> None:
    code = seats_code([HeldSeat("abcd2345", 0)])
    kept = by_tls.post("/eyes", data={"code": code}, follow_redirects=False)
    assert kept.cookies["__Host-eyes"] == code
    by_tls.cookies.clear()
    assert code not in by_tls.get("/eyes", headers={"cookie": f"eyes={code}"}).text
    assert code in by_tls.get("/eyes", headers={"cookie": f"__Host-eyes={code}"}).text
    forgotten = by_tls.post("/eyes", data={"forget": "all"}, follow_redirects=False)
    assert forgotten.headers["set-cookie"].startswith('__Host-eyes=""')
    assert "Secure" in forgotten.headers["set-cookie"]


def test_what_a_server_adds_to_the_headers_later_counts_for_nothing(client: TestClient) -> None:
    """L1: trailers come with the body's end, when it has been decided that there was no cookie."""
    late, sent = seats_code([HeldSeat("abcd2345", 0)]), seats_code([HeldSeat("abcd2346", 0)])
    headers = [(b"host", b"x")]
    scope = {"type": "http", "method": "POST", "scheme": "http", "path": "/eyes", "query_string": b""}
    answered: list[Message] = []

    async def receive() -> Message:
        headers.append((b"cookie", f"eyes={late}".encode()))
        return {"type": "http.request", "body": f"code={sent}".encode()}

    async def send(message: Message) -> None:
        answered.append(message)

    assert client.portal is not None
    client.portal.call(partial(client.app, {**scope, "headers": headers}, receive, send))
    cookies = [value for name, value in answered[0]["headers"] if name == b"set-cookie"]
    assert [value.partition(b";")[0] for value in cookies] == [f"eyes={sent}".encode()]


def test_a_page_that_repeats_what_a_link_named_is_not_compressed(client: TestClient) -> None:
    """L7: beside the ids of somebody's tables, its length would tell one letter after another (BREACH)."""
    zipped = {"accept-encoding": "gzip"}
    for path in ("/", "/rules?code=abcd"):
        assert client.get(path, headers=zipped).headers["content-encoding"] == "gzip"
    for path in ("/?code=abcd", "/?c%6Fde=abcd", "/watch?code=abcd", "/eyes?abcd"):
        answer = client.get(path, headers=zipped)
        assert "abcd" in answer.text
        assert "content-encoding" not in answer.headers


def test_bodies_and_names_have_a_size(client: TestClient) -> None:
    at, token = opened_table(client)
    for method, path in CHANGING:
        large = client.request(method, path.replace("{table}", at[-8:]), content=b" " * 20_000, headers=by(token))
        takes_a_body = method != "DELETE" and not path.endswith(("/seats/me", "/start", "/rematch", "/host"))
        assert (large.status_code == 413) is takes_a_body, path
    too_long = client.post(f"{at}/seats", json={"name": "n" * 25})
    assert (too_long.status_code, too_long.json()["code"]) == (400, "bad-name")
    for page in ("/play-now", "/invite", "/pass-and-play"):
        assert client.post(page, data={"name": ["B", "n" * 25]}).status_code == 400


def test_what_the_host_may_do_strangers_may_not(client: TestClient) -> None:
    """That guests of the table may not is recorded in `tests/playthroughs`."""
    (at, _), (_, elsewhere) = opened_table(client), opened_table(client)
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
        for headers, expected in (
            ({}, (401, "no-token")),
            (by("not-a-token"), (403, "not-seated")),
            (by(elsewhere), (403, "not-seated")),
        ):
            answer = client.request(method, f"{at}{what}", json=body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == expected


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
    repeated = {"cookie": f"seat-{host.table}=" + ".".join([idle.token] * 300), "origin": server.url}
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
