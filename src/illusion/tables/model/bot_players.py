"""Bots at a table: who they are, what they see there, and what they do."""

from dataclasses import dataclass
from typing import Final

import msgspec

from illusion.bots import LEVEL_NAMES, Bot, Decision, Sight, levels, sight_of
from illusion.bots.characters import named
from illusion.rules import CardId, view
from illusion.tables.model.table import Table

WITHOUT_BOTS: Final = "casual"
"""The level at which a seat is filled where nobody else is a bot."""


def decision(table: Table) -> Decision:
    """What the bot or stand-in at turn does: it knows the public view and the pictures in it, nothing else."""
    assert table.game is not None
    assert table.game.to_play is not None
    return bot_at(table, table.game.to_play).decide(view(table.game), _Pictures(table))


def bot_at(table: Table, seat: int) -> Bot:
    """The bot in a chair, or the one that fills it. What it sees in this game stays the same, even after a restart."""
    assert table.dealing is not None
    sitter = table.chairs[seat]
    assert sitter is not None
    level = sitter.level or fitting_level(table)
    character = named(sitter.name, level)
    return Bot(levels()[level], character.name, f"{table.dealing.secret.nonce} {seat}", character.temper)


def fitting_level(table: Table) -> str:
    """The level that suits the table: the middle one of its bots, so that nobody's absence changes the game."""
    known = sorted(LEVEL_NAMES.index(sitter.level) for sitter in table.sitters if sitter.level is not None)
    return LEVEL_NAMES[known[len(known) // 2]] if known else WITHOUT_BOTS


@dataclass(frozen=True, slots=True)
class _Pictures:
    """The pictures that have lain on the table; nobody can look at another."""

    table: Table

    def __call__(self, card: CardId) -> Sight:
        assert self.table.dealing is not None
        assert int(card) in self.table.seen
        return sight_of(self.table.dealing.pile[int(card) - 1])


class Believed(msgspec.Struct, frozen=True):
    """What a bot saw in the row that was last turned over: percentages of the arrow's colour, from the arrow on."""

    seat: int
    shares: list[int]


def believed(table: Table) -> list[Believed]:
    """What each bot saw in the row that was last turned over; nothing before a doubt."""
    doubt = None if table.game is None else table.game.last_doubt
    if doubt is None:
        return []
    look = _Pictures(table)
    return [
        Believed(seat, [bot_at(table, seat).believed(turned.card, doubt.arrow, look) for turned in doubt.row])
        for seat, sitter in enumerate(table.chairs)
        if sitter is not None and sitter.is_bot
    ]
