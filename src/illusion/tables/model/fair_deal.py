"""A provably fair deal: a hash commitment is shown before the first card and opened after the last."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from random import Random
from typing import Final

from illusion.deck import PICTURES_VERSION, Card, make_pile
from illusion.rules import Game, deal
from illusion.tables.model.entries import HexDigits, Terms

TOKEN_BYTES: Final = 16
"""Length of a card's token."""
TOKEN_DIGITS: Final = 2 * TOKEN_BYTES
"""Written as hex."""


class OtherPictures(ValueError):
    """A game was dealt with another version of the pictures; the message says so in a sentence."""

    def __init__(self, version: int) -> None:
        super().__init__(f"its pictures are version {version}, and this program draws version {PICTURES_VERSION}")


@dataclass(frozen=True, slots=True)
class Secret:
    """What determines a deal: a seed, and a nonce against guessing the seed from the commitment."""

    seed: HexDigits
    nonce: HexDigits
    generator: int
    """The version of the pictures (`PICTURES_VERSION`)."""

    @property
    def commitment(self) -> str:
        """SHA-256 of the pictures' version, the seed and the nonce, as hex."""
        return hashlib.sha256(f"illusion {self.generator} {self.seed} {self.nonce}".encode()).hexdigest()

    def picture_token(self, number: int) -> bytes:
        """A card's token at this table: an HMAC-SHA-256 keyed by the nonce."""
        return hmac.digest(self.nonce.encode(), f"card {number}".encode(), "sha256")[:TOKEN_BYTES]


@dataclass(frozen=True, slots=True)
class Dealing:
    """A dealt game and its cards, all determined by the secret."""

    secret: Secret
    commitment: str
    """That of the secret."""
    pile: tuple[Card, ...] = field(repr=False)
    """By number, from 1 on."""
    game: Game = field(repr=False)
    """The first round, shuffled by the seed alone, so that the commitment fixes the place of every card."""
    tokens: str = field(repr=False)
    """The cards' tokens as hex, concatenated by number: a third of the memory of separate strings."""


def dealing(secret: Secret, players: int, terms: Terms) -> Dealing:
    """The deal that a secret determines. Takes milliseconds: keep it off the event loop. Raises OtherPictures."""
    if secret.generator != PICTURES_VERSION:
        raise OtherPictures(secret.generator)
    pile = make_pile(int(secret.seed, 16), terms.variant)
    cards, rng = [card.colour_card for card in pile], Random(f"illusion deal {secret.seed}")
    game = deal(players, cards, rng, terms.variant, penalty=terms.penalty)
    tokens = b"".join(secret.picture_token(card.number) for card in pile).hex()
    return Dealing(secret, secret.commitment, pile, game, tokens)


def new_secret() -> Secret:
    return Secret(secrets.token_hex(32), secrets.token_hex(16), PICTURES_VERSION)
