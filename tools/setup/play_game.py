"""Play one game against bots over the JSON API and save its record: python tools/setup/play_game.py URL RECORD.json

It needs only the standard library, so any Python can test any server with it.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

BOTS = ["keen", "casual"]
LONGEST_ROW = 3
"""Rows longer than this are doubted, so that the game ends soon."""
POLL_INTERVAL_S = 0.02
TIMEOUT_S = 600


class Player:
    """A seat at a table of the server."""

    def __init__(self, server: str) -> None:
        self.server = server.rstrip("/")
        self.headers: dict[str, str] = {}
        opened = self.call("POST", "/api/tables", {"name": "Ana", "seats": 1 + len(BOTS), "bots": BOTS})
        self.headers["authorization"] = f"Bearer {opened['token']}"
        self.table = f"/api/tables/{opened['table']}"

    def call(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "content-type": "application/json"}
        asked = Request(self.server + path, data, headers, method=method)
        with urlopen(asked, timeout=TIMEOUT_S) as answer:  # the command line's address  # nosec B310
            return json.load(answer)

    def play(self) -> Any:
        """The record of a whole game."""
        self.call("POST", f"{self.table}/start")
        deadline = time.monotonic() + TIMEOUT_S
        while (view := self.call("GET", self.table))["phase"] == "playing":
            if time.monotonic() > deadline:
                sys.exit(f"the game did not end within {TIMEOUT_S} seconds")
            if view["to_play"] != view["you"]:
                time.sleep(POLL_INTERVAL_S)
                continue
            self.look(view["row"])
            doubt = len(view["row"]) > LONGEST_ROW or view["next_card"] is None
            move = {"move": "doubt"} if doubt else {"move": "place", "gap": 0}
            self.call("POST", f"{self.table}/moves", {**move, "seq": view["seq"]})
        return self.call("GET", f"{self.table}/record")

    def look(self, cards: list[str]) -> None:
        """Every card that lies in the row has a picture."""
        for card in cards:
            address = f"{self.server}/cards/{card}.svg"
            with urlopen(address, timeout=TIMEOUT_S) as picture:  # the same  # nosec B310
                if not picture.read().startswith(b"<svg"):
                    sys.exit(f"card {card} is not an SVG picture")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    server, file = sys.argv[1:]
    record = Player(server).play()
    Path(file).write_text(json.dumps(record), encoding="utf-8")
    print(f"played a game of {len(record['moves'])} moves")


if __name__ == "__main__":
    main()
