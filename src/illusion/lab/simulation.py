"""One simulated game: the bots of the tables, the rules, and measured pictures."""

from collections.abc import Callable, Sequence
from random import Random
from statistics import NormalDist
from typing import Final, TypeAlias

from illusion.bots import CHARACTERS, Bot, Character, Level, Noise
from illusion.bots.characters import EVEN, not_yet_seated
from illusion.bots.entrants import is_own, player
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.lab.measured_decks import MeasuredPile
from illusion.rules import CardId, Colour, Game, Move, Penalty, Variant, View, apply, deal, view

Watch: TypeAlias = Callable[[Game, View, Move], None]
"""Called with every move just before it is applied; for fitting and for counting."""

_NORMAL_BITS: Final = 12
_NORMAL: Final = [NormalDist().inv_cdf((part + 0.5) / 2**_NORMAL_BITS) for part in range(2**_NORMAL_BITS)]
"""The normal distribution by inverse transform sampling: fine enough for looking, and faster than `Random.gauss`."""


def drawn_noise(rng: Random) -> Noise:
    """Noise that is drawn when a bot first looks at a card; the bot remembers what it saw."""
    bits = rng.getrandbits

    def noise(_card: CardId, _colour: Colour) -> float:
        return _NORMAL[bits(_NORMAL_BITS)]

    return noise


def seated(names: Sequence[str], rng: Random) -> list[Bot]:
    """A bot of each level, its character drawn by lot as at a table. Players from elsewhere are even-tempered, with
    somebody's taste in patterns."""
    taken: list[Character] = []
    for name in names:
        if is_own(name):
            taken.append(rng.choice(not_yet_seated(name, [character.name for character in taken])))
        else:
            taken.append(Character(rng.choice(CHARACTERS).name, name, EVEN))
    return [Bot(player(who.level), who.name, drawn_noise(rng), who.temper) for who in taken]


def even_bot(eyes: Eyes, mind: Mind, rng: Random) -> Bot:
    """A bot that is no character: any eyes and mind, even-tempered, with somebody's taste in patterns."""
    return Bot(Level("simulated", eyes, mind), rng.choice(CHARACTERS).name, drawn_noise(rng))


def play(
    bots: Sequence[Bot],
    pile: MeasuredPile,
    rng: Random,
    variant: Variant = Variant.FIRST_TO_THREE,
    watch: Watch | None = None,
    penalty: Penalty = Penalty.NOTHING,
) -> Game:
    """A whole game, dealt with the generator passed in."""
    game = deal(len(bots), pile.cards, rng, variant, penalty=penalty)
    look = pile.sights.__getitem__
    while game.to_play is not None:
        seen = view(game)
        move = bots[game.to_play].decide(seen, look)
        if watch is not None:
            watch(game, seen, move)
        game, _ = apply(game, move)
    return game
