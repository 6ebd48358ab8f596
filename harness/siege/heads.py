"""Heads of requests that are dear to read: long, repeated, quoted, new each time."""

import itertools
from typing import Final

from harness.siege.guest import Guest
from harness.siege.scenario import Scenario

FITS: Final = 15_000
"""As much as one field may have in a head of 16 KB."""
HUGE: Final = 120_000
LANGUAGES: Final = ("en", "de", "es", "fr", "pl")


def _sizes(number: int) -> int:
    """Mostly what is let in, and now and then what is not."""
    return HUGE if number % 10 == 9 else FITS


async def repeated_tokens(guest: Guest) -> None:
    """one token hundreds of times in a seat's cookie, going and coming back, with a page open in each language"""
    own = await guest.own_game()
    for language in LANGUAGES:
        await guest.stream(f"/table/{own.table}/live", {"accept-language": language})
    await guest.ready()

    def request(number: int) -> bytes:
        cookie = f"seat-{own.table}=" + ".".join([own.tokens[0]] * (_sizes(number) // (len(own.tokens[0]) + 1)))
        return guest.request("PUT" if number % 2 else "DELETE", f"{own.path}/seats/me", {"cookie": cookie})

    await guest.flood(request, per_second=25, lines=4)


async def many_tokens(guest: Guest) -> None:
    """looks at a table with thousands of different tokens in the seat's cookie"""
    own = await guest.own_table()
    await guest.ready()

    def request(number: int) -> bytes:
        cookie = ".".join(str(each) for each in range(_sizes(number) // 6))
        return guest.request("GET", own.path, {"cookie": f"seat-{own.table}={cookie}"})

    await guest.flood(request)


async def language_wish(guest: Guest) -> None:
    """Accept-Language with thousands of subtags, of one wish or of many"""
    await guest.ready()

    def request(number: int) -> bytes:
        wish = "a-" * (_sizes(number) // 2) if number % 2 else "a-b;q=0.5," * (_sizes(number) // 10)
        return guest.request("GET", "/", {"accept-language": wish + "a"})

    await guest.flood(request)


async def quoted_cookie(guest: Guest) -> None:
    """a cookie in quotes full of backslashes, which Python's own parser reads in quadratic time"""
    await guest.ready()

    def request(number: int) -> bytes:
        return guest.request("GET", "/", {"cookie": 'name="' + "\\" * _sizes(number) + '"; settings="\\\\"'})

    await guest.flood(request)


async def many_cookies(guest: Guest) -> None:
    """thousands of cookies, and seats at twenty tables"""
    await guest.ready()

    def request(number: int) -> bytes:
        seats = "; ".join(f"seat-{'abcdefg'}{digit}=x.y.z" for digit in range(10))
        return guest.request("GET", "/", {"cookie": f"{seats}; " + "a=;" * (_sizes(number) // 4)})

    await guest.flood(request)


async def new_bearers(guest: Guest) -> None:
    """a new long Bearer token with each change, to be remembered as a key of the seat's limit"""
    own = await guest.own_table()
    await guest.ready()
    numbers = itertools.count()

    def request(number: int) -> bytes:
        token = f"{next(numbers):08d}" + "x" * _sizes(number)
        return guest.request("PUT", f"{own.path}/seats/me", {"authorization": f"Bearer {token}"})

    await guest.flood(request, per_second=45)


async def new_hosts(guest: Guest) -> None:
    """a new long Host with each request"""
    await guest.ready()

    def request(number: int) -> bytes:
        return guest.request("GET", "/healthz", host=f"h{number}" + "x" * _sizes(number))

    await guest.flood(request)


async def long_addresses(guest: Guest) -> None:
    """paths and queries as long as a head may be, each time another"""
    await guest.ready()

    def request(number: int) -> bytes:
        long = f"{number}" + "%41/" * (_sizes(number) // 4)
        paths = (f"/{long}", f"/table/{long}", f"/?code={long}", f"/cards/{long}.svg", f"/faces/keen/{long}.svg")
        return guest.request("GET", paths[number % len(paths)])

    await guest.flood(request)


async def many_fields(guest: Guest) -> None:
    """heads of thousands of fields with one letter each"""
    await guest.ready()

    def request(number: int) -> bytes:
        fields = {f"x{field:x}": "" for field in range(_sizes(number) // 8)}
        return guest.request("GET", "/healthz", fields)

    await guest.flood(request)


SCENARIOS: Final = (
    Scenario("repeated-tokens", "H1", repeated_tokens),
    Scenario("many-tokens", "H1", many_tokens),
    Scenario("language-wish", "H2", language_wish),
    Scenario("quoted-cookie", "H2", quoted_cookie),
    Scenario("many-cookies", "H2", many_cookies),
    Scenario("new-bearers", "H5", new_bearers),
    Scenario("new-hosts", "H5", new_hosts),
    Scenario("long-addresses", "H5", long_addresses),
    Scenario("many-fields", "H2", many_fields),
)
