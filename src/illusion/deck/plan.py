"""What the cards of a deck are before any is drawn: their shares, manners and families."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from illusion.deck.picture import Manner
from illusion.deck.plane.dice import Dice
from illusion.deck.shares import ladder
from illusion.rules import Colour, Shares


class PlannedCard(NamedTuple):
    """What a card's picture depends on, besides randomness."""

    family: str
    shares: Shares
    manners: Mapping[Colour, Manner]


def plan(families: Sequence[str], dice: Dice) -> list[PlannedCard]:
    """The cards of a deck. The families change nothing but which card is of which."""
    shares = ladder.shares(dice)
    manners = _manners(shares, dice)
    return list(map(PlannedCard, _families(families, len(shares), dice), shares, manners))


def _families(names: Sequence[str], cards: int, dice: Dice) -> list[str]:
    """A family for each card: no family has more than one card more than another."""
    chosen: list[str] = []
    while len(chosen) < cards:
        chosen += dice.sample(names, min(len(names), cards - len(chosen)))
    dice.shuffle(chosen)
    return chosen


def _manners(all_shares: list[Shares], dice: Dice) -> list[Mapping[Colour, Manner]]:
    """How each colour is spread on each card, balanced so that looks do not give the share away.

    Among the cards with the same share of a colour, half show it as dust and half as a block, and of each half every
    other card has it at the centre and the rest at the rim. Dust needs white between its parts, so the cards with the
    most white get the dust.
    """
    manners: list[dict[Colour, Manner]] = [{} for _ in all_shares]
    totals = [card.red + card.yellow + card.green + card.blue for card in all_shares]
    for colour in Colour:
        column = [card[colour] for card in all_shares]
        order = sorted(range(len(all_shares)), key=lambda card: (column[card], totals[card], card))
        for _, group in groupby(order, key=column.__getitem__):
            rung = list(group)
            dusty = rung[: len(rung) // 2]
            for kind in (dusty, rung[len(rung) // 2 :]):
                dice.shuffle(kind)
                for at, card in enumerate(kind):
                    manners[card][colour] = Manner(dust=kind is dusty, central=at % 2 == 0)
    return [_shared(tuple(manner[colour] for colour in Colour)) for manner in manners]


@cache
def _shared(manners: tuple[Manner, ...]) -> Mapping[Colour, Manner]:
    """One mapping for each of the 256 combinations, shared by all cards to save memory."""
    return dict(zip(Colour, manners, strict=True))
