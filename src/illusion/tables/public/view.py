"""What clients may know of a table, built up field by field: the same view for everybody.

Cards appear as addresses that tell nothing, never as numbers. Percentages appear once a doubt has revealed them, and
the secret once the game is over.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec

from illusion.rules import CardId, Colour, Legal, Penalty, RowDoubted, Setup, Shares, Variant, View, view
from illusion.rules.legal import NOTHING
from illusion.rules.setup import FEWEST_PLAYERS
from illusion.tables.model.table import Phase, Table


class PublicPlayer(msgspec.Struct, frozen=True):
    """A person or a bot at the table."""

    seat: int
    name: str
    level: str | None
    away: bool


class PublicTurned(msgspec.Struct, frozen=True):
    """A card of a revealed row."""

    card: str
    shares: Shares
    placed_by: int | None


class PublicBroke(msgspec.Struct, frozen=True):
    """The card that first made the row wrong, as its index in the row, and who laid it."""

    card: int
    seat: int


class PublicDoubt(msgspec.Struct, frozen=True):
    """The last doubt and the row it revealed. `first_fall` is the first of `falls`, or null if the row was right."""

    seat: int
    arrow: Colour
    row: list[PublicTurned]
    first_fall: int | None
    falls: list[int]
    """The index of every card with less of the colour than the card on its left."""
    broke: PublicBroke | None
    taker: int
    """Who took the arrow card."""


class PublicEnd(msgspec.Struct, frozen=True):
    """When the game ends: the arrow cards that win at once, or null, and the number of rounds."""

    arrows_to_win: int | None
    rounds: int


class Eye(msgspec.Struct, frozen=True):
    """How many cards a player placed right and wrong; right is not below the card on its left, nor above the next."""

    seat: int
    right: int
    wrong: int

    @property
    def share(self) -> float:
        return self.right / (self.right + self.wrong)


class ClosestCall(msgspec.Struct, frozen=True):
    """The two neighbours that differed least of all that were turned over."""

    arrow: Colour
    left: int
    right: int


class WorstIllusion(msgspec.Struct, frozen=True):
    """A card that was placed far from where it belonged."""

    card: str
    """Its address."""
    arrow: Colour
    seat: int
    """Who was fooled."""
    share: int
    neighbour: int
    """The share of the card on its left, which is more, or of the one on its right, which is less."""

    @property
    def off(self) -> int:
        return abs(self.share - self.neighbour)


class Summary(msgspec.Struct, frozen=True):
    """A finished game, looked back at."""

    eyes: list[Eye]
    best_eyes: list[int]
    worst_eyes: list[int]
    closest: ClosestCall | None
    worst_illusion: WorstIllusion | None
    """The first of those that were furthest off."""


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everybody sees it."""

    seq: int
    table: str
    phase: Phase
    variant: Variant
    end: PublicEnd
    penalty: Penalty
    """What a wrong doubt costs."""
    clock: int | None
    seats: int
    host: int | None
    players: list[PublicPlayer]
    can_start: bool
    """Whether the host can start the game now."""
    commitment: str | None
    round: int = 0
    arrow: Colour | None = None
    row: list[str] = []
    placed_by: tuple[int | None, ...] = ()
    laid: tuple[int, ...] = ()
    """When each card of the row was laid: 0 is the one that began it, 1 the first that a player laid."""
    last_placed_by: int | None = None
    """Who placed the newest card of the row; null at the beginning of a round."""
    next_card: str | None = None
    to_play: int | None = None
    turn_began: float | None = None
    """When the turn began, in whole seconds since 1970; a clock runs out `clock` seconds later, or up to one more."""
    legal: Legal = NOTHING
    """What the seat whose turn it is may do; nothing when no game is being played."""
    cards_left: int = 0
    arrows_won: list[list[Colour]] = []
    over: bool = False
    winners: list[int] = []
    last_doubt: PublicDoubt | None = None
    rematch: str | None = None
    secret: dict[str, str | int] | None = None
    """Seed, nonce and the pictures' version (`generator`), after the game."""
    summary: Summary | None = None
    """Who saw well, after the game."""


def public_view(table: Table) -> PublicView:
    """The one view of a table, for pages, programs and bots alike."""
    return PublicView(
        seq=table.seq,
        table=table.id,
        phase=table.phase,
        variant=table.variant,
        end=PublicEnd(table.variant.end.arrows_to_win, table.variant.end.rounds),
        penalty=table.variant.penalty,
        clock=table.clock,
        seats=len(table.chairs),
        host=table.host,
        players=[
            PublicPlayer(seat, sitter.name, sitter.level, sitter.away)
            for seat, sitter in enumerate(table.chairs)
            if sitter is not None
        ],
        can_start=table.phase is Phase.WAITING and len(table.sitters) >= FEWEST_PLAYERS,
        commitment=None if table.dealing is None else table.dealing.commitment,
        rematch=table.rematch,
        **({} if table.game is None else _of_game(table, view(table.game))),
    )


def _of_game(table: Table, seen: View) -> dict[str, Any]:
    return {
        "round": seen.round,
        "arrow": seen.arrow,
        "row": [card_address(table, card) for card in seen.row],
        "placed_by": seen.placed_by,
        "laid": seen.laid,
        "last_placed_by": seen.placed_by[seen.laid.index(len(seen.laid) - 1)] if seen.laid else None,
        "next_card": None if seen.next_card is None else card_address(table, seen.next_card),
        "to_play": seen.to_play,
        "turn_began": None if seen.over else public_time(table.turn_began),
        "legal": seen.legal if table.phase is Phase.PLAYING else NOTHING,
        "cards_left": seen.cards_left,
        "arrows_won": [list(arrows) for arrows in seen.arrows_won],
        "over": seen.over,
        "winners": list(seen.winners),
        "last_doubt": None if seen.last_doubt is None else public_doubt(table, seen.last_doubt),
        "secret": revealed_secret(table) if seen.over else None,
        "summary": _summary(table) if seen.over else None,
    }


def _summary(table: Table) -> Summary:
    return summarize(table.dealt().game.setup, table.doubts, partial(card_address, table))


def public_doubt(table: Table, doubt: RowDoubted) -> PublicDoubt:
    row = [PublicTurned(card_address(table, turned.card), turned.shares, turned.placed_by) for turned in doubt.row]
    broke = None if doubt.culprit is None else PublicBroke(doubt.culprit.at, doubt.culprit.seat)
    return PublicDoubt(doubt.seat, doubt.arrow, row, doubt.first_fall, list(doubt.falls), broke, doubt.taker)


def public_time(at: float) -> float:
    """In whole seconds: finer times would only tell more about how somebody thinks. Rounded down, so that a clock that
    counts from here never promises more time than there is."""
    return at // 1


def card_address(table: Table, card: CardId) -> str:
    """Where a card's picture is served: the table's id, then a token that tells nothing."""
    return table.id + table.dealt().token(int(card))


def revealed_secret(table: Table) -> dict[str, str | int]:
    """The secret of the deal. Only for a game that is over."""
    secret = table.dealt().secret
    return {"seed": secret.seed, "nonce": secret.nonce, "generator": secret.generator}


def summarize(setup: Setup, doubts: Sequence[RowDoubted], address: Callable[[CardId], str]) -> Summary:
    """From the rows that were turned over: every card that was laid is in one of them. `address` tells where a card's
    picture is."""
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


def _wrong_neighbours(shares: Sequence[int], laid: Iterable[int]) -> Iterator[list[int]]:
    """For each card as it was laid, the shares of those neighbours that it should not lie beside: a greater one on its
    left, a smaller one on its right. `laid` has the places in the row in the order of laying."""
    lying: list[int] = []
    for at in laid:
        gap, share = bisect(lying, at), shares[at]
        left = [shares[lying[gap - 1]]] if gap > 0 else []
        right = [shares[lying[gap]]] if gap < len(lying) else []
        yield [each for each in left if each > share] + [each for each in right if each < share]
        lying.insert(gap, at)
