"""Tables with a row of some length, made through the API, and the page of whoever is at turn there."""

from typing import Final

from playwright.sync_api import BrowserContext, Page, expect

from harness.servers import Seat, Server

LONG_NAMES: Final = ("Maximiliane Wagenknecht", "Brzęczyszczykiewicz", "Bartholomäus Weihrauch", "Cleo")


_TABLES: dict[str, list[Seat]] = {}


def seats_at(seat: Seat) -> list[Seat]:
    """Everybody at a table that was made here, by number."""
    return _TABLES[seat.table]


def long_row(server: Server, cards: int, names: tuple[str, ...] = ("Ana", "Bob", "Cleo")) -> Seat:
    """A new table whose row has this many cards; the seat at turn."""
    with server.client() as client:
        made = client.post("/api/tables", json={"name": names[0], "seats": len(names)}).json()
        table = made["table"]
        sat = [client.post(f"/api/tables/{table}/seats", json={"name": name}).json() for name in names[1:]]
    seats = [Seat(server, table, each["token"]) for each in (made, *sat)]
    _TABLES[table] = seats
    seats[0].post("start")
    return lengthen(seats, cards)


def lengthen(seats: list[Seat], cards: int) -> Seat:
    """Lay cards at the arrow until the row has this many; the seat at turn then."""
    view = seats[0].view()
    while len(view["row"]) < cards:
        assert seats[view["to_play"]].place(0, view["seq"]).status_code == 200
        view = seats[0].view()
    at_turn: int = view["to_play"]
    return seats[at_turn]


def sit_at(context: BrowserContext, seat: Seat, url: str = "") -> Page:
    """The table's page on a device that holds this seat, with its pictures; by another address, if one is given."""
    url = url or str(seat.client.base_url)
    context.add_cookies([{"name": f"seat-{seat.table}", "value": seat.token, "url": url}])
    page = context.new_page()
    page.goto(f"{url.rstrip('/')}/table/{seat.table}")
    expect(page.locator("#row")).to_be_visible()
    expect(page.locator("#state .card:not([src])")).to_have_count(0)
    return page
