"""Pages' sockets misused: hundreds of them, frames and pings by the thousand."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec

from harness.siege.guest import Connection, Gone, Guest, Own
from harness.siege.requests import CHANGES, LANGUAGES
from harness.siege.scenario import Requests, scenario
from harness.sockets.frames import CLOSE, PING, TEXT, frame

FLOODING: Final = 50
"""Sockets on which the guest sends all the time."""
AT_ONCE: Final = 100
SOCKETS: Final = 390
"""A few below the most that an address may have open."""


@scenario("-", holds_bare=True)
async def frame_flood(guest: Guest) -> None:
    """moves on many sockets, as many as the wire takes, read or not"""
    own = await guest.own_game()
    move = frame(TEXT, msgspec.json.encode({"move": "place", "gap": 99, "seq": 1}))
    await guest.ready()
    await _flood(guest, own, lambda number: (move, frame(TEXT), frame(TEXT, b"{}"))[number % 3] * AT_ONCE)


@scenario("-", holds_bare=True)
async def ping_flood(guest: Guest) -> None:
    """pings on many sockets, as many as the wire takes"""
    own = await guest.own_game()
    await guest.ready()
    await _flood(guest, own, lambda number: frame(PING, b"x" * (number % 126)) * AT_ONCE)


async def _flood(guest: Guest, own: Own, frames: Callable[[int], bytes]) -> None:
    """Each socket is flooded until it is cut off, and opened again."""
    numbers = guest.rounds()

    async def one_after_another() -> None:
        socket: Connection | None = None
        for number in numbers:
            with suppress(Gone, TimeoutError):
                if socket is None or socket.is_closed:
                    await asyncio.sleep(0.05)
                    opening = guest.stream(f"/table/{own.table}/live", own.cookie, asleep=number % 4 == 3)
                    socket = await guest.in_time(opening)
                if socket is not None and socket.unsent_bytes() < 1 << 20:
                    socket.send(frames(number))
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one_after_another() for _ in range(guest.at_most(FLOODING))))


@scenario("-", holds_bare=True)
async def sleeping_sockets(guest: Guest) -> None:
    """hundreds of sockets that send moves and read no answer"""
    own = await guest.own_game()
    live = f"/table/{own.table}/live?after=0"
    asleep = [await guest.stream(live, own.cookie, asleep=True) for _ in range(guest.at_most(SOCKETS))]
    await guest.ready()
    for number in guest.rounds():
        socket = asleep[number % len(asleep)]
        if socket is not None and socket.unsent_bytes() < 1 << 16:
            socket.send(frame(TEXT, b'{"move":"doubt","seq":1}') + frame(PING, b"x"))
        await asyncio.sleep(0.002)


@scenario("-")
async def many_sockets(guest: Guest) -> None:
    """as many sockets as are let in, opened and left again and again"""
    own = await guest.own_game()
    await guest.ready()

    async def one(number: int) -> None:
        socket = await guest.stream(f"/table/{own.table}/live")
        if socket is not None and number % 2:
            socket.send(frame(CLOSE, (1000).to_bytes(2)))
        elif socket is not None:
            socket.abort()

    await guest.side_by_side(one, lines=8)


@scenario("L10", per_second=CHANGES, lines=1)
async def many_pages(guest: Guest) -> Requests:
    """hundreds of pages open at one table, at which something changes all the time"""
    return await _coming_and_going(guest, reading=True)


@scenario("L10", per_second=CHANGES, lines=1)
async def many_sleeping_pages(guest: Guest) -> Requests:
    """hundreds of pages that read nothing, at a table at which something changes all the time"""
    return await _coming_and_going(guest, reading=False)


async def _coming_and_going(guest: Guest, *, reading: bool) -> Requests:
    """Each of the guest's people goes and comes back, as often as the limits allow."""
    own = await guest.own_game(people=5)
    for number in range(guest.at_most(SOCKETS)):
        language = {"accept-language": LANGUAGES[number % len(LANGUAGES)]}
        await guest.stream(f"/table/{own.table}/live", language, asleep=not reading)

    def request(number: int) -> bytes:
        turn, seat = divmod(number, len(own.tokens))
        bearer = {"authorization": f"Bearer {own.tokens[seat]}"}
        return guest.request("PUT" if turn % 2 else "DELETE", f"{own.path}/seats/me", bearer)

    return request
