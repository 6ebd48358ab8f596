"""Bodies and numbers that are dear to read, or that nothing should be read from."""

from typing import Final

from harness.siege.guest import Guest
from harness.siege.scenario import Scenario
from illusion.web.http import urls

MARKS: Final = "\u0315\u0300"
"""Combining marks out of order: putting them into order (NFC) is quadratic."""
CHANGES: Final = 45
"""A second for which the default limits (a burst of 200 changes, then 20 a second) last eight seconds."""


async def stacked_names(guest: Guest) -> None:
    """names of thousands of combining marks, at every door where a name is given"""
    own = await guest.own_table(seats=5)
    await guest.ready()
    name = MARKS * 3900
    form = f"name={'%CC%95%CC%80' * 1300}&code={own.table}".encode()

    def request(number: int) -> bytes:
        match number % 3:
            case 0:
                return guest.request("POST", f"{own.path}/seats", body={"name": name})
            case 1:
                return guest.request("POST", "/api/tables", body={"name": name, "seats": 2})
            case _:
                return guest.request("POST", "/join", body=form)

    await guest.flood(request, per_second=CHANGES, lines=4)


async def nested_bodies(guest: Guest) -> None:
    """JSON nested thousands deep, numbers of thousands of digits, forms of nothing but separators"""
    own = await guest.own_table()
    await guest.ready()
    bodies = (
        ("/api/tables", b"[" * 16_000),
        ("/api/tables", b'{"a":' * 3_000 + b"1" + b"}" * 3_000),
        (f"{own.path}/moves", b'{"move":"place","seq":1,"gap":' + b"9" * 16_000 + b"}"),
        (f"{own.path}/moves", b'{"move":"place","seq":1e999999999,"gap":1}'),
        ("/play-now", b"&" * 16_000),
        ("/invite", b"name=" + b"%" * 16_000),
        ("/pass-and-play", b"name=a&" * 2_300),
    )
    await guest.flood(lambda number: _post(guest, *bodies[number % len(bodies)]), per_second=CHANGES)


async def large_bodies(guest: Guest) -> None:
    """bodies eight times as large as any route reads, and as many more as are taken"""
    await guest.ready()
    await guest.flood(lambda _: _post(guest, "/api/tables", b" " * 127_000), per_second=CHANGES)


async def long_numbers(guest: Guest) -> None:
    """numbers of thousands of digits where an address or a query has a number"""
    own = await guest.own_table()
    await guest.ready()
    digits = "9" * 5_000
    paths = (
        ("GET", f"{urls.SAMPLE_DECK}/{digits}.svg"),
        ("DELETE", f"{own.path}/bots/{digits}"),
        ("GET", f"{own.path}/events?after={digits}"),
        ("GET", f"/table/{own.table}/live?after={digits}"),
    )

    def request(number: int) -> bytes:
        method, path = paths[number % len(paths)]
        return guest.request(method, path, own.bearer)

    await guest.flood(request, per_second=CHANGES * 2)


def _post(guest: Guest, path: str, body: bytes) -> bytes:
    return guest.request("POST", path, body=body)


SCENARIOS: Final = (
    Scenario("stacked-names", "H6", stacked_names),
    Scenario("nested-bodies", "-", nested_bodies),
    Scenario("large-bodies", "-", large_bodies),
    Scenario("long-numbers", "L3", long_numbers),
)
