"""The game as a value: how a round of it begins, what is legal now, and what everybody may know."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from illusion.rules.cards import ARROWS, CardId, Colour, ColourCard, Doubt, Move, Place
from illusion.rules.events import RoundStarted, RowDoubted
from illusion.rules.setup import End, Penalty, Setup, Variant, check_players

ArrowsWon: TypeAlias = tuple[tuple[Colour, ...], ...]
"""The arrow cards of each seat, in the order they were won."""


@dataclass(frozen=True, slots=True)
class Game:
    """One state of a game. The piles never change: `round` and `drawn` say how far down each has been used."""

    setup: Setup
    round: int
    drawn: int
    """Cards taken off the deck so far, in this round and all before it."""
    row: tuple[ColourCard, ...]
    placed_by: tuple[int | None, ...]
    """Who laid each card of the row; None for the first one, which no player laid (R2.3)."""
    to_play: int | None
    """The seat whose turn it is; None once the game is over."""
    arrows_won: ArrowsWon
    winners: tuple[int, ...]
    last_doubt: RowDoubted | None
    """The row most recently turned over: everybody has read it, so it stays known."""

    @property
    def players(self) -> int:
        return self.setup.players

    @property
    def variant(self) -> Variant:
        return self.setup.variant

    @property
    def over(self) -> bool:
        return self.to_play is None

    @property
    def arrow(self) -> Colour | None:
        """The colour of the round (R2.2); None once the game is over."""
        return None if self.over else self.setup.arrows[self.round - 1]

    @property
    def next_card(self) -> ColourCard | None:
        """The deck's top card, which everybody sees (R2.4); None when the deck is empty."""
        deck, drawn = self.setup.deck, self.drawn
        return deck[drawn] if drawn < len(deck) else None

    @property
    def as_laid(self) -> tuple[ColourCard, ...]:
        """The cards of the row in the order of laying: each came from the top of the deck."""
        return self.setup.deck[self.drawn - len(self.row) : self.drawn]

    @property
    def laid(self) -> tuple[int, ...]:
        """When each card of the row was laid: 0 is the one that began it, 1 the first that a player laid."""
        order = [card.id for card in self.as_laid]
        return tuple([order.index(card.id) for card in self.row])

    @property
    def cards_left(self) -> int:
        """How many cards lie in the deck, the visible one included."""
        return len(self.setup.deck) - self.drawn


def start(
    players: int,
    arrows: Iterable[Colour],
    deck: Iterable[ColourCard],
    first: int,
    variant: Variant = Variant.FIRST_TO_THREE,
    end: End | None = None,
    penalty: Penalty | None = None,
) -> Game:
    """The first round of a game whose piles are already in order, top first (R2)."""
    return _first_round(Setup(players, arrows, deck, first, variant, end, penalty))[0]


def deal(
    players: int,
    cards: Iterable[ColourCard],
    rng: random.Random,
    variant: Variant = Variant.FIRST_TO_THREE,
    end: End | None = None,
    penalty: Penalty | None = None,
) -> Game:
    """The first round of a game by lot: arrows, cards and first player, in this order, from `rng` (R2.1, R4.1)."""
    check_players(players)
    arrows, deck = list(ARROWS), list(cards)
    rng.shuffle(arrows)
    rng.shuffle(deck)
    return start(players, arrows, deck, rng.randrange(players), variant, end, penalty)


def opening(setup: Setup) -> RoundStarted:
    """The event that opens round one; every later round is opened by a move."""
    return _first_round(setup)[1]


def begin_round(
    setup: Setup,
    round: int,
    drawn: int,
    starter: int,
    arrows_won: ArrowsWon,
    last_doubt: RowDoubted | None,
) -> tuple[Game, RoundStarted]:
    """The top arrow is turned up and the top card laid beside its tip; the next one is seen (R2.2 to R2.4)."""
    first_card, next_card = setup.deck[drawn : drawn + 2]
    game = Game(setup, round, drawn + 1, (first_card,), (None,), starter, arrows_won, (), last_doubt)
    return game, RoundStarted(round, setup.arrows[round - 1], first_card.id, next_card.id, starter)


def _first_round(setup: Setup) -> tuple[Game, RoundStarted]:
    return begin_round(setup, 1, 0, setup.first, ((),) * setup.players, None)


@dataclass(frozen=True, slots=True)
class Legal:
    """The gaps that take the next card, from the arrow's tip onward, and whether the row can be doubted.

    It depends on the length of the row and on whether the deck is empty, so it tells nothing that is hidden.
    """

    gaps: tuple[int, ...]
    doubt: bool


NOTHING: Final = Legal((), doubt=False)
"""What is legal once the game is over."""


def legal(game: Game) -> Legal:
    return NOTHING if game.over else _legal(len(game.row), _gaps(game))


def legal_moves(game: Game) -> tuple[Move, ...]:
    """Every move `apply` accepts: the placements from the arrow's tip onward, then the doubt; none after the end."""
    return () if game.to_play is None else _moves(len(game.row), _gaps(game))


def _gaps(game: Game) -> int:
    """One more than the row has cards (R4.3); with an empty deck only the doubt is left (R6.4)."""
    return len(game.row) + 1 if game.drawn < len(game.setup.deck) else 0


@cache
def _legal(cards_in_row: int, gaps: int) -> Legal:
    """A single card cannot be doubted yet (R4.2)."""
    return Legal(tuple(range(gaps)), doubt=cards_in_row > 1)


@cache
def _moves(cards_in_row: int, gaps: int) -> tuple[Move, ...]:
    may = _legal(cards_in_row, gaps)
    return (*map(Place, may.gaps), *([Doubt()] if may.doubt else []))


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
