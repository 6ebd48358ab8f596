"""Requests that are dear to read: long, repeated, quoted, nested, new each time."""

from typing import Final

from harness.siege.addresses import all_the_games
from harness.siege.guest import Guest
from harness.siege.scenario import Requests, flood
from illusion.web import urls

FITS: Final = 15_000
"""As much as one field may have in a head of 16 KB."""
HUGE: Final = 120_000
LANGUAGES: Final = ("en", "de", "es", "fr", "pl")
CHANGES: Final = 45
"""A second for which the default limits (a burst of 200 changes, then 20 a second) last eight seconds."""
MARKS: Final = "\u0315\u0300"
"""Combining marks out of order: putting them into order (NFC) is quadratic."""


def _size(number: int) -> int:
    """Mostly what is let in, and now and then what is not."""
    return HUGE if number % 10 == 9 else FITS


@flood("H1", per_second=25, lines=4)
async def repeated_tokens(guest: Guest) -> Requests:
    """one token hundreds of times in a seat's cookie, going and coming back, with a page open in each language"""
    own = await guest.own_game()
    for language in LANGUAGES:
        await guest.stream(f"/table/{own.table}/live", {"accept-language": language})

    def request(number: int) -> bytes:
        cookie = f"seat-{own.table}=" + ".".join([own.tokens[0]] * (_size(number) // (len(own.tokens[0]) + 1)))
        return guest.request("PUT" if number % 2 else "DELETE", f"{own.path}/seats/me", {"cookie": cookie})

    return request


@flood("H1")
async def many_tokens(guest: Guest) -> Requests:
    """looks at a table with thousands of different tokens in the seat's cookie"""
    own = await guest.own_table()

    def request(number: int) -> bytes:
        tokens = ".".join(str(each) for each in range(_size(number) // 6))
        return guest.request("GET", own.path, {"cookie": f"seat-{own.table}={tokens}"})

    return request


@flood("H2", holds_bare=True)
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


@flood("H5")
async def new_hosts(guest: Guest) -> Requests:
    """a new long Host with each request"""
    return lambda number: guest.request("GET", "/healthz", host=f"h{number}" + "x" * (_size(number) // 2))


@flood("N3")
async def new_invitations(guest: Guest) -> Requests:
    """the page of a table under a new Host each time, whose QR code nobody has drawn"""
    own = await guest.own_table()
    return lambda number: guest.request("GET", f"/table/{own.table}", host=f"h{number}.example")


@flood("N3")
async def veteran(guest: Guest) -> Requests:
    """one's own eyes with a cookie that remembers 400 games"""
    cookie, paths = all_the_games(), ("/eyes", "/eyes/code.svg")
    return lambda number: guest.request("GET", paths[number % 2], cookie)


@flood("H5")
async def long_addresses(guest: Guest) -> Requests:
    """paths and queries as long as a head may be, each time another"""

    def request(number: int) -> bytes:
        long = f"{number}" + "%41/" * (_size(number) // 4)
        paths = (f"/{long}", f"/table/{long}", f"/?code={long}", f"/cards/{long}.svg", f"/faces/keen/{long}.svg")
        return guest.request("GET", paths[number % len(paths)])

    return request


@flood("H6", per_second=CHANGES, lines=4)
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


@flood("-", per_second=CHANGES)
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


@flood("-", per_second=CHANGES, holds_bare=True)
async def large_bodies(guest: Guest) -> Requests:
    """bodies eight times as large as any route reads, and as many more as are taken"""
    return lambda _: guest.request("POST", "/api/tables", body=b" " * 127_000)


@flood("L3", per_second=CHANGES * 2)
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
