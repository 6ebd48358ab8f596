"""The fair deal: a commitment everyone sees first, and the secret that anyone can check it with afterwards."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random

from illusion.deck import Card, make_pile
from illusion.rules import Game, Variant, deal


@dataclass(frozen=True)
class Secret:
    """What decides a deal: a seed, and a nonce that keeps anyone from guessing the seed behind the commitment."""

    seed: str
    nonce: str
    generator: int

    @property
    def commitment(self) -> str:
        """SHA-256 over the generator's number, the seed and the nonce, as hexadecimal figures."""
        return hashlib.sha256(f"illusion {self.generator} {self.seed} {self.nonce}".encode()).hexdigest()

    def picture_token(self, number: int) -> str:
        """A card's address at this table: it tells nothing to who does not know the nonce."""
        return hmac.new(self.nonce.encode(), f"card {number}".encode(), hashlib.sha256).hexdigest()[:32]


@dataclass(frozen=True)
class Dealing:
    """A dealt game and its pictures, rebuilt from the secret whenever they are needed."""

    secret: Secret
    players: int
    variant: Variant

    @cached_property
    def cards(self) -> dict[int, Card]:
        pile = make_pile(int(self.secret.seed, 16), self.variant, self.secret.generator)
        return {card.number: card for card in pile}

    @cached_property
    def game(self) -> Game:
        """The first round: shuffled by the seed alone, so that the commitment fixes every card's place."""
        rng = Random(f"illusion deal {self.secret.seed}")
        return deal(self.players, [card.colour_card for card in self.cards.values()], rng, self.variant)

    @cached_property
    def tokens(self) -> dict[int, str]:
        return {number: self.secret.picture_token(number) for number in self.cards}


@lru_cache(maxsize=64)
def dealing(secret: Secret, players: int, variant: Variant) -> Dealing:
    """The dealing that a secret decides; making one takes some hundredths of a second, so it is kept for a while."""
    made = Dealing(secret, players, variant)
    assert made.game.players == players  # shuffled here, where the time for it has been set aside
    return made


def new_secret(generator: int) -> Secret:
    return Secret(secrets.token_hex(32), secrets.token_hex(16), generator)
