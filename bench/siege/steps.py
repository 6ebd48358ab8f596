"""How long each address keeps the event loop to itself: nobody else is answered meanwhile."""

import asyncio
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from harness.siege.connections import long_log
from harness.siege.costs import PALETTES
from harness.siege.guest import Guest
from harness.siege.inside import Steps, serving
from harness.siege.requests import FITS, random_table

from illusion.tables.public.seats_code import MAX_SEATS, HeldSeat, seats_code
from illusion.web import Limits

MOST_MS: Final = 5.0
WARM, TRIES = 1, 5
GZIP: Final = {"accept-encoding": "gzip"}
LOOKS: Final = ("", "/record", "/believed", "/review", "/events?after=0")
PAGES: Final = ("/", "/rules", "/tutorial", "/offline", "/eyes", "/api/docs", "/api/openapi.json", "/healthz")
Request = Callable[[int], bytes]


async def longest_steps() -> dict[str, float]:
    """Milliseconds of CPU by address: the longest step of each request, the median of some. None is asked twice alike
    where a guest can ask something new."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder), Limits.lifted()) as inside:
            guest = inside.guest(rounds=1000)
            found = dict[str, float]()
            for name, request in (await _requests(guest)).items():
                took = list[float]()
                for number in range(WARM + TRIES):
                    async with guest.connected() as connection:
                        with Steps() as steps:
                            await connection.ask(request(number))
                            await asyncio.sleep(0.02)  # what a stream begins with, and what follows an answer
                    took.append(steps.longest * 1000)
                found[name] = statistics.median(took[WARM:])
            return found


async def _requests(guest: Guest) -> dict[str, Request]:
    playing, over = await guest.own_game(), await guest.finished_game()
    (long,) = await long_log(guest)
    view = await guest.view(playing)
    held = [HeldSeat(random_table(), 0) for _ in range(MAX_SEATS)]
    eyes = {"cookie": f"eyes={seats_code(held)}"}
    font = "/static/0/fonts/display-whole.ttf"

    def get(path: str, headers: dict[str, str] | None = None) -> Request:
        return lambda _: guest.request("GET", path, GZIP | (headers or {}))

    def post(path: str, body: object, headers: dict[str, str] | None = None) -> Request:
        return lambda _: guest.request("POST", path, headers, body)

    found: dict[str, Request] = {path: get(path) for path in PAGES}
    found |= {f"a game{path}": get(playing.path + path) for path in LOOKS}
    found |= {f"a finished game{path}": get(over.path + path) for path in LOOKS}
    found |= {f"/table/T{path}": get(f"/table/{over.table}{path}") for path in ("", "/replay", "/review")}
    found |= {
        "/table/T, a new host": lambda n: guest.request("GET", f"/table/{playing.table}", host=f"h{n}.example"),
        "/watch/T, a new host": lambda n: guest.request("GET", f"/watch/{playing.table}", host=f"h{n}.example"),
        "/table/T/live, a long log": get(f"/table/{long.table}/live?after=0"),
        "events, a long log": get(f"{long.path}/events?after=0"),
        "/eyes, 400 games": get("/eyes", eyes),
        "POST /eyes, 400 games": post("/eyes", b"code=x", eyes),
        "POST /api/eyes, 400 seats": post("/api/eyes", {"seats": [list(each) for each in held]}),
        "a card": lambda n: guest.request("GET", f"/cards/{view['next_card']}.svg?palette={PALETTES[n % 6]}", GZIP),
        "a sample": lambda n: guest.request("GET", f"/sample/{n + 1}.svg", GZIP),
        "a face": lambda n: guest.request("GET", f"/faces/eagle-eye/M{n}.svg", GZIP),
        "a font": get(font),
        "no page, a long path": lambda n: guest.request("GET", f"/{n}" + "%41/" * (FITS // 4)),
        "thousands of cookies": get("/", {"cookie": "a=;" * (FITS // 3)}),
        "thousands of fields": get("/", {f"x{field:x}": "" for field in range(FITS // 8)}),
        "a long language": get("/", {"accept-language": "a-b;q=0.5," * (FITS // 10)}),
        "POST /api/tables": post("/api/tables", {"name": "Mallory", "bots": ["eagle-eye"] * 3}),
        "POST /api/tables, a bad body": post("/api/tables", b'{"a":' * 3000),
        "POST /play-now": post("/play-now", b"name=Mallory"),
        "POST /pass-and-play": post("/pass-and-play", b"name=A&name=B&name=C&name=D&name=E"),
        "POST rematch": post(f"{over.path}/rematch", None, over.bearer),
        "a move": post(f"{playing.path}/moves", {"move": "place", "gap": 99, "seq": 1}, playing.bearer),
    }
    return found


def report() -> int:
    """Prints the longest; returns how many are too long."""
    found = sorted(asyncio.run(longest_steps()).items(), key=lambda each: -each[1])
    print(f"The longest steps of the event loop by address, of {len(found)}; at most {MOST_MS:g} ms of CPU are the aim")
    for name, took in found[:10]:
        print(f"  {took:6.1f} ms  {name}{'  **missed**' if took > MOST_MS else ''}", flush=True)
    return sum(took > MOST_MS for _, took in found)
