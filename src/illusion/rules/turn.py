"""A turn: `apply` makes the next state and says what happened."""

from bisect import bisect
from collections.abc import Iterable, Sequence

from illusion.rules.cards import Colour, ColourCard, Doubt, IllegalMove, Move, Place, RuleCode, UnparsableMove
from illusion.rules.events import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Culprit,
    Ending,
    Event,
    GameEnded,
    RowDoubted,
    TurnedCard,
)
from illusion.rules.game import ArrowsWon, Game, begin_round
from illusion.rules.setup import CARDS_TO_BEGIN, Penalty


def falls(row: Sequence[ColourCard], colour: Colour) -> tuple[int, ...]:
    """The index of every card that shows less of the colour than the card on its left; none in a right row.

    Equal neighbours are right (R3.1).
    """
    shares = [getattr(card.shares, colour) for card in row]  # quicker than by shares[colour]
    return tuple([at for at in range(1, len(shares)) if shares[at] < shares[at - 1]])


def first_fall(row: Sequence[ColourCard], colour: Colour) -> int | None:
    """The index of the first card that falls; None in a right row."""
    fallen = falls(row, colour)
    return fallen[0] if fallen else None


def culprit(
    row: Sequence[ColourCard], colour: Colour, placed_by: Sequence[int | None], as_laid: Iterable[ColourCard]
) -> Culprit | None:
    """The card whose laying made the row wrong, and who laid it; None in a right row.

    `as_laid` has the row's cards in the order of laying. The row is laid again, and the first card that does not fit
    between its neighbours broke it. No later card can mend it: two cards in the wrong order keep that order (R3.2), so
    the row falls somewhere between them.
    """
    places = {card.id: at for at, card in enumerate(row)}
    lying: list[int] = []
    for card in as_laid:
        at, share = places[card.id], card.shares[colour]
        gap = bisect(lying, at)
        falls_here = gap > 0 and share < row[lying[gap - 1]].shares[colour]
        falls_next = gap < len(lying) and share > row[lying[gap]].shares[colour]
        if falls_here or falls_next:
            seat = placed_by[at]
            return None if seat is None else Culprit(at, seat)
        lying.insert(gap, at)
    return None


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
    """The game after these moves, usually made from its start."""
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
