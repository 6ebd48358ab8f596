"""What a guest can have sent or kept waiting: catching up, sleeping readers, pipelined requests."""

import asyncio
from pathlib import Path

import pytest
from harness.siege import SCENARIOS, connections
from harness.siege.guest import Guest, Own
from harness.siege.inside import Inside, serving

from illusion.web import Limits
from illusion.web.protocol import LimitedHttp

LIFTED = Limits.lifted()
MAX_PIECE_BYTES = 256 * 1024
"""What may wait in memory for one reader, beside the system's own buffer."""


async def caught_up(inside: Inside, own: Own) -> int:
    """How many bytes a page gets that asks for everything since the beginning."""
    guest = inside.guest(rounds=1, known=[own])
    await connections.catch_up(guest)
    await guest.leave()
    await inside.until_calm()
    return guest.received_bytes


async def test_a_page_that_catches_up_gets_the_state_once_whatever_it_missed(tmp_path: Path) -> None:
    """H3"""
    async with serving(tmp_path, LIFTED) as inside:
        short, long = [await inside.guest(rounds=1).own_table() for _ in range(2)]
        await inside.write(short, 20)
        await inside.write(long, 200)
        assert await caught_up(inside, long) < 2 * await caught_up(inside, short)


async def test_what_readers_asleep_have_asked_for_waits_in_bounded_pieces(tmp_path: Path) -> None:
    """H3: for programs, too, which get every event."""
    async with serving(tmp_path, LIFTED) as inside:
        known = [await inside.guest(rounds=1).own_table()]
        await inside.write(known[0], 1500)
        guest = inside.guest(rounds=5, known=known)
        await connections.catch_up_unread(guest)
        for _ in range(5):
            await guest.stream(f"{known[0].path}/events?after=0", asleep=True)
        async with asyncio.timeout(20):
            while inside.open_streams < 10:
                await asyncio.sleep(0.01)
        await others(guest, 20)
        assert inside.unsent_bytes <= 10 * MAX_PIECE_BYTES


async def test_readers_asleep_do_not_make_the_server_keep_what_happens(tmp_path: Path) -> None:
    """L10"""
    async with serving(tmp_path, LIFTED) as inside:
        guest = inside.guest(rounds=30)
        await SCENARIOS["many-sleeping-pages"].attack(guest)
        assert inside.unsent_bytes <= 30 * MAX_PIECE_BYTES


async def others(guest: Guest, count: int) -> None:
    """Some other requests are answered meanwhile, so that whatever the server wants to do about the first is done."""
    for _ in range(count):
        assert (await guest.ask("GET", "/healthz")).status == 200


@pytest.mark.parametrize("first", ["a stream", "a socket", "a page"])
async def test_what_is_pipelined_waits_with_the_sender(tmp_path: Path, first: str) -> None:
    """H4: the server takes in a few requests, not thousands."""
    async with serving(tmp_path, LIFTED) as inside:
        guest = inside.guest(rounds=1)
        own = await guest.own_table()
        paths = {"a stream": f"{own.path}/events", "a socket": f"/table/{own.table}/live", "a page": "/rules"}
        connection = await guest.connect(asleep=True)
        connection.send(guest.request("GET", paths[first]) + connections.TINY * connections.PIPELINED)
        await others(guest, 30)
        protocols = [each for each in inside.protocols if isinstance(each, LimitedHttp)]
        assert sum(len(each.pipeline) for each in protocols) <= 100
