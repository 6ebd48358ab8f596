"""Whether a table from somebody else's file can be: what our own commands would never write is refused.

`Table.apply` refuses what breaks the order of a log or the rules. Here is the rest: numbers out of range, names that
nobody can choose, unknown levels. Every check comes before the work that it bounds.
"""

import re
from typing import Final

from illusion.bots import LEVEL_NAMES
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables.model.commands import CLOCKS_S, ID_ALPHABET, ID_LENGTH
from illusion.tables.model.entries import (
    AnyEntry,
    Arranged,
    CameBack,
    Closed,
    Dealt,
    Opened,
    PlayedAgain,
    SatDown,
    WentAway,
)
from illusion.tables.model.errors import InvalidLog, Refused
from illusion.tables.model.player_names import MAX_CHARACTERS, clean_name
from illusion.tables.model.table import Phase, Table

MAX_LOG_ENTRIES: Final = 100_000
"""In one log: far above any game, and above what earlier versions let people come and go."""
MAX_ENTRY_BYTES: Final = 4096
END_OF_TIME: Final = 253_402_300_800.0
"""The year 10000, which no calendar of ours can show."""
TABLE_ID: Final = re.compile(f"[{ID_ALPHABET}]{{{ID_LENGTH}}}")
HASH: Final = re.compile("[0-9a-f]{64}")
SEED: Final = re.compile("[0-9a-f]{1,64}")
"""Shorter ones are those of the first games."""


def is_table_id(text: str) -> bool:
    return TABLE_ID.fullmatch(text) is not None


def is_possible_secret(seed: object, nonce: object, generator: object) -> bool:
    digits = (isinstance(text, str) and SEED.fullmatch(text) is not None for text in (seed, nonce))
    return all(digits) and type(generator) is int


def is_possible_name(name: str) -> bool:
    """Its length comes first: normalizing a long name takes long."""
    try:
        return len(name) <= MAX_CHARACTERS and clean_name(name) == name
    except Refused:
        return False


def apply_checked(table: Table, entry: AnyEntry) -> None:
    """Apply the next entry of a log from a file. Raises InvalidLog for one that no command writes."""
    if table.seq >= MAX_LOG_ENTRIES:
        raise InvalidLog(f"a log has at most {MAX_LOG_ENTRIES} entries")
    if not 0 <= entry.at < END_OF_TIME:
        raise InvalidLog("its time is none")
    _check(table, entry)
    table.apply(entry)


def _check(table: Table, entry: AnyEntry) -> None:
    match entry:
        case Opened() | Arranged() if entry.clock not in CLOCKS_S:
            raise InvalidLog("there is no such clock")
        case Opened():
            if not FEWEST_PLAYERS <= entry.seats <= MOST_PLAYERS:
                raise InvalidLog(f"a table has {FEWEST_PLAYERS} to {MOST_PLAYERS} seats")
            if not (entry.again is None or is_table_id(entry.again)):
                raise InvalidLog("it is the rematch of no table")
        case SatDown():
            _check_sitter(table, entry)
        case Dealt():
            _check_deal(table, entry)
        case WentAway() | CameBack():
            _expect(table, Phase.PLAYING)
            if table.sitter(entry.seat).is_bot:
                raise InvalidLog(f"a bot sits in seat {entry.seat}")
        case PlayedAgain():
            _expect(table, Phase.OVER)
            if not is_table_id(entry.table) or table.rematch is not None:
                raise InvalidLog("its rematch is no table")
        case Closed() if table.phase is Phase.CLOSED:
            raise InvalidLog("the table is closed")


def _check_sitter(table: Table, entry: SatDown) -> None:
    if not is_possible_name(entry.name):
        raise InvalidLog(f"nobody can be called that: a name has 1 to {MAX_CHARACTERS} visible characters")
    if (entry.level is None) == (entry.token_hash is None):
        raise InvalidLog("a person has the hash of a token, a bot has a level")
    if entry.level is not None and entry.level not in LEVEL_NAMES:
        raise InvalidLog("there is no such level")
    if entry.token_hash is not None:
        if not HASH.fullmatch(entry.token_hash):
            raise InvalidLog("its hash is not that of a token")
        if table.seat_of(entry.token_hash) is not None:
            raise InvalidLog("its token holds another seat")


def _check_deal(table: Table, entry: Dealt) -> None:
    if not is_possible_secret(entry.seed, entry.nonce, entry.generator):
        raise InvalidLog("this cannot be dealt: seed or nonce is none of ours")
    if table.host is None:
        raise InvalidLog("this cannot be dealt: nobody but bots sits here")


def _expect(table: Table, phase: Phase) -> None:
    if table.phase is not phase:
        raise InvalidLog(f"the table is {table.phase}, not {phase}")
