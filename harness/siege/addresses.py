"""All URLs, requested in every state of a table in the most expensive way: to find work that blocks the event loop."""

from typing import Final

import msgspec

from harness.siege.guest import Guest, Own
from illusion.tables.evenings.commands import MAX_PEOPLE
from illusion.tables.eyes import MAX_SEATS, HeldSeat, seats_code
from illusion.tables.model.commands import new_id
from illusion.web import urls

Asked = tuple[str, str, dict[str, str], bytes | object]
GZIP: Final = {"accept-encoding": "gzip"}
FORM: Final = GZIP | {"content-type": "application/x-www-form-urlencoded"}


def all_the_games() -> dict[str, str]:
    """A made-up cookie with as many games as it can hold."""
    return {"cookie": f"eyes={seats_code(HeldSeat(new_id(), 1) for _ in range(MAX_SEATS))}"}


def of_table(own: Own, card: str) -> list[Asked]:
    """Requests for a table in any state."""
    pages = (
        "/table/{}",
        "/table/{}/invitation",
        "/table/{}/replay",
        "/table/{}/illusion",
        "/table/{}/review",
        "/table/{}/seats",
        "/watch/{}",
        "/watch?code={}",
        "/?code={}",
    )
    data = ("", "/record", "/replay", "/review", "/believed", "/saw/0", "/events")
    paths = [page.format(own.table) for page in pages] + [own.path + what for what in data]
    paths += [f"/cards/{card}.svg", f"/cards/{card}.svg?palette=texture"]
    return [("GET", path, GZIP | own.bearer, None) for path in paths]


def of_nobody() -> list[Asked]:
    static = ("fonts/display-whole.ttf", "bundles/watch.js", "palettes.css", "icons/icon-512.png")
    paths = [f"/static/0/{name}" for name in static]
    paths += [
        "/healthz",
        "/metrics",
        "/api/openapi.json",
        "/api/docs",
        urls.sample_picture(3),
        "/faces/keen/Anybody.svg",
    ]
    paths += ["/rules", "/tutorial", "/how-to-play", "/manifest.webmanifest", "/offline", "/worker.js", "/hello", "/"]
    paths += ["/nowhere", "/favicon.ico", "/robots.txt", urls.EVENING]
    return [("GET", path, GZIP, None) for path in paths] + [
        ("GET", "/eyes", GZIP | all_the_games(), None),
        ("GET", "/eyes/code.svg", GZIP | all_the_games(), None),
        ("POST", "/eyes", FORM | all_the_games(), b"code=x"),
        ("POST", "/api/eyes", GZIP, {"code": all_the_games()["cookie"].removeprefix("eyes=")}),
        ("POST", "/language", FORM, b"language=de"),
        ("POST", "/settings", FORM, b"palette=texture"),
        ("POST", "/api/tables", GZIP, {"name": "Ana", "seats": 5, "bots": ["keen"] * 4}),
        ("POST", "/play-now", FORM, b"name=Ana"),
        ("POST", "/invite", FORM, b"name=Ana&seats=5&clock=20"),
        ("POST", "/pass-and-play", FORM, b"name=Ana&name=Bob&name=Cleo&name=Dora&name=Eva"),
    ]


def changes(own: Own, over: Own) -> list[Asked]:
    """A whole evening, from a table of four to the rematch of another one."""
    return [
        ("GET", f"/table/{own.table}", {**GZIP, "host": "x" * 250, "origin": "null"}, None),  # an address nobody named
        ("PUT", own.path, own.bearer, {"variant": "twelve-rounds", "clock": 90}),
        ("POST", f"/table/{own.table}/join", FORM, b"name=Bob"),
        ("POST", f"/table/{own.table}/notices", FORM | own.cookie, b"address=ntfy://ntfy.example/ana"),
        ("POST", f"{own.path}/bots", own.bearer, {"level": "eagle-eye"}),
        ("DELETE", f"{own.path}/bots/2", own.bearer, None),
        ("POST", "/join", FORM, f"name=Cleo&code={own.table}".encode()),
        ("POST", f"{own.path}/seats", {}, {"name": "Dora"}),
        ("PUT", f"{own.path}/lock", own.bearer, {"locked": False}),
        ("POST", f"{own.path}/waiting", {}, {"name": "Eva"}),
        ("DELETE", f"{own.path}/waiting/0", own.bearer, None),
        ("DELETE", f"{own.path}/seats/3", own.bearer, None),
        ("DELETE", f"{own.path}/people/3", own.bearer, None),
        ("POST", f"{own.path}/start", own.bearer, None),
        ("POST", f"{own.path}/moves", own.bearer, {"move": "place", "gap": 0, "seq": 6}),
        ("POST", f"{own.path}/reactions", own.bearer, {"reaction": "wow"}),
        ("POST", f"{own.path}/waiting", {}, {"name": "Eva"}),
        ("DELETE", f"{own.path}/waiting/1", own.bearer, None),
        ("DELETE", f"{own.path}/seats/1", own.bearer, None),
        ("DELETE", f"{own.path}/people/1", own.bearer, None),
        ("GET", f"/table/{own.table}/seats", GZIP, None),
        ("PUT", f"{own.path}/lock", own.bearer, {"locked": True}),
        ("DELETE", f"{own.path}/seats/me", own.bearer, None),
        ("PUT", f"{own.path}/seats/me", own.bearer, None),
        ("POST", f"{over.path}/rematch", over.bearer, None),
    ]


async def of_an_evening(guest: Guest) -> list[Asked]:
    """Two more for ninety-eight people, and all are drawn to twenty-five tables."""
    made = msgspec.json.decode((await guest.ask("POST", urls.API_EVENINGS, {}, {"name": "Tuesday"})).body)
    at, page = f"{urls.API_EVENINGS}/{made['evening']}", urls.evening_page(made["evening"])
    host = {"authorization": f"Bearer {made['token']}"}
    cookie = {"cookie": f"seat-evening-{made['evening']}={made['token']}"}
    for _ in range(MAX_PEOPLE - 2):
        await guest.ask("POST", f"{at}/people", {}, {"name": "Ana"})
    looks = [page, f"{page}/wall", at, f"{at}/seq", f"{at}/results.csv", f"{at}/standings.csv"]
    return [
        ("POST", urls.EVENING, FORM, b"name=Tuesday"),
        ("POST", urls.API_EVENINGS, {}, {"name": "Tuesday"}),
        ("POST", f"{at}/people", {}, {"name": "Ana"}),
        ("POST", page, FORM | cookie, b"do=come&name=Ana"),
        ("PUT", f"{at}/people/1", host, {"mark": "here"}),
        ("PUT", f"{at}/people/1/host", host, None),
        ("PUT", f"{at}/door", host, {"open": False}),
        ("POST", f"{at}/rounds", host, {"round": 1}),
        ("PUT", f"{at}/tables/nwhere22", host, {"counts": False}),
        *(("GET", look, GZIP | cookie, None) for look in looks),
    ]


async def all_there_is(guest: Guest) -> list[Asked]:
    waiting, running = await guest.own_table(seats=4), await guest.own_game()
    over = await guest.finished_game(row=98, variant="twelve-rounds")  # the longest: doubted when the deck is empty
    card = (await guest.view(running))["next_card"]
    states = [asked for own in (waiting, running, over) for asked in of_table(own, card)]
    return [*states, *of_nobody(), *changes(waiting, over), *await of_an_evening(guest)]
