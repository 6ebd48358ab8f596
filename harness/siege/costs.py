"""What is dear without any trick: pages, pictures, thoughts, and refusals by the thousand."""

import asyncio
import itertools
from typing import Final

from harness.siege.guest import Guest, Own
from harness.siege.scenario import Scenario
from illusion.web.http import urls

PALETTES: Final = ("standard", "deuteranopia", "protanopia", "tritanopia", "high-contrast", "texture")
SAMPLES: Final = 98
REFUSALS: Final = 1_300
"""A second, as the review did."""
TABLES: Final = 20


async def table_page(guest: Guest) -> None:
    """the page of one table, with its QR code, as fast as the limits allow"""
    own = await guest.own_table()
    await guest.ready()
    await guest.flood(lambda _: guest.request("GET", f"/table/{own.table}"))


async def pages(guest: Guest) -> None:
    """every other page in turn, in every language, as fast as the limits allow"""
    own = await guest.own_game()
    await guest.ready()
    paths = ("/rules", f"/watch/{own.table}", "/api/docs", "/api/openapi.json", "/", "/tutorial", "/offline")
    asked = itertools.cycle(itertools.product(("en", "de", "es", "fr", "pl"), paths))

    def request(_: int) -> bytes:
        language, path = next(asked)
        return guest.request("GET", path, {"accept-language": language, "accept-encoding": "gzip"})

    await guest.flood(request)


async def sample_pictures(guest: Guest) -> None:
    """every sample card in every palette"""
    await guest.ready()
    asked = itertools.cycle(itertools.product(range(1, SAMPLES + 1), PALETTES))

    def request(_: int) -> bytes:
        number, palette = next(asked)
        return guest.request("GET", f"{urls.sample_picture(number)}?palette={palette}", {"accept-encoding": "gzip"})

    await guest.flood(request)


async def own_pictures(guest: Guest) -> None:
    """the visible cards of many own tables in every palette, none of which was drawn before"""
    addresses: list[str] = []
    for _ in range(guest.at_most(TABLES)):
        view = await guest.view(await guest.own_game())
        addresses += [view["next_card"], *view["row"]]
    await guest.ready()
    asked = itertools.cycle(itertools.product(PALETTES, addresses))

    def request(_: int) -> bytes:
        palette, address = next(asked)
        return guest.request("GET", f"/cards/{address}.svg?palette={palette}")

    await guest.flood(request)


async def faces(guest: Guest) -> None:
    """faces of bots that have no portrait of their own, each under a new name"""
    await guest.ready()
    await guest.flood(lambda number: guest.request("GET", f"/faces/eagle-eye/Mallory{number}.svg"))


async def believed(guest: Guest) -> None:
    """what the bots believed of a row, the record of a game and its review, again and again"""
    own = await _doubted(guest)
    over = await guest.finished_game()
    await guest.ready()
    paths = (f"{own.path}/believed", f"{over.path}/record", f"{over.path}/review")
    await guest.flood(lambda number: guest.request("GET", paths[number % len(paths)]))


async def _doubted(guest: Guest) -> Own:
    """A game with bots in which a row has been doubted."""
    own = await guest.own_game(seats=3, bots=["eagle-eye"])
    while not (view := await guest.view(own))["last_doubt"]:
        if view["players"][view["to_play"]]["level"] is not None:
            await asyncio.sleep(0.1)  # the bot thinks
            continue
        move = {"move": "doubt"} if len(view["row"]) > 1 else {"move": "place", "gap": 0}
        await guest.move(own, view, move)
    return own


async def refusals(guest: Guest) -> None:
    """far more requests than the limits allow: pages, changes and streams that are refused with 429"""
    own = await guest.own_table()
    paths = ("/", f"/table/{own.table}", own.path, f"/table/{own.table}/live", "/rules")
    await guest.ready()
    await guest.flood(
        lambda number: guest.request("GET", paths[number % len(paths)], {"accept-language": "de"}), per_second=REFUSALS
    )


async def refusals_anew(guest: Guest) -> None:
    """far more requests than the limits allow, each on a connection of its own"""
    await guest.ready()
    close = {"connection": "close"}
    await guest.flood(lambda _: guest.request("GET", "/rules", close), per_second=REFUSALS)


SCENARIOS: Final = (
    Scenario("table-page", "M2", table_page),
    Scenario("pages", "M2", pages),
    Scenario("sample-pictures", "M2", sample_pictures),
    Scenario("own-pictures", "M2", own_pictures),
    Scenario("faces", "M2", faces),
    Scenario("believed", "M2", believed),
    Scenario("refusals", "M2", refusals),
    Scenario("refusals-anew", "M2", refusals_anew),
)
