"""Connections that are pipelined, half-sent, abandoned, idle, malformed or never read."""

import asyncio
from contextlib import suppress
from typing import Final

from harness.siege.connection import Gone
from harness.siege.guest import Guest
from harness.siege.scenario import Scenario
from illusion.web.http import urls

AT_ONCE: Final = 50
PIPELINED: Final = 14_000
IDLE: Final = 1_100
HALF_SENT: Final = 300
TINY: Final = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
MALFORMED: Final = (b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"G@T / HTTP/9\r\n\r\n", b"\r\n\r\n\x00\r\n\r\n")


async def behind_a_stream(guest: Guest) -> None:
    """one request pipelined behind a stream, then hanging up, again and again"""
    own = await guest.own_table()
    stream = guest.request("GET", f"/table/{own.table}/live")
    await guest.ready()
    numbers = guest.rounds(400)

    async def one_after_another() -> None:
        for _ in numbers:
            with suppress(Gone):
                async with guest.connected() as connection:
                    await connection.ask(stream)
                    connection.send(TINY)
                    await asyncio.sleep(0.01)

    await asyncio.gather(*(one_after_another() for _ in range(8)))
    await guest.until_the_end()


async def pipelined_behind_streams(guest: Guest) -> None:
    """thousands of requests pipelined behind each of many streams, which are then hung up"""
    own = await guest.own_table()
    stream = guest.request("GET", f"/table/{own.table}/live")
    await guest.ready()

    async def one() -> None:
        with suppress(Gone):
            async with guest.connected() as connection:
                await connection.ask(stream)
                connection.send(TINY * guest.at_most(PIPELINED))
                for _ in range(20):
                    if connection.is_closed or not connection.unsent_bytes():
                        break
                    await asyncio.sleep(0.1)

    for _ in guest.rounds(12):
        await asyncio.gather(*(one() for _ in range(guest.at_most(10))))
    await guest.until_the_end()


async def pipelined(guest: Guest) -> None:
    """thousands of requests pipelined on a connection on which nothing is read"""
    await guest.ready()
    for _ in guest.rounds(300):
        with suppress(Gone):
            connection = await guest.connect(asleep=True)
            connection.send(guest.request("GET", "/rules") * guest.at_most(400))
        await asyncio.sleep(0.03)
    await guest.until_the_end()


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
    while guest.connections:
        for connection in list(guest.connections):
            connection.send(b"x")
        if not guest.goes_on() or guest.counts_rounds:
            break
        await asyncio.sleep(1)


async def abandoned(guest: Guest) -> None:
    """requests for dear pages by clients that are gone before the answer"""
    own = await guest.own_game()
    paths = ("/rules", f"/table/{own.table}", f"/table/{own.table}/live", f"{own.path}/events", "/api/docs")
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for number in numbers:
            with suppress(Gone):
                async with guest.connected() as connection:
                    connection.send(guest.request("GET", paths[number % len(paths)]))
                    await asyncio.sleep(0.02)

    await asyncio.gather(*(one_after_another() for _ in range(5)))


async def idle_connections(guest: Guest) -> None:
    """more idle connections than the server has descriptors"""
    await guest.ready()
    for _ in guest.rounds():
        for _ in range(min(guest.at_most(AT_ONCE), IDLE - len(guest.connections))):
            with suppress(Gone):
                await guest.connect()
        await asyncio.sleep(0.05)
    await guest.until_the_end()


async def malformed(guest: Guest) -> None:
    """thousands of requests that are none, each on a connection of its own"""
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for number in numbers:
            with suppress(Gone, TimeoutError):
                async with guest.connected() as connection:
                    await guest.in_time(connection.ask(MALFORMED[number % len(MALFORMED)]))

    await asyncio.gather(*(one_after_another() for _ in range(8)))


async def unread_pictures(guest: Guest) -> None:
    """pictures and pages asked for and never read, on hundreds of connections"""
    await guest.ready()
    asked = b"".join(guest.request("GET", urls.sample_picture(number)) for number in range(1, 4))
    for _ in guest.rounds(300):
        with suppress(Gone):
            connection = await guest.connect(asleep=True)
            connection.send(asked)
        await asyncio.sleep(0.01)
    await guest.until_the_end()


SCENARIOS: Final = (
    Scenario("behind-a-stream", "H4", behind_a_stream),
    Scenario("pipelined-behind-streams", "H4", pipelined_behind_streams),
    Scenario("pipelined", "H4", pipelined),
    Scenario("half-sent", "-", half_sent),
    Scenario("abandoned", "-", abandoned),
    Scenario("idle-connections", "L6", idle_connections),
    Scenario("malformed", "L2", malformed),
    Scenario("unread-pictures", "-", unread_pictures),
)
