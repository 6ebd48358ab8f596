"""A table people sit at: its state, made by applying the log's entries one after another."""

from dataclasses import dataclass, field
from enum import StrEnum
from hmac import compare_digest

from illusion.rules import (
    CardPlaced,
    Doubt,
    Event,
    Game,
    Move,
    Place,
    RoundStarted,
    Variant,
    apply,
    opening,
)
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
from illusion.tables.model.fair_deal import Dealing, Secret, dealing


class Phase(StrEnum):
    """Where a table is in its life."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(slots=True)
class Sitter:
    """Whoever sits in a chair."""

    name: str
    token_hash: str | None
    level: str | None
    away: bool = False

    @property
    def is_bot(self) -> bool:
        return self.level is not None

    @property
    def absent(self) -> bool:
        """Nobody is there to move."""
        return self.level is not None or self.away


@dataclass(slots=True)
class Table:
    """The state after `seq` entries. Only `apply` changes it."""

    id: str
    seq: int = 0
    phase: Phase = Phase.WAITING
    variant: Variant = Variant.FIRST_TO_THREE
    clock: int | None = None
    chairs: list[Sitter | None] = field(default_factory=list)
    dealing: Dealing | None = None
    game: Game | None = None
    seen: set[int] = field(default_factory=set)
    """The numbers of the cards whose pictures have been on the table."""
    moves: list[Move] = field(default_factory=list)
    turn_began: float = 0.0
    """Since when the player at turn has had the turn, in seconds since 1970: the clock counts from here."""
    rematch: str | None = None
    again: str | None = None
    _foreseen: tuple[Game, Move, tuple[Game, tuple[Event, ...]]] | None = field(default=None, repr=False)

    @property
    def sitters(self) -> list[Sitter]:
        return [sitter for sitter in self.chairs if sitter is not None]

    def seat_of(self, token_hash: str) -> int | None:
        """The chair that this token holds; finding it takes as long as not finding it."""
        held = None
        for seat, sitter in enumerate(self.chairs):
            if sitter is not None and compare_digest(sitter.token_hash or "", token_hash):
                held = seat
        return held

    @property
    def host(self) -> int | None:
        """The first chair with a person in it: if the host leaves, the next one is."""
        return next((seat for seat, sitter in enumerate(self.chairs) if sitter and not sitter.is_bot), None)

    def foresee(self, move: Move) -> tuple[Game, tuple[Event, ...]]:
        """What a move leads to; a rule broken raises. It is worked out once, before the entry is stored."""
        assert self.game is not None
        if self._foreseen is None or self._foreseen[0] is not self.game or self._foreseen[1] != move:
            self._foreseen = self.game, move, apply(self.game, move)
        return self._foreseen[2]

    def apply(self, entry: AnyEntry) -> tuple[Event, ...]:
        """Take one more entry of the log; returns what the rules say happened."""
        self.seq += 1
        match entry:
            case Placed() | Doubted():
                self.turn_began = entry.at
                return self._move(Place(entry.gap) if isinstance(entry, Placed) else Doubt())
            case Opened():
                self.variant, self.clock, self.again = entry.variant, entry.clock, entry.again
                self.chairs = [None] * entry.seats
            case Arranged():
                self.variant, self.clock = entry.variant, entry.clock
            case SatDown():
                self.chairs[entry.seat] = Sitter(entry.name, entry.token_hash, entry.level)
            case StoodUp():
                self.chairs[entry.seat] = None
            case Dealt():
                self.turn_began = entry.at
                return self._deal(entry)
            case WentAway() | CameBack():
                sitter = self.chairs[entry.seat]
                assert sitter is not None
                sitter.away = isinstance(entry, WentAway)
                if self.game is not None and self.game.to_play == entry.seat:
                    self.turn_began = entry.at  # whoever comes back in their turn has the whole clock
            case PlayedAgain():
                self.rematch = entry.table
            case Closed():
                self.phase = Phase.CLOSED
        return ()

    def _deal(self, entry: Dealt) -> tuple[Event, ...]:
        order = range(len(self.chairs)) if entry.order is None else entry.order
        self.chairs = [self.chairs[chair] for chair in order if self.chairs[chair] is not None]
        self.dealing = dealing(Secret(entry.seed, entry.nonce, entry.generator), len(self.chairs), self.variant)
        self.game = self.dealing.game
        self.phase = Phase.PLAYING
        opened = opening(self.game.setup)
        self._look((opened,))
        return (opened,)

    def _move(self, move: Place | Doubt) -> tuple[Event, ...]:
        assert self.game is not None
        self.game, events = self.foresee(move)
        self._foreseen = None
        self.moves.append(move)
        if self.game.over:
            self.phase = Phase.OVER
        self._look(events)
        return events

    def _look(self, events: tuple[Event, ...]) -> None:
        """Remember the pictures that these events laid open."""
        for event in events:
            if isinstance(event, RoundStarted):
                self.seen.update((int(event.first_card), int(event.next_card)))
            elif isinstance(event, CardPlaced) and event.next_card is not None:
                self.seen.add(int(event.next_card))
