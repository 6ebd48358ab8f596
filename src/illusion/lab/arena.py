"""The arena: plays many games between the same players, with random seats and characters, and counts the results.

With JAX (the extra `fast`) thousands of games run at once. Without it, and with minds from outside the package, the
tables' bots play them one by one: the same game with the same bots, but a seed deals different games.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from illusion.bots import levels
from illusion.bots.characters import of_level
from illusion.bots.entrants import is_level
from illusion.extras import how_to_install
from illusion.lab.measured_decks import DECKS, measured_pile
from illusion.lab.simulation import play, seated
from illusion.rules import Doubt, Game, Move, Penalty, Variant, View, first_fall

if TYPE_CHECKING:
    from illusion.lab.contests import Turns

ONE_BY_ONE: Final = 250
"""Without JAX."""
WORTH_INSTALLING: Final = 10_000
"""From this many games on, JAX saves more time than it takes to compile."""


@dataclass(slots=True)
class Tally:
    """Counts over a set of games. Tallies can be added in any order."""

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    """By the player's index in the list of players; a shared win counts as a win."""
    shared: int = 0
    rounds: int = 0
    cards: int = 0
    rows: Counter[int] = field(default_factory=Counter)
    """Doubted rows by their length."""
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
"""Passes on the tallies, whose number it is given, and may show progress."""


def has_arrays() -> bool:
    return find_spec("jax") is not None


def can_batch(players: Sequence[str]) -> bool:
    """Whether JAX is there and all players are levels: other minds have no array version."""
    return has_arrays() and all(map(is_level, players))


def games_per_task(players: Sequence[str]) -> int:
    """Games per task of the executor."""
    if not can_batch(players):
        return ONE_BY_ONE
    from illusion.lab.contests import GAMES_AT_ONCE  # noqa: PLC0415  (an extra)

    return GAMES_AT_ONCE


def compete(
    players: Sequence[str],
    games: int,
    seed: int,
    variant: Variant = Variant.FIRST_TO_THREE,
    executor: Executor | None = None,
    progress: Progress = lambda tallies, _: tallies,
    penalty: Penalty = Penalty.NOTHING,
) -> Tally:
    """Plays `games` games between levels, entry points of `illusion.minds`, or `module:Mind`. The same seed gives the
    same tally on any executor, unless a mind uses randomness of its own."""
    for deck in DECKS:
        measured_pile(deck, variant)  # once, not in every process
    at_once = games_per_task(players)
    starts = range(0, games, at_once)
    sizes = [min(at_once, games - start) for start in starts]
    task = partial(play_batch if can_batch(players) else play_singly, tuple(players), seed, variant, penalty)
    total = Tally()
    for tally in progress((executor.map if executor else map)(task, starts, sizes), len(starts)):
        total.add(tally)
    return total


def play_singly(
    players: tuple[str, ...], seed: int, variant: Variant, penalty: Penalty, start: int, many: int
) -> Tally:
    tally = Tally(games=many)

    def watch(game: Game, view: View, move: Move) -> None:
        if isinstance(move, Doubt):
            assert game.arrow is not None
            tally.rows[len(view.row)] += 1
            tally.doubts_right += first_fall(game.row, game.arrow) is not None

    for number in range(start, start + many):
        rng = Random(f"arena {seed} {number}")
        order = rng.sample(range(len(players)), len(players))
        bots = seated([players[who] for who in order], rng)
        ended = play(bots, measured_pile(rng.choice(DECKS), variant), rng, variant, watch, penalty)
        tally.wins.update(order[seat] for seat in ended.winners)
        tally.shared += len(ended.winners) > 1
        tally.rounds, tally.cards = tally.rounds + ended.round, tally.cards + ended.drawn
    return tally


def play_batch(players: tuple[str, ...], seed: int, variant: Variant, penalty: Penalty, start: int, many: int) -> Tally:
    from illusion.lab.contests import Crowd, Player  # noqa: PLC0415  (an extra)

    known = [(level, who) for level in dict.fromkeys(players) for who in of_level(level)]
    kinds = [Player(levels()[level].eyes, who.name, levels()[level].mind, who.temper) for level, who in known]
    rng = np.random.default_rng([seed, start])
    order = rng.permuted(np.tile(np.arange(len(players)), (many, 1)), axis=1)
    seats = np.take_along_axis(_characters(players, [level for level, _ in known], many, rng), order, axis=1)
    crowd, tally = Crowd(len(players), kinds, DECKS, variant, penalty), Tally(games=many)

    def watch(turns: "Turns") -> None:
        doubts = turns.playing & (turns.actions == crowd.game.longest)
        tally.rows.update(np.asarray(turns.states.length)[doubts].tolist())
        tally.doubts_right += int((np.asarray(turns.states.broke)[doubts] > 0).sum())

    key = int(np.random.SeedSequence(seed).generate_state(1)[0])
    ended = crowd.play(key, seats, watch, start)
    tally.wins.update({who: int(ended.won[order == who].sum()) for who in range(len(players))})
    tally.shared, tally.rounds = int((ended.won.sum(axis=1) > 1).sum()), int(ended.rounds.sum())
    tally.cards = int(ended.cards.sum())
    return tally


def _characters(
    players: tuple[str, ...], levels_of: Sequence[str], games: int, rng: np.random.Generator
) -> NDArray[Any]:
    """A random character for each player, by game; as at a table, none twice while others of the level are free."""
    chosen = np.empty((games, len(players)), np.int64)
    for level in dict.fromkeys(players):
        characters = np.flatnonzero(np.array(levels_of) == level)
        free = rng.permuted(np.tile(characters, (games, 1)), axis=1)
        again = rng.choice(characters, (games, len(players)))
        sitting = [at for at, name in enumerate(players) if name == level]
        chosen[:, sitting] = np.hstack([free, again])[:, : len(sitting)]
    return chosen


def speed_hint(players: Sequence[str], games: int) -> str | None:
    """A sentence on why games are played one by one; None if they are not, or so few that JAX would not save time."""
    if games < WORTH_INSTALLING or can_batch(players):
        return None
    if strangers := [name for name in dict.fromkeys(players) if not is_level(name)]:
        return f"Played one by one: there is no array version of {', '.join(strangers)}"
    return f"Ten times as fast with JAX: run {how_to_install('fast')}"


class PlayerResult(msgspec.Struct, frozen=True):
    """One player's result; `low` and `high` bound the 95 % interval of the win rate."""

    level: str
    games: int
    wins: int
    win_rate: float
    low: float
    high: float


class ArenaReport(msgspec.Struct, frozen=True):
    """The result as printed, plotted and written to JSON. `rounds` and `cards_used` are averages per game;
    `row_at_doubt` and `doubts_right` averages per doubt."""

    players: tuple[PlayerResult, ...]
    games: int
    seed: int
    variant: str
    penalty: str
    """What a wrong doubt cost."""
    decks: tuple[int, ...]
    """The seeds of the decks."""
    shared_wins: int
    rounds: float
    cards_used: float
    doubts: int
    doubts_right: float
    row_at_doubt: float
    rows: dict[int, int]
    """Doubted rows by their length."""


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """The 95 % score interval for a rate (Wilson 1927)."""
    z = 1.959964
    rate = wins / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def report(players: Sequence[str], seed: int, variant: Variant, penalty: Penalty, tally: Tally) -> ArenaReport:
    doubts = tally.rows.total()
    return ArenaReport(
        players=tuple(_result(level, tally.wins[at], tally.games) for at, level in enumerate(players)),
        games=tally.games,
        seed=seed,
        variant=variant.value,
        penalty=penalty.value,
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
