"""Requests that are dear to read (long, repeated, quoted, nested, new each time), or to answer, or thousands."""

import asyncio
import itertools
from collections.abc import Iterable
from typing import Final

from harness.siege.addresses import GZIP, all_the_games
from harness.siege.guest import Guest
from harness.siege.scenario import Requests, scenario
from illusion.web import urls

FITS: Final = 15_000
"""As much as one field may have in a head of 16 KB."""
HUGE: Final = 120_000
LANGUAGES: Final = ("en", "de", "es", "fr", "pl")
CHANGES: Final = 45
"""A second for which the default limits (a burst of 200 changes, then 20 a second) last eight seconds."""
REFUSALS: Final = 1_300
"""A second, as the review did."""
PALETTES: Final = ("standard", "deuteranopia", "protanopia", "tritanopia", "high-contrast", "texture")
SAMPLES: Final = 98
TABLES: Final = 20
MARKS: Final = "\u0315\u0300"
"""Combining marks out of order: putting them into order (NFC) is quadratic."""


def _size(number: int) -> int:
    """Mostly what is let in, and now and then what is not."""
    return HUGE if number % 10 == 9 else FITS


@scenario("H1", per_second=25, lines=4)
async def repeated_tokens(guest: Guest) -> Requests:
    """one token hundreds of times in a seat's cookie, going and coming back, with a page open in each language"""
    own = await guest.own_game()
    for language in LANGUAGES:
        await guest.stream(f"/table/{own.table}/live", {"accept-language": language})

    def request(number: int) -> bytes:
        cookie = f"seat-{own.table}=" + ".".join([own.tokens[0]] * (_size(number) // (len(own.tokens[0]) + 1)))
        return guest.request("PUT" if number % 2 else "DELETE", f"{own.path}/seats/me", {"cookie": cookie})

    return request


@scenario("H1")
async def many_tokens(guest: Guest) -> Requests:
    """looks at a table with thousands of different tokens in the seat's cookie"""
    own = await guest.own_table()

    def request(number: int) -> bytes:
        tokens = ".".join(map(str, range(_size(number) // 6)))
        return guest.request("GET", own.path, {"cookie": f"seat-{own.table}={tokens}"})

    return request


@scenario("H2", holds_bare=True)
async def odd_heads(guest: Guest) -> Requests:
    """languages with thousands of subtags, thousands of cookies, cookies in quotes, thousands of fields"""
    seats = "; ".join(f"seat-{'abcdefg'}{digit}=x.y.z" for digit in range(10))

    def request(number: int) -> bytes:
        size = _size(number // 5)
        headers = (
            {"accept-language": "a-" * (size // 2) + "a"},
            {"accept-language": "a-b;q=0.5," * (size // 10) + "a"},
            {"cookie": 'name="' + "\\" * size + '"; settings="\\\\"'},
            {"cookie": f"{seats}; " + "a=;" * (size // 4)},
            {f"x{field:x}": "" for field in range(size // 8)},
        )
        return guest.request("GET", "/", headers[number % len(headers)])

    return request


@scenario("H5")
async def new_hosts(guest: Guest) -> Requests:
    """a new long Host with each request"""
    return lambda number: guest.request("GET", "/healthz", host=f"h{number}" + "x" * (_size(number) // 2))


@scenario("N3")
async def new_invitations(guest: Guest) -> Requests:
    """the page of a table under a new Host each time, whose QR code nobody has drawn"""
    own = await guest.own_table()
    return lambda number: guest.request("GET", f"/table/{own.table}", host=f"h{number}.example")


@scenario("N3")
async def veteran(guest: Guest) -> Requests:
    """one's own eyes with a cookie that remembers 400 games"""
    cookie, paths = all_the_games(), ("/eyes", "/eyes/code.svg")
    return lambda number: guest.request("GET", paths[number % 2], cookie)


@scenario("H5")
async def long_addresses(guest: Guest) -> Requests:
    """paths and queries as long as a head may be, each time another"""

    def request(number: int) -> bytes:
        long = f"{number}" + "%41/" * (_size(number) // 4)
        paths = (f"/{long}", f"/table/{long}", f"/?code={long}", f"/cards/{long}.svg", f"/faces/keen/{long}.svg")
        return guest.request("GET", paths[number % len(paths)])

    return request


@scenario("H6", per_second=CHANGES, lines=4)
async def stacked_names(guest: Guest) -> Requests:
    """names of thousands of combining marks, at every door where a name is given"""
    own = await guest.own_table(seats=5)
    form = f"name={'%CC%95%CC%80' * 1300}&code={own.table}".encode()
    doors: tuple[tuple[str, object], ...] = (
        (f"{own.path}/seats", {"name": MARKS * 3900}),
        ("/api/tables", {"name": MARKS * 3900, "seats": 2}),
        ("/join", form),
    )
    return lambda number: guest.request("POST", doors[number % 3][0], body=doors[number % 3][1])


@scenario("-", per_second=CHANGES)
async def nested_bodies(guest: Guest) -> Requests:
    """JSON nested thousands deep, numbers of thousands of digits, forms of nothing but separators"""
    own = await guest.own_table()
    bodies = (
        ("/api/tables", b"[" * 16_000),
        ("/api/tables", b'{"a":' * 3_000 + b"1" + b"}" * 3_000),
        (f"{own.path}/moves", b'{"move":"place","seq":1,"gap":' + b"9" * 16_000 + b"}"),
        (f"{own.path}/moves", b'{"move":"place","seq":1e999999999,"gap":1}'),
        ("/play-now", b"&" * 16_000),
        ("/invite", b"name=" + b"%" * 16_000),
        ("/pass-and-play", b"name=a&" * 2_300),
    )
    return lambda number: guest.request("POST", bodies[number % len(bodies)][0], body=bodies[number % len(bodies)][1])


@scenario("-", per_second=CHANGES, holds_bare=True)
async def large_bodies(guest: Guest) -> Requests:
    """bodies eight times as large as any route reads, and as many more as are taken"""
    return lambda _: guest.request("POST", "/api/tables", body=b" " * 127_000)


@scenario("L3", per_second=CHANGES * 2)
async def long_numbers(guest: Guest) -> Requests:
    """numbers of thousands of digits where an address or a query has a number"""
    own = await guest.own_table()
    digits = "9" * 5_000
    paths = (
        ("GET", f"{urls.SAMPLE_DECK}/{digits}.svg"),
        ("DELETE", f"{own.path}/bots/{digits}"),
        ("GET", f"{own.path}/events?after={digits}"),
        ("GET", f"/table/{own.table}/live?after={digits}"),
    )
    return lambda number: guest.request(*paths[number % len(paths)], own.bearer)


@scenario("M2")
async def table_page(guest: Guest) -> Requests:
    """the page of one table, with its QR code, as fast as the limits allow"""
    own = await guest.own_table()
    return lambda _: guest.request("GET", f"/table/{own.table}")


@scenario("M2")
async def pages(guest: Guest) -> Requests:
    """every other page in turn, in every language, as fast as the limits allow"""
    own = await guest.own_game()
    paths = ("/rules", f"/watch/{own.table}", "/api/docs", "/api/openapi.json", "/", "/tutorial", "/offline")
    asked = itertools.cycle(itertools.product(LANGUAGES, paths))

    def request(_: int) -> bytes:
        language, path = next(asked)
        return guest.request("GET", path, {"accept-language": language, **GZIP})

    return request


@scenario("M2")
async def sample_pictures(guest: Guest) -> Requests:
    """every sample card in every palette"""
    return _in_each_palette(guest, [urls.sample_picture(number) for number in range(1, SAMPLES + 1)])


@scenario("M2")
async def own_pictures(guest: Guest) -> Requests:
    """the visible cards of many own tables in every palette, none of which was drawn before"""
    addresses: list[str] = []
    for _ in range(guest.at_most(TABLES)):
        view = await guest.view(await guest.own_game())
        addresses += [view["next_card"], *view["row"]]
    return _in_each_palette(guest, [f"/cards/{address}.svg" for address in addresses])


def _in_each_palette(guest: Guest, paths: Iterable[str]) -> Requests:
    asked = itertools.cycle(f"{path}?palette={palette}" for palette, path in itertools.product(PALETTES, paths))
    return lambda _: guest.request("GET", next(asked), GZIP)


@scenario("M2")
async def faces(guest: Guest) -> Requests:
    """faces of bots that have no portrait of their own, each under a new name"""
    return lambda number: guest.request("GET", f"/faces/eagle-eye/Mallory{number}.svg")


@scenario("M2")
async def believed(guest: Guest) -> Requests:
    """what the bots believed of a row, the record of a game and its review, again and again"""
    own = await guest.own_game(seats=3, bots=["eagle-eye"])
    while not (view := await guest.view(own))["last_doubt"]:
        if view["players"][view["to_play"]]["level"] is not None:
            await asyncio.sleep(0.1)  # the bot thinks
            continue
        await guest.move(own, view, doubt=len(view["row"]) > 1)
    over = await guest.finished_game()
    paths = (f"{own.path}/believed", f"{over.path}/record", f"{over.path}/review")
    return lambda number: guest.request("GET", paths[number % len(paths)])


@scenario("M2", per_second=REFUSALS)
async def refusals(guest: Guest) -> Requests:
    """far more requests than the limits allow: pages, changes and streams that are refused with 429"""
    own = await guest.own_table()
    paths = ("/", f"/table/{own.table}", own.path, f"/table/{own.table}/live", "/rules")
    return lambda number: guest.request("GET", paths[number % len(paths)], {"accept-language": "de"})


@scenario("M2", per_second=REFUSALS)
async def refusals_anew(guest: Guest) -> Requests:
    """far more requests than the limits allow, each on a connection of its own"""
    return lambda _: guest.request("GET", "/rules", {"connection": "close"})
