"""Commands: functions of the state that return the entries to append, or raise Refused."""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Collection, Sequence
from enum import StrEnum
from random import Random
from typing import Final, Literal

from illusion.bots import LEVEL_NAMES
from illusion.bots.characters import not_yet_seated
from illusion.rules import Game, Move, Place
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables.model import entries
from illusion.tables.model.entries import ID_ALPHABET, ID_LENGTH, PRINTED, TABLE_ID, AnyEntry, Mover, Terms
from illusion.tables.model.fair_deal import new_secret
from illusion.tables.model.table import Phase, Promise, Sitter, Table

MAX_ENTRIES: Final = 2000
"""Limit of a table's log, except for moves. A long game has three hundred."""
FOR_HOST: Final = 200
"""Entries reserved for the host, who can lock the table and send people away when guests have used up the others."""
DAY_S: Final = 86_400
CLOCKS_S: Final = (None, 20, 45, 90, DAY_S, 3 * DAY_S)
"""Choices of seconds per turn; None is no clock."""
MAX_CHARACTERS: Final = 24
MAX_CODE_POINTS: Final = 4 * MAX_CHARACTERS
"""Before normalization, which takes quadratic time. Letters with two accents each fit."""
BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Invisible letters and symbols, which make names look alike: Hangul fillers, empty Braille pattern, null notehead."""


class RefusalCode(StrEnum):
    """Codes of all refusals of commands, besides those of the rules."""

    NO_SUCH_TABLE = "no-such-table"
    NOT_SEATED = "not-seated"
    NOT_HOST = "not-host"
    NOT_YOUR_TURN = "not-your-turn"
    STALE = "stale"
    TABLE_FULL = "table-full"
    TABLE_WORN_OUT = "table-worn-out"
    TABLE_CLOSED = "table-closed"
    TABLE_LOCKED = "table-locked"
    SEAT_TAKEN = "seat-taken"
    SENT_AWAY = "sent-away"
    NOBODY_THERE = "nobody-there"
    ALREADY_STARTED = "already-started"
    NOT_PLAYING = "not-playing"
    NOT_OVER = "not-over"
    TOO_FEW_PLAYERS = "too-few-players"
    NO_BOT_THERE = "no-bot-there"
    BAD_NAME = "bad-name"
    BAD_SEATS = "bad-seats"
    BAD_CLOCK = "bad-clock"
    UNKNOWN_LEVEL = "unknown-level"
    NO_SUCH_EVENING = "no-such-evening"
    NO_SUCH_PERSON = "no-such-person"
    DOOR_CLOSED = "door-closed"
    EVENING_FULL = "evening-full"
    EVENING_WORN_OUT = "evening-worn-out"
    ROUND_DRAWN = "round-drawn"
    ROUND_NOT_OVER = "round-not-over"
    TOO_FEW_HERE = "too-few-here"


class Refused(Exception):
    """A command was refused and changed nothing. The web layer turns the code into a status and a sentence."""

    def __init__(self, code: RefusalCode, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters


def new_id() -> str:
    """Eight characters that are easy to tell apart, about 40 bits: too many for guessing."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def is_table_id(text: str) -> bool:
    return re.match(TABLE_ID, text) is not None


def new_token() -> str:
    """A random token of 256 bits, which proves a seat."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """A token's hash in the log. Tokens are random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def open_table(
    now: float,
    token: str,
    name: str,
    seats: int,
    terms: Terms = PRINTED,
    bots: Sequence[str] = (),
) -> list[AnyEntry]:
    """Open a table with its host in the first chair and bots in the next ones."""
    if not FEWEST_PLAYERS <= seats <= MOST_PLAYERS or len(bots) >= seats:
        raise Refused(RefusalCode.BAD_SEATS, fewest=FEWEST_PLAYERS, most=MOST_PLAYERS)
    check_clock(terms)
    opened: list[AnyEntry] = [
        entries.Opened(now, seats, terms),
        entries.SatDown(now, 0, clean_name(name), token_hash=hashed(token)),
    ]
    taken = [clean_name(name)]
    for seat, level in enumerate(bots, 1):
        opened.append(_bot(now, seat, level, taken))
    return opened


def open_drawn(now: float, people: Sequence[tuple[str, str]], terms: Terms) -> list[AnyEntry]:
    """Open a table drawn at a club evening, with its people already seated by name and hash of token."""
    sat = [entries.SatDown(now, seat, name, token_hash) for seat, (name, token_hash) in enumerate(people)]
    return [entries.Opened(now, len(people), terms, drawn=True), *sat]


def arrange(table: Table, now: float, seat: int, terms: Terms) -> list[AnyEntry]:
    """The host chooses the terms, before the start."""
    _waiting(table)
    _host(table, seat)
    _not_worn_out(table, 0)
    check_clock(terms)
    return [] if terms == table.terms else [entries.Arranged(now, terms)]


def check_clock(terms: Terms) -> None:
    if terms.clock not in CLOCKS_S:
        raise Refused(RefusalCode.BAD_CLOCK)


def sit(
    table: Table, now: float, token: str, name: str, seat: int | None = None, known: Collection[str] = ()
) -> list[AnyEntry]:
    """Take the first free chair; during a game the given seat of a bot or of somebody away. No-op if the token has a
    seat already. `known` are the hashes of other tokens of the same device."""
    own = hashed(token)
    if table.seat_of(own) is not None:
        return []
    _welcome(table, own, known)
    if table.phase is Phase.PLAYING and seat is not None:
        return _take(table, now, own, name, seat)
    _waiting(table)
    _not_worn_out(table)
    if not table.open_seats:
        raise Refused(RefusalCode.TABLE_FULL)
    return [entries.SatDown(now, table.open_seats[0], _new_name(table, name), token_hash=own)]


def _take(table: Table, now: float, own: str, name: str, seat: int) -> list[AnyEntry]:
    _not_worn_out(table)
    if not 0 <= seat < len(table.chairs) or not table.sitter(seat).is_absent:
        raise Refused(RefusalCode.SEAT_TAKEN)
    number = table.promise_of(own)
    if not table.may_be_taken(seat, has_promise=number is not None):
        raise Refused(RefusalCode.TABLE_FULL)
    return [entries.SatDown(now, seat, _new_name(table, name, number), token_hash=own)]


def wait(table: Table, now: float, token: str, name: str, known: Collection[str] = ()) -> list[AnyEntry]:
    """Get a promise of a seat in the next game."""
    own = hashed(token)
    if table.seat_of(own) is not None or table.promise_of(own) is not None:
        return []
    _welcome(table, own, known)
    if table.phase is Phase.WAITING or table.rematch is not None:
        raise Refused(RefusalCode.NOT_PLAYING)
    _not_worn_out(table)
    if not table.can_wait:
        raise Refused(RefusalCode.TABLE_FULL)
    return [entries.Promised(now, _new_name(table, name), own)]


def give_up(table: Table, now: float, number: int, hashes: Collection[str]) -> list[AnyEntry]:
    """End a promise, as its holder or as the host, unless the holder came before the host."""
    _open(table)
    if number not in table.promised:
        raise Refused(RefusalCode.NOBODY_THERE)
    if table.promised[number].token_hash not in hashes:
        host = table.host
        if host is None or host not in table.seats_of(list(hashes)) or number < table.sitter(host).rank:
            raise Refused(RefusalCode.NOT_HOST)
    return [entries.GaveUp(now, number)]


def _welcome(table: Table, own: str, known: Collection[str]) -> None:
    """Refuses people who were sent away, and anybody new at a locked table."""
    _open(table)
    if not table.barred.isdisjoint((own, *known)):
        raise Refused(RefusalCode.SENT_AWAY)
    if table.locked:
        raise Refused(RefusalCode.TABLE_LOCKED)


def _new_name(table: Table, name: str, promise: int | None = None) -> str:
    return distinct_name(clean_name(name), _names(table, promise))


def _names(table: Table, without: int | None = None) -> list[str]:
    """The names of all who sit here or were promised a seat, without that promise."""
    promised = [each.name for number, each in table.promised.items() if number != without]
    return [sitter.name for sitter in table.sitters] + promised


def rename(table: Table, now: float, seat: int, name: str) -> list[AnyEntry]:
    """Rename a person before the game."""
    _waiting(table)
    own = table.sitter(seat).name
    if (new := distinct_name(clean_name(name), [each for each in _names(table) if each != own])) == own:
        return []
    _not_worn_out(table)
    return [entries.Renamed(now, seat, new)]


def leave(table: Table, now: float, seat: int, why: Literal["left", "freed"] = "left") -> list[AnyEntry]:
    """Leave: before the game the chair becomes free; during it a stand-in takes over."""
    sitter = table.chairs[seat]
    if table.phase is Phase.WAITING:
        return [] if sitter is None else [entries.StoodUp(now, seat)]
    _playing(table)
    if sitter is None or sitter.away:
        return []
    _not_worn_out(table, 0 if why == "freed" else FOR_HOST)
    return [entries.WentAway(now, seat, why)]


def come_back(table: Table, now: float, seat: int) -> list[AnyEntry]:
    """Take the seat back from the stand-in."""
    back = _back(table, now, seat)
    if back:
        _not_worn_out(table)
    return back


def add_bot(table: Table, now: float, seat: int, level: str) -> list[AnyEntry]:
    """The host seats a bot in the first free chair."""
    _waiting(table)
    _host(table, seat)
    _not_worn_out(table, 0)
    free = [chair for chair, sitter in enumerate(table.chairs) if sitter is None]
    if len(free) <= len(table.promised):
        raise Refused(RefusalCode.TABLE_FULL)
    return [_bot(now, free[0], level, _names(table))]


def remove_bot(table: Table, now: float, seat: int, bot: int) -> list[AnyEntry]:
    _waiting(table)
    _host(table, seat)
    sitter = table.chairs[bot] if 0 <= bot < len(table.chairs) else None
    if sitter is None or not sitter.is_bot:
        raise Refused(RefusalCode.NO_BOT_THERE, seat=bot)
    return [entries.StoodUp(now, bot)]


def free(table: Table, now: float, seat: int, other: int) -> list[AnyEntry]:
    """The host frees a person's seat; during a game the first who asks for it gets it, perhaps the same person."""
    _over_whom(table, seat, other)
    return leave(table, now, other, why="freed")


def send_away(table: Table, now: float, seat: int, other: int) -> list[AnyEntry]:
    """The host removes a person for good."""
    _open(table)
    if other == seat or _over_whom(table, seat, other).token_hash is None:
        raise Refused(RefusalCode.NOBODY_THERE)
    _not_worn_out(table, 0)
    return [entries.SentAway(now, other)]


def lock(table: Table, now: float, seat: int, *, locked: bool) -> list[AnyEntry]:
    _open(table)
    _host(table, seat)
    if locked == table.locked:
        return []
    _not_worn_out(table, 0)
    return [entries.Locked(now, locked)]


def _over_whom(table: Table, seat: int, other: int) -> Sitter:
    """The person in seat `other`; refuses a person who came before the host, who acts while that person is away."""
    _host(table, seat)
    sitter = table.chairs[other] if 0 <= other < len(table.chairs) else None
    if sitter is None or sitter.is_bot:
        raise Refused(RefusalCode.NOBODY_THERE)
    if sitter.rank < table.sitter(seat).rank:
        raise Refused(RefusalCode.NOT_HOST)
    return sitter


def start(table: Table, now: float, seat: int) -> list[AnyEntry]:
    """The host deals."""
    _waiting(table)
    _host(table, seat)
    if len(table.sitters) < FEWEST_PLAYERS:
        raise Refused(RefusalCode.TOO_FEW_PLAYERS, fewest=FEWEST_PLAYERS)
    return [_dealt(table, now)]


def deal_drawn(table: Table, now: float) -> list[AnyEntry]:
    """Deal at once at a table drawn at a club evening."""
    is_due = table.phase is Phase.WAITING and len(table.sitters) >= FEWEST_PLAYERS
    return [_dealt(table, now)] if is_due else []


def _dealt(table: Table, now: float) -> entries.Dealt:
    secret = new_secret()
    return entries.Dealt(now, secret.seed, secret.nonce, secret.generator, _seating(table, secret.nonce))


def move(table: Table, now: float, seat: int, chosen: Move, seq: int) -> list[AnyEntry]:
    """A move by a player who saw the table at `seq`. A broken rule raises the rules' own error."""
    game = _playing(table)
    if seq != table.seq:
        raise Refused(RefusalCode.STALE, seq=table.seq)
    if game.to_play != seat:
        raise Refused(RefusalCode.NOT_YOUR_TURN, to_play=game.to_play)
    table.preview(chosen)
    return [*_back(table, now, seat), _moved(now, seat, chosen)]


def acting_seat(table: Table, token_hashes: Sequence[str]) -> int:
    """The acting seat: of several people on one device, the one at turn."""
    seats = table.seats_of(token_hashes)
    if not seats:
        raise Refused(RefusalCode.NOT_SEATED)
    to_play = None if table.game is None else table.game.to_play
    return to_play if to_play in seats else seats[0]


def stand_in(table: Table, now: float, chosen: Move) -> list[AnyEntry]:
    """A move by the bot or stand-in at turn, or for a person whose clock ran out."""
    _playing(table)
    _, seat = table.running()
    table.preview(chosen)
    sitter = table.sitter(seat)
    return [_moved(now, seat, chosen, "player" if sitter.is_bot else "stand-in" if sitter.away else "clock")]


def run_out(table: Table, now: float) -> list[AnyEntry]:
    """The clock of the player at turn ran out for the second time in a row: they are away."""
    _playing(table)
    _, seat = table.running()
    return [entries.WentAway(now, seat, "clock")]


def play_again(table: Table, now: float, id: str, hashes: Collection[str]) -> tuple[list[AnyEntry], list[AnyEntry]]:
    """Two lists: the entry that links this table to its rematch, and the entries that open the rematch.

    People with these tokens, and all who were promised a seat, sit down at once. Others who are not away are promised a
    seat. All keep the order in which they came; bots take the chairs that are left.
    """
    if table.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    asks = table.seats_of(list(hashes))
    if not asks:
        raise Refused(RefusalCode.NOT_SEATED)
    comes = {number: (promise, True) for number, promise in table.promised.items()}
    for seat, sitter in enumerate(table.chairs):
        if sitter is not None and sitter.token_hash is not None and (seat in asks or not sitter.away):
            comes[sitter.rank] = Promise(sitter.name, sitter.token_hash), seat in asks
    opened: list[AnyEntry] = [
        entries.Opened(now, MOST_PLAYERS, table.terms, again=table.id, barred=sorted(table.barred))
    ]
    opened += [entries.Locked(now, locked=True)] if table.locked else []
    chair, chairs = 0, MOST_PLAYERS - len(comes)
    for _, (person, sits) in sorted(comes.items()):
        opened.append(
            entries.SatDown(now, chair, person.name, person.token_hash)
            if sits
            else entries.Promised(now, person.name, person.token_hash)
        )
        chair += sits
    bots = [sitter for sitter in table.sitters if sitter.level is not None]
    opened += [entries.SatDown(now, chair + at, bot.name, level=bot.level) for at, bot in enumerate(bots[:chairs])]
    return [entries.PlayedAgain(now, id, asks[0])], opened


def people_of(table: Table, hashes: Collection[str]) -> list[Promise]:
    """The people with these tokens, in seats or with a promise."""
    seated = [Promise(sitter.name, sitter.token_hash) for sitter in table.sitters if sitter.token_hash is not None]
    return [each for each in (*seated, *table.promised.values()) if each.token_hash in hashes]


def join_again(table: Table, now: float, people: Collection[Promise]) -> list[AnyEntry]:
    """Sit down at a rematch that has not begun, in promised or free seats."""
    if table.phase is not Phase.WAITING or table.seq >= MAX_ENTRIES:
        return []
    new = [each for each in people if table.seat_of(each.token_hash) is None and each.token_hash not in table.barred]
    kept = [each for each in new if table.promise_of(each.token_hash) is not None]
    others = [each for each in new if each not in kept][: len(table.open_seats)]
    chairs = (chair for chair, sitter in enumerate(table.chairs) if sitter is None)
    taken = _names(table)
    sat: list[AnyEntry] = [entries.SatDown(now, next(chairs), each.name, each.token_hash) for each in kept]
    for each in others:
        taken.append(distinct_name(each.name, taken))
        sat.append(entries.SatDown(now, next(chairs), taken[-1], each.token_hash))
    return sat


def close(table: Table, now: float) -> list[AnyEntry]:
    return [] if table.phase is Phase.CLOSED else [entries.Closed(now)]


def _back(table: Table, now: float, seat: int) -> list[AnyEntry]:
    sitter = table.chairs[seat]
    return [entries.CameBack(now, seat)] if sitter is not None and sitter.away and table.phase is Phase.PLAYING else []


def _moved(now: float, seat: int, chosen: Move, by: Mover = "player") -> entries.Placed | entries.Doubted:
    return entries.Placed(now, seat, chosen.gap, by) if isinstance(chosen, Place) else entries.Doubted(now, seat, by)


def _bot(now: float, seat: int, level: str, taken: list[str]) -> entries.SatDown:
    if level not in LEVEL_NAMES:
        raise Refused(RefusalCode.UNKNOWN_LEVEL, levels=LEVEL_NAMES)
    name = secrets.choice(not_yet_seated(level, taken)).name
    taken.append(distinct_name(name, taken))
    return entries.SatDown(now, seat, taken[-1], level=level)


def _seating(table: Table, seed: str) -> list[int]:
    """Seat bots at random between people, who keep their order: a seat after a weak player is worth much."""
    people = [chair for chair, sitter in enumerate(table.chairs) if sitter is not None and not sitter.is_bot]
    bots = [chair for chair, sitter in enumerate(table.chairs) if sitter is not None and sitter.is_bot]
    rng = Random(f"illusion seats {seed}")
    rng.shuffle(bots)
    first, *order = people  # the host stays first: only the cyclic order matters
    for bot in bots:
        order.insert(rng.randint(0, len(order)), bot)
    return [first, *order]


def _waiting(table: Table) -> None:
    _open(table)
    if table.phase is not Phase.WAITING:
        raise Refused(RefusalCode.ALREADY_STARTED)


def _not_worn_out(table: Table, kept: int = FOR_HOST) -> None:
    """Limits how often people can come and go. Moves are exempt: the deck bounds them."""
    if table.seq >= MAX_ENTRIES - kept:
        raise Refused(RefusalCode.TABLE_WORN_OUT)


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


def clean_name(name: str) -> str:
    """The name in NFC, with single spaces and without invisible characters; 1 to 24 characters."""
    if len(name) > MAX_CODE_POINTS:
        raise Refused(RefusalCode.BAD_NAME, longest=MAX_CHARACTERS)
    composed = unicodedata.normalize("NFC", name)
    visible = "".join(" " if each.isspace() else each for each in composed if each.isspace() or _visible(each))
    tidy = unicodedata.normalize("NFC", " ".join(visible.split()))  # what stood apart may compose now
    has_letter = any(unicodedata.category(each)[0] in "LNSP" for each in tidy)
    if not 1 <= len(tidy) <= MAX_CHARACTERS or not has_letter:
        raise Refused(RefusalCode.BAD_NAME, longest=MAX_CHARACTERS)
    return tidy


def distinct_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number added if somebody at the table has it already, or one of the same letters (NFKC)."""
    known = {_letters(other) for other in taken}
    number, distinct = 1, name
    while _letters(distinct) in known:
        number += 1
        ending = f" {number}"
        distinct = name[: MAX_CHARACTERS - len(ending)].rstrip() + ending
    return distinct


def _letters(name: str) -> str:
    """Without case and without width, ligatures and the like."""
    return unicodedata.normalize("NFKC", name).casefold()


def is_possible_name(name: str) -> bool:
    """Whether `clean_name` returns it unchanged; checks the length first, since normalizing is slow."""
    try:
        return len(name) <= MAX_CHARACTERS and clean_name(name) == name
    except Refused:
        return False


def _visible(character: str) -> bool:
    """Whether it is no control, format or blank character, and no mark that could stack over other lines."""
    if character in BLANK:
        return False
    return unicodedata.category(character)[0] != "C" and unicodedata.category(character) not in ("Mn", "Me", "Zl", "Zp")
