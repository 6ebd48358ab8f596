"""The game as a value: its beginning, its legal moves, the next state (`apply`), and the public view."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from illusion.rules.cards import (
    ARROWS,
    CardId,
    Colour,
    ColourCard,
    IllegalMove,
    RuleCode,
    UnparsableMove,
)
from illusion.rules.events import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Ending,
    Event,
    GameEnded,
    RoundStarted,
    RowDoubted,
    TurnedCard,
)
from illusion.rules.row import culprit, falls
from illusion.rules.setup import CARDS_TO_BEGIN, End, Penalty, Setup, Variant, check_players

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
    penalty: Penalty = Penalty.NOTHING,
) -> Game:
    """The first round of a game whose piles are already in order, top first (R2)."""
    return _first_round(Setup(players, arrows, deck, first, variant, end, penalty))[0]


def deal(
    players: int,
    cards: Iterable[ColourCard],
    rng: random.Random,
    variant: Variant = Variant.FIRST_TO_THREE,
    end: End | None = None,
    penalty: Penalty = Penalty.NOTHING,
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
class Place:
    """Believe the row and lay the deck's top card into a gap: 0 is at the arrow's tip, the row's length far right."""

    gap: int

    def __post_init__(self) -> None:
        if type(self.gap) is not int:
            raise UnparsableMove(RuleCode.GAP_NOT_AN_INTEGER, gap=self.gap)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubt the whole row (R5.1)."""


Move: TypeAlias = Place | Doubt
"""The two things a player can do (R4.3); there is no third (R4.4)."""


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


def apply(game: Game, move: Move) -> tuple[Game, tuple[Event, ...]]:
    """The state after a move of the player whose turn it is, and what everybody saw happen. An illegal move raises."""
    seat = game.to_play
    if seat is None:
        raise IllegalMove(RuleCode.GAME_OVER)
    if isinstance(move, Place):
        return _place(game, seat, move.gap)
    if isinstance(move, Doubt):
        return _doubt(game, seat)
    raise UnparsableMove(RuleCode.NOT_A_MOVE, move=move)


def replay(begun: Game, moves: Iterable[Move]) -> Game:
    """The game after these moves."""
    game = begun
    for move in moves:
        game, _ = apply(game, move)
    return game


def _place(game: Game, seat: int, gap: int) -> tuple[Game, tuple[Event, ...]]:
    """R4.2, R4.3: the deck's top card goes into a gap; cards already laid keep their order (R3.2)."""
    setup, row, placed_by = game.setup, game.row, game.placed_by
    deck, drawn = setup.deck, game.drawn + 1
    if drawn > len(deck):
        raise IllegalMove(RuleCode.DECK_EMPTY)  # R6.4
    if not 0 <= gap <= len(row):
        raise IllegalMove(RuleCode.GAP_OUT_OF_RANGE, gap=gap, gaps=len(row) + 1)
    card, next_card = deck[drawn - 1], deck[drawn].id if drawn < len(deck) else None
    to_play = (seat + 1) % setup.players  # R4.1
    after = Game(
        setup,
        game.round,
        drawn,
        (*row[:gap], card, *row[gap:]),
        (*placed_by[:gap], seat, *placed_by[gap:]),
        to_play,
        game.arrows_won,
        game.winners,
        game.last_doubt,
    )
    return after, (CardPlaced(seat, card.id, gap, next_card, to_play),)


def _doubt(game: Game, seat: int) -> tuple[Game, tuple[Event, ...]]:
    """R5: the row is turned over, the arrow goes to the player who was right, and a new round or the end follows."""
    if len(game.row) == 1:
        raise IllegalMove(RuleCode.NOTHING_TO_DOUBT)  # R4.2
    setup = game.setup
    arrow = setup.arrows[game.round - 1]
    doubted = _turned_over(game, seat, arrow)
    taker = doubted.taker
    won = game.arrows_won
    arrows_won = (*won[:taker], (*won[taker], arrow), *won[taker + 1 :])
    events: tuple[Event, ...] = (doubted, ArrowAwarded(taker, arrow))
    if not doubted.falls:
        arrows_won, returned = _put_back(arrows_won, seat, setup.penalty)
        events += returned

    ending = _ending(game, len(arrows_won[taker]))
    if ending is None:
        after, started = begin_round(setup, game.round + 1, game.drawn, taker, arrows_won, doubted)  # R5.4
        return after, (*events, started)
    winners = _most_arrows(arrows_won)
    after = Game(setup, game.round, game.drawn, (), (), None, arrows_won, winners, doubted)
    return after, (*events, GameEnded(winners, ending))


def _turned_over(game: Game, seat: int, arrow: Colour) -> RowDoubted:
    """R5.1: all cards of the row are turned over, and everybody sees where it falls and which card broke it."""
    row, placed_by = game.row, game.placed_by
    turned = tuple([TurnedCard(card.id, card.shares, by) for card, by in zip(row, placed_by, strict=True)])
    fallen = falls(row, arrow)
    broke = culprit(row, arrow, placed_by, game.as_laid) if fallen else None
    taker = seat if fallen else (seat - 1) % game.players  # R5.2, R5.3
    return RowDoubted(seat, arrow, turned, fallen, broke, taker)


def _put_back(arrows_won: ArrowsWon, seat: int, penalty: Penalty) -> tuple[ArrowsWon, tuple[ArrowReturned, ...]]:
    """R5.5: what a wrong doubt costs the doubter, the arrow card won last going first."""
    mine = arrows_won[seat]
    kept = len(mine) - penalty.returned(len(mine))
    if kept == len(mine):
        return arrows_won, ()
    returned = tuple(ArrowReturned(seat, arrow) for arrow in reversed(mine[kept:]))
    return (*arrows_won[:seat], mine[:kept], *arrows_won[seat + 1 :]), returned


def _ending(game: Game, arrows_of_taker: int) -> Ending | None:
    """Why the round just doubted is the last one, if it is."""
    end = game.setup.end
    if arrows_of_taker == end.arrows_to_win:
        return Ending.THIRD_ARROW  # R6.1
    if game.round == end.rounds:
        return Ending.TWELFTH_ROUND  # R6.2
    if game.cards_left < CARDS_TO_BEGIN:
        return Ending.DECK_TOO_SMALL  # R6.5
    return None


def _most_arrows(arrows_won: ArrowsWon) -> tuple[int, ...]:
    """The seats with the most arrow cards (R6.2); several win together (R6.3)."""
    most = max(len(arrows) for arrows in arrows_won)
    return tuple(seat for seat, arrows in enumerate(arrows_won) if len(arrows) == most)


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
    """Legal moves of the player at turn; none once the game is over."""
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
