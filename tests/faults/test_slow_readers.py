"""Clients that read slowly or never: nobody else waits for them, and the server's memory does not grow."""

import socket
from itertools import islice
from pathlib import Path

from harness.faults.serving import served
from harness.servers import Seat, Server, opened

SLEEPERS = 20
EVENTS = 800


def sleeper(server: Server, table: str) -> socket.socket:
    """A page that asks for its live fragments and then reads nothing; its own machine takes as little as it can."""
    asleep = socket.socket()
    asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    asleep.settimeout(30)
    asleep.connect(("127.0.0.1", server.port))
    asleep.sendall(f"GET /table/{table}/live HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    return asleep


def woken(asleep: socket.socket) -> list[int]:
    """Read whatever is still to come until the server's end; the numbers heard."""
    heard = b""
    while some := asleep.recv(65536):
        heard += some
        if heard.endswith(b"0\r\n\r\n"):
            break
    asleep.close()
    return [int(line[4:]) for line in heard.split(b"\n") if line.startswith(b"id: ")]


def memory(server: Server) -> int:
    """What the process holds in memory, in megabytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def churn(host: Seat, events: int) -> None:
    """Much happens at a table: a bot comes and goes."""
    for _ in range(events // 2):
        assert host.post("bots", {"level": "keen"}).status_code == 201
        assert host.client.delete(f"/api/tables/{host.table}/bots/1").status_code == 200


def test_a_reader_that_never_reads_is_disconnected_and_costs_little_memory(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        (host,) = opened(server, 1, seats=3)
        churn(host, 100)
        asleep = [sleeper(server, host.table) for _ in range(SLEEPERS)]
        before = memory(server)
        with server.client() as client, client.stream("GET", f"/api/tables/{host.table}/events?after=102") as stream:
            lines = stream.iter_lines()
            churn(host, EVENTS)
            heard = [int(line[4:]) for line in islice((line for line in lines if line.startswith("id: ")), EVENTS)]
        assert heard == list(range(103, 103 + EVENTS))  # a reader that keeps up has heard everything
        assert memory(server) - before < 40
        for some in asleep[:5]:
            numbers = woken(some)
            assert numbers[0] >= 102  # first the state, then what happened since
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            assert len(numbers) < 102 + EVENTS  # disconnected; it comes back with the last number it saw
            with (
                server.client() as client,
                client.stream(
                    "GET", f"/api/tables/{host.table}/events", headers={"last-event-id": str(numbers[-1])}
                ) as rest,
            ):
                assert next(line for line in rest.iter_lines() if line.startswith("id: ")) == f"id: {numbers[-1] + 1}"
        for some in asleep[5:]:
            some.close()
