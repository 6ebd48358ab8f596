"""The public events of a log, built field by field: the same JSON for everybody."""

from typing import Any, Final

import msgspec

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Event,
    GameEnded,
    RoundStarted,
    RowDoubted,
)
from illusion.tables.model import entries
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.view import card_address, public_doubt, public_time, revealed_secret

MOVES: Final = (entries.Placed, entries.Doubted)


def public_event(table: Table, entry: AnyEntry, happened: tuple[Event, ...]) -> dict[str, Any]:
    """An entry that has just been applied, and what the rules say happened, as everybody may know it."""
    event: dict[str, Any] = {"seq": table.seq, "entry": type(entry).__struct_config__.tag, "at": public_time(entry.at)}
    event |= _fields(table, entry)
    event["happened"] = [_happened(table, each) for each in happened]
    if table.phase is Phase.OVER and isinstance(entry, MOVES):
        event["secret"] = revealed_secret(table)
    return event


def _fields(table: Table, entry: AnyEntry) -> dict[str, Any]:  # noqa: PLR0911  (one line per kind of entry)
    match entry:
        case entries.Placed():
            cards = 0 if table.game is None else len(table.game.row)
            return {"seat": entry.seat, "gap": entry.gap, "by": entry.by, "cards_in_row": cards}
        case entries.Doubted():
            return {"seat": entry.seat, "by": entry.by}
        case entries.Opened():
            return {"seats": entry.seats, "variant": entry.variant, "clock": entry.clock}
        case entries.Arranged():
            return {"variant": entry.variant, "clock": entry.clock}
        case entries.SatDown():
            return {"seat": entry.seat, "name": entry.name, "level": entry.level}
        case entries.StoodUp() | entries.CameBack():
            return {"seat": entry.seat}
        case entries.WentAway():
            return {"seat": entry.seat, "why": entry.why}
        case entries.Dealt():
            order = list(range(len(table.chairs))) if entry.order is None else entry.order
            return {"commitment": table.dealt().commitment, "players": len(table.chairs), "order": order}
        case entries.PlayedAgain():
            return {"table": entry.table}
        case entries.Closed():
            return {}


def _happened(table: Table, event: Event) -> dict[str, Any]:
    match event:
        case RoundStarted():
            return {
                "event": "round-started",
                "round": event.round,
                "arrow": event.arrow,
                "first_card": card_address(table, event.first_card),
                "next_card": card_address(table, event.next_card),
                "to_play": event.to_play,
            }
        case CardPlaced():
            return {
                "event": "card-placed",
                "seat": event.seat,
                "card": card_address(table, event.card),
                "gap": event.gap,
                "next_card": None if event.next_card is None else card_address(table, event.next_card),
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
