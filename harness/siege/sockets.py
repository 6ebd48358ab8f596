"""Pages' sockets misused: frames and pings by the thousand, handshakes that lead nowhere, frames that are none."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec

from harness.siege.connection import Connection, Gone
from harness.siege.guest import Guest, Own
from harness.siege.scenario import Scenario
from harness.sockets.frames import BINARY, CLOSE, CONTINUATION, PING, TEXT, UPGRADE, frame

FLOODING: Final = 50
"""Sockets on which the guest sends all the time."""
OF_THE_SEAT: Final = 10
"""Of these, and of others that sleep; a seat may have a few more open."""
AT_ONCE: Final = 100
SOCKETS: Final = 390
"""A few below the most that an address may have open."""
HALF: Final = 300

NONSENSE: Final = {
    "not masked": frame(TEXT, b"{}", masked=False),
    "too large": frame(TEXT, bytes(5_000)),
    "far too large": frame(TEXT, announced=1 << 62),
    "no UTF-8": frame(TEXT, b"\xff\xfe"),
    "no UTF-8 in pieces": frame(TEXT, b"\xc3", last=False) + frame(CONTINUATION, b"("),
    "binary": frame(BINARY, bytes(range(256))),
    "unknown kind": frame(5, b"x"),
    "reserved bits": bytes([0xF1, 0x80]) + bytes(4),
    "nothing goes on": frame(CONTINUATION, b"x"),
    "begun twice": frame(TEXT, b"x", last=False) + frame(TEXT, b"x"),
    "ping in pieces": frame(PING, b"x", last=False),
    "large ping": frame(PING, bytes(200)),
    "close with half a code": frame(CLOSE, b"\x03"),
    "close with a code that is none": frame(CLOSE, (999).to_bytes(2)),
    "close without UTF-8": frame(CLOSE, (1000).to_bytes(2) + b"\xff"),
    "fragments": frame(TEXT, last=False) + frame(CONTINUATION, last=False) * 40,
    "half a frame": frame(TEXT, b"x" * 100)[:20],
    "HTTP": b"GET / HTTP/1.1\r\nhost: x\r\n\r\n",
    "nested": frame(TEXT, b"[" * 4_000),
}
"""Frames that no page sends."""


async def frame_flood(guest: Guest) -> None:
    """moves on many sockets, as many as the wire takes, read or not"""
    own = await guest.own_game()
    move = frame(TEXT, msgspec.json.encode({"move": "place", "gap": 99, "seq": 1}))
    await guest.ready()
    await _flood(guest, own, lambda number: (move, frame(TEXT), frame(TEXT, b"{}"))[number % 3] * AT_ONCE)


async def ping_flood(guest: Guest) -> None:
    """pings on many sockets, as many as the wire takes"""
    own = await guest.own_game()
    await guest.ready()
    await _flood(guest, own, lambda number: frame(PING, b"x" * (number % 126)) * AT_ONCE)


async def _flood(guest: Guest, own: Own, frames: Callable[[int], bytes]) -> None:
    """Each socket is flooded until it is cut off, and opened again."""
    cookie = {"cookie": f"seat-{own.table}={own.tokens[0]}"}
    numbers = guest.rounds()

    async def one_after_another(place: int) -> None:
        socket: Connection | None = None
        headers = cookie if place < OF_THE_SEAT else None
        for number in numbers:
            with suppress(Gone, TimeoutError):
                if socket is None or socket.is_closed:
                    await asyncio.sleep(0.05)
                    socket = await guest.in_time(
                        guest.stream(f"/table/{own.table}/live", headers, asleep=number % 4 == 3)
                    )
                if socket is not None and socket.unsent_bytes() < 1 << 20:
                    socket.send(frames(number))
            await asyncio.sleep(0.01)

    await asyncio.gather(*map(one_after_another, range(guest.at_most(FLOODING))))


async def many_sockets(guest: Guest) -> None:
    """as many sockets as are let in, opened and left again and again"""
    own = await guest.own_game()
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for number in numbers:
            with suppress(Gone, TimeoutError):
                socket = await guest.in_time(guest.stream(f"/table/{own.table}/live"))
                if socket is not None and number % 2:
                    socket.send(frame(CLOSE, (1000).to_bytes(2)))
                elif socket is not None:
                    socket.abort()

    await asyncio.gather(*(one_after_another() for _ in range(8)))


async def sleeping_sockets(guest: Guest) -> None:
    """hundreds of sockets that send moves and read no answer"""
    own = await guest.own_game()
    cookie = {"cookie": f"seat-{own.table}={own.tokens[0]}"}
    asleep = [
        await guest.stream(f"/table/{own.table}/live?after=0", cookie if number < OF_THE_SEAT else None, asleep=True)
        for number in range(guest.at_most(SOCKETS))
    ]
    await guest.ready()
    for number in guest.rounds():
        socket = asleep[number % len(asleep)]
        if socket is not None and socket.unsent_bytes() < 1 << 16:
            socket.send(frame(TEXT, b'{"move":"doubt","seq":1}') + frame(PING, b"x"))
        await asyncio.sleep(0.002)
    await guest.until_the_end()


async def nonsense_frames(guest: Guest) -> None:
    """frames that no page sends, each on a socket of its own"""
    own = await guest.own_game()
    await guest.ready()
    numbers, kinds = guest.rounds(), list(NONSENSE.values())

    async def one_after_another() -> None:
        for number in numbers:
            with suppress(Gone, TimeoutError):
                socket = await guest.in_time(guest.stream(f"/table/{own.table}/live"))
                if socket is not None:
                    socket.send(kinds[number % len(kinds)])
                    await asyncio.sleep(0.02)
                    socket.abort()

    await asyncio.gather(*(one_after_another() for _ in range(8)))


async def odd_handshakes(guest: Guest) -> None:
    """handshakes that are half-sent, wrong, with something behind them, or left before the answer"""
    own = await guest.own_game()
    path = f"/table/{own.table}/live"
    whole = guest.request("GET", path)
    odd = (
        whole[:-2],
        whole + frame(TEXT, b"{}") * 50,
        whole + whole,
        guest.request("POST", path, UPGRADE, b"x" * 50),
        guest.request("GET", path, {"content-length": "3"}) + b"abc",
        guest.request("GET", path, {"sec-websocket-version": "8"}),
        guest.request("GET", path, {"sec-websocket-key": "short"}),
        guest.request("GET", path, {"x": "y" * 9_000}),
        guest.request("GET", path, {f"x{number}": "" for number in range(120)}),
        guest.request("GET", "/nowhere/at/all", UPGRADE),
        guest.request("GET", own.path, UPGRADE),
        whole,
    )
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for number in numbers:
            with suppress(Gone):
                socket = await guest.connect()
                socket.send(odd[number % len(odd)])
                await asyncio.sleep(0.02)
                if number % 3 or len(guest.connections) > HALF:
                    socket.abort()

    await asyncio.gather(*(one_after_another() for _ in range(8)))


SCENARIOS: Final = (
    Scenario("frame-flood", "-", frame_flood),
    Scenario("ping-flood", "-", ping_flood),
    Scenario("many-sockets", "-", many_sockets),
    Scenario("sleeping-sockets", "-", sleeping_sockets),
    Scenario("nonsense-frames", "-", nonsense_frames),
    Scenario("odd-handshakes", "-", odd_handshakes),
)
