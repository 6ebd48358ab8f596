"""A finished game, moment by moment, as it was seen then; and what was on the cards."""

from typing import Any

import msgspec

from illusion.rules import Colour, Move, Place, Shares
from illusion.tables.model import bot_players
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.events import public_event
from illusion.tables.public.view import PublicView, card_address, public_view


class Moment(msgspec.Struct, frozen=True):
    """The table after a move; move 0 is the beginning of a round.

    A doubt has a moment of its own: `view` is the row as it lay, with the doubt that turned it over as `last_doubt`.
    """

    round: int
    move: int
    happened: list[dict[str, Any]]
    view: PublicView


class Replay(msgspec.Struct, frozen=True):
    """A finished game."""

    table: str
    moments: list[Moment]
    shares: dict[str, Shares]
    """What is on every card that was seen, by its address."""
    bots: list[int]
    """Seats of bots: what they saw can be asked for."""


def replay(table: Table) -> Replay:
    """Refuses a game that is not over: its rows are nobody's business before they are turned over."""
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    again = _dealt_again(table)
    moments = [Moment(1, 0, [], public_view(again))]
    for chosen in table.moves:
        moments += _moments(again, chosen, moments[-1])
    dealing = table.dealt()
    shares = {card_address(table, number): dealing.pile[number - 1].shares for number in sorted(table.seen)}
    bots = [seat for seat, sitter in enumerate(table.sitters) if sitter.is_bot]
    return Replay(table.id, moments, shares, bots)


def _dealt_again(table: Table) -> Table:
    """The same table as it was when the cards had been dealt."""
    again, secret = Table(table.id), table.dealt().secret
    again.apply(Opened(0, len(table.chairs), table.variant, table.clock))
    for seat, sitter in enumerate(table.sitters):
        again.apply(SatDown(0, seat, sitter.name, sitter.token_hash, sitter.level))
    again.apply(Dealt(0, secret.seed, secret.nonce, secret.generator), table.dealt())
    return again


def _moments(table: Table, chosen: Move, last: Moment) -> list[Moment]:
    """The move is made, and what there is to see of it."""
    _, seat = table.running()
    before = public_view(table)
    entry: AnyEntry = Placed(0, seat, chosen.gap) if isinstance(chosen, Place) else Doubted(0, seat)
    happened = public_event(table, entry, table.apply(entry))["happened"]
    after = public_view(table)
    if isinstance(chosen, Place):
        return [Moment(last.round, last.move + 1, happened, after)]
    turned = msgspec.structs.replace(before, last_doubt=after.last_doubt, seq=after.seq)
    return [
        Moment(last.round, last.move + 1, happened, turned),
        Moment(after.round if after.phase is Phase.PLAYING else last.round + 1, 0, [], after),
    ]


def seen_by_bot(table: Table, seat: int) -> dict[str, dict[Colour, int]]:
    """What a bot took the shares of every card to be that was seen in the game. Slow: it looks at every picture."""
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    if not (0 <= seat < len(table.chairs) and table.sitter(seat).is_bot):
        raise Refused(RefusalCode.NO_BOT_THERE, seat=seat)
    return {card_address(table, number): estimates for number, estimates in bot_players.estimates(table, seat).items()}
