"""A table's state, built by applying the entries of its log in order."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from hmac import compare_digest
from typing import NamedTuple

from illusion.deck import Card
from illusion.review import Moved
from illusion.rules import (
    CardId,
    ColourCard,
    Doubt,
    Event,
    Game,
    Move,
    Place,
    RowDoubted,
    RulesError,
    apply,
    opening,
)
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables.model import entries
from illusion.tables.model.entries import PRINTED, AnyEntry, InvalidLog, Mover, Terms
from illusion.tables.model.fair_deal import TOKEN_DIGITS, Dealing, Secret, dealing


class Phase(StrEnum):
    """The state of a table's life cycle."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


class Promise(NamedTuple):
    """A person who gets a seat."""

    name: str
    token_hash: str


@dataclass(slots=True)
class Sitter:
    """A person or a bot in a chair. A bot has a level, a person the hash of a token, unless they were sent away."""

    name: str
    token_hash: str | None
    level: str | None
    rank: int = 0
    """The number of the entry that gave or promised them a seat: who came first has the lowest."""
    instead_of: str | None = None
    """The name of the player whose seat they took during the game."""
    away: bool = False
    late: bool = False
    """Whether this person's clock ran out at their last turn."""

    @property
    def is_bot(self) -> bool:
        return self.level is not None

    @property
    def is_absent(self) -> bool:
        """Whether the server has to move for this seat."""
        return self.level is not None or self.away


@dataclass(slots=True)
class Table:
    """The state after `seq` entries. Only `apply` changes it."""

    id: str
    seq: int = 0
    phase: Phase = Phase.WAITING
    terms: Terms = PRINTED
    chairs: list[Sitter | None] = field(default_factory=list)
    dealing: Dealing | None = None
    game: Game | None = None
    moves: list[Moved] = field(default_factory=list)
    last_by: Mover | None = None
    """Who made the last of them."""
    doubts: list[RowDoubted] = field(default_factory=list)
    """The revealed rows."""
    turn_began: float = 0.0
    """When the current turn began, or the game ended, in seconds since 1970; the clock counts from here."""
    left_at: float = 0.0
    """When the player at turn left, or when the turn began: a stand-in's delay counts from here."""
    drawn: bool = False
    """Whether the table was drawn at a club evening."""
    locked: bool = False
    """Whether nobody new may sit down."""
    promised: dict[int, Promise] = field(default_factory=dict)
    """Promises by number: of seats in the next game; before a game, in this one."""
    barred: frozenset[str] = frozenset()
    """Hashes of the tokens of those who were sent away."""
    rematch: str | None = None
    rematch_by: int | None = None
    """The seat that asked for the rematch first."""
    _preview: tuple[Game, Move, tuple[Game, tuple[Event, ...]]] | None = field(default=None, repr=False)

    @property
    def sitters(self) -> list[Sitter]:
        return [sitter for sitter in self.chairs if sitter is not None]

    @property
    def seen(self) -> frozenset[int]:
        """Numbers of the cards whose pictures have been visible: those drawn, and the one on top of the deck."""
        game = self.game
        return frozenset([] if game is None else [int(card.id) for card in game.setup.deck[: game.drawn + 1]])

    def seen_cards(self, after: int = 0) -> list[Card]:
        """Cards that have been visible, in the deck's order, without the first `after`."""
        return [] if self.game is None else self._cards(self.game.setup.deck[after : self.game.drawn + 1])

    def visible_cards(self) -> list[Card]:
        """The row and the card to be placed."""
        if self.game is None:
            return []
        following = self.game.next_card
        return self._cards((*self.game.row, *(() if following is None else (following,))))

    def turned_over_cards(self) -> list[Card]:
        """The row that was doubted last."""
        if self.game is None or self.game.last_doubt is None:
            return []
        return [self.dealt().pile[int(turned.card) - 1] for turned in self.game.last_doubt.row]

    def cards_to_prefetch(self) -> list[Card]:
        """The card laid last, the card to be placed, and the next card of the deck, still unseen."""
        if self.game is None or self.game.over:
            return []
        return self._cards(self.game.setup.deck[self.game.drawn - 1 : self.game.drawn + 2])

    def _cards(self, cards: Iterable[ColourCard]) -> list[Card]:
        return [self.dealt().pile[int(card.id) - 1] for card in cards]

    def card_at(self, address: str) -> Card | None:
        """The card whose picture is at this address, if it has been visible."""
        return next((card for card in self.seen_cards() if self.card_address(card.number) == address), None)

    @property
    def needs_server(self) -> bool:
        """Whether a bot has to move or a clock runs. Without people bots do not play on."""
        if self.game is None or self.game.to_play is None or self.phase is Phase.CLOSED:
            return False
        is_abandoned = all(sitter.is_absent for sitter in self.sitters)
        return not is_abandoned and (self.terms.clock is not None or self.sitter(self.game.to_play).is_absent)

    @property
    def host(self) -> int | None:
        """The seat of the person who came first, of those who are not away; None at a table drawn at a club evening."""
        if self.drawn:
            return None
        ranks = {seat: (each.away, each.rank) for seat, each in enumerate(self.chairs) if each and not each.is_bot}
        return min(ranks, key=ranks.__getitem__, default=None)

    @property
    def has_room(self) -> bool:
        """Whether one more person could get a seat in the next game."""
        people = sum(sitter.token_hash is not None for sitter in self.sitters)
        return people + len(self.promised) < MOST_PLAYERS

    @property
    def open_seats(self) -> list[int]:
        """Seats open to somebody new: before a game free chairs that are not promised, during it the seats of bots
        and of people who are away."""
        if self.locked:
            return []
        if self.phase is Phase.WAITING:
            free = [seat for seat, sitter in enumerate(self.chairs) if sitter is None]
            return free[: max(len(free) - len(self.promised), 0)]
        if self.phase is not Phase.PLAYING:
            return []
        return [seat for seat in range(len(self.chairs)) if self.may_be_taken(seat)]

    def may_be_taken(self, seat: int, *, has_promise: bool = False) -> bool:
        """During a game, by somebody new or by somebody with a promise, who gives it up."""
        sitter = self.sitter(seat)
        return sitter.is_absent and (sitter.token_hash is not None or has_promise or self.has_room)

    @property
    def can_wait(self) -> bool:
        """Whether somebody new can be promised a seat in the next game."""
        is_before = self.phase is Phase.PLAYING or (self.phase is Phase.OVER and self.rematch is None)
        return is_before and not self.locked and self.has_room

    def promise_of(self, token_hash: str) -> int | None:
        """The number of the promise made to this token."""
        found = (number for number, each in self.promised.items() if compare_digest(each.token_hash, token_hash))
        return next(found, None)

    def seats_of(self, token_hashes: Iterable[str]) -> list[int]:
        """The chairs that these tokens hold; none for a spectator."""
        return [seat for each in token_hashes if (seat := self.seat_of(each)) is not None]

    def seat_of(self, token_hash: str) -> int | None:
        """The chair this token holds, found in constant time."""
        held = None
        for seat, sitter in enumerate(self.chairs):
            if sitter is not None and compare_digest(sitter.token_hash or "", token_hash):
                held = seat
        return held

    def sitter(self, seat: int) -> Sitter:
        """The person or bot in this chair; raises InvalidLog if it is empty."""
        found = self.chairs[seat] if 0 <= seat < len(self.chairs) else None
        if found is None:
            raise InvalidLog(f"nobody sits in seat {seat}")
        return found

    def running(self) -> tuple[Game, int]:
        """The game being played and the seat whose turn it is; raises InvalidLog if there is none."""
        if self.game is None or self.game.to_play is None:
            raise InvalidLog("no game is being played")
        return self.game, self.game.to_play

    def dealt(self) -> Dealing:
        """The deal; raises InvalidLog before there is one."""
        if self.dealing is None:
            raise InvalidLog("no cards have been dealt")
        return self.dealing

    def card_address(self, card: CardId) -> str:
        """The address of a card's picture: the table's id, then the card's token."""
        end = int(card) * TOKEN_DIGITS
        return self.id + self.dealt().tokens[end - TOKEN_DIGITS : end]

    def preview(self, move: Move) -> tuple[Game, tuple[Event, ...]]:
        """The result of a move; a broken rule raises. Cached for `apply`."""
        game, _ = self.running()
        if self._preview is None or self._preview[0] is not game or self._preview[1] != move:
            self._preview = game, move, apply(game, move)
        return self._preview[2]

    def dealing_for(self, entry: entries.Dealt) -> Dealing:
        """The deal of an entry at this table. Slow, so compute it outside the event loop and pass it to `apply`."""
        try:
            return dealing(Secret(entry.seed, entry.nonce, entry.generator), len(self.sitters), self.terms)
        except ValueError as error:
            raise InvalidLog(f"this cannot be dealt: {error}") from None

    def apply(self, entry: AnyEntry, dealt: Dealing | None = None) -> tuple[Event, ...]:
        """Apply the next entry and return the rules' events. Raises InvalidLog for an entry that does not fit.

        `dealt` is the result of `dealing_for` for a Dealt entry, if it was computed in advance.
        """
        if isinstance(entry, entries.Opened) != (self.seq == 0):
            raise InvalidLog("a table is opened by its first entry and by no other")
        events = self._deal(entry, dealt) if isinstance(entry, entries.Dealt) else self._apply(entry)
        self.seq += 1
        return events

    def _apply(self, entry: AnyEntry) -> tuple[Event, ...]:  # noqa: PLR0912  (one case per kind of entry)
        match entry:
            case entries.Placed() | entries.Doubted():
                return self._move(entry)
            case entries.Opened():
                self.terms = entry.terms
                self.chairs = [None] * entry.seats
                self.barred, self.drawn, self.locked = frozenset(entry.barred), entry.drawn, entry.drawn
            case entries.Arranged():
                self._expect(Phase.WAITING)
                self.terms = entry.terms
            case entries.SatDown():
                self._sit(entry)
            case entries.Renamed():
                self._expect(Phase.WAITING)
                self.sitter(entry.seat).name = entry.name
            case entries.StoodUp():
                self._expect(Phase.WAITING)
                self.sitter(entry.seat)  # raises InvalidLog
                self.chairs[entry.seat] = None
            case entries.WentAway() | entries.CameBack():
                self._be_away(entry.seat, entry.at, away=isinstance(entry, entries.WentAway))
            case entries.Promised():
                self.promised[self.seq + 1] = Promise(entry.name, entry.token_hash)
            case entries.GaveUp():
                if self.promised.pop(entry.number, None) is None:
                    raise InvalidLog(f"there is no promise {entry.number}")
            case entries.SentAway():
                self._send_away(entry)
            case entries.Locked():
                self.locked = entry.locked
            case entries.PlayedAgain():
                self.rematch, self.rematch_by = entry.table, entry.seat
            case entries.Closed():
                self.phase = Phase.CLOSED
        return ()

    def _sit(self, entry: entries.SatDown) -> None:
        """Take a free chair; during a game, the seat of a bot or of somebody absent."""
        number = None if entry.token_hash is None else self.promise_of(entry.token_hash)
        sitter = Sitter(entry.name, entry.token_hash, entry.level, number or self.seq + 1)
        if self.phase is Phase.PLAYING:
            former = self.sitter(entry.seat)
            if entry.level is not None or not former.is_absent:
                raise InvalidLog(f"seat {entry.seat} is not free")
            if all(each.is_absent for each in self.sitters):
                self.turn_began = self.left_at = entry.at  # the table stood still: all people were away
            sitter.instead_of = former.name
            self._disown_moves(entry.seat)
        else:
            self._expect(Phase.WAITING)
            if not 0 <= entry.seat < len(self.chairs) or self.chairs[entry.seat] is not None:
                raise InvalidLog(f"seat {entry.seat} is not free")
        self.chairs[entry.seat] = sitter
        if number is not None:
            del self.promised[number]

    def _disown_moves(self, seat: int) -> None:
        """Mark a seat's moves so far as not made by the person who takes it now."""
        game = self.dealt().game
        for at, moved in enumerate(self.moves):
            if game.to_play == seat:
                self.moves[at] = moved._replace(by="stand-in")
            game, _ = apply(game, moved.move)

    def _send_away(self, entry: entries.SentAway) -> None:
        sitter = self.sitter(entry.seat)
        if sitter.token_hash is None:
            raise InvalidLog(f"no person holds seat {entry.seat}")
        self.barred |= {sitter.token_hash}
        sitter.token_hash = None
        if self.phase is Phase.WAITING:
            self.chairs[entry.seat] = None
        else:
            self._be_away(entry.seat, entry.at, away=True)

    def _be_away(self, seat: int, at: float, *, away: bool) -> None:
        sitter = self.sitter(seat)
        sitter.away, sitter.late = away, False
        is_turn = self.game is not None and self.game.to_play == seat
        if is_turn and away and self.left_at <= self.turn_began:  # once a turn: else leaving could stall the game
            self.left_at = at

    def _deal(self, entry: entries.Dealt, dealt: Dealing | None) -> tuple[Event, ...]:
        self._expect(Phase.WAITING)
        taken = [chair for chair, sitter in enumerate(self.chairs) if sitter is not None]
        order = taken if entry.order is None else entry.order
        if sorted(order) != taken:
            raise InvalidLog("the seats dealt to are not those that are taken")
        self.dealing = dealt or self.dealing_for(entry)
        self.chairs = [self.chairs[chair] for chair in order]
        self.promised.clear()  # of those who did not come
        self.game = self.dealing.game
        self.phase = Phase.PLAYING
        self.turn_began = self.left_at = entry.at
        opened = opening(self.game.setup)
        return (opened,)

    def _move(self, entry: entries.Placed | entries.Doubted) -> tuple[Event, ...]:
        self._expect(Phase.PLAYING)
        _, to_play = self.running()
        if entry.seat != to_play:
            raise InvalidLog(f"it is not the turn of seat {entry.seat}")
        move: Move = Place(entry.gap) if isinstance(entry, entries.Placed) else Doubt()
        try:
            self.game, events = self.preview(move)
        except RulesError as error:
            raise InvalidLog(f"the rules do not allow it: {error}") from None
        self._preview = None
        sitter = self.sitter(entry.seat)
        sitter.late, self.last_by = entry.by == "clock", entry.by
        self.turn_began = self.left_at = entry.at
        self.moves.append(Moved(self.seq + 1, move, "player" if entry.by == "player" else "stand-in"))
        if self.game.over:
            self.phase = Phase.OVER
        self.doubts += [event for event in events if isinstance(event, RowDoubted)]
        return events

    def _expect(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise InvalidLog(f"the table is {self.phase}, not {phase}")
