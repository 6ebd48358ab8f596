"""The fair deal: a commitment everyone sees first, and the secret that anyone can check it with afterwards."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Final

from illusion.deck import Card, make_pile
from illusion.rules import Game, Variant, deal

TOKEN: Final = 16
"""Bytes of a card's token; twice as many signs."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What decides a deal: a seed, and a nonce that keeps anyone from guessing the seed behind the commitment."""

    seed: str
    nonce: str
    generator: int

    @property
    def commitment(self) -> str:
        """SHA-256 over the generator's number, the seed and the nonce, as hexadecimal figures."""
        return hashlib.sha256(f"illusion {self.generator} {self.seed} {self.nonce}".encode()).hexdigest()

    def picture_token(self, number: int) -> bytes:
        """A card's address at this table: it tells nothing to who does not know the nonce."""
        return hmac.digest(self.nonce.encode(), f"card {number}".encode(), "sha256")[:TOKEN]


@dataclass(frozen=True, slots=True)
class Dealing:
    """A dealt game and its cards, all decided by the secret."""

    secret: Secret
    pile: tuple[Card, ...] = field(repr=False)
    """By number, from 1 on."""
    game: Game = field(repr=False)
    """The first round: shuffled by the seed alone, so that the commitment fixes every card's place."""
    _tokens: bytes = field(repr=False)
    """The cards' tokens one after another, by number: as texts of their own they would take eight times the room."""

    @property
    def cards(self) -> Mapping[int, Card]:
        """The cards by their numbers."""
        return {card.number: card for card in self.pile}

    def token(self, number: int) -> str:
        """A card's address at this table."""
        return self._tokens[(number - 1) * TOKEN : number * TOKEN].hex()


@lru_cache(maxsize=64)
def dealing(secret: Secret, players: int, variant: Variant) -> Dealing:
    """The dealing that a secret decides; making one takes some hundredths of a second, so it is kept for a while."""
    pile = make_pile(int(secret.seed, 16), variant, secret.generator)
    game = deal(players, [card.colour_card for card in pile], Random(f"illusion deal {secret.seed}"), variant)
    tokens = b"".join(secret.picture_token(card.number) for card in pile)
    return Dealing(secret, pile, game, tokens)


def new_secret(generator: int) -> Secret:
    return Secret(secrets.token_hex(32), secrets.token_hex(16), generator)
