"""The review of a finished game: eye, judgement and luck of each decision."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from illusion.bots.eyes import Look
from illusion.bots.race import Numbers
from illusion.review.findings import Decision, Review, SeatTotals, awards, grained, turning_points
from illusion.review.ordinary import LEVEL, ManyEyes
from illusion.review.weighing import WeighedTurn, at_the_end, weigh
from illusion.rules import Doubt, Game, Move, Place, apply


class Moved(NamedTuple):
    """A move of the game, with its number at the table."""

    seq: int
    move: Move
    by: Literal["player", "stand-in"] = "player"


class NotOver(ValueError):
    """Only a finished game has a review."""


def review(begun: Game, moves: Sequence[Moved], look: Look) -> Review:
    """Review a whole game: `moves` lead from `begun` to its end. `look` measures any card of the game."""
    eyes, game = ManyEyes(look), begun
    positions: list[tuple[WeighedTurn, Moved]] = []
    takers: dict[int, int] = {}
    likely: dict[tuple[int, int | None, str], Numbers] = {}
    for moved in moves:
        player = game.round, game.to_play, moved.by
        weighed = weigh(game, eyes, likely.get(player))
        likely[player] = weighed.eyes_after(moved.move)
        positions.append((weighed, moved))
        game, _ = apply(game, moved.move)
        if isinstance(moved.move, Doubt) and game.last_doubt is not None:
            takers[moved.seq] = game.last_doubt.taker
    if not game.over:
        raise NotOver
    end = tuple(map(grained, at_the_end(game.winners, game.players)))
    decisions = _decisions(positions, end)
    start = decisions[0].chances if decisions else end
    return Review(
        players=game.players,
        ordinary=LEVEL,
        decisions=decisions,
        chances_at_end=end,
        seats=[_totals(seat, start[seat], end[seat], decisions) for seat in range(game.players)],
        turning_points=turning_points(decisions, takers),
        awards=awards(decisions),
    )


def _decisions(positions: Sequence[tuple[WeighedTurn, Moved]], end: tuple[float, ...]) -> list[Decision]:
    """Computed backwards: a seat's chance after a decision is the one before its next."""
    found: list[Decision] = []
    after = list(end)
    firsts: dict[int, int] = {}
    for number, (weighed, _) in enumerate(positions):
        firsts.setdefault(weighed.game.round, number)
    for number in range(len(positions) - 1, -1, -1):
        weighed, moved = positions[number]
        turn = number - firsts[weighed.game.round] + 1
        found.append(_decision(weighed, moved, turn, after[weighed.seat]))
        after[weighed.seat] = found[-1].before
    found.reverse()
    return found


def _decision(weighed: WeighedTurn, moved: Moved, turn: int, after: float) -> Decision:
    game, seat, move = weighed.game, weighed.seat, moved.move
    chances = tuple(grained(float(chance)) for chance in weighed.chances)
    before = chances[seat]
    judgement = grained(weighed.judgement(move))
    eye = grained(weighed.skill(move)) - judgement
    placed_off = weighed.off[move.gap] if isinstance(move, Place) else None
    return Decision(
        seq=moved.seq,
        round=game.round,
        turn=turn,
        seat=seat,
        by=moved.by,
        move="place" if isinstance(move, Place) else "doubt",
        gap=move.gap if isinstance(move, Place) else None,
        cards=len(game.row),
        before=before,
        after=after,
        eye=eye,
        judgement=judgement,
        luck=after - before - eye - judgement,
        chances=chances,
        right=not weighed.row_is_right if placed_off is None else placed_off == 0,
        off=placed_off or 0,
        chance_to_fit=None if placed_off is None else grained(weighed.chance_to_fit),
        row_wrong=None if weighed.doubts is None else grained(weighed.mean(weighed.wrong)),
        doubting=None if weighed.doubts is None else grained(weighed.mean(weighed.doubts[:, seat])),
        placing=None if weighed.placements is None else grained(weighed.mean(weighed.placements[:, seat])),
    )


def _totals(seat: int, start: float, end: float, decisions: Sequence[Decision]) -> SeatTotals:
    own = [decision for decision in decisions if decision.seat == seat]
    eye, judgement = sum(decision.eye for decision in own), sum(decision.judgement for decision in own)
    placed = [decision for decision in own if decision.move == "place"]
    doubts = [decision for decision in own if decision.move == "doubt"]
    return SeatTotals(
        seat=seat,
        start=start,
        end=end,
        eye=eye,
        judgement=judgement,
        luck=end - start - eye - judgement,
        placed=len(placed),
        placed_right=sum(decision.right for decision in placed),
        expected_right=sum(decision.chance_to_fit or 0.0 for decision in placed),
        doubts=len(doubts),
        doubts_right=sum(decision.right for decision in doubts),
    )
