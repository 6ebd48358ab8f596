"""Plays one game between bots, without a table: the rules, the tables' bots and measured pictures."""

from collections.abc import Callable, Sequence
from random import Random
from statistics import NormalDist
from typing import Final, TypeAlias

from illusion.bots import CHARACTERS, Bot, Character, Level, Noise
from illusion.bots.characters import EVEN, not_yet_seated
from illusion.bots.entrants import is_level, player
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.lab.measured_decks import MeasuredPile
from illusion.rules import CardId, Colour, Game, Move, Penalty, Variant, View, apply, deal, view

Watch: TypeAlias = Callable[[Game, View, Move], None]
"""Called with every move before it is applied."""

_NORMAL_BITS: Final = 12
_NORMAL: Final = [NormalDist().inv_cdf((part + 0.5) / 2**_NORMAL_BITS) for part in range(2**_NORMAL_BITS)]
"""Quantiles of the normal distribution, for inverse transform sampling: faster than `Random.gauss`."""


def drawn_noise(rng: Random) -> Noise:
    """Noise drawn at a bot's first look at a card; the bot remembers what it saw."""
    bits = rng.getrandbits

    def noise(_card: CardId, _colour: Colour) -> float:
        return _NORMAL[bits(_NORMAL_BITS)]

    return noise


def seated(names: Sequence[str], rng: Random) -> list[Bot]:
    """A bot for each name: a level gets a random character, as at a table; any other mind is even-tempered and has the
    taste in patterns of a random character."""
    taken: list[Character] = []
    for name in names:
        if is_level(name):
            taken.append(rng.choice(not_yet_seated(name, [character.name for character in taken])))
        else:
            taken.append(Character(rng.choice(CHARACTERS).name, name, EVEN))
    return [Bot(player(who.level), who.name, drawn_noise(rng), who.temper) for who in taken]


def even_bot(eyes: Eyes, mind: Mind, rng: Random) -> Bot:
    """A bot of any eyes and mind, even-tempered, with the taste in patterns of a random character."""
    return Bot(Level("simulated", eyes, mind), rng.choice(CHARACTERS).name, drawn_noise(rng))


def play(
    bots: Sequence[Bot],
    pile: MeasuredPile,
    rng: Random,
    variant: Variant = Variant.FIRST_TO_THREE,
    watch: Watch | None = None,
    penalty: Penalty = Penalty.NOTHING,
) -> Game:
    """Plays a whole game; returns its last state."""
    game = deal(len(bots), pile.cards, rng, variant, penalty=penalty)
    look = pile.sights.__getitem__
    while game.to_play is not None:
        seen = view(game)
        move = bots[game.to_play].decide(seen, look)
        if watch is not None:
            watch(game, seen, move)
        game, _ = apply(game, move)
    return game
