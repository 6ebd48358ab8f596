"""Notices by apprise, to a real HTTP server on this machine: when the turn comes, and never to whom it must not."""

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from harness.tables.services import open_store, service_on

from illusion.rules import Place
from illusion.tables import Pace, TableService
from illusion.tables.model import commands
from illusion.tables.model.commands import hashed
from illusion.tables.notices import KEY, BadAddress, Kept, Notices, Outcome, Sender
from illusion.tables.sending import is_public
from illusion.tables.transfer import exported_lines, import_file

TEXT = "Your turn at table abcd 2345: https://club.example/table/abcd2345"


class Target(ThreadingHTTPServer):
    """Hears notices of `json://`."""

    daemon_threads = True

    def __init__(self, *, status: int = 200, location: str = "", stalls: bool = False) -> None:
        self.heard: list[dict[str, Any]] = []
        self.asked = 0
        self.ended = threading.Event()
        target = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                target.asked += 1
                body = self.rfile.read(int(self.headers["content-length"]))
                if stalls:
                    target.ended.wait(60)
                    return
                self.send_response(status)
                if location:
                    self.send_header("location", location)
                self.end_headers()
                if status == 200:
                    target.heard.append(json.loads(body))

            def log_message(self, *_: object) -> None:
                """Not to standard error."""

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"json://127.0.0.1:{self.server_port}/here"


@pytest.fixture(autouse=True)
def _on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that sends may take long to start."""
    monkeypatch.setattr("illusion.tables.notices.TIMEOUT_S", 600.0)


@pytest.fixture
def target() -> Iterator[Target]:
    with Target() as running:
        yield running
        running.shutdown()


async def test_a_notice_arrives_where_private_addresses_are_allowed(target: Target) -> None:
    sender = Sender(private=True)
    await sender.check(target.address)
    with pytest.raises(BadAddress):
        await Sender().check(target.address)
    assert target.asked == 0  # it was only looked at
    assert await sender.send(target.address, TEXT) is Outcome.SENT
    ((told),) = target.heard
    assert (told["title"], told["message"]) == ("Illusion", TEXT)


@pytest.mark.parametrize("host", ["localhost", "[::1]", "2130706433"])
async def test_nothing_reaches_this_machine_unless_it_is_allowed(target: Target, host: str) -> None:
    """Whether it is named by a number or by a name that leads there."""
    address = f"json://{host}:{target.server_port}/"
    assert await Sender().send(address, TEXT) is Outcome.REFUSED
    assert target.asked == 0


def test_the_servers_own_networks_are_known() -> None:
    inside = ["10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "127.8.8.8", "0.0.0.0", "::1"]  # noqa: S104
    inside += ["::7f00:1", "fec0::1"]
    inside += ["fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1", "ff02::1"]
    assert [each for each in [*inside, "localhost", "", "/run/docker.sock", None] if is_public(each)] == []
    assert all(map(is_public, ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::101:101"]))


async def run_guarded(code: str) -> str:
    """What a process prints that is guarded as the one that sends."""
    guarded = "import sys; from illusion.tables.sending import Guard; guard = Guard(); sys.addaudithook(guard)\n"
    ended = "\nprint('refused' if guard.has_refused else 'done')"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", guarded + code + ended), stdout=asyncio.subprocess.PIPE
    )
    return (await process.communicate())[0].decode().strip()


async def test_a_redirect_inside_is_not_followed(target: Target) -> None:
    """The first server is reached as if it were outside; the second one is this machine."""
    address = f"http://127.0.0.1:{target.server_port}/"
    with Target(status=307, location=address) as outside:
        code = f"""
import ipaddress, requests
from illusion.tables import sending
inside, sending.is_public, sending.is_own = sending.is_public, lambda host: True, lambda host: False
line = requests.Session()
def opened(answer, *args, **kwargs):
    sending.is_public = inside
line.hooks["response"].append(opened)
try:
    line.post("http://127.0.0.1:{outside.server_port}/", data="x", timeout=5)
except requests.RequestException:
    pass
"""
        assert await run_guarded(code) == "refused"
        outside.shutdown()
    assert (outside.asked, target.asked) == (1, 0)


@pytest.mark.parametrize(
    "code",
    [
        "import socket\ntry: socket.socket(socket.AF_UNIX).connect('/run/x')\nexcept OSError: pass",
        "import socket\ntry: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))\n"
        "except OSError: pass",
        "import subprocess\ntry: subprocess.run(['true'])\nexcept OSError: pass",
        "import os\ntry: os.system('true')\nexcept OSError: pass",
        "import socket\nfrom illusion.tables import sending\nsending.is_public = lambda host: True\n"
        "try: socket.socket(socket.AF_INET).connect(('127.0.0.1', 9))\nexcept OSError: pass",
    ],
)
async def test_the_process_that_sends_does_nothing_else(code: str) -> None:
    assert await run_guarded(code) == "refused"


async def test_the_process_that_sends_reads_no_file_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_text("secret")
    code = f"""
import pathlib
try: print(pathlib.Path({str(tmp_path)!r}, "tables.db").read_text())
except OSError: pass
"""
    assert await run_guarded(code) == "done"


async def test_the_process_that_sends_takes_no_more_than_its_share_of_memory() -> None:
    """A target could answer with gigabytes, a megabyte of them compressed."""
    limited = "from illusion.tables.sending import limit_resources; limit_resources()\n"
    assert await run_guarded(limited + "try: bytearray(2**30)\nexcept MemoryError: print('no', end=' ')") == "no done"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "exec://rm",
        "file:///etc/passwd",
        "syslog://",
        "dbus://",
        "windows://",
        "json://",
        "json://a b",
        "json://a\nb",
        "json://example.org/\r\nHost: x",
        "JSON://example.org/\x00",
        "mailto://u:p@example.org?pgp=yes&pgpkey=/etc/passwd",
        "json://example.org/?attach=file:///etc/passwd",
        "tgram://1:a/2?%74emplate=/etc/passwd",
        "ntfy://ntfy.sh/here?x=1&%2520%2565mail=stranger@example.org",
        "mailto://u:p@example.org?to=a@example.org&cc=b@example.org",
        "mailto://u:p@example.org?to=a@example.org,b@example.org",
        "ntfy://ntfy.sh/one/two/three",
        "json://example.org/?retry=5",
        "json://example.org/" + "a" * 500,
        "ntfy://a ntfy://b",
        "tgram://",
    ],
)
async def test_what_is_no_address_for_notices_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        await Sender(private=True).check(address)


async def test_a_target_that_fails_or_stalls_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    with Target(status=500) as failing, Target(stalls=True) as stalling:
        assert await Sender(private=True).send(failing.address, TEXT) is Outcome.FAILED
        assert failing.asked >= 1
        monkeypatch.setattr("illusion.tables.notices.TIMEOUT_S", 3.0)
        began = time.monotonic()
        assert await Sender(private=True).send(stalling.address, TEXT) is Outcome.FAILED
        assert time.monotonic() - began < 15
        stalling.ended.set()
        for each in (failing, stalling):
            each.shutdown()


@asynccontextmanager
async def with_notices(
    database: str, notices: Notices | None = None, **options: Any
) -> AsyncIterator[tuple[TableService, Notices]]:
    notices = notices or Notices(Sender(private=True))
    async with open_store(database) as store, service_on(store, Pace(bot_s=0), (notices,), **options) as service:
        notices.observe(service)
        yield service, notices
        await notices.stop()


async def opened(service: TableService) -> tuple[str, dict[str, str]]:
    """A table of two that has not begun, and their tokens."""
    table, ana = await service.open("Ana", 2)
    _, bob = await service.sit(table, "Bob")
    return table, {"Ana": ana, "Bob": bob}


async def start(service: TableService, table: str) -> None:
    await service.execute(table, lambda state, now: commands.start(state, now, state.host or 0))


async def place(service: TableService, table: str) -> str:
    """Whoever is to play lays a card; returns their name."""
    state = await service.get(table)
    _, seat = state.running()
    await service.move(table, seat, Place(0), state.seq)
    return state.sitter(seat).name


async def until_heard(target: Target, count: int) -> list[str]:
    async with asyncio.timeout(600):
        while len(target.heard) < count:
            await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)
    return [each["message"] for each in target.heard]


async def test_whoever_gave_an_address_is_told_of_their_turns_alone(
    database: str, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only Ana wants to be told. Chairs are drawn anew at the deal, and the address goes with her."""
    monkeypatch.setattr("illusion.tables.notices.REST_S", 0.0)
    async with with_notices(database) as (service, notices):
        table, tokens = await opened(service)
        await notices.keep(table, Kept(hashed(tokens["Ana"]), target.address, TEXT))
        await start(service, table)
        state = await service.get(table)
        plays = state.sitter(state.running()[1]).name
        expected = 1 if plays == "Ana" else 0
        for _ in range(4):
            await until_heard(target, expected)
            assert target.heard == [each for each in target.heard if each["message"] == TEXT]
            assert len(target.heard) == expected
            expected += await place(service, table) == "Bob"
        await until_heard(target, expected)
        assert len(target.heard) == expected == 2 + (plays == "Ana")
        await notices.keep(table, Kept(hashed(tokens["Ana"]), "", ""))
        assert await notices.kept(table) == {}
        for _ in range(2):
            await place(service, table)
        assert len(await until_heard(target, expected)) == expected


class Late(Notices):
    """Reads the addresses of a table only when it may."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.may_read = asyncio.Event()

    async def kept(self, table: str) -> dict[str, Kept]:
        await self.may_read.wait()
        return await super().kept(table)


async def test_an_address_gets_one_notice_a_minute_at_most(tmp_path: Path, target: Target) -> None:
    """A turn that was over before anybody was told takes nobody's minute."""
    now = time.time()
    notices = Late(Sender(private=True))
    async with with_notices(str(tmp_path / "t.db"), notices, now=lambda: now) as (service, _):
        tables = [await opened(service) for _ in range(2)]
        for table, tokens in tables:
            for token in tokens.values():
                await notices.keep(table, Kept(hashed(token), target.address, TEXT))
            await start(service, table)
            await place(service, table)
        notices.may_read.set()
        assert len(await until_heard(target, 1)) == 1
        now += 61
        await place(service, tables[0][0])
        await until_heard(target, 2)


async def test_what_fails_is_tried_again_while_it_is_still_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("illusion.tables.notices.RETRIES_S", (0.0, 0.2, 0.2))
    with Target(status=503) as failing:
        async with with_notices(str(tmp_path / "t.db")) as (service, notices):
            table, tokens = await opened(service)
            for token in tokens.values():
                await notices.keep(table, Kept(hashed(token), failing.address, TEXT))
            await start(service, table)
            async with asyncio.timeout(600):
                while failing.asked < 3:
                    await asyncio.sleep(0.05)
            await asyncio.sleep(1.5)
            assert failing.asked == 3
        failing.shutdown()


async def test_after_a_restart_nobody_is_told_again(database: str, target: Target) -> None:
    async with with_notices(database) as (service, notices):
        table, tokens = await opened(service)
        for token in tokens.values():
            await notices.keep(table, Kept(hashed(token), target.address, TEXT))
        await start(service, table)
        await until_heard(target, 1)
    async with with_notices(database, now=lambda: time.time() + 3600) as (service, _):
        await service.get(table)
        service.open_page(table, "a page", 0)
        service.close_page(table, "a page")
        await asyncio.sleep(1)
    assert len(target.heard) == 1


async def test_addresses_are_no_part_of_the_table_and_are_not_exported(database: str, tmp_path: Path) -> None:
    async with with_notices(database) as (service, notices):
        table, tokens = await opened(service)
        before = await service.store.read(table)
        await notices.keep(table, Kept(hashed(tokens["Ana"]), "ntfy://ntfy.sh/secret-topic", TEXT))
        assert await service.store.read(table) == before
        assert await service.store.read(KEY + table)
        assert await service.store.unfinished() == 1
        lines = [line async for line in exported_lines(service.store)]
        assert len(lines) == 1
        assert b"secret-topic" not in lines[0]
    async with open_store(str(tmp_path / "other.db")) as other:
        assert (await import_file(other, BytesIO(b"".join(lines)))).tables == 1


async def test_an_address_cannot_be_changed_for_ever(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("illusion.tables.notices.MAX_CHANGES", 3)
    async with with_notices(database) as (service, notices):
        table, tokens = await opened(service)
        for _ in range(3):
            await notices.keep(table, Kept(hashed(tokens["Ana"]), "", ""))
        with pytest.raises(BadAddress):
            await notices.keep(table, Kept(hashed(tokens["Ana"]), "", ""))
        await notices.keep(table, Kept(hashed(tokens["Bob"]), "", ""))  # whom that does not concern


def test_a_name_that_leads_inside_does_so_here() -> None:
    """What the test with `localhost` relies on."""
    with suppress(OSError):
        assert not any(is_public(found[4][0]) for found in socket.getaddrinfo("localhost", None))
