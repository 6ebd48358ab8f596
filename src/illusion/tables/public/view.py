"""What leaves the house: the view of a table and the events of its log, built up field by field, the same for all.

Cards appear by their addresses at this table, never by their numbers; shares only once a doubt has turned them over;
the seed only after the game.
"""

from typing import Any, Final

import msgspec

from illusion.rules import (
    ArrowAwarded,
    CardId,
    CardPlaced,
    Colour,
    Event,
    GameEnded,
    RoundStarted,
    RowDoubted,
    Variant,
    view,
)
from illusion.tables.model.entries import AnyEntry, Arranged, Dealt, Opened, Placed, PlayedAgain, SatDown
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.summary import Summary, summarize

COLOURS: Final = tuple(Colour)


class PublicPlayer(msgspec.Struct, frozen=True):
    """Whoever sits in a chair, as everybody sees them."""

    seat: int
    name: str
    level: str | None
    away: bool


class PublicTurned(msgspec.Struct, frozen=True):
    """A card of a row that has been turned over."""

    card: str
    shares: dict[Colour, int]
    placed_by: int | None


class PublicDoubt(msgspec.Struct, frozen=True):
    """The last doubt, which everybody has read."""

    seat: int
    arrow: Colour
    row: list[PublicTurned]
    first_fall: int | None


class PublicView(msgspec.Struct, frozen=True):
    """A table as everybody sees it."""

    table: str
    seq: int
    phase: Phase
    variant: Variant
    clock: int | None
    seats: int
    host: int | None
    players: list[PublicPlayer]
    commitment: str | None
    round: int
    arrow: Colour | None
    row: list[str]
    placed_by: list[int | None]
    next_card: str | None
    to_play: int | None
    turn_began: float | None
    """Since when, in seconds since 1970; with a clock, it runs out so many seconds later."""
    arrows_won: list[list[Colour]]
    cards_left: int
    over: bool
    winners: list[int]
    last_doubt: PublicDoubt | None
    rematch: str | None
    secret: dict[str, str | int] | None
    """Seed, nonce and generator, after the game."""
    summary: Summary | None
    """Who saw well, after the game."""


def public_view(table: Table) -> PublicView:
    players = [
        PublicPlayer(seat, sitter.name, sitter.level, sitter.away)
        for seat, sitter in enumerate(table.chairs)
        if sitter is not None
    ]
    seen = None if table.game is None else view(table.game)
    over = seen is not None and seen.over
    return PublicView(
        table=table.id,
        seq=table.seq,
        phase=table.phase,
        variant=table.variant,
        clock=table.clock,
        seats=len(table.chairs),
        host=table.host,
        players=players,
        commitment=None if table.dealing is None else table.dealing.secret.commitment,
        round=0 if seen is None else seen.round,
        arrow=None if seen is None else seen.arrow,
        row=[] if seen is None else [address(table, card) for card in seen.row],
        placed_by=[] if seen is None else list(seen.placed_by),
        next_card=None if seen is None or seen.next_card is None else address(table, seen.next_card),
        to_play=None if seen is None else seen.to_play,
        turn_began=None if seen is None or seen.to_play is None else table.turn_began,
        arrows_won=[] if seen is None else [list(arrows) for arrows in seen.arrows_won],
        cards_left=0 if seen is None else seen.cards_left,
        over=over,
        winners=[] if seen is None else list(seen.winners),
        last_doubt=None if seen is None or seen.last_doubt is None else _doubt(table, seen.last_doubt),
        rematch=table.rematch,
        secret=_secret(table) if over else None,
        summary=summarize(table.dealing.game, table.moves) if over and table.dealing is not None else None,
    )


def public_event(table: Table, entry: AnyEntry, happened: tuple[Event, ...]) -> dict[str, Any]:
    """An entry of the log, just applied, as everybody may know it."""
    event: dict[str, Any] = {"seq": table.seq, "entry": type(entry).__struct_config__.tag, "at": entry.at}
    match entry:
        case Placed():
            event |= {"seat": entry.seat, "gap": entry.gap, "by": entry.by}
        case Opened():
            event |= {"seats": entry.seats, "variant": entry.variant, "clock": entry.clock}
        case Arranged():
            event |= {"variant": entry.variant, "clock": entry.clock}
        case SatDown():
            event |= {"seat": entry.seat, "name": entry.name, "level": entry.level}
        case Dealt():
            assert table.dealing is not None
            order = list(range(len(table.chairs))) if entry.order is None else entry.order
            event |= {"commitment": table.dealing.secret.commitment, "players": len(table.chairs), "order": order}
        case PlayedAgain():
            event |= {"table": entry.table}
        case _:
            event |= {name: getattr(entry, name) for name in ("seat", "gap", "by", "why") if hasattr(entry, name)}
    if isinstance(entry, Placed):
        assert table.game is not None
        event["cards_in_row"] = len(table.game.row)
    event["happened"] = [_happened(table, each) for each in happened]
    if table.phase is Phase.OVER and happened:
        event["secret"] = _secret(table)
    return event


def address(table: Table, card: CardId) -> str:
    """Where a card's picture is to be had: the table's name and a token that tells nothing."""
    assert table.dealing is not None
    return table.id + table.dealing.token(int(card))


def _happened(table: Table, event: Event) -> dict[str, Any]:
    match event:
        case RoundStarted():
            return {
                "event": "round-started",
                "round": event.round,
                "arrow": event.arrow,
                "first_card": address(table, event.first_card),
                "next_card": address(table, event.next_card),
                "to_play": event.to_play,
            }
        case CardPlaced():
            return {
                "event": "card-placed",
                "seat": event.seat,
                "card": address(table, event.card),
                "gap": event.gap,
                "next_card": None if event.next_card is None else address(table, event.next_card),
                "to_play": event.to_play,
            }
        case RowDoubted():
            doubt: dict[str, Any] = msgspec.to_builtins(_doubt(table, event))
            return {"event": "row-doubted"} | doubt
        case ArrowAwarded():
            return {"event": "arrow-awarded", "seat": event.seat, "arrow": event.arrow}
        case GameEnded():
            return {"event": "game-ended", "winners": event.winners, "ending": event.ending}


def _doubt(table: Table, doubt: RowDoubted) -> PublicDoubt:
    row = [
        PublicTurned(
            address(table, turned.card), {colour: turned.shares[colour] for colour in COLOURS}, turned.placed_by
        )
        for turned in doubt.row
    ]
    return PublicDoubt(doubt.seat, doubt.arrow, row, doubt.first_fall)


def _secret(table: Table) -> dict[str, str | int]:
    assert table.dealing is not None
    secret = table.dealing.secret
    return {"seed": secret.seed, "nonce": secret.nonce, "generator": secret.generator}
