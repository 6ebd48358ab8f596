"""What is dear without any trick: pages, pictures, thoughts, and refusals by the thousand."""

import asyncio
import itertools
from collections.abc import Iterable
from typing import Final

from harness.siege.guest import Guest, Own
from harness.siege.requests import LANGUAGES
from harness.siege.scenario import Requests, flood
from illusion.web import urls

PALETTES: Final = ("standard", "deuteranopia", "protanopia", "tritanopia", "high-contrast", "texture")
SAMPLES: Final = 98
REFUSALS: Final = 1_300
"""A second, as the review did."""
TABLES: Final = 20
GZIP: Final = {"accept-encoding": "gzip"}


@flood("M2")
async def table_page(guest: Guest) -> Requests:
    """the page of one table, with its QR code, as fast as the limits allow"""
    own = await guest.own_table()
    return lambda _: guest.request("GET", f"/table/{own.table}")


@flood("M2")
async def pages(guest: Guest) -> Requests:
    """every other page in turn, in every language, as fast as the limits allow"""
    own = await guest.own_game()
    paths = ("/rules", f"/watch/{own.table}", "/api/docs", "/api/openapi.json", "/", "/tutorial", "/offline")
    asked = itertools.cycle(itertools.product(LANGUAGES, paths))

    def request(_: int) -> bytes:
        language, path = next(asked)
        return guest.request("GET", path, {"accept-language": language, **GZIP})

    return request


@flood("M2")
async def sample_pictures(guest: Guest) -> Requests:
    """every sample card in every palette"""
    return _in_each_palette(guest, [urls.sample_picture(number) for number in range(1, SAMPLES + 1)])


@flood("M2")
async def own_pictures(guest: Guest) -> Requests:
    """the visible cards of many own tables in every palette, none of which was drawn before"""
    addresses: list[str] = []
    for _ in range(guest.at_most(TABLES)):
        view = await guest.view(await guest.own_game())
        addresses += [view["next_card"], *view["row"]]
    return _in_each_palette(guest, [f"/cards/{address}.svg" for address in addresses])


def _in_each_palette(guest: Guest, paths: Iterable[str]) -> Requests:
    asked = itertools.cycle(itertools.product(PALETTES, paths))

    def request(_: int) -> bytes:
        palette, path = next(asked)
        return guest.request("GET", f"{path}?palette={palette}", GZIP)

    return request


@flood("M2")
async def faces(guest: Guest) -> Requests:
    """faces of bots that have no portrait of their own, each under a new name"""
    return lambda number: guest.request("GET", f"/faces/eagle-eye/Mallory{number}.svg")


@flood("M2")
async def believed(guest: Guest) -> Requests:
    """what the bots believed of a row, the record of a game and its review, again and again"""
    own = await _doubted(guest)
    over = await guest.finished_game()
    paths = (f"{own.path}/believed", f"{over.path}/record", f"{over.path}/review")
    return lambda number: guest.request("GET", paths[number % len(paths)])


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


@flood("M2", per_second=REFUSALS)
async def refusals(guest: Guest) -> Requests:
    """far more requests than the limits allow: pages, changes and streams that are refused with 429"""
    own = await guest.own_table()
    paths = ("/", f"/table/{own.table}", own.path, f"/table/{own.table}/live", "/rules")
    return lambda number: guest.request("GET", paths[number % len(paths)], {"accept-language": "de"})


@flood("M2", per_second=REFUSALS)
async def refusals_anew(guest: Guest) -> Requests:
    """far more requests than the limits allow, each on a connection of its own"""
    return lambda _: guest.request("GET", "/rules", {"connection": "close"})
