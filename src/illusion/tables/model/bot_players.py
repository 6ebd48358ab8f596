"""Bots at a table, and the stand-ins that play for absent people."""

from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec

from illusion.bots import LEVEL_NAMES, Bot, Sight, levels, sight_of
from illusion.bots.characters import named
from illusion.bots.eyes import repeatable_noise
from illusion.deck import Card
from illusion.rules import CardId, Colour, Move, View, view
from illusion.tables.model.fair_deal import Dealing
from illusion.tables.model.table import Table

DEFAULT_LEVEL: Final = "casual"
"""The level of a stand-in at a table without bots."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """Everything a bot needs for one decision. It shares nothing that changes, so another thread may use it."""

    bot: Bot
    view: View
    pictures: "VisiblePictures"

    @property
    def cards(self) -> list[Card]:
        """What it looks at now."""
        following = self.view.next_card
        ids = (*self.view.row, *(() if following is None else (following,)))
        return [self.pictures.dealing.pile[int(id) - 1] for id in ids]

    def decide(self) -> Move:
        return self.bot.decide(self.view, self.pictures)


@dataclass(frozen=True, slots=True)
class VisiblePictures:
    """The pictures that have been visible at a table. Looking at any other card raises LookupError."""

    dealing: Dealing
    seen: frozenset[int]

    def __call__(self, card: CardId) -> Sight:
        if int(card) not in self.seen:
            raise LookupError("nobody has seen this card")
        return sight_of(self.dealing.pile[int(card) - 1])


def bot_turn(table: Table) -> BotTurn:
    """The turn of the bot or stand-in that has to move now."""
    game, seat = table.running()
    return BotTurn(bot_at(table, seat), view(game), _pictures(table))


def bot_at(table: Table, seat: int) -> Bot:
    """The bot in a seat, or its stand-in. It sees the same in this game every time, even after a restart."""
    sitter = table.sitter(seat)
    level = sitter.level or stand_in_level(table)
    character = named(sitter.name, level)
    noise = partial(repeatable_noise, f"{table.dealt().secret.nonce} {seat}")
    return Bot(levels()[level], character.name, noise, character.temper)


def stand_in_level(table: Table) -> str:
    """The median level of the table's bots, so that an absence does not change how hard the game is."""
    known = sorted(LEVEL_NAMES.index(sitter.level) for sitter in table.sitters if sitter.level is not None)
    return LEVEL_NAMES[known[len(known) // 2]] if known else DEFAULT_LEVEL


class Believed(msgspec.Struct, frozen=True):
    """What a bot saw in the last revealed row: percentages of the arrow's colour, starting at the arrow."""

    seat: int
    shares: list[int]


def believed(table: Table) -> list[Believed]:
    """What each bot saw in the last revealed row; empty before the first doubt."""
    doubt = None if table.game is None else table.game.last_doubt
    if doubt is None:
        return []
    pictures = _pictures(table)
    return [
        Believed(seat, [bot_at(table, seat).believed(turned.card, doubt.arrow, pictures) for turned in doubt.row])
        for seat, sitter in enumerate(table.chairs)
        if sitter is not None and sitter.is_bot
    ]


def estimates(table: Table, seat: int) -> dict[int, dict[Colour, int]]:
    """What the bot in a seat took the shares of every card to be that was seen, by the card's number."""
    bot, pictures = bot_at(table, seat), _pictures(table)
    return {
        number: {colour: bot.believed(number, colour, pictures) for colour in Colour} for number in sorted(table.seen)
    }


def _pictures(table: Table) -> VisiblePictures:
    return VisiblePictures(table.dealt(), table.seen)
