"""Behind the proxies of docs/operating.md, with the very settings that stand there and TLS. Needs them installed."""

import itertools
import os
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from harness.answers import metric_samples, problem_code
from harness.postgres import Cluster
from harness.proxies import Through, is_installed, running_proxy
from harness.servers import Seat, Server, opened, play_beside_bots, play_on, until

OPTIONS = ("--trusted-proxy", "127.0.0.1", "--limit", "tables=50")
UPGRADES = ("upgrade: foo\r\nconnection: upgrade\r\n", "upgrade: foo\r\n", "")
"""None that a page asks for."""


@pytest.fixture(params=["nginx", "caddy"], scope="module")
def proxy(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not is_installed(name):
        assert "ILLUSION_REQUIRE_PROXIES" not in os.environ, f"CI needs {name} and openssl: sh tools/setup/proxies"
        pytest.skip(f"{name} or openssl is not installed")
    return name


@pytest.fixture(scope="module")
def server(proxy: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for each proxy."""
    running = Server(tmp_path_factory.mktemp(f"behind-{proxy}"), *OPTIONS)
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def proxied(proxy: str, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Through]:
    with running_proxy(proxy, tmp_path_factory.mktemp(proxy), [server.port]) as through:
        yield through


@pytest.fixture(scope="module")
def pair(cluster: Cluster) -> Iterator[list[Server]]:
    """Two servers on one database."""
    database = cluster.database()
    servers = [Server(database, *OPTIONS[:2]) for _ in range(2)]
    yield servers
    for server in servers:
        assert server.stop() == 0


def test_a_game_under_a_path(proxy: str, server: Server, tmp_path: Path) -> None:
    with running_proxy(proxy, tmp_path, [server.port], under_a_path=True) as through:
        seats = opened(through, 2)
        assert seats[0].post("start").status_code == 200
        assert play_on(seats)["over"]
        assert through.client().get("/metrics").status_code == 404


def connected(proxied: Through) -> ssl.SSLSocket:
    connection = socket.create_connection(("127.0.0.1", proxied.port), timeout=20)
    return proxied.trusts.wrap_socket(connection, server_hostname="localhost")


def test_a_whole_game_with_streams_and_secure_cookies_through_a_proxy_with_tls(proxied: Through) -> None:
    seats: list[Seat] = opened(proxied, 2)
    at = f"/api/tables/{seats[0].table}"
    heard: list[int] = []
    dealt = threading.Event()

    def listen() -> None:
        with seats[1].client.stream("GET", f"{at}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                heard.append(int(line[4:])) if line.startswith("id: ") else None
                if '"dealt"' in line:
                    dealt.set()
                if '"game-ended"' in line:
                    return

    listener = threading.Thread(target=listen)
    listener.start()
    assert seats[0].post("start").status_code == 200
    assert dealt.wait(20)  # it is told at once, not when a buffer is full
    end = play_on(seats)
    listener.join(20)
    assert end["over"]
    assert heard == list(range(1, end["seq"] + 1))

    browser, own = proxied.client(), {"origin": proxied.url}
    made = browser.post("/invite", data={"name": "Ana", "seats": "2"}, headers=own)
    assert made.status_code == 303
    for cookie in made.headers.get_list("set-cookie"):
        assert "Secure" in cookie
        assert "HttpOnly" in cookie or cookie.startswith("name=")
    page = browser.get(made.headers["location"])
    assert f"{proxied.url}/table/" in page.text  # the invitation names the proxy's address
    left = browser.delete(f"/api/tables/{made.headers['location'][-8:]}/seats/me", headers=own)
    assert left.status_code == 200  # the cookie holds the seat
    downgraded = {"origin": proxied.url.replace("https", "http")}
    assert problem_code(browser.post("/api/tables", json={"name": "A"}, headers=downgraded)) == (403, "foreign-origin")
    assert proxied.client().get("/metrics").status_code == 404
    assert proxied.client().get("/healthz").status_code == 200


def test_a_websocket_passes_through_a_proxy(proxied: Through) -> None:
    """What the server sends arrives at once, and what it is sent arrives there."""
    seats = opened(proxied, 2)
    with connected(proxied) as page:
        head = (
            f"GET /table/{seats[0].table}/live HTTP/1.1\r\nhost: localhost:{proxied.port}\r\norigin: {proxied.url}\r\n"
        )
        key = "sec-websocket-version: 13\r\nsec-websocket-key: aWxsdXNpb24tcGxheWVycw==\r\n\r\n"
        page.sendall(f"{head}upgrade: websocket\r\nconnection: Upgrade\r\n{key}".encode())
        got = b""
        while b"seq" not in got.partition(b"\r\n\r\n")[2]:
            got += page.recv(65536)
        assert got.startswith(b"HTTP/1.1 101")
        assert seats[0].post("start").status_code == 200
        assert page.recv(65536)
        page.sendall(bytes([0x89, 0x84, 0, 0, 0, 0]) + b"ping")  # masked with zeros
        while b"\x8a\x04ping" not in got:
            got += page.recv(65536)


@pytest.mark.parametrize("count", [1, 2])
def test_websockets_are_all_that_is_passed_on_to_be_upgraded(proxy: str, count: int, tmp_path: Path) -> None:
    """To one server, and to several: each has settings of its own in the document."""
    passed: list[str | None] = []

    class Passed(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if "illusion-asks" in self.headers:
                passed.append(self.headers["upgrade"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Not to standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Passed) as behind:
        threading.Thread(target=behind.serve_forever).start()
        with running_proxy(proxy, tmp_path, [behind.server_port] * count) as through:
            for asked in ("foo", "websocket", "WebSocket", "websocket, foo", "foo\r\nupgrade: websocket", ""):
                with connected(through) as guest:
                    head = f"GET / HTTP/1.1\r\nhost: localhost:{through.port}\r\nillusion-asks: 1\r\n"
                    guest.sendall(f"{head}connection: upgrade\r\nupgrade: {asked}\r\n\r\n".encode())
                    assert guest.recv(65536).startswith(b"HTTP/1.1 204")
        behind.shutdown()
    assert [upgrade and upgrade.lower() for upgrade in passed] == [None, "websocket", "websocket", None, None, None]


def test_a_request_in_a_body_is_not_asked_in_place_of_the_next_guests(proxied: Through) -> None:
    """It has no end, so that the next request on the same connection to the server would become a part of it."""
    host, bob = opened(proxied, 2)
    before = host.view()["seq"]
    hidden = f"DELETE /api/tables/{bob.table}/seats/me HTTP/1.1\r\nx-part-of-it: "
    for upgrade, framing in itertools.product(UPGRADES, ("whole", "chunked", "padded")):
        body = ("\r\n" * 20_000 if framing == "padded" else "") + hidden
        announced = f"content-length: {len(body)}"
        if framing == "chunked":
            announced, body = "transfer-encoding: chunked", f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
        head = f"POST /settings HTTP/1.1\r\nhost: localhost:{proxied.port}\r\n{upgrade}{announced}\r\n\r\n"
        for _ in range(3):
            with connected(proxied) as guest:
                guest.sendall(f"{head}{body}".encode())
                bob.client.get("/rules").raise_for_status()
                with suppress(OSError):
                    guest.recv(65536)
                look = bob.client.get(f"/api/tables/{bob.table}")
                assert (look.status_code, look.json().get("seq")) == (200, before), (upgrade, framing, look.text)
                assert "you" in look.json()
    assert host.view()["seq"] == before


def test_a_stream_ends_at_the_server_when_its_reader_leaves_the_proxy(proxied: Through, server: Server) -> None:
    """Even if nothing is told: `flush_interval -1` made Caddy hold the server's side open."""

    def streams_open() -> float:
        return metric_samples(server.client().get("/metrics").text)["illusion_streams_open",]

    until(lambda: streams_open() == 0)
    seats = opened(proxied, 2)
    with seats[0].client.stream("GET", f"/api/tables/{seats[0].table}/events"):
        assert streams_open() == 1
    seats[0].client.close()
    until(lambda: streams_open() == 0)


def test_clients_cannot_forge_their_address(proxied: Through) -> None:
    """The last test of this server, which opens no more tables for a minute."""
    answers, client = [], proxied.client()
    for number in range(60):
        claimed = {"x-forwarded-for": f"198.51.100.{number}"}
        answers.append(client.post("/api/tables", json={"name": "Ana"}, headers=claimed).status_code)
        if answers[-1] == 429:
            break
    assert answers[-1] == 429


def moves_made(server: Server) -> int:
    """How many requests for a move a server has answered."""
    samples = metric_samples(server.client().get("/metrics").text)
    return int(samples.get(("illusion_requests_total", "POST", "/api/tables/{table}/moves", "200"), 0))


@pytest.mark.parametrize("under_a_path", [False, True])
def test_people_of_one_table_meet_in_one_of_two_servers(
    proxy: str, pair: list[Server], tmp_path: Path, *, under_a_path: bool
) -> None:
    """Whoever opened it, and over whatever connections; and all tables together use both."""
    with running_proxy(proxy, tmp_path, [server.port for server in pair], under_a_path=under_a_path) as through:
        used: list[int] = []
        while len(used) < 4 or len(set(used)) < 2:
            before = [moves_made(server) for server in pair]
            seats = opened(through, 3)
            assert seats[0].post("start").status_code == 200
            for _ in range(3):
                play_on([Seat(through, seat.table, seat.token) for seat in seats], 3)
            made = [moves_made(server) - count for server, count in zip(pair, before, strict=True)]
            assert sorted(made) == [0, 9]
            used.append(made.index(9))
        (host,) = opened(through, 3, bots=["keen", "casual"])
        host.post("start")
        play_beside_bots(host, 15)


def is_taken(seat: Seat, seq: int) -> bool:
    """Whether a move has been stored, and the player knows by asking, whatever became of the answer."""
    try:
        answer = seat.place(0, seq)
    except httpx.RemoteProtocolError:  # Caddy 2.6 cuts off the answer to a request that it passed on to the other one
        return bool(seat.view()["seq"] > seq)
    assert answer.status_code in (200, 502), answer.text
    return answer.status_code == 200


def test_when_one_of_two_servers_dies_its_tables_go_on_in_the_other(
    proxy: str, pair: list[Server], tmp_path: Path
) -> None:
    """A move may be lost with the server, as the player is told; all that follow are taken, at every table."""
    with running_proxy(proxy, tmp_path, [server.port for server in pair]) as through:
        tables = [opened(through, 2) for _ in range(6)]
        views = []
        for seats in tables:
            assert seats[0].post("start").status_code == 200
            views.append(play_on(seats, 2))
        pair[0].kill()
        try:
            for seats, view in zip(tables, views, strict=True):
                seat = seats[view["to_play"]]
                while not is_taken(Seat(through, seat.table, seat.token), view["seq"]):
                    pass  # the proxy has not noticed yet
            for seats in tables:
                play_on([Seat(through, seat.table, seat.token) for seat in seats], 8)
        finally:
            pair[0].start()
