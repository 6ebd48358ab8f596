"""The arena: bots play each other many times, with seats and characters by lot, and the results are counted.

Thousands of games are played at once (`lab/batch`, `lab/crowd`): with numba if it is installed, else with numpy.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots import LEVEL_NAMES, levels
from illusion.bots.characters import of_level
from illusion.extras import how_to_install
from illusion.lab.arena_report import ArenaReport, PlayerResult, wilson_interval
from illusion.lab.batch.engine import Engine
from illusion.lab.crowd.games import Crowd, Player, Turns, fast_backend
from illusion.lab.learning.learned import Learned
from illusion.lab.measured_decks import measured_pile
from illusion.rules import Variant

DECKS: Final = (0, 1, 2, 3)
"""Seeds of the decks that games are dealt from in turn; each is drawn and measured once and kept."""
GAMES_AT_ONCE: Final = 16_384
"""In one process. The more, the less each costs; these need some hundred megabytes."""
LEARNED: Final = "learned"
"""A player with the eyes and the characters of the best level, and a mind that was trained."""


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
    executor: Executor | None = None,
    progress: Progress = lambda tallies, _: tallies,
    learned: Learned | None = None,
) -> Tally:
    """Let bots of these levels play, and the learned mind where one is called so. The same seed gives the same tally,
    wherever they play."""
    for deck in DECKS:
        measured_pile(deck, variant)  # here, not once in every process
    starts = range(0, games, GAMES_AT_ONCE)
    sizes = [min(GAMES_AT_ONCE, games - start) for start in starts]
    task = partial(_some_games, tuple(players), seed, variant, learned)
    total = Tally()
    for tally in progress((executor.map if executor else map)(task, starts, sizes), len(starts)):
        total.add(tally)
    return total


def _some_games(
    players: tuple[str, ...], seed: int, variant: Variant, learned: Learned | None, start: int, many: int
) -> Tally:
    piles = [measured_pile(deck, variant) for deck in DECKS]
    engine = Engine(len(players), [pile.cards for pile in piles], variant, name=fast_backend())
    known = [(level, who) for level in dict.fromkeys(players) for who in of_level(_level_of(level))]
    minds = {name: level.mind for name, level in levels().items()} | ({} if learned is None else {LEARNED: learned})
    kinds = [Player(levels()[who.level].eyes, who.name, minds[level], who.temper) for level, who in known]
    rng = np.random.default_rng([seed, start])
    order = rng.permuted(np.tile(np.arange(len(players)), (many, 1)), axis=1)
    seats = np.take_along_axis(_characters(players, [level for level, _ in known], many, rng), order, axis=1)
    tally = Tally(games=many)

    def watch(turns: Turns) -> None:
        doubts = turns.actions == engine.terms.longest
        tally.rows[int(turns.known.length[0])] += int(doubts.sum())
        tally.doubts_right += int((turns.lanes.turn.broke[turns.at][doubts] > 0).sum())

    key = int(np.random.SeedSequence(seed).generate_state(1)[0])
    lanes = engine.init(key, many, first_lane=start)
    ended = Crowd(engine, kinds, piles).play(lanes, seats, watch)
    won = ended.winners[:, None] >> np.arange(len(players)) & 1
    tally.wins.update({who: int(won[order == who].sum()) for who in range(len(players))})
    tally.shared, tally.rounds = int((won.sum(axis=1) > 1).sum()), int(ended.rounds.sum())
    tally.cards, tally.rows = int(ended.cards.sum()), +tally.rows
    return tally


def _level_of(name: str) -> str:
    return LEVEL_NAMES[-1] if name == LEARNED else name


def _characters(
    players: tuple[str, ...], levels_of: Sequence[str], games: int, rng: np.random.Generator
) -> NDArray[Any]:
    """Which character each player is in each game, as at a table: nobody twice while others of the level are free."""
    chosen = np.empty((games, len(players)), np.int64)
    for level in dict.fromkeys(players):
        characters = np.flatnonzero(np.array(levels_of) == level)
        free = rng.permuted(np.tile(characters, (games, 1)), axis=1)
        again = rng.choice(characters, (games, len(players)))
        sitting = [at for at, name in enumerate(players) if name == level]
        chosen[:, sitting] = np.hstack([free, again])[:, : len(sitting)]
    return chosen


def what_is_faster(games: int) -> str | None:
    """A sentence for those who play many games without the extra; compiling takes longer than playing a few."""
    if games <= GAMES_AT_ONCE or fast_backend() == "numba":
        return None
    return f"Several times as fast with numba: run {how_to_install('fast')}"


def report(players: Sequence[str], seed: int, variant: Variant, tally: Tally) -> ArenaReport:
    doubts = tally.rows.total()
    return ArenaReport(
        players=tuple(_result(level, tally.wins[at], tally.games) for at, level in enumerate(players)),
        games=tally.games,
        seed=seed,
        variant=variant.value,
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
