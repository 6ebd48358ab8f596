"""Bots at a table, and the stand-ins that play for absent people."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import msgspec

from illusion.bots import Bot, Sight, levels
from illusion.bots.characters import named
from illusion.bots.eyes import Look, repeatable_noise
from illusion.deck import Card
from illusion.rules import Colour, Move, View, view
from illusion.tables.model.table import Table

STAND_IN_LEVEL: Final = "casual"
"""The level of all stand-ins: a better one would make it pay to leave."""


Sights: TypeAlias = Mapping[int, Sight]
"""Measurements of a table's cards, by card number. Other cards cannot be looked at."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """Everything that a bot needs for one decision except the sights of its cards. Safe to use in another thread."""

    bot: Bot
    view: View
    cards: tuple[Card, ...]
    """The visible cards."""

    def decide(self, sights: Sights) -> Move:
        return self.bot.decide(self.view, _look(sights))


def bot_turn(table: Table) -> BotTurn:
    """The turn of the bot or stand-in to play."""
    game, seat = table.running()
    return BotTurn(bot_at(table, seat), view(game), tuple(table.visible_cards()))


def bot_at(table: Table, seat: int) -> Bot:
    """The bot or stand-in of a seat. Its noise derives from the table's secret, so a restart changes nothing."""
    sitter = table.sitter(seat)
    level = sitter.level or STAND_IN_LEVEL
    character = named(sitter.name, level)
    noise = partial(repeatable_noise, f"{table.dealt().secret.nonce} {seat}")
    return Bot(levels()[level], character.name, noise, character.temper)


class Believed(msgspec.Struct, frozen=True):
    """What a bot saw in the last revealed row: percentages of the arrow's colour, starting at the arrow."""

    seat: int
    shares: list[int]


def believed(table: Table, sights: Sights) -> list[Believed]:
    """What each bot saw in the last revealed row; empty before the first doubt."""
    doubt = None if table.game is None else table.game.last_doubt
    if doubt is None:
        return []
    return [
        Believed(seat, [bot_at(table, seat).believed(turned.card, doubt.arrow, _look(sights)) for turned in doubt.row])
        for seat, sitter in enumerate(table.chairs)
        if sitter is not None and sitter.is_bot
    ]


def estimates(table: Table, seat: int, sights: Sights) -> dict[int, dict[Colour, int]]:
    """The shares that a seat's bot would name for every card seen, by card number."""
    bot = bot_at(table, seat)
    return {
        number: {colour: bot.believed(number, colour, _look(sights)) for colour in Colour}
        for number in sorted(table.seen)
    }


def _look(sights: Sights) -> Look:
    return lambda card: sights[int(card)]
