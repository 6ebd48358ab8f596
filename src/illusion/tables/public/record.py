"""A finished game as a file that anyone can verify: the commitment, the secret, and every card in order."""

from typing import Any, Final

import msgspec

from illusion.deck import PICTURES_VERSION
from illusion.rules import Variant
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.model.errors import InvalidLog, in_brief
from illusion.tables.model.fair_deal import OtherPictures, Secret
from illusion.tables.model.log_check import is_possible_name, is_possible_secret, is_table_id
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.events import public_event
from illusion.tables.public.replay import played_again
from illusion.tables.public.view import revealed_secret

MAX_RECORD_BYTES: Final = 4 * 1024 * 1024
"""More than ten times the longest game's record."""


class InvalidRecord(ValueError):
    """What was read is not the record of a game; the message says why."""


class RecordedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move and what everybody saw happen. Without a gap it is a doubt."""

    seat: int
    happened: list[dict[str, Any]]
    gap: int | None = None

    def entry(self) -> AnyEntry:
        return Doubted(0, self.seat) if self.gap is None else Placed(0, self.seat, self.gap)


class Record(msgspec.Struct, frozen=True):
    """What a player can keep of a game."""

    table: str
    variant: Variant
    players: list[str]
    commitment: str
    secret: dict[str, str | int]
    opening: list[dict[str, Any]]
    moves: list[RecordedMove]


def record(table: Table) -> Record:
    """The game played at a table, once it is over. Takes some milliseconds: the game is played again."""
    opening: list[dict[str, Any]] = []
    moves: list[RecordedMove] = []
    for _, entry, told in played_again(table):
        happened = msgspec.json.decode(msgspec.json.encode(told))  # as it was told
        if isinstance(entry, Placed):
            moves.append(RecordedMove(entry.seat, happened, entry.gap))
        elif isinstance(entry, Doubted):
            moves.append(RecordedMove(entry.seat, happened))
        else:
            opening = happened
    names = [sitter.name for sitter in table.sitters]
    return Record(table.id, table.variant, names, table.dealt().commitment, revealed_secret(table), opening, moves)


def read_record(text: bytes) -> Record:
    """A record that can be verified. Raises InvalidRecord."""
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
    seed, nonce, generator = (record.secret.get(name) for name in ("seed", "nonce", "generator"))
    if not is_possible_secret(seed, nonce, generator):
        raise InvalidRecord("its secret is none of ours")
    if isinstance(generator, int) and generator != PICTURES_VERSION:
        raise InvalidRecord(str(OtherPictures(generator)))
    return record


_decoder = msgspec.json.Decoder(Record)


def entries(record: Record) -> list[AnyEntry]:
    """The log of a table at which this game was played. The record must have been verified."""
    seed, nonce, generator = (record.secret[name] for name in ("seed", "nonce", "generator"))
    return [
        Opened(0, len(record.players), record.variant, None),
        *(SatDown(0, seat, name) for seat, name in enumerate(record.players)),
        Dealt(0, str(seed), str(nonce), int(generator)),
        *(move.entry() for move in record.moves),
    ]


def find_mismatch(record: Record) -> str | None:
    """None if the secret fits the commitment and every card came in the committed order; else what does not fit."""
    seed, nonce, generator = (record.secret.get(name) for name in ("seed", "nonce", "generator"))
    if not (isinstance(seed, str) and isinstance(nonce, str) and isinstance(generator, int)):
        return "the secret is incomplete"
    if Secret(seed, nonce, generator).commitment != record.commitment:
        return "the secret does not fit the commitment that was shown before the first card"
    table = Table(record.table)
    try:
        table.apply(Opened(0, len(record.players), record.variant, None))
        for seat, name in enumerate(record.players):
            table.apply(SatDown(0, seat, name))
        dealt = Dealt(0, seed, nonce, generator)
        if not _same(public_event(table, dealt, table.apply(dealt))["happened"], record.opening):
            return "the first round was dealt from other piles"
        for number, move in enumerate(record.moves, 1):
            entry = move.entry()
            if not _same(public_event(table, entry, table.apply(entry))["happened"], move.happened):
                return f"move {number} shows cards that were not the promised ones"
    except InvalidLog:
        return "the moves do not make a game"
    return None if table.phase is Phase.OVER else "the moves do not reach the game's end"


def _same(happened: list[dict[str, Any]], recorded: list[dict[str, Any]]) -> bool:
    return bool(msgspec.json.decode(msgspec.json.encode(happened)) == recorded)
