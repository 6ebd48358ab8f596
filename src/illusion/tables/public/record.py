"""A finished game as a file that anyone can check: the commitment shown first, the secret, and every card."""

from typing import Any

import msgspec

from illusion.rules import Variant
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.fair_deal import Secret
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.view import public_event


class Record(msgspec.Struct, frozen=True):
    """What a player can keep of a game. `moves` are the log's moves, as everybody saw them."""

    table: str
    variant: Variant
    players: list[str]
    commitment: str
    secret: dict[str, str | int]
    opening: list[dict[str, Any]]
    moves: list[dict[str, Any]]


def record(table: Table, events: list[bytes]) -> Record:
    """The game played at a table, once it is over."""
    if table.phase is not Phase.OVER or table.dealing is None:
        raise Refused(RefusalCode.NOT_OVER)
    told = [msgspec.json.decode(event) for event in events]
    dealt = next(event for event in told if event["entry"] == "dealt")
    secret = table.dealing.secret
    return Record(
        table.id,
        table.variant,
        [sitter.name for sitter in table.sitters],
        dealt["commitment"],
        {"seed": secret.seed, "nonce": secret.nonce, "generator": secret.generator},
        dealt["happened"],
        [_move(event) for event in told if event["entry"] in ("placed", "doubted")],
    )


def find_mismatch(record: Record) -> str | None:
    """None if the secret fits the commitment and every card came in the promised order; else what does not fit."""
    seed, nonce, generator = (record.secret.get(name) for name in ("seed", "nonce", "generator"))
    if not (isinstance(seed, str) and isinstance(nonce, str) and isinstance(generator, int)):
        return "the secret is incomplete"
    if Secret(seed, nonce, generator).commitment != record.commitment:
        return "the secret does not fit the commitment that was shown before the first card"
    try:
        table = Table(record.table)
        table.apply(Opened(0, len(record.players), record.variant, None))
        for seat, name in enumerate(record.players):
            table.apply(SatDown(0, seat, name))
        dealt = Dealt(0, seed, nonce, generator)
        if not _same(public_event(table, dealt, table.apply(dealt))["happened"], record.opening):
            return "the first round was dealt from other piles"
        for number, move in enumerate(record.moves, 1):
            entry: AnyEntry = Placed(0, move["seat"], move["gap"]) if "gap" in move else Doubted(0, move["seat"])
            if not _same(public_event(table, entry, table.apply(entry))["happened"], move["happened"]):
                return f"move {number} shows cards that were not the promised ones"
    except (ValueError, LookupError, TypeError, AssertionError):
        return "the moves do not make a game"
    return None if table.phase is Phase.OVER else "the moves do not reach the game's end"


def _move(event: dict[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in ("seat", "gap", "happened") if name in event}


def _same(one: object, other: object) -> bool:
    return msgspec.json.encode(one) == msgspec.json.encode(other)
