"""A finished game, moment by moment, as it was seen then; and what was on the cards."""

from collections.abc import Iterator
from typing import Any

import msgspec

from illusion.rules import Colour, Place, Shares
from illusion.tables.model import bot_players
from illusion.tables.model.bot_players import Sights
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


def played_again(table: Table) -> Iterator[tuple[Table, AnyEntry, list[dict[str, Any]]]]:
    """A game that is over once more, from the deal on: the table after each entry, and what happened.

    Refuses a game that is not over: its rows are nobody's business before they are turned over.
    """
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    again, secret = Table(table.id), table.dealt().secret
    again.apply(Opened(0, len(table.chairs), table.variant, table.clock))
    for seat, sitter in enumerate(table.sitters):
        again.apply(SatDown(0, seat, sitter.name, sitter.token_hash, sitter.level))
    dealt = Dealt(0, secret.seed, secret.nonce, secret.generator)
    yield again, dealt, public_event(again, dealt, again.apply(dealt, table.dealt()))["happened"]
    for _, move, _ in table.moves:
        _, seat = again.running()
        entry = Placed(0, seat, move.gap) if isinstance(move, Place) else Doubted(0, seat)
        yield again, entry, public_event(again, entry, again.apply(entry))["happened"]


def replay(table: Table) -> Replay:
    """Refuses a game that is not over."""
    moments: list[Moment] = []
    for again, entry, happened in played_again(table):
        view = public_view(again)
        if isinstance(entry, Dealt):
            moments.append(Moment(1, 0, [], view))
            continue
        last = moments[-1]
        if isinstance(entry, Placed):
            moments.append(Moment(last.round, last.move + 1, happened, view))
            continue
        turned = msgspec.structs.replace(last.view, last_doubt=view.last_doubt, seq=view.seq)
        following = view.round if view.phase is Phase.PLAYING else last.round + 1
        moments += [Moment(last.round, last.move + 1, happened, turned), Moment(following, 0, [], view)]
    dealing = table.dealt()
    shares = {card_address(table, number): dealing.pile[number - 1].shares for number in sorted(table.seen)}
    bots = [seat for seat, sitter in enumerate(table.sitters) if sitter.is_bot]
    return Replay(table.id, moments, shares, bots)


def check_bot(table: Table, seat: int) -> None:
    """Refuses a seat that no bot had at a game that is over."""
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    if not (0 <= seat < len(table.chairs) and table.sitter(seat).is_bot):
        raise Refused(RefusalCode.NO_BOT_THERE, seat=seat)


def seen_by_bot(table: Table, seat: int, sights: Sights) -> dict[str, dict[Colour, int]]:
    """What a bot took the shares of every card to be that was seen in the game."""
    return {card_address(table, card): shares for card, shares in bot_players.estimates(table, seat, sights).items()}
