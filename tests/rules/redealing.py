"""Another deal that looks the same to everybody at the table: what the leak laws compare with."""

from dataclasses import replace

from hypothesis import strategies as st

from illusion.rules import ColourCard, Game, Setup
from tests.rules.games import MOST_PACKED, unpacked


def redealt(game: Game, data: st.DataObject) -> Setup:
    """Another deal that nobody at the table could tell from this one.

    Seen: the arrows turned up so far, the pictures of the row, of the deck's top and of all cards gone, and the backs
    of the cards gone. Unseen, and so drawn anew: the other backs, all other pictures, the order of the other arrows.
    """
    setup, lots = game.setup, data.draw(st.randoms(use_true_random=True))  # a draw for each card would take long
    pictures_seen = game.drawn + (game.next_card is not None)
    backs_seen = game.drawn - len(game.row)
    deck = []
    for at, card in enumerate(setup.deck):
        picture = card.id if at < pictures_seen else f"unseen-{lots.randrange(10**6)}-{at}"
        deck.append(ColourCard(picture, card.shares if at < backs_seen else unpacked(lots.randint(0, MOST_PACKED))))
    seen, unseen = setup.arrows[: game.round], setup.arrows[game.round :]
    return replace(setup, arrows=(*seen, *lots.sample(unseen, len(unseen))), deck=tuple(deck))
