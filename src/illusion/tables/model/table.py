"""A table's state, built by applying the entries of its log in order."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from hmac import compare_digest

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
from illusion.tables.model import entries
from illusion.tables.model.entries import PRINTED, AnyEntry, InvalidLog, Terms
from illusion.tables.model.fair_deal import TOKEN_DIGITS, Dealing, Secret, dealing


class Phase(StrEnum):
    """Where a table is in its life."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(slots=True)
class Sitter:
    """A person or a bot in a chair. A bot has a level, a person the hash of a token."""

    name: str
    token_hash: str | None
    level: str | None
    away: bool = False
    late: bool = False
    """Whether the clock ran out the last time it was this person's turn."""

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
    doubts: list[RowDoubted] = field(default_factory=list)
    """The rows that were turned over."""
    turn_began: float = 0.0
    """When the current turn began, or the game ended, in seconds since 1970; the clock counts from here."""
    left_at: float = 0.0
    """When the player at turn left during this turn, else when it began: the stand-in's pause counts from here."""
    rematch: str | None = None
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
        """Cards that have been visible, in the order of the deck, without the first `after` of them."""
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
        """The card laid last, the one to be placed, and the next of the deck, which nobody has seen yet."""
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
        """Whether a bot has to move or a clock runs, and somebody is still there: bots do not play on by themselves."""
        if self.game is None or self.game.to_play is None or self.phase is Phase.CLOSED:
            return False
        is_abandoned = all(sitter.is_absent for sitter in self.sitters)
        return not is_abandoned and (self.terms.clock is not None or self.sitter(self.game.to_play).is_absent)

    @property
    def host(self) -> int | None:
        """The first chair with a person in it, so the role passes on when the host leaves."""
        return next((seat for seat, sitter in enumerate(self.chairs) if sitter and not sitter.is_bot), None)

    def seats_of(self, token_hashes: Iterable[str]) -> list[int]:
        """The chairs that these tokens hold; none for a spectator."""
        return [seat for each in token_hashes if (seat := self.seat_of(each)) is not None]

    def seat_of(self, token_hash: str) -> int | None:
        """The chair this token holds. Takes the same time whether or not there is one."""
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
        """Where a card's picture is served: the table's id, then the card's token, which tells nothing."""
        end = int(card) * TOKEN_DIGITS
        return self.id + self.dealt().tokens[end - TOKEN_DIGITS : end]

    def preview(self, move: Move) -> tuple[Game, tuple[Event, ...]]:
        """What a move leads to; a broken rule raises. Kept, so that `apply` need not work it out again."""
        game, _ = self.running()
        if self._preview is None or self._preview[0] is not game or self._preview[1] != move:
            self._preview = game, move, apply(game, move)
        return self._preview[2]

    def dealing_for(self, entry: entries.Dealt) -> Dealing:
        """The deal that an entry fixes for the people who sit here. Slow: `apply` takes it ready-made."""
        try:
            return dealing(Secret(entry.seed, entry.nonce, entry.generator), len(self.sitters), self.terms)
        except ValueError as error:
            raise InvalidLog(f"this cannot be dealt: {error}") from None

    def apply(self, entry: AnyEntry, dealt: Dealing | None = None) -> tuple[Event, ...]:
        """Apply the next entry and return the rules' events. Raises InvalidLog for an entry that does not fit.

        `dealt` is what `dealing_for` returned for a entries.Dealt entry, if it was worked out in advance.
        """
        if isinstance(entry, entries.Opened) != (self.seq == 0):
            raise InvalidLog("a table is opened by its first entry and by no other")
        events = self._deal(entry, dealt) if isinstance(entry, entries.Dealt) else self._apply(entry)
        self.seq += 1
        return events

    def _apply(self, entry: AnyEntry) -> tuple[Event, ...]:
        match entry:
            case entries.Placed() | entries.Doubted():
                return self._move(entry)
            case entries.Opened():
                self.terms = entry.terms
                self.chairs = [None] * entry.seats
            case entries.Arranged():
                self._expect(Phase.WAITING)
                self.terms = entry.terms
            case entries.SatDown():
                self._expect(Phase.WAITING)
                if not 0 <= entry.seat < len(self.chairs) or self.chairs[entry.seat] is not None:
                    raise InvalidLog(f"seat {entry.seat} is not free")
                self.chairs[entry.seat] = Sitter(entry.name, entry.token_hash, entry.level)
            case entries.StoodUp():
                self._expect(Phase.WAITING)
                self.sitter(entry.seat)  # or the log is invalid
                self.chairs[entry.seat] = None
            case entries.WentAway() | entries.CameBack():
                sitter = self.sitter(entry.seat)
                sitter.away, sitter.late = isinstance(entry, entries.WentAway), False
                is_turn = self.game is not None and self.game.to_play == entry.seat
                if is_turn and sitter.away and self.left_at <= self.turn_began:  # once a turn, or it need never end
                    self.left_at = entry.at
            case entries.PlayedAgain():
                self.rematch = entry.table
            case entries.Closed():
                self.phase = Phase.CLOSED
        return ()

    def _deal(self, entry: entries.Dealt, dealt: Dealing | None) -> tuple[Event, ...]:
        self._expect(Phase.WAITING)
        taken = [chair for chair, sitter in enumerate(self.chairs) if sitter is not None]
        order = taken if entry.order is None else entry.order
        if sorted(order) != taken:
            raise InvalidLog("the seats dealt to are not those that are taken")
        self.dealing = dealt or self.dealing_for(entry)
        self.chairs = [self.chairs[chair] for chair in order]
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
        sitter.late = entry.by == "stand-in" and not sitter.is_absent
        self.turn_began = self.left_at = entry.at
        self.moves.append(Moved(self.seq + 1, move, entry.by))
        if self.game.over:
            self.phase = Phase.OVER
        self.doubts += [event for event in events if isinstance(event, RowDoubted)]
        return events

    def _expect(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise InvalidLog(f"the table is {self.phase}, not {phase}")
