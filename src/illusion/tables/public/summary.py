"""The summary of a finished game, from its revealed rows: who saw well."""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from illusion.rules import CardId, Colour, RowDoubted, Setup


class Eye(msgspec.Struct, frozen=True):
    """The numbers of cards that a player placed right (between the neighbours that belong there) and wrong."""

    seat: int
    right: int
    wrong: int

    @property
    def share(self) -> float:
        return self.right / (self.right + self.wrong)


class ClosestCall(msgspec.Struct, frozen=True):
    """The two neighbours in all revealed rows that differed least."""

    arrow: Colour
    left: int
    right: int


class WorstIllusion(msgspec.Struct, frozen=True):
    """The card that was placed furthest off."""

    card: str
    """The card's address."""
    arrow: Colour
    seat: int
    """Who placed it."""
    share: int
    neighbour: int
    """The share of the neighbour it does not belong beside: greater on its left, or smaller on its right."""

    @property
    def off(self) -> int:
        return abs(self.share - self.neighbour)


class SeatPair(msgspec.Struct, frozen=True):
    """Two neighbours, one of which a seat laid beside the other."""

    arrow: Colour
    cards: tuple[str, str]
    """Their addresses, the left one first."""
    shares: tuple[int, int]
    laid: int
    """Which of the two the seat laid: 0 or 1."""

    @property
    def rise(self) -> int:
        return self.shares[1] - self.shares[0]


class Summary(msgspec.Struct, frozen=True):
    """A finished game in short: eyes, closest call and worst illusion."""

    eyes: list[Eye]
    best_eyes: list[int]
    worst_eyes: list[int]
    closest: ClosestCall | None
    worst_illusion: WorstIllusion | None
    """Of equal ones the first."""


def summarize(setup: Setup, doubts: Sequence[RowDoubted], address: Callable[[CardId], str]) -> Summary:
    """The summary of all revealed rows, which hold every card that was laid. `address` returns a card's address."""
    placements: Counter[tuple[int, bool]] = Counter()
    illusions: list[WorstIllusion] = []
    calls: list[ClosestCall] = []
    place_in_deck = {card.id: place for place, card in enumerate(setup.deck)}
    for doubt in doubts:
        arrow, shares = doubt.arrow, [turned.shares[doubt.arrow] for turned in doubt.row]
        laid = sorted(range(len(shares)), key=lambda at: place_in_deck[doubt.row[at].card])
        for at, wrong_beside in zip(laid, _wrong_neighbours(shares, laid), strict=True):
            seat = doubt.row[at].placed_by
            if seat is None:
                continue
            placements[seat, not wrong_beside] += 1
            card = doubt.row[at].card
            illusions += [WorstIllusion(address(card), arrow, seat, shares[at], each) for each in wrong_beside]
        calls += [ClosestCall(arrow, left, right) for left, right in pairwise(shares) if left != right]
    eyes = [Eye(seat, placements[seat, True], placements[seat, False]) for seat in range(setup.players)]
    judged = [eye for eye in eyes if eye.right + eye.wrong]
    best = max((eye.share for eye in judged), default=0.0)
    worst = min((eye.share for eye in judged), default=0.0)
    return Summary(
        eyes,
        [eye.seat for eye in judged if eye.share == best],
        [eye.seat for eye in judged if eye.share == worst and worst < best],
        min(calls, key=lambda call: abs(call.left - call.right), default=None),
        max(illusions, key=lambda illusion: illusion.off, default=None),
    )


def pairs_of_seat(
    setup: Setup, doubts: Sequence[RowDoubted], address: Callable[[CardId], str], seat: int
) -> Iterator[list[SeatPair]]:
    """For each card that a seat laid: the card with its neighbours as it was laid."""
    place_in_deck = {card.id: place for place, card in enumerate(setup.deck)}
    for doubt in doubts:
        row, lying = doubt.row, list[int]()
        for at in sorted(range(len(row)), key=lambda at: place_in_deck[row[at].card]):
            gap = bisect(lying, at)
            if row[at].placed_by == seat:
                beside = [(each, at) for each in lying[:gap][-1:]] + [(at, each) for each in lying[gap : gap + 1]]
                yield [
                    SeatPair(
                        doubt.arrow,
                        (address(row[left].card), address(row[right].card)),
                        (row[left].shares[doubt.arrow], row[right].shares[doubt.arrow]),
                        int(right == at),
                    )
                    for left, right in beside
                ]
            lying.insert(gap, at)


def worst_pair(laid: Iterable[Sequence[SeatPair]]) -> SeatPair | None:
    """The one that falls most."""
    return min((pair for pairs in laid for pair in pairs if pair.rise < 0), key=lambda pair: pair.rise, default=None)


def finest_pair(laid: Iterable[Sequence[SeatPair]]) -> SeatPair | None:
    """The one that rises least, of cards that were laid right. Equal shares are right either way: they are left out."""
    right = (pair for pairs in laid if all(pair.rise >= 0 for pair in pairs) for pair in pairs)
    return min((pair for pair in right if pair.rise), key=lambda pair: pair.rise, default=None)


def _wrong_neighbours(shares: Sequence[int], laid: Iterable[int]) -> Iterator[list[int]]:
    """For each card, in the order of laying, the shares of its wrong neighbours: a greater one on its left, a smaller
    one on its right. `laid` has the places in the row in that order."""
    lying: list[int] = []
    for at in laid:
        gap, share = bisect(lying, at), shares[at]
        left = [shares[lying[gap - 1]]] if gap > 0 else []
        right = [shares[lying[gap]]] if gap < len(lying) else []
        yield [each for each in left if each > share] + [each for each in right if each < share]
        lying.insert(gap, at)
