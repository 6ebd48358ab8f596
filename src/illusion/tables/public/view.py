"""Views and events of a table for clients, built up field by field: the same for everybody.

Cards appear as opaque addresses, never as numbers; percentages once a doubt has revealed them; the secret once the game
is over.
"""

from typing import Any, Final

import msgspec

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Colour,
    Event,
    GameEnded,
    Legal,
    Penalty,
    RoundStarted,
    RowDoubted,
    Shares,
    Variant,
    View,
    view,
)
from illusion.rules.game import NOTHING
from illusion.rules.setup import FEWEST_PLAYERS
from illusion.tables.model import entries
from illusion.tables.model.entries import AnyEntry, Mover
from illusion.tables.model.fair_deal import Secret
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.summary import Summary, summarize

MOVES: Final = (entries.Placed, entries.Doubted)


class PublicPlayer(msgspec.Struct, frozen=True):
    """A person or a bot at the table."""

    seat: int
    name: str
    level: str | None
    away: bool


class PublicPromise(msgspec.Struct, frozen=True):
    """A person who was promised a seat in the next game, or, before a game, in this one."""

    number: int
    name: str


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


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everybody sees it."""

    seq: int
    table: str
    phase: Phase
    variant: Variant
    end: PublicEnd
    penalty: Penalty
    """What a wrong doubt costs."""
    guesses: bool
    """Whether people may guess at the next card while others think. Guesses are never sent."""
    clock: int | None
    seats: int
    host: int | None
    players: list[PublicPlayer]
    can_start: bool
    """Whether the host can start the game now."""
    locked: bool
    """Whether nobody new may sit down."""
    open_seats: list[int]
    """The seats that somebody new may take now."""
    can_wait: bool
    """Whether somebody new can be promised a seat in the next game."""
    promised: list[PublicPromise]
    commitment: str | None
    round: int = 0
    arrow: Colour | None = None
    row: list[str] = []
    placed_by: tuple[int | None, ...] = ()
    laid: tuple[int, ...] = ()
    """When each card of the row was laid: 0 is the one that began it, 1 the first that a player laid."""
    last_placed_by: int | None = None
    """Who placed the newest card of the row; null at the beginning of a round."""
    last_by: Mover | None = None
    """Who made the last move: the player, a stand-in, or the clock, which had run out."""
    next_card: str | None = None
    to_play: int | None = None
    turn_began: float | None = None
    """When the turn began, in whole seconds since 1970; a clock runs out up to a second after `clock` seconds."""
    legal: Legal = NOTHING
    """Legal moves of the seat at turn; none if no game is being played."""
    cards_left: int = 0
    arrows_won: list[list[Colour]] = []
    over: bool = False
    winners: list[int] = []
    last_doubt: PublicDoubt | None = None
    rematch: str | None = None
    rematch_by: int | None = None
    """The seat that asked for the rematch."""
    secret: Secret | None = None
    """Seed, nonce and the pictures' version (`generator`), after the game."""
    summary: Summary | None = None
    """Who saw well, after the game."""


def public_view(table: Table) -> PublicView:
    """The one view of a table, for pages, programs and bots alike."""
    return PublicView(
        seq=table.seq,
        table=table.id,
        phase=table.phase,
        variant=table.terms.variant,
        end=PublicEnd(table.terms.variant.end.arrows_to_win, table.terms.variant.end.rounds),
        penalty=table.terms.penalty,
        guesses=table.terms.guesses,
        clock=table.terms.clock,
        seats=len(table.chairs),
        host=table.host,
        players=[
            PublicPlayer(seat, sitter.name, sitter.level, sitter.away)
            for seat, sitter in enumerate(table.chairs)
            if sitter is not None
        ],
        can_start=table.phase is Phase.WAITING and len(table.sitters) >= FEWEST_PLAYERS,
        locked=table.locked,
        open_seats=table.open_seats,
        can_wait=table.can_wait,
        promised=[PublicPromise(number, promise.name) for number, promise in table.promised.items()],
        commitment=None if table.dealing is None else table.dealing.commitment,
        rematch=table.rematch,
        rematch_by=table.rematch_by,
        **({} if table.game is None else _of_game(table, view(table.game))),
    )


def _of_game(table: Table, seen: View) -> dict[str, Any]:
    return {
        "round": seen.round,
        "arrow": seen.arrow,
        "row": [table.card_address(card) for card in seen.row],
        "placed_by": seen.placed_by,
        "laid": seen.laid,
        "last_placed_by": seen.placed_by[seen.laid.index(len(seen.laid) - 1)] if seen.laid else None,
        "last_by": table.last_by,
        "next_card": None if seen.next_card is None else table.card_address(seen.next_card),
        "to_play": seen.to_play,
        "turn_began": None if seen.over else public_time(table.turn_began),
        "legal": seen.legal if table.phase is Phase.PLAYING else NOTHING,
        "cards_left": seen.cards_left,
        "arrows_won": [list(arrows) for arrows in seen.arrows_won],
        "over": seen.over,
        "winners": list(seen.winners),
        "last_doubt": None if seen.last_doubt is None else public_doubt(table, seen.last_doubt),
        "secret": table.dealt().secret if seen.over else None,
        "summary": _summary(table) if seen.over else None,
    }


def _summary(table: Table) -> Summary:
    return summarize(table.dealt().game.setup, table.doubts, table.card_address)


def public_doubt(table: Table, doubt: RowDoubted) -> PublicDoubt:
    row = [PublicTurned(table.card_address(turned.card), turned.shares, turned.placed_by) for turned in doubt.row]
    broke = None if doubt.culprit is None else PublicBroke(doubt.culprit.at, doubt.culprit.seat)
    return PublicDoubt(doubt.seat, doubt.arrow, row, doubt.first_fall, list(doubt.falls), broke, doubt.taker)


def public_time(at: float) -> float:
    """A time in whole seconds, so as not to tell more about how somebody thinks. Rounded down, so that a page's clock
    never shows more time than there is."""
    return at // 1


def public_event(table: Table, entry: AnyEntry, happened: tuple[Event, ...]) -> dict[str, Any]:
    """The public event of an entry that has just been applied, with the rules' events."""
    event: dict[str, Any] = {"seq": table.seq, "entry": type(entry).__struct_config__.tag, "at": public_time(entry.at)}
    event |= _fields(table, entry)
    event["happened"] = [_happened(table, each) for each in happened]
    if table.phase is Phase.OVER and isinstance(entry, MOVES):
        event["secret"] = table.dealt().secret
    return event


def _fields(table: Table, entry: AnyEntry) -> dict[str, Any]:  # noqa: PLR0911, PLR0912  (one line per kind of entry)
    match entry:
        case entries.Placed():
            cards = 0 if table.game is None else len(table.game.row)
            return {"seat": entry.seat, "gap": entry.gap, "by": entry.by, "cards_in_row": cards}
        case entries.Doubted():
            return {"seat": entry.seat, "by": entry.by}
        case entries.Opened():
            return {"seats": entry.seats} | msgspec.structs.asdict(entry.terms)
        case entries.Arranged():
            return msgspec.structs.asdict(entry.terms)
        case entries.SatDown():
            instead_of = table.sitter(entry.seat).instead_of
            return {"seat": entry.seat, "name": entry.name, "level": entry.level, "instead_of": instead_of}
        case entries.Renamed():
            return {"seat": entry.seat, "name": entry.name}
        case entries.StoodUp() | entries.CameBack() | entries.SentAway():
            return {"seat": entry.seat}
        case entries.WentAway():
            return {"seat": entry.seat, "why": entry.why}
        case entries.Dealt():
            order = list(range(len(table.chairs))) if entry.order is None else entry.order
            return {"commitment": table.dealt().commitment, "players": len(table.chairs), "order": order}
        case entries.Promised():
            return {"number": table.seq, "name": entry.name}
        case entries.GaveUp():
            return {"number": entry.number}
        case entries.Locked():
            return {"locked": entry.locked}
        case entries.PlayedAgain():
            return {"table": entry.table, "seat": entry.seat}
        case entries.Closed():
            return {}


def _happened(table: Table, event: Event) -> dict[str, Any]:
    match event:
        case RoundStarted():
            return {
                "event": "round-started",
                "round": event.round,
                "arrow": event.arrow,
                "first_card": table.card_address(event.first_card),
                "next_card": table.card_address(event.next_card),
                "to_play": event.to_play,
            }
        case CardPlaced():
            return {
                "event": "card-placed",
                "seat": event.seat,
                "card": table.card_address(event.card),
                "gap": event.gap,
                "next_card": None if event.next_card is None else table.card_address(event.next_card),
                "to_play": event.to_play,
            }
        case RowDoubted():
            doubt: dict[str, Any] = msgspec.to_builtins(public_doubt(table, event))
            return {"event": "row-doubted"} | doubt
        case ArrowAwarded():
            return {"event": "arrow-awarded", "seat": event.seat, "arrow": event.arrow}
        case ArrowReturned():
            return {"event": "arrow-returned", "seat": event.seat, "arrow": event.arrow}
        case GameEnded():
            return {"event": "game-ended", "winners": event.winners, "ending": event.ending}
