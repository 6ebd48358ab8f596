"""The leak law at the wire: until it is time, no byte of any answer, event or frame tells what nobody has seen.

A card's picture is pushed to pages when the card is dealt; it has been drawn before, as the next one has.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
from harness.asgi import Page, game, running_app
from harness.servers import Seat, Server, opened

from illusion.deck import make_pile
from illusion.rules import Doubt, Place, Variant
from illusion.tables import Phase, Table, TableService, public_view
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.fair_deal import Secret


def everything(seat: Seat, pictures: dict[str, bytes]) -> bytes:
    """All that a client can ask for at this moment: view, events so far, what the page is given, visible pictures."""
    view = seat.view()
    for card in visible(view):
        if card not in pictures:
            pictures[card] = seat.client.get(f"/cards/{card}.svg").content
    page = re.search(r'id="page">(.*?)</script>', seat.client.get(f"/table/{seat.table}").text)
    assert page is not None
    parts = [msgspec.json.encode(view), page[1].encode(), *refused_while_running(seat)]
    with seat.client.stream("GET", f"/api/tables/{seat.table}/events") as stream:
        for line in stream.iter_lines():
            parts.append(line.encode())
            if line.startswith("data: ") and msgspec.json.decode(line[6:])["seq"] == view["seq"]:
                break
    return b"\n".join([*parts, *pictures.values()])


def visible(view: dict[str, Any]) -> list[str]:
    return [card for card in (*view["row"], view["next_card"]) if card is not None]


class Unseen:
    """What a game kept to itself, known when it is over."""

    def __init__(self, view: dict[str, Any], seen: set[str]) -> None:
        self.secret = Secret(view["secret"]["seed"], view["secret"]["nonce"], view["secret"]["generator"])
        cards = make_pile(int(self.secret.seed, 16), Variant.FIRST_TO_THREE)
        pile = {self.secret.picture_token(card.number).hex(): card for card in cards}
        self.tokens = [token for token in pile if view["table"] + token not in seen]
        self.families = {f'"{card.family}"' for card in pile.values()}
        assert len(self.tokens) > 40

    def is_in(self, text: str) -> bool:
        hidden = (self.secret.seed, self.secret.nonce, *self.tokens, *self.families)
        return any(each in text for each in hidden)


def move(seats: list[Seat], view: dict[str, Any]) -> dict[str, Any]:
    """The next move of a game, and the view after it."""
    seat = seats[view["to_play"]]
    answer = seat.doubt(view["seq"]) if len(view["row"]) > 3 else seat.place(0, view["seq"])
    assert answer.status_code == 200
    return seats[0].view()


def refused_while_running(seat: Seat) -> list[bytes]:
    """What looks back at a game says of a running one: that it is not over, whatever has been played."""
    answers = [seat.client.get(f"/api/tables/{seat.table}/{what}") for what in ("review", "replay", "saw/1", "record")]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(409, "not-over")}
    pages = [seat.client.get(f"/table/{seat.table}/{what}") for what in ("review", "replay")]
    assert {page.status_code for page in pages} == {409}
    eyes = seat.client.post("/api/eyes", json={"seats": [[seat.table, 0]]}).json()["left_out"]
    assert [left["why"] for left in eyes] == ["not-over"]
    texts = [
        re.sub(r"<script.*?</script>|<style.*?</style>", "", page.text, flags=re.DOTALL).encode() for page in pages
    ]
    return [*(answer.content for answer in answers), *texts, msgspec.json.encode(eyes)]


def test_before_a_doubt_no_byte_tells_a_percentage_a_seed_or_a_later_card(server: Server) -> None:
    seats = opened(server, 4)
    seats[0].post("start")
    heard: list[tuple[bytes, bool]] = []
    seen: dict[str, bytes] = {}
    view = seats[0].view()
    while not view["over"]:
        heard.append((everything(seats[view["to_play"]], seen), view["last_doubt"] is None))
        view = move(seats, view)
    unseen = Unseen(view, set(seen))
    for told, nobody_doubted_yet in heard:
        text = told.decode()
        assert not unseen.is_in(text)
        if nobody_doubted_yet:
            assert "shares" not in text
            assert not re.search(r"\d %|\d%", text)
    # A picture that nobody has seen is not to be had, though its address is known to us here.
    assert seats[0].client.get(f"/cards/{view['table']}{unseen.tokens[0]}.svg").status_code == 404


async def moved(service: TableService, table: str) -> Table:
    """The next move of a game by whoever's turn it is; returns the table after it."""

    def command(state: Table, now: float) -> list[AnyEntry]:
        assert state.game is not None
        assert state.game.to_play is not None
        chosen = Doubt() if len(state.game.row) > 3 else Place(0)
        return commands.move(state, now, state.game.to_play, chosen, state.seq)

    await service.execute(table, command)
    return await service.get(table)


async def draw_ahead(service: TableService, state: Table) -> None:
    """Draw what is visible and what the next moves may show, as servers do."""
    for card in (*state.visible_cards(), *state.cards_to_prefetch()):
        await service.pictures.drawn(card)


async def test_no_message_tells_a_percentage_a_seed_or_a_later_card(tmp_path: Path) -> None:
    """Every picture is ready before its card is dealt, and is sent with the first message that shows it."""
    async with running_app(tmp_path) as (app, context):
        service = context.service
        table, _ = await game(service, 4)
        state = await service.get(table)
        pages = [await Page(app, table, after=state.seq).opened() for _ in range(2)]
        before = set(visible(msgspec.to_builtins(public_view(state))))
        while state.phase is Phase.PLAYING:
            await draw_ahead(service, state)
            state = await moved(service, table)
        for page in pages:
            await page.hear(state.seq)
            await page.hang_up()
    assert pages[0].texts == pages[1].texts  # everybody is told the same
    told = pages[0].messages
    seen = before.union(*(visible(message["view"]) for message in told))
    unseen, pictures, shown = Unseen(told[-1]["view"], seen), 0, before
    for text, message in zip(pages[0].texts, pages[0].told, strict=True):
        if "event" not in message:
            assert message == {}  # a heartbeat
            continue
        view, pushed = message["view"], message.get("pictures", {})
        now = set(visible(view))
        assert pushed.keys() == now - shown
        assert not any(unseen.is_in(picture) for picture in pushed.values())
        pictures, shown = pictures + len(pushed), now
        if not view["over"]:
            assert not unseen.is_in(text)
        if view["last_doubt"] is None:
            assert "shares" not in text
    assert pictures > 20


async def test_what_is_drawn_ahead_changes_no_byte(tmp_path: Path) -> None:
    """Whether later cards are drawn already, or none of them, pages are told the same."""
    told = []
    for ahead in (0, 40):
        (tmp_path / str(ahead)).mkdir()
        async with running_app(tmp_path / str(ahead)) as (app, context):
            service = context.service
            table, _ = await game(service)
            state = await service.get(table)
            assert state.dealing is not None
            page = await Page(app, table, after=state.seq).opened()
            for card in (*state.cards_to_prefetch(), *state.dealing.pile[:ahead]):
                await service.pictures.drawn(card)
            await page.hear((await moved(service, table)).seq)
            await page.hang_up()
            told.append([sorted(message) for message in page.messages])
    assert told == [[["event", "pictures", "seq", "view"]]] * 2
