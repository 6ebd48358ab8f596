"""What people at the table may know, players and spectators alike: nobody holds a hand in this game."""

from dataclasses import dataclass

from illusion.rules.cards import CardId, Colour
from illusion.rules.events import RowDoubted
from illusion.rules.game import Game
from illusion.rules.legal import Legal, legal
from illusion.rules.variant import End, Penalty, Variant


@dataclass(frozen=True, slots=True)
class View:
    """A game as everybody sees it: pictures by their ids, and no back of a card but those a doubt turned over."""

    players: int
    variant: Variant
    end: End
    penalty: Penalty
    round: int
    arrow: Colour | None
    row: tuple[CardId, ...]
    placed_by: tuple[int | None, ...]
    laid: tuple[int, ...]
    """When each card of the row was laid: 0 is the one that began it, 1 the first that a player laid."""
    next_card: CardId | None
    to_play: int | None
    legal: Legal
    """What the player whose turn it is may do; nothing once the game is over."""
    arrows_won: tuple[tuple[Colour, ...], ...]
    cards_left: int
    over: bool
    winners: tuple[int, ...]
    last_doubt: RowDoubted | None


def view(game: Game) -> View:
    """Built up field by field, so that a new field of the state stays hidden until somebody shows it here."""
    next_card = game.next_card
    return View(
        players=game.players,
        variant=game.variant,
        end=game.setup.end,
        penalty=game.setup.penalty,
        round=game.round,
        arrow=game.arrow,
        row=tuple([card.id for card in game.row]),
        placed_by=game.placed_by,
        laid=game.laid,
        next_card=None if next_card is None else next_card.id,
        to_play=game.to_play,
        legal=legal(game),
        arrows_won=game.arrows_won,
        cards_left=game.cards_left,
        over=game.over,
        winners=game.winners,
        last_doubt=game.last_doubt,
    )
