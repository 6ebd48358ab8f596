"""Tables opened, dealt, filled with bots, left, played again, guessed at, or taken up all at once by a restart."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from harness.siege.connection import Gone
from harness.siege.guest import Guest, Own
from harness.siege.scenario import Scenario

DEALT: Final = 560
"""More than are kept in memory (512)."""
LEFT: Final = 129
TABLES: Final = 90
"""More than the default limit lets an address open within ten seconds."""
GAMES: Final = 50
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
BOTS: Final = ["eagle-eye"] * 3


async def dealt_tables(guest: Guest) -> list[Own]:
    """Hundreds of dealt tables at which it is somebody's turn."""
    return await _several(guest.at_most(DEALT), guest.own_game)


async def left_tables(guest: Guest) -> list[Own]:
    """Tables at which three bots and a stand-in play on, because the person has left."""

    return await _several(guest.at_most(LEFT), partial(_with_bots, guest))


async def _several(count: int, one: Callable[[], Awaitable[Own]]) -> list[Own]:
    """Four at a time."""
    numbers, made = iter(range(count)), list[Own]()

    async def one_after_another() -> None:
        for _ in numbers:
            made.append(await one())

    await asyncio.gather(*(one_after_another() for _ in range(4)))
    return made


async def _with_bots(guest: Guest) -> Own:
    """A table that goes on without the guest; Gone if the server opens none."""
    own = await guest.open_table(seats=4, bots=BOTS)
    if own is None:
        raise Gone
    await guest.ask("POST", f"{own.path}/start", own.bearer)
    await guest.ask("DELETE", f"{own.path}/seats/me", own.bearer)
    return own


async def start_and_leave(guest: Guest) -> None:
    """as many tables of eagle-eyes as the limits allow, each started and left"""
    await guest.ready()
    numbers = guest.rounds(TABLES)

    async def one_after_another() -> None:
        for _ in numbers:
            with suppress(Gone, TimeoutError):
                await guest.in_time(_with_bots(guest))

    await asyncio.gather(*(one_after_another() for _ in range(4)))
    await guest.until_the_end()


async def play_many(guest: Guest) -> None:
    """as many games against eagle-eyes as the limits allow, played on at every turn, so that bots think all the time"""
    games = []
    for _ in range(guest.at_most(GAMES)):
        own = await guest.open_table(seats=4, bots=BOTS)
        if own is not None and (await guest.ask("POST", f"{own.path}/start", own.bearer)).status == 200:
            games.append(own)
    await guest.ready()
    numbers = guest.rounds()

    async def one_after_another() -> None:
        for number in numbers:
            with suppress(Gone, TimeoutError):
                await guest.in_time(_play_on(guest, games[number % len(games)]))

    await asyncio.gather(*(one_after_another() for _ in range(4)))


async def _play_on(guest: Guest, own: Own) -> None:
    """A move, if it is the guest's turn."""
    answer = await guest.ask("GET", own.path)
    if answer.status != 200:
        return
    view = answer.json()
    if view["over"] or view["players"][view["to_play"]]["level"] is not None:
        await asyncio.sleep(0.02)
        return
    move = {"move": "doubt"} if len(view["row"]) > 4 else {"move": "place", "gap": 0}
    await guest.ask("POST", f"{own.path}/moves", own.bearer, {**move, "seq": view["seq"]})


async def left_behind(guest: Guest) -> None:
    """129 tables of eagle-eyes that were started and left before the server was restarted"""
    await guest.ready()
    await guest.until_the_end()


async def restart(guest: Guest) -> None:
    """a restart with hundreds of dealt tables; nobody asks for any of them"""
    await guest.ready()
    await guest.until_the_end()


async def look_around(guest: Guest) -> None:
    """looks at more tables in turn than fit into memory"""
    await guest.ready()
    await guest.flood(lambda number: guest.request("GET", guest.known[number % len(guest.known)].path))


async def open_tables(guest: Guest) -> None:
    """games against bots with one click, as many as the limits allow, and then on and on"""
    await guest.ready()
    forms = (("/play-now", b"name=Mallory"), ("/pass-and-play", b"name=A&name=B&name=C&name=D&name=E"))

    def request(number: int) -> bytes:
        path, form = forms[number % len(forms)]
        return guest.request("POST", path, body=form)

    await guest.flood(request, per_second=45)


async def rematches(guest: Guest) -> None:
    """sixty rematches of one finished game at once"""
    own = await guest.finished_game()
    await guest.ready()
    await guest.flood(lambda _: guest.request("POST", f"{own.path}/rematch", own.bearer), per_second=45, lines=60)


async def churn(guest: Guest) -> None:
    """bots, people and rules that come and go at one table, as often as the limits allow"""
    own = await guest.own_table(seats=4)
    await guest.ready()

    def request(number: int) -> bytes:
        match number % 4:
            case 0:
                return guest.request("POST", f"{own.path}/bots", own.bearer, {"level": "sharp"})
            case 1:
                return guest.request("DELETE", f"{own.path}/bots/1", own.bearer)
            case 2:
                return guest.request("PUT", own.path, own.bearer, {"variant": "twelve-rounds", "clock": 20})
            case _:
                return guest.request("PUT", own.path, own.bearer, {"variant": "first-to-three", "clock": None})

    await guest.flood(request, per_second=12, lines=4)


async def guesses(guest: Guest) -> None:
    """guesses at tables, at every address that names one"""
    await guest.ready()
    rng = random.Random(1)
    patterns = ("/watch/{}", "/table/{}", "/api/tables/{}", "/cards/{}aaaaaaaa.svg", "/watch?code={}", "/table/{}/live")

    def request(number: int) -> bytes:
        id = "".join(rng.choices(LETTERS, k=8))
        return guest.request("GET", patterns[number % len(patterns)].format(id))

    await guest.flood(request)


SCENARIOS: Final = (
    Scenario("start-and-leave", "M2", start_and_leave),
    Scenario("play-many", "M2", play_many),
    Scenario("left-behind", "M2", left_behind, prepared=left_tables),
    Scenario("restart", "M2", restart, prepared=dealt_tables, from_the_start=True),
    Scenario("look-around", "M2", look_around, prepared=dealt_tables),
    Scenario("open-tables", "M2", open_tables),
    Scenario("rematches", "L1", rematches),
    Scenario("churn", "L10", churn),
    Scenario("guesses", "M1", guesses),
)
