"""Tables opened, dealt, filled with bots, left, played again, guessed at, or taken up all at once by a restart."""

import asyncio
from contextlib import suppress
from typing import Final

from harness.siege.guest import Gone, Guest, Own
from harness.siege.requests import CHANGES
from harness.siege.scenario import Requests, scenario
from illusion.tables.model.commands import new_id

DEALT: Final = 560
"""More than are kept in memory (512)."""
LEFT: Final = 129
TABLES: Final = 90
"""More than the default limit lets an address open within ten seconds."""
GAMES: Final = 50
BOTS: Final = ["eagle-eye"] * 3


async def dealt_tables(guest: Guest) -> list[Own]:
    """Hundreds of dealt tables at which it is somebody's turn."""
    return [await guest.own_game() for _ in range(guest.at_most(DEALT))]


async def left_tables(guest: Guest) -> list[Own]:
    """Tables at which three bots and a stand-in play on, because the person has left."""
    return [await _with_bots(guest) for _ in range(guest.at_most(LEFT))]


async def _with_bots(guest: Guest) -> Own:
    """A table that goes on without the guest."""
    own = await guest.own_table(seats=4, bots=BOTS)
    await guest.ask("POST", f"{own.path}/start", own.bearer)
    await guest.ask("DELETE", f"{own.path}/seats/me", own.bearer)
    return own


@scenario("M2")
async def start_and_leave(guest: Guest) -> None:
    """as many tables of eagle-eyes as the limits allow, each started and left"""
    await guest.ready()
    await guest.side_by_side(lambda _: _with_bots(guest), lines=4, most=TABLES)
    await guest.until_the_end()


@scenario("M2")
async def play_many(guest: Guest) -> None:
    """as many games against eagle-eyes as the limits allow, played on at every turn, so that bots think all the time"""
    games = []
    for _ in range(guest.at_most(GAMES)):
        with suppress(Gone):
            own = await guest.own_table(seats=4, bots=BOTS)
            if (await guest.ask("POST", f"{own.path}/start", own.bearer)).status == 200:
                games.append(own)
    await guest.ready()

    async def one(number: int) -> None:
        """A move, if it is the guest's turn."""
        own = games[number % len(games)]
        answer = await guest.ask("GET", own.path)
        view = answer.json()
        if answer.status != 200 or view["over"] or view["players"][view["to_play"]]["level"] is not None:
            await asyncio.sleep(0.02)
            return
        move = {"move": "doubt"} if len(view["row"]) > 4 else {"move": "place", "gap": 0}
        await guest.ask("POST", f"{own.path}/moves", own.bearer, {**move, "seq": view["seq"]})

    await guest.side_by_side(one, lines=4)


@scenario("M2", prepared=left_tables)
async def left_behind(guest: Guest) -> None:
    """129 tables of eagle-eyes that were started and left before the server was restarted"""
    await guest.ready()
    await guest.until_the_end()


@scenario("M2", prepared=dealt_tables, from_the_start=True)
async def restart(guest: Guest) -> None:
    """a restart with hundreds of dealt tables; nobody asks for any of them"""
    await guest.ready()
    await guest.until_the_end()


@scenario("M2", prepared=dealt_tables)
async def look_around(guest: Guest) -> Requests:
    """looks at more tables in turn than fit into memory"""
    return lambda number: guest.request("GET", guest.known[number % len(guest.known)].path)


@scenario("M2", per_second=CHANGES)
async def open_tables(guest: Guest) -> Requests:
    """games against bots with one click, as many as the limits allow, and then on and on"""
    forms = (("/play-now", b"name=Mallory"), ("/pass-and-play", b"name=A&name=B&name=C&name=D&name=E"))
    return lambda number: guest.request("POST", forms[number % 2][0], body=forms[number % 2][1])


@scenario("L1", per_second=CHANGES, lines=60)
async def rematches(guest: Guest) -> Requests:
    """sixty rematches of one finished game at once"""
    own = await guest.finished_game()
    return lambda _: guest.request("POST", f"{own.path}/rematch", own.bearer)


@scenario("L10", per_second=12, lines=4)
async def churn(guest: Guest) -> Requests:
    """bots, people and rules that come and go at one table, as often as the limits allow"""
    own = await guest.own_table(seats=4)
    changes: tuple[tuple[str, str, object], ...] = (
        ("POST", f"{own.path}/bots", {"level": "sharp"}),
        ("DELETE", f"{own.path}/bots/1", None),
        ("PUT", own.path, {"variant": "twelve-rounds", "clock": 20}),
        ("PUT", own.path, {"variant": "first-to-three", "clock": None}),
    )

    def request(number: int) -> bytes:
        method, path, body = changes[number % len(changes)]
        return guest.request(method, path, own.bearer, body)

    return request


@scenario("M1")
async def guesses(guest: Guest) -> Requests:
    """guesses at tables, at every address that names one"""
    patterns = ("/watch/{}", "/table/{}", "/api/tables/{}", "/cards/{}aaaaaaaa.svg", "/watch?code={}", "/table/{}/live")
    return lambda number: guest.request("GET", patterns[number % len(patterns)].format(new_id()))
