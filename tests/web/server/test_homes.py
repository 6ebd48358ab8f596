"""With several workers the people of one table meet in one of them, whoever accepts their connections."""

import json
import os
import signal
import socket
from contextlib import ExitStack, suppress

from harness.answers import metric_samples
from harness.postgres import Cluster
from harness.processes import has_died, holder, worker_pids
from harness.servers import Seat, Server, opened, play_beside_bots, play_on, until


class Line:
    """One connection to a server, on which requests are made one after another."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.workers = worker_pids(server.process.pid)
        self.socket = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))

    def ask(self, path: str, method: str = "GET", body: object = None, token: str = "") -> int:
        """Returns the status."""
        self.send(path, method, body, token)
        got = b""
        while b"\r\n\r\n" not in got:
            got += self.socket.recv(65536)
        head, _, self.answer = got.partition(b"\r\n\r\n")
        if b"text/event-stream" not in head:
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            while len(self.answer) < length:
                self.answer += self.socket.recv(65536)
        return int(head.split()[1])

    def send(self, path: str, method: str = "GET", body: object = None, token: str = "") -> None:
        content = json.dumps(body).encode()
        held = f"authorization: Bearer {token}\r\n" if token else ""
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{held}content-type: application/json\r\n"
        self.socket.sendall(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)

    def upgrade(self, path: str) -> bytes:
        """Ask for a WebSocket; returns the beginning of the answer."""
        name = f"127.0.0.1:{self.socket.getpeername()[1]}"
        head = f"GET {path} HTTP/1.1\r\nhost: {name}\r\norigin: http://{name}\r\nupgrade: websocket\r\n"
        key = "connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: aWxsdXNpb24tcGxheWVycw==\r\n\r\n"
        self.socket.sendall((head + key).encode())
        return self.socket.recv(12)

    def holder(self) -> int:
        """The worker that has this connection."""
        until(lambda: holder(self.socket, self.workers) is not None)
        found = holder(self.socket, self.workers)
        assert found is not None
        return found


def homes(server: Server, stack: ExitStack) -> dict[int, Seat]:
    """A table at home in each of the workers, as its host."""
    found: dict[int, Seat] = {}
    while len(found) < len(worker_pids(server.process.pid)):
        (host,) = opened(server, 1, seats=2)
        line = Line(server, stack)
        assert line.ask(f"/api/tables/{host.table}") == 200
        found.setdefault(line.holder(), host)
    return found


def test_all_connections_for_a_table_are_served_by_one_worker(club: Server) -> None:
    with ExitStack() as stack:
        for home, host in homes(club, stack).items():
            lines = [Line(club, stack) for _ in range(24)]
            addresses = (f"/api/tables/{host.table}", f"/table/{host.table}", f"/watch/{host.table}")
            for number, line in enumerate(lines[:12]):
                assert line.ask(addresses[number % 3]) == 200
            for line in lines[12:]:
                assert line.ask(f"/api/tables/{host.table}/events") == 200
            assert [line.holder() for line in lines] == [home] * len(lines)


def test_the_pages_of_a_table_have_their_websockets_in_one_worker(club: Server) -> None:
    with ExitStack() as stack:
        for home, host in homes(club, stack).items():
            lines = [Line(club, stack) for _ in range(12)]
            assert [line.upgrade(f"/table/{host.table}/live") for line in lines] == [b"HTTP/1.1 101"] * 12
            assert [line.holder() for line in lines] == [home] * 12
            kept = Line(club, stack)
            assert kept.ask("/rules") == 200  # a connection that was used before
            assert kept.upgrade(f"/table/{host.table}/live") == b"HTTP/1.1 101"
            assert kept.holder() == home


def test_a_kept_connection_follows_the_table_it_asks_for(club: Server) -> None:
    with ExitStack() as stack:
        line, tables = Line(club, stack), homes(club, stack)
        for _ in range(10):
            for home, host in tables.items():
                assert line.ask(f"/api/tables/{host.table}") == 200
                assert line.ask("/healthz") == 200
                assert line.holder() == home


def test_a_table_and_its_rematch_are_at_home_where_they_were_opened(club: Server) -> None:
    with ExitStack() as stack:
        for _ in range(6):
            line = Line(club, stack)
            assert line.ask("/api/tables", "POST", {"name": "Ana", "seats": 2}) == 201
            opener, made = line.holder(), json.loads(line.answer)
            assert line.ask(f"/api/tables/{made['table']}") == 200
            assert line.holder() == opener
        for _ in range(3):
            seats = opened(club, 2)
            seats[0].post("start")
            assert play_on(seats)["over"]
            (again,) = {seat.post("rematch").json()["table"] for seat in seats}
            lines = [Line(club, stack), Line(club, stack)]
            tables = again, seats[0].table
            assert [line.ask(f"/api/tables/{table}") for line, table in zip(lines, tables, strict=True)] == [200] * 2
            assert lines[0].holder() == lines[1].holder()


def test_games_go_on_when_the_worker_at_which_they_are_at_home_dies(cluster: Cluster) -> None:
    """People who come meanwhile are served by another worker, and afterwards at home again."""
    server = Server(cluster.database(), "--workers", "2")
    try:
        with ExitStack() as stack:
            tables = homes(server, stack)
            dying, host = next(iter(tables.items()))
            guest = Seat(
                server,
                host.table,
                server.client().post(f"/api/tables/{host.table}/seats", json={"name": "Bob"}).json()["token"],
            )
            assert host.post("start").status_code == 200
            os.kill(dying, signal.SIGKILL)
            until(lambda: has_died(dying))  # a connection that it has, or is being passed, dies with it
            seats = [Seat(server, host.table, seat.token) for seat in (host, guest)]
            play_on(seats, 4)
            until(lambda: len(worker_pids(server.process.pid)) == 2)
            (replaced,) = set(worker_pids(server.process.pid)) - set(tables)

            def comes_home() -> bool:
                line = Line(server, stack)
                assert line.ask(f"/api/tables/{host.table}") == 200
                return line.holder() == replaced

            until(comes_home)
            assert play_on(seats)["over"]
    finally:
        assert server.stop() == 0


def test_a_worker_that_hangs_keeps_nobody_else_waiting(club: Server) -> None:
    """Its tables are served by others, once it has been silent for a second."""
    with ExitStack() as stack:
        tables = homes(club, stack)
        hanging, host = next(iter(tables.items()))
        os.kill(hanging, signal.SIGSTOP)
        try:
            unlucky = Line(club, stack)
            unlucky.send(f"/api/tables/{host.table}")

            def is_served() -> bool:
                line = Line(club, stack)
                line.socket.settimeout(0.5)
                with suppress(TimeoutError):
                    return line.ask(f"/api/tables/{host.table}") == 200
                return False

            until(is_served)
            for _ in range(5):
                assert Line(club, stack).ask(f"/api/tables/{host.table}") == 200
        finally:
            os.kill(hanging, signal.SIGCONT)
        assert unlucky.socket.recv(100).startswith(b"HTTP/1.1 200")


def test_bots_move_at_once_at_every_home(club: Server) -> None:
    for _ in range(4):
        (host,) = opened(club, 3, bots=["keen", "casual"])
        host.post("start")
        play_beside_bots(host, 12)


def test_open_connections_are_counted_where_they_are_served(cluster: Cluster) -> None:
    """Those that were passed on count no more where they came from."""
    server = Server(cluster.database(), "--workers", "2", "--limit", "connections=8", limited=True)
    try:
        with ExitStack() as stack:
            host = opened(server, 1, seats=2)[0]
            for _ in range(40):
                with ExitStack() as brief:
                    assert Line(server, brief).ask(f"/api/tables/{host.table}") == 200
            held = [Line(server, stack) for _ in range(6)]
            for line in held:
                assert line.ask(f"/api/tables/{host.table}/events") == 200
            samples = metric_samples(server.client().get("/metrics").text)
            assert samples["illusion_streams_open",] == 6
    finally:
        assert server.stop() == 0
