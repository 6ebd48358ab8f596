"""A finished game: as a record that anyone can verify, and as a replay, move by move."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from illusion.deck import PICTURES_VERSION
from illusion.rules import Colour, Penalty, Place, Shares, Variant, falls
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables.model import bot_players
from illusion.tables.model.bot_players import Sights
from illusion.tables.model.commands import RefusalCode, Refused, is_possible_name, is_table_id
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, InvalidLog, Opened, Placed, SatDown, Terms, in_brief
from illusion.tables.model.fair_deal import OtherPictures, Secret
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.view import PublicView, public_event, public_view

MAX_RECORD_BYTES: Final = 4 * 1024 * 1024
"""More than ten times the longest game's record."""


class InvalidRecord(ValueError):
    """The text is not the record of a game; the message says why."""


class RecordedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move and the events that everybody saw. Without a gap it is a doubt."""

    seat: int
    happened: list[dict[str, Any]]
    gap: int | None = None

    def entry(self) -> AnyEntry:
        return Doubted(0, self.seat) if self.gap is None else Placed(0, self.seat, self.gap)


class Record(msgspec.Struct, frozen=True):
    """A finished game, to keep and to verify."""

    table: str
    variant: Variant
    penalty: Penalty
    players: list[str]
    commitment: str
    secret: Secret
    opening: list[dict[str, Any]]
    moves: list[RecordedMove]


def played_again(table: Table) -> Iterator[tuple[Table, AnyEntry, list[dict[str, Any]]]]:
    """Replays a finished game from the deal on: the table after each entry, the entry, and its events.

    Refuses a game that is not over.
    """
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    again, secret = Table(table.id), table.dealt().secret
    again.apply(Opened(0, len(table.chairs), table.terms))
    for seat, sitter in enumerate(table.sitters):
        again.apply(SatDown(0, seat, sitter.name, sitter.token_hash, sitter.level))
    dealt = Dealt(0, secret.seed, secret.nonce, secret.generator)
    yield again, dealt, public_event(again, dealt, again.apply(dealt, table.dealt()))["happened"]
    for _, move, _ in table.moves:
        _, seat = again.running()
        entry = Placed(0, seat, move.gap) if isinstance(move, Place) else Doubted(0, seat)
        yield again, entry, public_event(again, entry, again.apply(entry))["happened"]


def record(table: Table) -> Record:
    """The record of a table's finished game. Takes some milliseconds, to replay it."""
    opening: list[dict[str, Any]] = []
    moves: list[RecordedMove] = []
    for _, entry, told in played_again(table):
        happened = msgspec.json.decode(msgspec.json.encode(told))  # as clients got it
        if isinstance(entry, Placed):
            moves.append(RecordedMove(entry.seat, happened, entry.gap))
        elif isinstance(entry, Doubted):
            moves.append(RecordedMove(entry.seat, happened))
        else:
            opening = happened
    names, dealt, terms = [sitter.name for sitter in table.sitters], table.dealt(), table.terms
    return Record(table.id, terms.variant, terms.penalty, names, dealt.commitment, dealt.secret, opening, moves)


def read_record(text: bytes) -> Record:
    """Parse a record. Raises InvalidRecord unless it can be verified."""
    if len(text) > MAX_RECORD_BYTES:
        raise InvalidRecord(f"it is longer than {MAX_RECORD_BYTES} bytes")
    try:
        record = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(in_brief(error)) from None
    if not is_table_id(record.table):
        raise InvalidRecord("its name is not that of a table")
    if not FEWEST_PLAYERS <= len(record.players) <= MOST_PLAYERS:
        raise InvalidRecord(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {len(record.players)}")
    if not all(map(is_possible_name, record.players)):
        raise InvalidRecord("nobody can be called what one of its players is")
    if record.secret.generator != PICTURES_VERSION:
        raise InvalidRecord(str(OtherPictures(record.secret.generator)))
    return record


def terms_of(record: Record) -> Terms:
    """The record's terms, without a clock."""
    return Terms(record.variant, penalty=record.penalty)


_decoder = msgspec.json.Decoder(Record)


def entries(record: Record) -> list[AnyEntry]:
    """A log with this game. The record must have been verified."""
    secret = record.secret
    return [
        Opened(0, len(record.players), terms_of(record)),
        *(SatDown(0, seat, name) for seat, name in enumerate(record.players)),
        Dealt(0, secret.seed, secret.nonce, secret.generator),
        *(move.entry() for move in record.moves),
    ]


def find_mismatch(record: Record) -> str | None:
    """What does not fit the commitment, or None if the secret and the order of all cards do."""
    if record.secret.commitment != record.commitment:
        return "the secret does not fit the commitment that was shown before the first card"
    table = Table(record.table)
    told = [record.opening, *(move.happened for move in record.moves)]
    try:
        for number, entry in enumerate(entries(record), -1 - len(record.players)):
            event = public_event(table, entry, table.apply(entry))
            if number == 0 and not _same(event["happened"], told[0]):
                return "the first round was dealt from other piles"
            if number > 0 and not _same(event["happened"], told[number]):
                return f"move {number} shows cards that were not the promised ones"
    except InvalidLog:
        return "the moves do not make a game"
    return None if table.phase is Phase.OVER else "the moves do not reach the game's end"


def _same(happened: list[dict[str, Any]], recorded: list[dict[str, Any]]) -> bool:
    return bool(msgspec.json.decode(msgspec.json.encode(happened)) == recorded)


class Moment(msgspec.Struct, frozen=True):
    """The table after a move; move 0 is the beginning of a round.

    After a doubt `view` still has the row as it lay, with the doubt as `last_doubt`.
    """

    round: int
    move: int
    happened: list[dict[str, Any]]
    view: PublicView
    falls: list[int]
    """Where the row fell, unknown at the time."""


class Replay(msgspec.Struct, frozen=True):
    """A finished game, move by move."""

    table: str
    moments: list[Moment]
    shares: dict[str, Shares]
    """The backs of all cards seen, by address."""
    bots: list[int]
    """Seats of bots, whose estimates can be requested."""


def replay(table: Table) -> Replay:
    """The replay of a table's game. Refuses a game that is not over."""
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    dealing = table.dealt()
    cards = {table.card_address(number): dealing.pile[number - 1].colour_card for number in sorted(table.seen)}

    def moment(round_number: int, move: int, happened: list[dict[str, Any]], view: PublicView) -> Moment:
        fallen = falls([cards[card] for card in view.row], view.arrow) if view.arrow else ()
        return Moment(round_number, move, happened, view, list(fallen))

    moments: list[Moment] = []
    for again, entry, happened in played_again(table):
        view = public_view(again)
        if isinstance(entry, Dealt):
            moments.append(moment(1, 0, [], view))
            continue
        last = moments[-1]
        if isinstance(entry, Placed):
            moments.append(moment(last.round, last.move + 1, happened, view))
            continue
        turned = msgspec.structs.replace(last.view, last_doubt=view.last_doubt, seq=view.seq)
        following = view.round if view.phase is Phase.PLAYING else last.round + 1
        moments += [moment(last.round, last.move + 1, happened, turned), moment(following, 0, [], view)]
    shares = {address: card.shares for address, card in cards.items()}
    bots = [seat for seat, sitter in enumerate(table.sitters) if sitter.is_bot]
    return Replay(table.id, moments, shares, bots)


def check_bot(table: Table, seat: int) -> None:
    """Refuses a game that is not over, and a seat without a bot."""
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    if not (0 <= seat < len(table.chairs) and table.sitter(seat).is_bot):
        raise Refused(RefusalCode.NO_BOT_THERE, seat=seat)


def seen_by_bot(table: Table, seat: int, sights: Sights) -> dict[str, dict[Colour, int]]:
    """The shares that a bot would name for all cards seen in the game, by address."""
    return {table.card_address(card): shares for card, shares in bot_players.estimates(table, seat, sights).items()}
