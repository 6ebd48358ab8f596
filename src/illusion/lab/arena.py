"""The arena: bots play each other many times, with seats and characters by lot, and the results are counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, TypeAlias

from illusion.deck.generators import LATEST
from illusion.lab.arena_report import ArenaReport, PlayerResult, wilson_interval
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import play, seated
from illusion.rules import Doubt, Game, Move, Variant, View, first_fall

DECKS: Final = (0, 1, 2, 3)
"""Seeds of the decks that games are dealt from in turn; each is drawn and measured once and kept."""
_GAMES_PER_TASK: Final = 50


@dataclass(slots=True)
class Tally:
    """What was counted. Tallies of two sets of games can be added in any order."""

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    """By the player's index in the list of players; a shared win counts as a win."""
    shared: int = 0
    rounds: int = 0
    cards: int = 0
    rows: Counter[int] = field(default_factory=Counter)
    """How many rows had each length when they were doubted."""
    doubts_right: int = 0

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.wins += other.wins
        self.shared += other.shared
        self.rounds += other.rounds
        self.cards += other.cards
        self.rows += other.rows
        self.doubts_right += other.doubts_right


Progress: TypeAlias = Callable[[Iterable[Tally], int], Iterable[Tally]]
"""Passes on tallies as they come, of which there will be this many, and may show how far it is."""


def compete(
    players: Sequence[str],
    games: int,
    seed: int,
    variant: Variant = Variant.FIRST_TO_THREE,
    jobs: int = 1,
    progress: Progress = lambda tallies, _: tallies,
) -> Tally:
    """Let bots of these levels play. The same seed gives the same tally, however many processes play."""
    for deck in DECKS:
        measured_pile(deck, variant)  # here, not once in every process
    starts = range(0, games, _GAMES_PER_TASK)
    task = partial(_some_games, tuple(players), games, seed, variant)
    total = Tally()
    for tally in progress(_in_processes(task, starts, jobs), len(starts)):
        total.add(tally)
    return total


def _in_processes(task: Callable[[int], Tally], starts: Iterable[int], jobs: int) -> Iterator[Tally]:
    if jobs == 1:
        yield from map(task, starts)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(task, starts)


def _some_games(players: tuple[str, ...], games: int, seed: int, variant: Variant, start: int) -> Tally:
    tally = Tally()
    for number in range(start, min(start + _GAMES_PER_TASK, games)):
        _one_game(players, variant, DECKS[number % len(DECKS)], Random(f"illusion arena {seed} {number}"), tally)
    return tally


def _one_game(players: tuple[str, ...], variant: Variant, deck: int, rng: Random, tally: Tally) -> None:
    order = list(range(len(players)))
    rng.shuffle(order)

    def watch(game: Game, view: View, move: Move) -> None:
        if isinstance(move, Doubt):
            assert game.arrow is not None
            tally.rows[len(view.row)] += 1
            tally.doubts_right += first_fall(game.row, game.arrow) is not None

    bots = seated([players[who] for who in order], rng)
    ended = play(bots, measured_pile(deck, variant), rng, variant, watch)
    tally.games += 1
    tally.wins.update(order[seat] for seat in ended.winners)
    tally.shared += len(ended.winners) > 1
    tally.rounds += ended.round
    tally.cards += ended.drawn


def report(players: Sequence[str], seed: int, variant: Variant, tally: Tally) -> ArenaReport:
    doubts = tally.rows.total()
    return ArenaReport(
        players=tuple(_result(level, tally.wins[at], tally.games) for at, level in enumerate(players)),
        games=tally.games,
        seed=seed,
        variant=variant.value,
        generator=LATEST,
        decks=DECKS,
        shared_wins=tally.shared,
        rounds=tally.rounds / tally.games,
        cards_used=tally.cards / tally.games,
        doubts=doubts,
        doubts_right=tally.doubts_right / doubts,
        row_at_doubt=sum(length * count for length, count in tally.rows.items()) / doubts,
        rows=dict(sorted(tally.rows.items())),
    )


def _result(level: str, wins: int, games: int) -> PlayerResult:
    low, high = wilson_interval(wins, games)
    return PlayerResult(level, games, wins, wins / games, low, high)
