"""Connections are passed between workers, each is counted once, and nobody waits for a worker that is gone."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from illusion.web.http.urls import table_in_request
from illusion.web.server import http_protocol, passing
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.homes import Homes
from illusion.web.server.passing import ConnectionPassing

TLS_HELLO = bytes.fromhex("16030100a5010000a10303") + bytes(range(160))


class Worker(uvicorn.Server):
    """One of two, with an application that says which of them answers, and at `/events` goes on until it is left."""

    def __init__(self, folder: Path, place: int) -> None:
        self.homes, self.connections = Homes(str(folder), 2, place), ConnectionLimiter(0)
        self.passing = ConnectionPassing(self.homes)
        protocol = partial(http_protocol.LimitedHttpProtocol, connections=self.connections, passing=self.passing)
        options = {"http": protocol, "ws": "none", "interface": "asgi3", "lifespan": "off", "log_config": None}
        super().__init__(uvicorn.Config(self.answer, port=0, date_header=False, **options))  # type: ignore[arg-type]
        self.asked: list[str] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.passing.start(self.new_protocol)

    def new_protocol(self, received: bytes) -> asyncio.Protocol:
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state={}, received=received
        )

    @property
    def port(self) -> int:
        port: int = self.servers[0].sockets[0].getsockname()[1]
        return port

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while (message := await receive()).get("more_body"):
            body += message["body"]
        body += message.get("body", b"")
        self.asked.append(scope["path"])
        told = b"%d %s" % (self.homes.place, body)
        headers = [(b"content-length", b"%d" % len(told))]
        if scope["path"].endswith("/events"):
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while message["type"] != "http.disconnect":
                message = await receive()
            return
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": told})

    def table(self) -> str:
        """One whose home is here."""
        return self.homes.new_id()


@asynccontextmanager
async def running(folder: Path, places: tuple[int, ...] = (0, 1)) -> AsyncIterator[list[Worker]]:
    workers = [Worker(folder, place) for place in places]
    serving = [asyncio.create_task(worker.serve()) for worker in workers]
    while not all(worker.started for worker in workers):
        await asyncio.sleep(0.01)
    try:
        yield workers
    finally:
        for worker in workers:
            worker.passing.stop()
            worker.should_exit = True
        await asyncio.gather(*serving)


class Client:
    """One connection."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def __aenter__(self) -> "Client":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def ask(self, path: str, body: bytes = b"") -> bytes:
        self.writer.write(b"POST %s HTTP/1.1\r\ncontent-length: %d\r\n\r\n%s" % (path.encode(), len(body), body))
        return await self.answer()

    async def answer(self) -> bytes:
        async with asyncio.timeout(20):
            head = await self.reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            assert b"connection: close" not in head
            return await self.reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


async def test_a_request_is_answered_at_its_tables_home_wherever_it_arrives(tmp_path: Path) -> None:
    async with running(tmp_path) as (here, there):
        for worker in (here, there):
            for home in (here, there):
                table, place = home.table(), b"%d " % home.homes.place
                addresses = (
                    f"/api/tables/{table}/moves",
                    f"/table/{table}",
                    f"/watch/{table}",
                    f"/cards/{table}xyz.svg",
                )
                for address in addresses:
                    async with Client(worker.port) as client:
                        assert await client.ask(address, b"card") == place + b"card"
            for address in ("/", "/rules", "/static/table.js", "/api/tables", "/table/", "/table/ab", "/join"):
                async with Client(worker.port) as client:
                    assert await client.ask(address) == b"%d " % worker.homes.place


async def test_a_kept_connection_goes_from_home_to_home_and_is_counted_once(tmp_path: Path) -> None:
    async with running(tmp_path) as (here, there), Client(here.port) as client:
        for _ in range(5):
            for home in (there, here):
                assert await client.ask(f"/table/{home.table()}") == b"%d " % home.homes.place
                assert await client.ask("/rules") == b"%d " % home.homes.place  # what names no table moves nothing
                await until(lambda: here.connections.total + there.connections.total == 1)
                assert home.connections.total == len(home.server_state.connections) == 1
                assert len({*here.server_state.connections, *there.server_state.connections}) == 1
        client.writer.close()
        await until(lambda: here.connections.total == there.connections.total == 0)


async def test_a_body_that_comes_after_its_head_is_read_at_home(tmp_path: Path) -> None:
    async with running(tmp_path) as (here, there), Client(here.port) as client:
        client.writer.write(b"POST /table/%s HTTP/1.1\r\ncontent-length: 10\r\n\r\nha" % there.table().encode())
        await until(lambda: there.connections.total == 1)
        client.writer.write(b"lf of it")
        assert await client.answer() == b"1 half of it"


async def test_a_stream_ends_at_home_when_its_client_leaves(tmp_path: Path) -> None:
    async with running(tmp_path) as (here, there):
        async with Client(here.port) as client:
            client.writer.write(b"GET /api/tables/%s/events HTTP/1.1\r\n\r\n" % there.table().encode())
            await until(lambda: len(there.asked) == 1)
            assert (here.connections.total, there.connections.total) == (0, 1)
        await until(lambda: there.connections.total == 0)


async def test_half_a_first_line_stays_where_it_is_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    async with running(tmp_path) as (here, there), Client(here.port) as slow:
        line = b"GET /table/%s HTTP/1.1\r\n\r\n" % there.table().encode()
        slow.writer.write(line[:14])
        await until(lambda: here.connections.total == 1)
        async with Client(here.port) as quick:
            assert await quick.ask(f"/table/{there.table()}") == b"1 "
        slow.writer.write(line[14:])
        assert await slow.answer() == b"0 "


@pytest.mark.parametrize(
    "sent",
    [b"\r\n\r\n", b"GET\r\n\r\n", bytes(50), TLS_HELLO, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"  /table/ABCDEFGH "],
    ids=["empty lines", "no address", "zeros", "TLS", "HTTP/2", "no method"],
)
async def test_what_is_no_request_gets_what_it_gets_from_a_single_process(tmp_path: Path, sent: bytes) -> None:
    async def hear(worker: Worker) -> bytes:
        async with Client(worker.port) as client:
            client.writer.write(sent + b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
            async with asyncio.timeout(20):
                return await client.reader.read()

    async with running(tmp_path) as workers:
        heard = [await hear(worker) for worker in workers]
        for worker in workers:
            worker.passing.stop()  # from now on each is on its own
        assert [await hear(worker) for worker in workers] == heard


async def test_a_request_whose_home_is_gone_is_answered_here_and_goes_home_once_it_is_back(tmp_path: Path) -> None:
    async with running(tmp_path, (0,)) as (here,):
        table = Homes(str(tmp_path), 2, 1).new_id()
        for _ in range(2):
            async with running(tmp_path, (1,)) as (there,), Client(here.port) as client:
                assert await client.ask(f"/table/{table}") == b"1 "
                assert there.asked == [f"/table/{table}"]
            async with Client(here.port) as client:
                assert await client.ask(f"/table/{table}") == b"0 "


async def test_a_home_that_takes_nothing_gets_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it was sent it may still answer, so that nobody else can; but it is sent nothing more for now."""
    monkeypatch.setattr(passing, "SILENCE_S", 0.05)
    elsewhere = Homes(str(tmp_path), 2, 1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as hanging:
        hanging.bind(elsewhere.address(1))
        hanging.listen()
        async with running(tmp_path, (0,)) as (here,), Client(here.port) as unlucky:
            unlucky.writer.write(b"GET /table/%s HTTP/1.1\r\n\r\n" % elsewhere.new_id().encode())
            await until(lambda: here.connections.total == 1)
            await until(lambda: here.connections.total == 0)
            await asyncio.sleep(0.1)
            for _ in range(3):
                async with Client(here.port) as client:
                    assert await client.ask(f"/table/{elsewhere.new_id()}") == b"0 "
            line, _ = hanging.accept()
            with line:
                received, descriptors, _, _ = socket.recv_fds(line, 1000, 1)
                assert received.startswith(b"GET /table/")
                line.send(b"\0")  # it wakes up, and takes what it was sent
                with socket.socket(fileno=descriptors[0]) as connection:
                    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n1 ")
                    assert await unlucky.answer() == b"1 "
                async with Client(here.port) as client:
                    client.writer.write(b"GET /table/%s HTTP/1.1\r\n\r\n" % elsewhere.new_id().encode())
                    await until(lambda: here.connections.total == 1)
                    await until(lambda: here.connections.total == 0)
                    _, descriptors, _, _ = socket.recv_fds(line, 1000, 1)
                    socket.socket(fileno=descriptors[0]).close()


async def test_more_than_a_home_can_hold_is_answered_here(tmp_path: Path) -> None:
    """Nothing is lost when a home is busy for a moment while hundreds come."""
    elsewhere = Homes(str(tmp_path), 2, 1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as busy:
        busy.bind(elsewhere.address(1))
        busy.listen()
        async with running(tmp_path, (0,)) as (here,):
            clients = [await Client(here.port).__aenter__() for _ in range(500)]
            for client in clients:
                client.writer.write(b"GET /table/%s HTTP/1.1\r\n\r\n" % elsewhere.new_id().encode())
            await until(lambda: len(here.asked) == here.connections.total > 0)
            line, _ = busy.accept()
            line.settimeout(0)
            taken = 0
            with line:
                while taken + len(here.asked) < len(clients):
                    _, descriptors, _, _ = socket.recv_fds(line, 1000, 1)
                    taken += len(descriptors)
                    socket.socket(fileno=descriptors[0]).close()
            assert taken > 0
            for client in clients:
                client.writer.close()


async def test_where_no_socket_can_be_made_every_request_is_answered_where_it_arrives(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deep = tmp_path / ("x" * 120)  # longer than an address of a Unix socket may be
    deep.mkdir()
    async with running(deep) as (here, there), Client(here.port) as client:
        assert await client.ask(f"/table/{there.table()}") == b"0 "
    assert [record.getMessage() for record in caplog.records] == ["connections-not-passed"] * 2


@pytest.mark.parametrize(
    ("received", "table"),
    [
        (b"GET /table/ABCDEFGH HTTP/1.1\r\n", "ABCDEFGH"),
        (b"GET /table/ABCDEFGH/live?after=7 HTTP/1.1\r\n", "ABCDEFGH"),
        (b"GET /cards/ABCDEFGHtoken.svg HTTP/1.1\r\n", "ABCDEFGH"),
        (b"DELETE /api/tables/ABCDEFGH/seats/me HTTP/1.0\r\n", "ABCDEFGH"),
        (b"GET /table/ABCDEFGH", None),
        (b"GET /table/ABCDEFG HTTP/1.1\r\n", None),
        (b"GET http://host/table/ABCDEFGH HTTP/1.1\r\n", None),
        (b"GET /table/%41BCDEFGH HTTP/1.1\r\n", None),
        (b"GET /table/\xc3\xa4BCDEFG HTTP/1.1\r\n", None),
        (b"GET /sample/3.svg HTTP/1.1\r\n", None),
        (b"POST /api/tables HTTP/1.1\r\n", None),
        (b"GET /?" + b"x" * 2000 + b" HTTP/1.1\r\n", None),
        (b"", None),
    ],
    ids=lambda given: str(given)[:40],
)
def test_the_table_of_a_request(received: bytes, table: str | None) -> None:
    assert table_in_request(received) == table


def test_homes_are_the_same_in_every_process_and_share_tables_out_evenly() -> None:
    homes = [Homes("", 4, place) for place in range(4)]
    assert [each.home("ABCDEFGH") for each in homes] == [0] * 4  # by a hash that never changes
    tables = [homes[0].new_id() for _ in range(20)] + [homes[3].new_id() for _ in range(20)]
    assert [homes[1].home(table) for table in tables] == [0] * 20 + [3] * 20
    found = [homes[0].home(f"{number:08}") for number in range(4000)]
    assert all(900 < found.count(place) < 1100 for place in range(4))
