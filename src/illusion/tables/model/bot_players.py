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
"""Every stand-in's level: nobody may gain by leaving to a bot that sees more."""


Sights: TypeAlias = Mapping[int, Sight]
"""Of the cards of a table, by their numbers. A card that is not in it cannot be looked at."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """Everything a bot needs for one decision, but for the sights of its cards. Another thread may use it."""

    bot: Bot
    view: View
    cards: tuple[Card, ...]
    """The visible cards."""

    def decide(self, sights: Sights) -> Move:
        return self.bot.decide(self.view, _look(sights))


def bot_turn(table: Table) -> BotTurn:
    """The turn of the bot or stand-in that has to move now."""
    game, seat = table.running()
    return BotTurn(bot_at(table, seat), view(game), tuple(table.visible_cards()))


def bot_at(table: Table, seat: int) -> Bot:
    """The bot in a seat, or its stand-in. It sees the same in this game every time, even after a restart."""
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
    """The shares that the bot in a seat would name for every card that was seen, by the card's number."""
    bot = bot_at(table, seat)
    return {
        number: {colour: bot.believed(number, colour, _look(sights)) for colour in Colour}
        for number in sorted(table.seen)
    }


def _look(sights: Sights) -> Look:
    return lambda card: sights[int(card)]
