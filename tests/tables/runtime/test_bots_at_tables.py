"""Bots at a table: seats by lot, the level that suits, the same sight after a restart, and honest to the last."""

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from illusion.bots import LEVEL_NAMES, Decision
from illusion.bots.characters import of_level
from illusion.deck.deck import _picture as drawn
from illusion.deck.picture import Picture
from illusion.rules import Colour, ColourCard, Doubt, Place, Shares, Variant
from illusion.rules.setup import Setup
from illusion.tables import Automation, Pace, Table, TableService
from illusion.tables.model import bot_players, commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.table import Phase
from illusion.tables.runtime import automation
from illusion.tables.stores.sqlite.store import SqliteStore


def seated(people: int, bots: list[str], *, deal: bool = True) -> Table:
    table = Table("aaaaaaaa")
    for entry in commands.open_table(1.0, "token 0", "P0", people + len(bots)):
        table.apply(entry)
    for number in range(1, people):
        do(table, commands.sit(table, 1.0, f"token {number}", f"P{number}"))
    for level in bots:
        do(table, commands.add_bot(table, 1.0, 0, level))
    if deal:
        do(table, commands.start(table, 1.0, 0))
    return table


def do(table: Table, entries: list[AnyEntry]) -> None:
    for entry in entries:
        table.apply(entry)


def test_bots_draw_their_seats_by_lot_between_people_who_keep_their_order() -> None:
    orders = set()
    for _ in range(80):
        table = seated(2, ["keen", "casual"], deal=False)
        keen, casual = (sitter.name for sitter in table.chairs[2:] if sitter is not None)
        do(table, commands.start(table, 1.0, 0))
        names = [sitter.name for sitter in table.sitters]
        assert names[0] == "P0"
        orders.add(tuple({keen: "keen", casual: "casual"}.get(name, name) for name in names))
    others = ["P1", "keen", "casual"]
    assert orders == {("P0", a, b, c) for a in others for b in others for c in others if len({a, b, c}) == 3}


def test_a_seat_is_still_held_by_its_token_after_the_lot() -> None:
    for _ in range(6):
        table = seated(3, ["keen", "sharp"])
        for number in range(3):
            seat = table.seat_of(commands.hashed(f"token {number}"))
            assert seat is not None
            assert table.sitters[seat].name == f"P{number}"


def test_bots_of_one_level_are_different_people() -> None:
    table = seated(1, ["casual"] * 4)
    names = {sitter.name for sitter in table.sitters if sitter.is_bot}
    assert names == {character.name for character in of_level("casual")}


def test_a_bot_whose_name_is_taken_gets_another() -> None:
    table = Table("aaaaaaaa")
    do(table, commands.open_table(1.0, "token", "Hugo", 5))
    for _ in range(4):
        do(table, commands.add_bot(table, 1.0, 0, "casual"))
    names = [sitter.name for sitter in table.sitters]
    assert len(set(names)) == 5


@pytest.mark.parametrize(
    ("bots", "level"),
    [
        ([], "casual"),
        (["eagle-eye"], "eagle-eye"),
        (["first-timer", "keen", "sharp"], "keen"),
        (["keen", "sharp"], "sharp"),
    ],
)
def test_an_absent_player_is_replaced_at_the_level_that_suits(bots: list[str], level: str) -> None:
    table = seated(2, bots)
    assert bot_players.fitting_level(table) == level
    assert bot_players.bot_at(table, 0).level.name == level


def test_what_bots_believed_is_told_for_the_turned_row_alone() -> None:
    table = seated(1, ["first-timer", "eagle-eye"])
    assert bot_players.believed(table) == []
    for _ in range(2):
        do(table, commands.stand_in(table, 1.0, Place(1)))
    assert bot_players.believed(table) == []
    do(table, commands.stand_in(table, 1.0, Doubt()))
    told = bot_players.believed(table)
    assert [table.sitters[each.seat].is_bot for each in told] == [True, True]
    assert table.game is not None
    assert table.game.last_doubt is not None
    turned = table.game.last_doubt.row
    for each in told:
        assert len(each.shares) == len(turned) == 3
        assert all(1 <= share <= 99 for share in each.shares)
    eagle = next(each for each in told if table.sitters[each.seat].level == "eagle-eye")
    for share, card in zip(eagle.shares, turned, strict=True):
        assert abs(share - card.shares[table.game.last_doubt.arrow]) <= 12


def test_a_bot_sees_the_same_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        service = TableService(store)
        id, _ = await service.open("Ana", 3, bots=["keen", "sharp"])
        await service.execute(id, lambda state, now: commands.start(state, now, 0))
        await service.execute(id, lambda state, now: commands.stand_in(state, now, Place(1)))
        decision = bot_players.decision(await service.get(id))
        again = TableService(store)
        assert bot_players.decision(await again.get(id)) == decision
        await store.close()

    asyncio.run(story())


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_at_the_table_too_backs_and_unseen_cards_change_no_decision(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The honesty law for what the table hands to its bots: other numbers on all backs, another order of the rest."""
    table, rng = seated(1, [level]), Random(level)
    pictures: dict[int, Picture] = {}
    monkeypatch.setattr("illusion.deck.deck._picture", lambda card: pictures[card.number])
    for _ in range(14):
        if table.phase is not Phase.PLAYING:
            break
        game, dealing = table.game, table.dealing
        assert game is not None
        assert dealing is not None
        pictures |= {number: drawn(dealing.pile[number - 1]) for number in table.seen - pictures.keys()}
        decision = bot_players.decision(table)
        reprinted = [replace(card, shares=Shares(*(rng.randint(0, 25) for _ in Colour))) for card in dealing.pile]
        known = game.drawn + 1
        rest = list(game.setup.deck[known:])
        rng.shuffle(rest)
        backs = {card.id: ColourCard(card.id, reprinted[int(card.id) - 1].shares) for card in game.setup.deck}
        setup = Setup(
            game.players,
            game.setup.arrows,
            [backs[card.id] for card in (*game.setup.deck[:known], *rest)],
            game.setup.first,
            Variant.FIRST_TO_THREE,
        )
        dealt = replace(dealing, pile=tuple(reprinted))
        other = replace(
            table, game=replace(game, setup=setup, row=tuple(backs[card.id] for card in game.row)), dealing=dealt
        )
        assert bot_players.decision(other) == decision
        do(table, commands.stand_in(table, 1.0, decision.move))


@pytest.mark.parametrize("seconds", [0.0, 2.0])
def test_a_bot_takes_its_time_and_longer_over_hard_cards(tmp_path: Path, seconds: float) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        driving = Automation(TableService(store), Pace(bot=seconds))
        moments = set()
        for _ in range(4):
            table = seated(1, ["sharp"])
            do(table, commands.leave(table, 1.0, 0))
            for _ in range(4):
                decision, waiting = bot_players.decision(table), await driving._next(table)
                assert waiting is not None
                assert waiting[0] == seconds * (0.5 + decision.hard)
                moments.add(waiting[0])
                do(table, commands.stand_in(table, 1.0, decision.move))
        assert len(moments) == 1 if seconds == 0 else len(moments) > 3
        await driving.stop()
        await store.close()

    asyncio.run(story())


def test_a_fault_of_ours_stops_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot's mind breaks once: that is said, and the bot moves when the table is looked at again."""
    really = bot_players.decision
    broken: list[str] = []

    def breaking(table: Table) -> Decision:
        if not broken:
            broken.append(table.id)
            raise ZeroDivisionError
        return really(table)

    monkeypatch.setattr(bot_players, "decision", breaking)
    monkeypatch.setattr(automation, "FAULT_RETRY_S", 0.01)

    async def story() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        service = TableService(store)
        driving = Automation(service, Pace(bot=0))
        await driving.start()
        id, _ = await service.open("Ana", 2, bots=["keen"])
        await service.execute(id, lambda state, now: commands.start(state, now, 0))
        await service.execute(id, lambda state, now: commands.leave(state, now, 0))
        async with asyncio.timeout(60):
            while (await service.get(id)).phase is not Phase.OVER:
                await asyncio.sleep(0.05)
        await driving.stop()
        await store.close()

    asyncio.run(story())
    assert broken
    assert [record.getMessage() for record in caplog.records] == ["driver-failed"]
