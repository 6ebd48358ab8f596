"""Bots at a table: seats by lot, stand-ins of a fitting level, the same sight after a restart, no secret knowledge."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from harness.sweeps import sweep
from harness.tables.services import dealt_table, open_store, running_service, until_over

from illusion.bots import LEVEL_NAMES, Bot, Look, sight_of
from illusion.deck import Card
from illusion.deck.picture import Picture
from illusion.rules import Colour, ColourCard, Doubt, Move, Place, Shares, Variant, View
from illusion.rules.setup import Setup
from illusion.tables import Table, TableService, automation
from illusion.tables.model import bot_players, commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.table import Phase


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


def decision(table: Table) -> tuple[Move, list[int]]:
    """What the bot whose turn it is does, and what it believes of the row."""
    turn = bot_players.bot_turn(table)
    arrow = turn.view.arrow
    assert arrow is not None
    sights = {card.number: sight_of(card) for card in turn.cards}
    return turn.decide(sights), [
        turn.bot.believed(card, arrow, lambda card: sights[int(card)]) for card in turn.view.row
    ]


def believed(table: Table) -> list[bot_players.Believed]:
    return bot_players.believed(table, {card.number: sight_of(card) for card in table.turned_over_cards()})


def test_bots_draw_their_seats_by_lot_between_people_who_keep_their_order() -> None:
    orders = set()
    for _ in range(80):
        table = seated(2, ["keen", "casual"], deal=False)
        keen, casual = (sitter.name for sitter in table.chairs[2:] if sitter is not None)
        do(table, commands.start(table, 1.0, 0))
        names = [sitter.name for sitter in table.sitters]
        held = [table.seat_of(commands.hashed(f"token {number}")) for number in range(2)]
        assert held == [names.index("P0"), names.index("P1")]
        assert names[0] == "P0"
        orders.add(tuple({keen: "keen", casual: "casual"}.get(name, name) for name in names))
    others = ["P1", "keen", "casual"]
    assert orders == {("P0", a, b, c) for a in others for b in others for c in others if len({a, b, c}) == 3}


@pytest.mark.parametrize("bots", [[], ["eagle-eye"], ["first-timer", "keen", "sharp"]])
def test_a_stand_in_is_casual_whatever_the_bots_are(bots: list[str]) -> None:
    """Nobody gains by leaving: whoever left could be played by an eagle-eye, and come back for the rest."""
    table = seated(2, bots)
    levels = {sitter.name: bot_players.bot_at(table, seat).level.name for seat, sitter in enumerate(table.sitters)}
    assert levels == {sitter.name: sitter.level or "casual" for sitter in table.sitters}


def test_what_bots_believed_is_shown_only_for_the_revealed_row() -> None:
    table = seated(1, ["first-timer", "eagle-eye"])
    assert believed(table) == []
    for _ in range(2):
        do(table, commands.stand_in(table, 1.0, Place(1)))
    assert believed(table) == []
    do(table, commands.stand_in(table, 1.0, Doubt()))
    told = believed(table)
    assert [table.sitters[each.seat].is_bot for each in told] == [True, True]
    assert [len(each.shares) for each in told] == [3, 3]


async def test_a_bot_sees_the_same_after_a_restart(tmp_path: Path) -> None:
    async with open_store(tmp_path / "t.db") as store:
        service = TableService(store)
        id, _ = await dealt_table(service, bots=["keen", "sharp"])
        await service.execute(id, lambda state, now: commands.stand_in(state, now, Place(1)))
        assert decision(await TableService(store).get(id)) == decision(await service.get(id))


@pytest.mark.parametrize("level", sweep(("first-timer", "eagle-eye"), LEVEL_NAMES))
def test_at_the_table_too_backs_and_unseen_cards_change_no_decision(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The honesty law for what the table hands to its bots: other numbers on all backs, another order of the rest."""
    table, rng = seated(1, [level]), Random(level)
    pictures: dict[int, Picture] = {card.number: card.picture for card in table.dealt().pile}
    monkeypatch.setattr(Card, "picture", property(lambda card: pictures[card.number]))
    for _ in range(sweep(7, 14)):
        if table.phase is not Phase.PLAYING:
            break
        (game, _), dealing, decided = table.running(), table.dealt(), decision(table)
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
        other = replace(game, setup=setup, row=tuple(backs[card.id] for card in game.row))
        assert decision(replace(table, game=other, dealing=replace(dealing, pile=tuple(reprinted)))) == decided
        do(table, commands.stand_in(table, 1.0, decided[0]))


async def test_an_exception_in_a_bot_stops_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot raises once: that is logged, and the bot moves when the table is tried again."""
    really = Bot.decide
    broken: list[str] = []

    def breaks_once(bot: Bot, view: View, look: Look) -> Move:
        if not broken:
            broken.append(bot.name)
            raise ZeroDivisionError
        return really(bot, view, look)

    monkeypatch.setattr(Bot, "decide", breaks_once)
    monkeypatch.setattr(automation, "FAULT_RETRY_S", 0.01)
    async with running_service(str(tmp_path / "tables.db")) as service:
        id, _ = await dealt_table(service, seats=2, bots=["keen"])
        await until_over(service, id)
    assert broken
    assert [record.getMessage() for record in caplog.records] == ["automation-failed"]
