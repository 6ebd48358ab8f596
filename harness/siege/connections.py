"""Connections that are pipelined, half-sent, idle, malformed or never read, and streams with long logs."""

import asyncio
from contextlib import suppress
from typing import Final

from harness.siege.guest import Gone, Guest, Own
from harness.siege.requests import LANGUAGES
from harness.siege.scenario import scenario

AT_ONCE: Final = 50
PIPELINED: Final = 14_000
IDLE: Final = 1_100
HALF_SENT: Final = 300
SLEEPERS: Final = 20
LOG_ENTRIES: Final = 6_000
TINY: Final = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
MALFORMED: Final = (b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"G@T / HTTP/9\r\n\r\n", b"\r\n\r\n\x00\r\n\r\n")


@scenario("H4")
async def pipelined(guest: Guest) -> None:
    """thousands of requests behind a page, an event stream or a socket, on connections on which nothing is read"""
    own = await guest.own_table()
    first = [guest.request("GET", path) for path in ("/rules", f"{own.path}/events", f"/table/{own.table}/live")]
    await guest.ready()

    async def one(number: int) -> None:
        connection = await guest.connect(asleep=True)
        connection.send(first[number % len(first)] + TINY * guest.at_most(PIPELINED))
        await asyncio.sleep(0.3)
        connection.abort()

    await guest.side_by_side(one, lines=10, most=300)
    await guest.until_the_end()


@scenario("-", holds_bare=True)
async def half_sent(guest: Guest) -> None:
    """hundreds of heads and bodies that never end, a letter at a time"""
    await guest.ready()
    begun = (
        b"GET / HTTP/1.1\r\nhost: x\r\nx: ",
        guest.request("POST", "/api/tables", {"content-length": "9000"}),
        b"G",
    )
    for number in guest.rounds(HALF_SENT):
        with suppress(Gone):
            (await guest.connect()).send(begun[number % len(begun)])
    for _ in guest.rounds():
        for connection in list(guest.connections):
            connection.send(b"x")
        await asyncio.sleep(min(1, guest.left_s()))


@scenario("L6")
async def idle_connections(guest: Guest) -> None:
    """more idle connections than the server has descriptors"""
    await guest.ready()
    for _ in guest.rounds():
        for _ in range(min(guest.at_most(AT_ONCE), IDLE - len(guest.connections))):
            with suppress(Gone):
                await guest.connect()
        await asyncio.sleep(0.05)


@scenario("L2")
async def malformed(guest: Guest) -> None:
    """thousands of requests that are none, each on a connection of its own"""
    await guest.ready()

    async def one(number: int) -> None:
        async with guest.connected() as connection:
            await connection.ask(MALFORMED[number % len(MALFORMED)])

    await guest.side_by_side(one, lines=8)


async def long_log(guest: Guest) -> list[Own]:
    """A table at which bots came and went for as long as the server lets them."""
    own = await guest.own_table(seats=2)
    async with guest.connected() as connection:
        for _ in range(guest.at_most(LOG_ENTRIES // 2)):
            come = await connection.ask(guest.request("POST", f"{own.path}/bots", own.bearer, {"level": "keen"}))
            gone = await connection.ask(guest.request("DELETE", f"{own.path}/bots/1", own.bearer))
            if come.status != 201 or gone.status != 200:
                break
    return [own]


@scenario("H3", prepared=long_log)
async def catch_up(guest: Guest) -> None:
    """a page's socket and an event stream from the beginning of a long log, again and again"""
    (own,) = guest.known
    paths = (f"/table/{own.table}/live?after=0", f"{own.path}/events?after=0")
    await guest.ready()

    async def one(number: int) -> None:
        language = {"accept-language": LANGUAGES[number % len(LANGUAGES)]}
        async with guest.connected() as connection:
            answer = await connection.ask(guest.request("GET", paths[number % len(paths)], language))
            before = -1 if answer.is_stream else connection.received_bytes
            while connection.received_bytes != before and not connection.is_closed:  # until nothing more comes
                before = connection.received_bytes
                await asyncio.sleep(0.05)

    await guest.side_by_side(one, lines=4)


@scenario("H3", prepared=long_log)
async def catch_up_unread(guest: Guest) -> None:
    """both from the beginning of a long log by clients that never read"""
    (own,) = guest.known
    paths = (f"/table/{own.table}/live?after=0", f"{own.path}/events?after=0")
    await guest.ready()

    await guest.side_by_side(
        lambda number: guest.stream(paths[number % len(paths)], asleep=True), lines=SLEEPERS, most=SLEEPERS
    )
    await guest.until_the_end()
