"""Event streams and pages' sockets: long logs to catch up with, hundreds of pages open, readers that do not read."""

import asyncio
from contextlib import suppress
from typing import Final

from harness.siege.connection import Gone
from harness.siege.guest import Guest, Own
from harness.siege.heads import LANGUAGES
from harness.siege.scenario import Scenario

LOG_ENTRIES: Final = 6_000
STREAMS: Final = 390
"""A few below the most that an address may have open."""
SLEEPERS: Final = 20


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


async def catch_up(guest: Guest) -> None:
    """`live?after=0` on a long log, again and again, in every language"""
    (own,) = guest.known
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for number in numbers:
            language = {"accept-language": LANGUAGES[number % len(LANGUAGES)]}
            with suppress(Gone, TimeoutError):
                await guest.in_time(_caught_up(guest, f"/table/{own.table}/live?after=0", language))

    await asyncio.gather(*(one_after_another() for _ in range(2)))


async def catch_up_events(guest: Guest) -> None:
    """the JSON stream from the beginning of a long log, again and again"""
    (own,) = guest.known
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for _ in numbers:
            with suppress(Gone, TimeoutError):
                await guest.in_time(_caught_up(guest, f"{own.path}/events?after=0", {}))

    await asyncio.gather(*(one_after_another() for _ in range(4)))


async def catch_up_unread(guest: Guest) -> None:
    """`live?after=0` on a long log by clients that never read"""
    (own,) = guest.known
    await guest.ready()

    async def fall_asleep() -> None:
        with suppress(Gone, TimeoutError):
            await guest.in_time(guest.stream(f"/table/{own.table}/live?after=0", asleep=True))

    await asyncio.gather(*(fall_asleep() for _ in guest.rounds(SLEEPERS)))
    await guest.until_the_end()


async def _caught_up(guest: Guest, path: str, headers: dict[str, str]) -> None:
    """Opens a stream and leaves when nothing has come for a moment."""
    async with guest.connected() as connection:
        if not (await connection.ask(guest.request("GET", path, headers))).is_stream:
            await asyncio.sleep(0.1)
            return
        before = -1
        while connection.received_bytes != before and not connection.is_closed:
            before = connection.received_bytes
            await asyncio.sleep(0.05)


async def many_pages(guest: Guest) -> None:
    """hundreds of pages open at one table, at which something changes all the time"""
    own = await _with_pages(guest, reading=True)
    await guest.ready()
    await _come_and_go(guest, own)


async def many_sleeping_pages(guest: Guest) -> None:
    """hundreds of pages that read nothing, at a table at which something changes all the time"""
    own = await _with_pages(guest, reading=False)
    await guest.ready()
    await _come_and_go(guest, own)


async def _with_pages(guest: Guest, *, reading: bool) -> Own:
    own = await guest.own_game(people=5)
    for number in range(guest.at_most(STREAMS)):
        language = {"accept-language": LANGUAGES[number % len(LANGUAGES)]}
        await guest.stream(f"/table/{own.table}/live", language, asleep=not reading)
    return own


async def _come_and_go(guest: Guest, own: Own) -> None:
    """Each of the guest's people goes and comes back, as often as the limits allow."""

    def request(number: int) -> bytes:
        turn, seat = divmod(number, len(own.tokens))
        bearer = {"authorization": f"Bearer {own.tokens[seat]}"}
        return guest.request("PUT" if turn % 2 else "DELETE", f"{own.path}/seats/me", bearer)

    await guest.flood(request, per_second=45, lines=1)


SCENARIOS: Final = (
    Scenario("catch-up", "H3", catch_up, prepared=long_log),
    Scenario("catch-up-events", "H3", catch_up_events, prepared=long_log),
    Scenario("catch-up-unread", "H3", catch_up_unread, prepared=long_log),
    Scenario("many-pages", "L10", many_pages),
    Scenario("many-sleeping-pages", "L10", many_sleeping_pages),
)
