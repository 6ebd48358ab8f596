"""What people may do at a table: each command looks at the state and says which entries it adds, or is refused."""

import hashlib
import secrets
from collections.abc import Sequence
from random import Random
from typing import Final

from illusion.bots import LEVEL_NAMES
from illusion.bots.characters import of_level
from illusion.deck.generators import LATEST
from illusion.rules import Doubt, Game, Move, Place, Variant
from illusion.tables.model.entries import (
    AnyEntry,
    Arranged,
    CameBack,
    Closed,
    Dealt,
    Doubted,
    Opened,
    Placed,
    PlayedAgain,
    SatDown,
    StoodUp,
    WentAway,
)
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.fair_deal import new_secret
from illusion.tables.model.player_names import clean_name, distinct_name
from illusion.tables.model.table import Phase, Table

FEWEST: Final = 2
MOST: Final = 5
CLOCKS: Final = (None, 20, 45, 90)
ID_SIGNS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH: Final = 8


def new_id() -> str:
    """Eight signs that are easy to tell apart: about 40 bits, so nobody finds a table by guessing."""
    return "".join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))


def new_token() -> str:
    """What holds a seat: 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """A token is long and random, so one round of a plain hash is enough to keep it out of the log."""
    return hashlib.sha256(token.encode()).hexdigest()


def open_table(
    now: float,
    token: str,
    name: str,
    seats: int,
    variant: Variant = Variant.FIRST_TO_THREE,
    bots: Sequence[str] = (),
    clock: int | None = None,
) -> list[AnyEntry]:
    """A new table with its host in the first chair and bots in the next ones."""
    if not FEWEST <= seats <= MOST or len(bots) >= seats:
        raise Refused(RefusalCode.BAD_SEATS, fewest=FEWEST, most=MOST)
    if clock not in CLOCKS:
        raise Refused(RefusalCode.BAD_CLOCK)
    entries: list[AnyEntry] = [
        Opened(now, seats, variant, clock),
        SatDown(now, 0, clean_name(name), token_hash=hashed(token)),
    ]
    taken = [clean_name(name)]
    for seat, level in enumerate(bots, 1):
        entries.append(_bot(now, seat, level, taken))
    return entries


def arrange(table: Table, now: float, seat: int, variant: Variant, clock: int | None) -> list[AnyEntry]:
    """The host chooses the game and the clock while people gather."""
    _waiting(table)
    _host(table, seat)
    if clock not in CLOCKS:
        raise Refused(RefusalCode.BAD_CLOCK)
    return [] if (variant, clock) == (table.variant, table.clock) else [Arranged(now, variant, clock)]


def sit(table: Table, now: float, token: str, name: str) -> list[AnyEntry]:
    """Take the first free chair."""
    _waiting(table)
    seat = _free_chair(table)
    distinct = distinct_name(clean_name(name), [sitter.name for sitter in table.sitters])
    return [SatDown(now, seat, distinct, token_hash=hashed(token))]


def leave(table: Table, now: float, seat: int) -> list[AnyEntry]:
    """Give the chair back before the game; during it a stand-in plays on."""
    if table.phase is Phase.WAITING:
        return [StoodUp(now, seat)]
    _playing(table)
    sitter = table.chairs[seat]
    return [] if sitter is None or sitter.away else [WentAway(now, seat, "left")]


def come_back(table: Table, now: float, seat: int) -> list[AnyEntry]:
    """Take one's seat again from the stand-in."""
    sitter = table.chairs[seat]
    return [CameBack(now, seat)] if sitter is not None and sitter.away and table.phase is Phase.PLAYING else []


def add_bot(table: Table, now: float, seat: int, level: str) -> list[AnyEntry]:
    """The host puts a bot into the first free chair."""
    _waiting(table)
    _host(table, seat)
    return [_bot(now, _free_chair(table), level, [sitter.name for sitter in table.sitters])]


def remove_bot(table: Table, now: float, seat: int, bot: int) -> list[AnyEntry]:
    _waiting(table)
    _host(table, seat)
    sitter = table.chairs[bot] if 0 <= bot < len(table.chairs) else None
    if sitter is None or not sitter.is_bot:
        raise Refused(RefusalCode.NO_BOT_THERE, seat=bot)
    return [StoodUp(now, bot)]


def start(table: Table, now: float, seat: int) -> list[AnyEntry]:
    """The host deals."""
    _waiting(table)
    _host(table, seat)
    if len(table.sitters) < FEWEST:
        raise Refused(RefusalCode.TOO_FEW_PLAYERS, fewest=FEWEST)
    secret = new_secret(LATEST)
    return [Dealt(now, secret.seed, secret.nonce, secret.generator, _seating(table, secret.nonce))]


def move(table: Table, now: float, seat: int, chosen: Move, seq: int) -> list[AnyEntry]:
    """A move of the player at turn, made on the state with this number; a rule broken raises the rules' own error."""
    game = _playing(table)
    if seq != table.seq:
        raise Refused(RefusalCode.STALE, seq=table.seq)
    if game.to_play != seat:
        raise Refused(RefusalCode.NOT_YOUR_TURN, to_play=game.to_play)
    table.foresee(chosen)
    return [*come_back(table, now, seat), _moved(now, seat, chosen)]


def stand_in(table: Table, now: float, chosen: Move) -> list[AnyEntry]:
    """A move for whoever is at turn and does not move themselves: a bot, or somebody who is away."""
    game = _playing(table)
    assert game.to_play is not None
    table.foresee(chosen)
    sitter = table.chairs[game.to_play]
    if sitter is not None and sitter.is_bot:
        return [_moved(now, game.to_play, chosen)]
    return [_moved(now, game.to_play, chosen, by_stand_in=True)]


def run_out(table: Table, now: float) -> list[AnyEntry]:
    """The clock of the player at turn ran out."""
    game = _playing(table)
    assert game.to_play is not None
    return [WentAway(now, game.to_play, "clock")]


def play_again(table: Table, now: float, id: str) -> tuple[list[AnyEntry], list[AnyEntry]]:
    """Entries that point from this table to its rematch, and those that open that one with the same people."""
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    opened: list[AnyEntry] = [Opened(now, len(table.chairs), table.variant, table.clock, again=table.id)]
    opened += [
        SatDown(now, seat, sitter.name, sitter.token_hash, sitter.level) for seat, sitter in enumerate(table.sitters)
    ]
    return [PlayedAgain(now, id)], opened


def close(table: Table, now: float) -> list[AnyEntry]:
    return [] if table.phase is Phase.CLOSED else [Closed(now)]


def _moved(now: float, seat: int, chosen: Move, *, by_stand_in: bool = False) -> Placed | Doubted:
    if isinstance(chosen, Doubt):
        return Doubted(now, seat, by="stand-in" if by_stand_in else "player")
    assert isinstance(chosen, Place)
    return Placed(now, seat, chosen.gap, by="stand-in" if by_stand_in else "player")


def _bot(now: float, seat: int, level: str, taken: list[str]) -> SatDown:
    if level not in LEVEL_NAMES:
        raise Refused(RefusalCode.UNKNOWN_LEVEL, levels=LEVEL_NAMES)
    names = [character.name for character in of_level(level)]
    name = secrets.choice([name for name in names if name not in taken] or names)
    taken.append(distinct_name(name, taken))
    return SatDown(now, seat, taken[-1], level=level)


def _seating(table: Table, lot: str) -> list[int]:
    """Bots draw their seats by lot, between people who keep their order: whom one sits after decides much."""
    people = [chair for chair, sitter in enumerate(table.chairs) if sitter is not None and not sitter.is_bot]
    bots = [chair for chair, sitter in enumerate(table.chairs) if sitter is not None and sitter.is_bot]
    rng = Random(f"illusion seats {lot}")
    rng.shuffle(bots)
    first, *order = people  # the host stays where the host was: only who follows whom matters
    for bot in bots:
        order.insert(rng.randint(0, len(order)), bot)
    return [first, *order]


def _free_chair(table: Table) -> int:
    if None not in table.chairs:
        raise Refused(RefusalCode.TABLE_FULL)
    return table.chairs.index(None)


def _waiting(table: Table) -> None:
    _open(table)
    if table.phase is not Phase.WAITING:
        raise Refused(RefusalCode.ALREADY_STARTED)


def _playing(table: Table) -> Game:
    _open(table)
    if table.game is None or table.phase is not Phase.PLAYING:
        raise Refused(RefusalCode.NOT_PLAYING)
    return table.game


def _open(table: Table) -> None:
    if table.phase is Phase.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED)


def _host(table: Table, seat: int) -> None:
    if seat != table.host:
        raise Refused(RefusalCode.NOT_HOST)
