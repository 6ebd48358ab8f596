"""The leak law at the wire: until it is time, no byte of any answer, event or frame tells what nobody has seen.

A card's picture is pushed to pages when the card is dealt; painters have drawn it before, with others that come later.
"""

import gzip
import json
import re
from copy import deepcopy
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
from harness.servers import Seat, Server, opened
from harness.siege.inside import serving
from harness.sockets.frames import BINARY, TEXT, FrameReader
from harness.sockets.listening import listening
from harness.sockets.placements import view_after

from illusion.deck import make_pile
from illusion.rules import Doubt, Place, Variant
from illusion.tables import Phase, Table, TableService, public_view
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.fair_deal import Secret
from illusion.tables.model.table_cards import coming_cards, visible_cards
from illusion.tables.runtime.live_table import Notice
from illusion.web import Limits
from illusion.web.live.page_messages import PageMessages


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


async def paint_ahead(service: TableService, state: Table) -> None:
    """Draw what is visible and what the next moves may show, as painters do."""
    for card in (*visible_cards(state), *coming_cards(state)):
        await service.painters.front(card)


async def test_no_frame_tells_a_percentage_a_seed_or_a_later_card(tmp_path: Path) -> None:
    """Every picture is ready before its card is dealt, and is sent right before the first message that shows it."""
    async with serving(tmp_path, Limits.lifted()) as inside:
        guest, service = inside.guest(rounds=1), inside.context.service
        own = await guest.own_game(4)
        state = await service.get(own.table)
        pages = [await listening(guest, f"/table/{own.table}/live?after={state.seq}") for _ in range(2)]
        view = msgspec.to_builtins(public_view(state))
        before = set(visible(view))
        while state.phase is Phase.PLAYING:
            await paint_ahead(service, state)
            state = await moved(service, own.table)
        for page in pages:
            await page.hear(state.seq)
    assert pages[0].frames == pages[1].frames  # everybody is told the same
    views = list(accumulate(pages[0].messages, view_after, initial=view))
    seen = before.union(*map(visible, views))
    unseen, pushed, pictures, shown = Unseen(views[-1], seen), set[str](), 0, before
    for frame in pages[0].frames:
        if frame.opcode == BINARY:
            address, _, picture = frame.payload.partition(b"\n")
            assert not unseen.is_in(gzip.decompress(picture).decode())
            pushed.add(address.decode())
            pictures += 1
            continue
        message = json.loads(frame.payload)
        if "event" not in message:
            assert message == {}  # a heartbeat
            continue
        view = view_after(view, message)
        now = set(visible(view))
        assert pushed == now - shown
        pushed, shown = set(), now
        if not view["over"]:
            assert not unseen.is_in(frame.payload.decode())
        if view["last_doubt"] is None:
            assert b"shares" not in frame.payload
    assert pictures > 20


async def test_what_is_painted_ahead_changes_no_byte(tmp_path: Path) -> None:
    """Whether later cards are drawn already, or none of them, pages are told the same."""
    async with serving(tmp_path, Limits.lifted()) as inside:
        service = inside.context.service
        own = await inside.guest(rounds=1).own_game(2)
        before = deepcopy(await service.get(own.table))
        state = await moved(service, own.table)
        assert state.dealing is not None
        for card in visible_cards(state):
            await service.painters.front(card)
        notice = Notice(state.seq, b"{}")
        told = PageMessages(service, before)(notice)
        for card in state.dealing.pile[:40]:
            await service.painters.front(card)
        assert PageMessages(service, before)(notice) == told
        assert [frame.opcode for frame in FrameReader().take(told)] == [BINARY, TEXT]
