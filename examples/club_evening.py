"""Twenty people at a club evening, by the API alone: `python examples/club_evening.py http://127.0.0.1:8000 [PEOPLE]`.

Somebody comes after the first round, and somebody goes after the second. They play as fast as a program can, which one
address may not do for long: start the server with `--limit changes=0 --limit requests=0`.
"""

import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

NAMES = (
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Eve",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Leo",
    "Mia",
    "Ned",
    "Oda",
    "Pia",
)
ROUNDS, ROW = 3, 5
SERVER, PEOPLE = (sys.argv[1:] or [""])[0].rstrip("/"), int((sys.argv[2:] or ["20"])[0])
if not SERVER:
    sys.exit(__doc__)


def call(method: str, path: str, body: object = None, token: str = "") -> Any:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(f"{SERVER}/api/{path}", data, headers, method=method)) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        sys.exit(json.load(refusal)["detail"])


def play(table: str, tokens: list[str]) -> None:
    """A whole game, in which nobody looks at the pictures: they place anywhere, and doubt what is long."""
    seats = {call("GET", f"tables/{table}", token=token)["you"]: token for token in tokens}
    while not (view := call("GET", f"tables/{table}"))["over"]:
        gaps, move = view["legal"]["gaps"], {"move": "doubt", "seq": view["seq"]}
        if gaps and len(view["row"]) < ROW:
            move |= {"move": "place", "gap": random.choice(gaps)}
        call("POST", f"tables/{table}/moves", move, seats[view["to_play"]])


opened = call("POST", "evenings", {"name": "Twenty of a script"})
AT, host = f"evenings/{opened['evening']}", opened["token"]
print("For the wall:", opened["url"] + "/wall")
tokens: list[str] = []


def come() -> None:
    n = len(tokens)
    name = NAMES[n % len(NAMES)] + (f" {n // len(NAMES) + 1}" if n >= len(NAMES) else "")
    tokens.append(call("POST", f"{AT}/people", {"name": name})["token"])


while len(tokens) < PEOPLE - 1:
    come()
for number in range(1, ROUNDS + 1):
    call("POST", f"{AT}/rounds", {"round": number}, host)
    tables = call("GET", AT)["rounds"][-1]
    print(f"Round {number}: tables of", *(len(table["people"]) for table in tables))
    with ThreadPoolExecutor() as everybody:
        mine = [[tokens[each["person"]] for each in table["people"]] for table in tables]
        list(everybody.map(play, [table["table"] for table in tables], mine))
    if number == 1:
        come()
    if number == 2:
        call("PUT", f"{AT}/people/0", {"mark": "away"}, tokens[0])

evening = call("GET", AT)
for each in evening["standings"]:
    name = evening["people"][each["person"]]["name"]
    print(f"{each['place']:>3} {name:<24} {each['points']:>3} points in {each['games']} games")
