"""Notices by apprise, to a real HTTP server on this machine: when the turn comes, and never to whom it must not."""

import asyncio
import json
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness.tables.services import leave_seat, open_store, place, service_on, start_game

from illusion.tables import Pace, TableService, sending
from illusion.tables.model.commands import DAY_S, hashed
from illusion.tables.model.entries import Terms
from illusion.tables.notices import KEY, BadAddress, Kept, Notices, Outcome, Sender
from illusion.tables.sending import is_public, leads_inside
from illusion.tables.transfer import exported_lines, import_file

TEXT = "Your turn at table abcd 2345: https://club.example/table/abcd2345"


class Target(ThreadingHTTPServer):
    """Hears notices of `json://`. A slow one answers a byte now and then, without an end."""

    daemon_threads = True

    def __init__(self, *, status: int = 200, location: str = "", is_slow: bool = False) -> None:
        self.heard: list[dict[str, Any]] = []
        self.asked = 0
        self.ended = threading.Event()
        target = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                target.asked += 1
                body = self.rfile.read(int(self.headers["content-length"]))
                while is_slow and not target.ended.wait(0.1):
                    self.wfile.write(b"H")
                self.send_response(status)
                self.send_header("location", location)
                self.end_headers()
                target.heard.append(json.loads(body))

            def log_message(self, *_: object) -> None:
                """Not to standard error."""

            def handle(self) -> None:
                with suppress(OSError):  # a slow one is left
                    super().handle()

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def server_close(self) -> None:
        self.ended.set()
        self.shutdown()
        super().server_close()

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


async def test_nothing_reaches_this_machine_unless_it_is_allowed(target: Target) -> None:
    """Whether it is named by a number or by a name that leads there."""
    with pytest.raises(BadAddress):
        await Sender().check(f"json://localhost:{target.server_port}/")
    assert await Sender().send(f"json://[::ffff:7f00:1]:{target.server_port}/", TEXT) is Outcome.REFUSED
    assert target.asked == 0
    assert all(map(leads_inside, ("localhost", "127.0.0.1", "::1", "2130706433")))


def test_the_servers_own_networks_are_known() -> None:
    inside = ["10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "127.8.8.8", "0.0.0.0", "::1"]  # noqa: S104
    inside += ["::7f00:1", "fec0::1"]
    inside += ["fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1", "ff02::1"]
    assert [each for each in [*inside, "localhost", "", "/run/docker.sock", None] if is_public(each)] == []
    assert all(map(is_public, ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::101:101"]))


async def run_guarded(code: str) -> str:
    """What a process prints that is guarded as the one that sends, which imports nothing else of ours."""
    path = f"import sys; sys.path.append({str(Path(sending.__file__).parent)!r})\n"
    guarded = "import sending; guard = sending.Guard(); sys.addaudithook(guard)\n"
    ended = "\nprint('refused' if guard.has_refused else 'done')"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", path + guarded + code + ended), stdout=asyncio.subprocess.PIPE
    )
    return (await process.communicate())[0].decode().strip()


async def test_a_redirect_inside_is_not_followed(target: Target) -> None:
    """The first server is reached as if it were outside; the second one is this machine."""
    address = f"http://127.0.0.1:{target.server_port}/"
    with Target(status=307, location=address) as outside:
        code = f"""
import requests
inside, sending.is_public, sending.is_own = sending.is_public, lambda host: True, lambda host: False
line = requests.Session()
def opened(answer, *args, **kwargs):
    sending.is_public = inside
line.hooks["response"].append(opened)
try:
    line.post("http://127.0.0.1:{outside.server_port}/", data="{{}}", timeout=60)
except requests.RequestException:
    pass
"""
        assert await run_guarded(code) == "refused"
    assert (outside.asked, target.asked) == (1, 0)


@pytest.mark.parametrize(
    "code",
    [
        "import socket\ntry: socket.socket(socket.AF_UNIX).connect('/run/x')",
        "import socket\ntry: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "import subprocess\ntry: subprocess.run(['true'])",
        "import os\ntry: os.system('true')",
        "import socket\nsending.is_public = lambda host: True\n"
        "try: socket.socket(socket.AF_INET).connect(('127.0.0.1', 9))",
    ],
)
async def test_the_process_that_sends_does_nothing_else(code: str) -> None:
    assert await run_guarded(f"{code}\nexcept OSError: pass") == "refused"


async def test_the_process_that_sends_reads_no_file_of_the_server_and_takes_only_its_share_of_memory(
    tmp_path: Path,
) -> None:
    """A target could answer with gigabytes, a megabyte of them compressed."""
    (tmp_path / "tables.db").write_text("secret")
    code = f"""
try: print(open({str(tmp_path / "tables.db")!r}).read())
except OSError: pass
sending.limit_resources()
try: bytearray(2**30)
except MemoryError: print('no', end=' ')
"""
    assert await run_guarded(code) == "no done"


@pytest.mark.parametrize(
    "address",
    [
        *("", "nonsense", "exec://rm", "file:///etc/passwd", "syslog://", "json://", "json://a b", "json://a\nb"),
        "json://example.org/\r\nHost: x",
        "JSON://example.org/\x00",
        "mailto://u:p@example.org?pgp=yes&pgpkey=/etc/passwd",
        "json://example.org/?attach=file:///etc/passwd",
        "tgram://1:a/2?%74emplate=/etc/passwd",
        "ntfy://ntfy.sh/here?x=1&%2520%2565mail=stranger@example.org",
        "mailto://u:p@example.org?to=a@example.org&cc=b@example.org",
        "mailto://u:p@example.org?to=a@example.org,b@example.org",
        "json://example.org/?retry=5",
        "json://example.org/" + "a" * 500,
        "ntfy://a ntfy://b",
    ],
)
async def test_what_is_no_address_for_notices_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        await Sender(private=True).check(address)


async def test_a_target_that_is_slow_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("illusion.tables.notices.TIMEOUT_S", 2.0)
    with Target(is_slow=True) as slow:
        async with asyncio.timeout(60):
            assert await Sender(private=True).send(slow.address, TEXT) is Outcome.FAILED


@asynccontextmanager
async def with_notices(
    database: str | Path, notices: Notices | None = None, **options: Any
) -> AsyncIterator[tuple[TableService, Notices]]:
    notices = notices or Notices(Sender(private=True))
    async with open_store(str(database)) as store, service_on(store, Pace(bot_s=0), (notices,), **options) as service:
        notices.observe(service)
        yield service, notices
        async with asyncio.timeout(60):
            await notices.stop()


async def opened(service: TableService, address: str = "") -> tuple[str, dict[str, str]]:
    """A slow table of two before its game, and the hashes of their tokens; both gave the address, if there is one."""
    table, ana = await service.open("Ana", 2, Terms(clock=DAY_S))
    _, bob = await service.sit(table, "Bob")
    holders = {"Ana": hashed(ana), "Bob": hashed(bob)}
    if address:
        kept = [msgspec.json.encode(Kept(holder, address, TEXT)) for holder in holders.values()]
        await service.store.append(KEY + table, 1, kept, ended=True)
    return table, holders


async def until_told() -> None:
    """Whatever a turn leads to has been done."""
    await asyncio.sleep(0.1)
    async with asyncio.timeout(600):
        while "Notices._tell" in [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]:
            await asyncio.sleep(0.02)


async def test_whoever_gave_an_address_is_told_of_their_turns_alone_and_nobody_again_after_a_restart(
    tmp_path: Path, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only Ana wants to be told. Chairs are drawn anew at the deal, and the (private) address goes with her."""
    monkeypatch.setattr("illusion.tables.notices.REST_S", 0.0)
    told = 0
    async with with_notices(tmp_path / "t.db") as (service, notices):
        table, holders = await opened(service)
        await notices.keep(table, Kept(holders["Ana"], target.address, TEXT))
        assert target.asked == 0  # the address was only looked at
        await start_game(service, table)
        state = await service.get(table)
        plays = state.sitter(state.running()[1]).name
        while True:
            told += plays == "Ana"
            await until_told()
            assert [(each["title"], each["message"]) for each in target.heard] == [("Illusion", TEXT)] * told
            if told == 2:
                break
            state = await place(service, table)
            plays = state.sitter(state.running()[1]).name
    async with with_notices(tmp_path / "t.db", now=lambda: time.time() + 3600) as (service, notices):
        state = await service.get(table)
        await leave_seat(service, table, 1 - state.running()[1])  # something happens in the same turn
        await until_told()
        await notices.keep(table, Kept(holders["Ana"], "", ""))
        assert await notices.kept(table) == {}
        for _ in range(2):
            await place(service, table)
        await until_told()
    assert len(target.heard) == 2


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
    async with with_notices(tmp_path / "t.db", notices, now=lambda: now) as (service, _):
        tables = [(await opened(service, target.address))[0] for _ in range(2)]
        for table in tables:
            await start_game(service, table)
            await place(service, table)
        notices.may_read.set()
        await until_told()
        assert len(target.heard) == 1
        now += 61
        await place(service, tables[0])
        await until_told()
        assert len(target.heard) == 2
        notices.may_read.clear()
        await place(service, tables[1])  # nobody waits for who is still to be told when the server stops
        await asyncio.sleep(0.1)


async def test_what_fails_is_tried_again_while_it_is_still_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("illusion.tables.notices.RETRIES_S", (0.0, 0.1))
    with Target(status=503) as failing:
        async with with_notices(tmp_path / "t.db") as (service, _):
            table, _ = await opened(service, failing.address)
            await start_game(service, table)
            await until_told()
        assert failing.asked == 2


async def test_addresses_are_no_part_of_the_table_and_are_not_exported(database: str, tmp_path: Path) -> None:
    async with with_notices(database) as (service, _):
        table, _ = await opened(service, "ntfy://ntfy.sh/secret-topic")
        assert b"secret-topic" not in b"".join(await service.store.read(table))
        assert await service.store.unfinished() == 1
        (line,) = [line async for line in exported_lines(service.store)]
        assert b"secret-topic" not in line
    async with open_store(str(tmp_path / "other.db")) as other:
        assert (await import_file(other, BytesIO(line))).tables == 1


async def test_an_address_cannot_be_changed_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("illusion.tables.notices.MAX_CHANGES", 3)
    async with with_notices(tmp_path / "t.db") as (service, notices):
        table, holders = await opened(service)
        for _ in range(3):
            await notices.keep(table, Kept(holders["Ana"], "", ""))
        with pytest.raises(BadAddress):
            await notices.keep(table, Kept(holders["Ana"], "", ""))
        await notices.keep(table, Kept(holders["Bob"], "", ""))  # whom that does not concern
