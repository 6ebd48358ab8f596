"""A turn: `apply` makes the next state and says what happened."""

from collections.abc import Iterable
from typing import Final

from illusion.rules.cards import Colour
from illusion.rules.errors import Code, IllegalMove, UnparsableMove
from illusion.rules.events import ArrowAwarded, CardPlaced, Ending, Event, GameEnded, RowDoubted, TurnedCard
from illusion.rules.game import Game, begin_round
from illusion.rules.moves import Doubt, Move, Place
from illusion.rules.row import culprit, falls
from illusion.rules.setup import CARDS_TO_BEGIN, Variant

ARROWS_TO_WIN: Final = 3
ROUNDS: Final = 12


def apply(game: Game, move: Move) -> tuple[Game, tuple[Event, ...]]:
    """The state after a move of the player at turn, and what everybody saw happen. An illegal move raises."""
    seat = game.to_play
    if seat is None:
        raise IllegalMove(Code.GAME_OVER)
    if isinstance(move, Place):
        return _place(game, seat, move.gap)
    if isinstance(move, Doubt):
        return _doubt(game, seat)
    raise UnparsableMove(Code.NOT_A_MOVE, move=move)


def replay(begun: Game, moves: Iterable[Move]) -> Game:
    """The game that these moves make of another, usually of its start."""
    game = begun
    for move in moves:
        game, _ = apply(game, move)
    return game


def _place(game: Game, seat: int, gap: int) -> tuple[Game, tuple[Event, ...]]:
    """R4.2, R4.3: the deck's top card goes into a gap; cards already laid keep their order (R3.2)."""
    setup, row, placed_by = game.setup, game.row, game.placed_by
    card = game.next_card
    if card is None:
        raise IllegalMove(Code.DECK_EMPTY)  # R6.4
    if not 0 <= gap <= len(row):
        raise IllegalMove(Code.GAP_OUT_OF_RANGE, gap=gap, gaps=len(row) + 1)
    to_play = (seat + 1) % setup.players  # R4.1
    after = Game(
        setup,
        game.round,
        game.drawn + 1,
        (*row[:gap], card, *row[gap:]),
        (*placed_by[:gap], seat, *placed_by[gap:]),
        to_play,
        game.arrows_won,
        game.winners,
        game.last_doubt,
    )
    seen = after.next_card
    return after, (CardPlaced(seat, card.id, gap, None if seen is None else seen.id, to_play),)


def _doubt(game: Game, seat: int) -> tuple[Game, tuple[Event, ...]]:
    """R5: the row is turned over, the arrow goes to whoever was right, and a new round or the end follows."""
    if len(game.row) == 1:
        raise IllegalMove(Code.NOTHING_TO_DOUBT)  # R4.2
    arrow = game.setup.arrows[game.round - 1]
    doubted = _turned_over(game, seat, arrow)
    taker = seat if doubted.falls else (seat - 1) % game.setup.players  # R5.2, R5.3
    won = game.arrows_won
    arrows_won = (*won[:taker], (*won[taker], arrow), *won[taker + 1 :])
    told = (doubted, ArrowAwarded(taker, arrow))

    ending = _ending(game, len(arrows_won[taker]))
    if ending is None:
        after, started = begin_round(game.setup, game.round + 1, game.drawn, taker, arrows_won, doubted)  # R5.4
        return after, (*told, started)
    winners = _most_arrows(arrows_won)
    after = Game(game.setup, game.round, game.drawn, (), (), None, arrows_won, winners, doubted)
    return after, (*told, GameEnded(winners, ending))


def _turned_over(game: Game, seat: int, arrow: Colour) -> RowDoubted:
    """R5.1: all cards of the row are turned over, and everybody sees where it falls and which card broke it."""
    row, placed_by = game.row, game.placed_by
    turned = tuple([TurnedCard(card.id, card.shares, by) for card, by in zip(row, placed_by, strict=True)])
    fallen = falls(row, arrow)
    return RowDoubted(seat, arrow, turned, fallen, culprit(row, arrow, placed_by, game.as_laid) if fallen else None)


def _ending(game: Game, arrows_of_taker: int) -> Ending | None:
    """Why the round just doubted is the last one, if it is."""
    if game.variant is Variant.FIRST_TO_THREE and arrows_of_taker == ARROWS_TO_WIN:
        return Ending.THIRD_ARROW  # R6.1
    if game.round == ROUNDS:
        return Ending.TWELFTH_ROUND  # R6.2
    if game.cards_left < CARDS_TO_BEGIN:
        return Ending.DECK_TOO_SMALL  # R6.5
    return None


def _most_arrows(arrows_won: tuple[tuple[Colour, ...], ...]) -> tuple[int, ...]:
    """The seats with the most arrow cards (R6.2); several win together (R6.3)."""
    most = max(len(arrows) for arrows in arrows_won)
    return tuple(seat for seat, arrows in enumerate(arrows_won) if len(arrows) == most)
