"""Another deal that looks the same to everybody at the table: what the leak laws compare with."""

from dataclasses import replace

from hypothesis import strategies as st

from illusion.rules import ColourCard, Game, Setup
from tests.rules.games import shares


def redealt(game: Game, data: st.DataObject) -> Setup:
    """Another deal that nobody at the table could tell from this one.

    Seen: the arrows turned up so far, the pictures of the row, of the deck's top and of all cards gone, and the backs
    of the cards gone. Unseen, and so drawn anew: the other backs, all other pictures, the order of the other arrows.
    """
    setup = game.setup
    pictures_seen = game.drawn + (game.next_card is not None)
    backs_seen = game.drawn - len(game.row)
    deck = []
    for at, card in enumerate(setup.deck):
        picture = card.id if at < pictures_seen else f"unseen-{data.draw(st.integers(0, 10**6))}-{at}"
        deck.append(ColourCard(picture, card.shares if at < backs_seen else data.draw(shares)))
    arrows = [*setup.arrows[: game.round], *data.draw(st.permutations(setup.arrows[game.round :]))]
    return replace(setup, arrows=tuple(arrows), deck=tuple(deck))
