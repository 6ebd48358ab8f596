"""A bot that sits down at a table and plays: `python examples/my_bot.py http://127.0.0.1:8000/table/CODE [NAME]`."""

import json
import random
import re
import sys
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BLUR = 0.1  # sees about as well as a person with good eyes; 0 would measure exactly, which is no fun to play against
SERVER, AT, TABLE = (sys.argv[1:] or [""])[0].rstrip("/").partition("/table/")
HEADERS: dict[str, str] = {}
if not AT:
    sys.exit(__doc__)


def call(what: str = "", body: object = None) -> Any:
    data = json.dumps(body).encode() if body else None
    try:
        with urlopen(Request(f"{SERVER}/api/tables/{TABLE}{what}", data, HEADERS)) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        why = json.load(refusal)
        return None if why["code"] == "stale" else sys.exit(why["detail"])  # stale: look again


@cache  # a card looks the same every time
def seen(card: str, colour: str) -> float:
    """How much of a colour there seems to be: the area inside its outlines, minus the holes, which run backwards."""
    with urlopen(f"{SERVER}/cards/{card}.svg") as picture:
        path = re.findall(f'class="{colour}" d="([^"]*)"', picture.read().decode())
    area = 0.0
    for outline in re.findall("l([^z]*)z", "".join(path)):
        x = y = 0
        for right, down in re.findall(r"(-?\d+) ?(-?\d+)", outline):
            area, x, y = area + (x * int(down) - y * int(right)) / 2, x + int(right), y + int(down)
    return abs(area) * random.lognormvariate(0, BLUR)


def chosen(view: dict[str, Any]) -> dict[str, object]:
    row, legal = [seen(card, view["arrow"]) for card in view["row"]], view["legal"]
    falls = any(left > 1.2 * right for left, right in pairwise(row))
    if not legal["gaps"] or (legal["doubt"] and falls):
        return {"move": "doubt", "seq": view["seq"]}
    card = seen(view["next_card"], view["arrow"])
    return {"move": "place", "gap": sum(laid < card for laid in row), "seq": view["seq"]}


HEADERS["authorization"] = "Bearer " + call("/seats", {"name": (sys.argv[2:] or ["My bot"])[0]})["token"]
view = call()
with urlopen(f"{SERVER}/api/tables/{TABLE}/events?after={view['seq']}") as events:
    while view["phase"] in ("waiting", "playing"):
        if view["phase"] == "playing" and view["to_play"] == view["you"]:
            call("/moves", chosen(view))
        next(line for line in events if line.startswith(b"data:"))
        view = call()  # also tells the bot's seat, which can change when the cards are dealt
print("I won." if view["you"] in view["winners"] else "I did not win.")
