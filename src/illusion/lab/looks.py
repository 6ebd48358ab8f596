"""Decks whose pictures have been drawn and measured once, so that a simulation need not draw them again."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec
from platformdirs import user_cache_path

from illusion.bots.sight import Patch, Sight, sight_of
from illusion.deck import make_deck
from illusion.deck.generators import LATEST
from illusion.rules import CardId, Colour, ColourCard, Shares, Variant


@dataclass(frozen=True, eq=False)
class MeasuredDeck:
    """The cards as the rules know them, and what eyes can see of each."""

    cards: tuple[ColourCard, ...]
    sights: dict[CardId, Sight]


class _Look(msgspec.Struct, array_like=True):
    """A measured card as it is kept in a file."""

    family: str
    shares: tuple[int, int, int, int]
    patches: list[tuple[float, float]]


@lru_cache(maxsize=64)
def measured(seed: int, folder: Path | None = None) -> MeasuredDeck:
    """The deck of a seed, from a file in the user's cache if it has been measured before (a deck takes seconds)."""
    kept = (folder or user_cache_path("illusion")) / f"measured-deck-{LATEST}-{seed}.json"
    try:
        looks = msgspec.json.decode(kept.read_bytes(), type=list[_Look])
    except (OSError, msgspec.DecodeError):
        looks = _measure(seed)
        _keep(kept, looks)
    cards = tuple(ColourCard(number, Shares(*look.shares)) for number, look in enumerate(looks, 1))
    return MeasuredDeck(cards, {number: _sight(look) for number, look in enumerate(looks, 1)})


@lru_cache(maxsize=64)
def measured_pile(seed: int, variant: Variant, folder: Path | None = None) -> MeasuredDeck:
    """The cards for a game: as many decks as the variant takes, numbered on from one to the next (R6.6)."""
    pile = measured(seed, folder)
    for at in range(1, variant.end.decks):
        pile = _on_top(pile, measured(seed + at, folder))
    return pile


def _on_top(pile: MeasuredDeck, deck: MeasuredDeck) -> MeasuredDeck:
    numbers = {card.id: len(pile.cards) + number for number, card in enumerate(deck.cards, 1)}
    cards = (*pile.cards, *(ColourCard(numbers[card.id], card.shares) for card in deck.cards))
    return MeasuredDeck(cards, pile.sights | {numbers[id]: sight for id, sight in deck.sights.items()})


def _measure(seed: int) -> list[_Look]:
    looks = []
    for card in make_deck(seed):
        patches = sight_of(card).patches
        shares = tuple(card.shares[colour] for colour in Colour)
        looks.append(
            _Look(card.family, shares, [(patches[colour].share, patches[colour].broken) for colour in Colour])  # type: ignore[arg-type]
        )
    return looks


def _keep(kept: Path, looks: Sequence[_Look]) -> None:
    """Written beside and moved into place, so that nobody reads half a file; without a place for it, not kept."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        beside = kept.with_suffix(f".{id(looks)}")
        beside.write_bytes(msgspec.json.encode(looks))
        beside.replace(kept)
    except OSError:
        return


def _sight(look: _Look) -> Sight:
    patches = {colour: Patch(*patch) for colour, patch in zip(Colour, look.patches, strict=True)}
    return Sight(look.family, patches)
