"""Fit what the bots' minds learn from games: `python tools/fit_bots.py [experience|thresholds|evidence|ordinary]`.

`experience` plays many games of a level against itself and writes `src/illusion/bots/experience.json`: how often rows
that looked wrong were wrong, and who took the arrow after a placement. `thresholds` prints the best thresholds for the
level *keen*. `evidence` prints how well assumptions about other players' eyes predict wrong rows. `ordinary` writes
`src/illusion/review/ordinary.json`, what a review assumes of ordinary players. Each takes minutes.
"""

import argparse
from collections.abc import Iterable
from concurrent.futures import Executor
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import jax
import msgspec
import numpy as np
from tqdm import tqdm

from illusion.bots.belief import ASSUMED, OthersEyes
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind, Threshold, Value
from illusion.bots.race import SHORTEST_DOUBTED, Experience
from illusion.cli.arguments import add_executor
from illusion.deck.shares import CARDS
from illusion.lab.arrays import ArrayTerms, terms_of
from illusion.lab.contests import GAMES_AT_ONCE, Contestant, Numbers, Turns, contest
from illusion.lab.executors import executor
from illusion.lab.minds import ArrayMind, Situation, array_mind
from illusion.rules import ARROWS, Penalty, Variant

SOURCE = Path(__file__).parent.parent / "src" / "illusion"
WRITTEN = SOURCE / "bots" / "experience.json"
ORDINARY = SOURCE / "review" / "ordinary.json"
PLAYERS = (2, 3, 4, 5)
STEPS = 11
"""Steps of the chance that a row is right."""
LENGTHS = 9
"""Rows of this many lengths are distinguished; longer ones count as the longest."""
TRY_CHANCE = 0.06
"""How often a player tries a random placement."""
EYES = {"sharp": Eyes(0.07), "eagle-eye": Eyes(0.047), "keen": Eyes(0.106)}
LEARNING = ("eagle-eye", "keen")


def first_guess() -> Experience:
    """To start from: the one who placed takes the arrow about as often as the row is right."""
    return Experience(
        {str(n): (-1.0, 0.7, 0.0) for n in PLAYERS},
        {str(n): [[_guess(n, step / (STEPS - 1)) for step in range(STEPS)] for _ in range(LENGTHS)] for n in PLAYERS},
        {str(n): [1 / n] * n for n in PLAYERS},
    )


def _guess(players: int, right: float) -> list[float]:
    mine, doubter = 0.1 + 0.5 * right, 0.6 * (1 - right)
    rest = (1 - mine - doubter) / (players - 1)
    return [mine, doubter + rest, *[rest] * (players - 2)]


def usual_terms(players: int) -> ArrayTerms:
    return terms_of(players, Variant.FIRST_TO_THREE.end, Penalty.NOTHING, CARDS)


weighed = jax.jit(lambda mind, known: mind.weigh(known))


class Notes:
    """What happened in many games of one number of players, as arrays."""

    def __init__(self, mind: Value, players: int, rng: np.random.Generator) -> None:
        self._mind, self._players, self._rng = array_mind(mind, usual_terms(players)), players, rng
        self._turns: list[tuple[Numbers, ...]] = []
        self._ends: list[tuple[Numbers, ...]] = []
        self._part, self._known = 0, -1

    def watch(self, turns: Turns) -> None:
        """Note what everybody weighed, and let some explore a random placement."""
        known = turns.situation()
        believed, _, stays = map(np.asarray, weighed(self._mind, known))
        gaps, length, to_play = (np.asarray(each) for each in (known.gaps, known.length, turns.states.to_play))
        tried = (gaps > 0) & (self._rng.random(gaps.size) < TRY_CHANCE)
        turns.actions[tried] = self._rng.integers(gaps[tried])
        placed, broke = turns.actions < CARDS, np.asarray(turns.states.broke) > 0
        gap = np.where(placed, turns.actions, 0)
        round = self._round_of(turns)
        told = round, length, to_play, believed, stays[gap, np.arange(gap.size)], broke, tried, placed
        self._turns.append(tuple(each[turns.playing] for each in told))
        taker = np.where(broke, to_play, (to_play - 1) % self._players)
        doubted = turns.playing & ~placed
        self._ends.append((round[doubted], taker[doubted]))

    def _round_of(self, turns: Turns) -> Numbers:
        """A number for every round of every game; games are numbered from 0 again in every part of a contest."""
        decisions = int(turns.states.decisions.max())
        if decisions < self._known:
            self._part += 1
        self._known = decisions
        return np.asarray(
            (self._part * GAMES_AT_ONCE + turns.game) * (len(ARROWS) + 1) + np.asarray(turns.states.round)
        )

    def facts(self) -> "Facts":
        round, length, seat, believed, stays, wrong, tried, placed = map(np.concatenate, zip(*self._turns, strict=True))
        ended, takers = map(np.concatenate, zip(*self._ends, strict=True))
        last_tried = np.zeros(round.max() + 1, int)
        np.maximum.at(last_tried, round[tried], length[tried])
        taker = np.full(round.max() + 1, -1)
        taker[ended] = takers
        tried_before = last_tried[round]
        first_tried = np.full(round.max() + 1, 2**20)
        np.minimum.at(first_tried, round[tried], length[tried])
        looked = (length >= SHORTEST_DOUBTED) & (length < first_tried[round])
        # placements before somebody tried did not lead here by choice; the one that was tried counts
        counted = placed & (length >= tried_before)
        begun = (length == 1) & (tried_before == 0)
        lengths = length.max() + 2
        wrong_at = np.zeros((round.max() + 1) * lengths, bool)
        wrong_at[round * lengths + length] = wrong
        right_after = ~wrong_at[round * lengths + length + 1]  # the next turn of the round knows
        return Facts(
            np.column_stack([believed, length, wrong])[looked],
            np.column_stack([length + 1, stays, (taker[round] - seat) % self._players, right_after])[counted],
            ((taker[round] - seat) % self._players)[begun],
        )


class Facts(NamedTuple):
    looked: Numbers
    """How wrong a row was believed to be, its length, and whether it was wrong."""
    placed: Numbers
    """The row's length after a placement, how likely it seemed right then, who took the arrow, counted from who placed,
    and whether it was right."""
    started: Numbers
    """Who took the arrow, counted from who started the round."""


def _noted(task: tuple[Value, Eyes, int, int, str]) -> Facts:
    mind, eyes, players, games, seed = task
    notes = Notes(mind, players, np.random.default_rng(Random(seed).getrandbits(32)))
    contest([Contestant(eyes, mind)] * players, games, seed, watch=notes.watch)
    return notes.facts()


def fit_level(name: str, games: int, rounds: int, workers: Executor) -> tuple[Experience, list[Facts]]:
    """What a level learns by playing itself, and the facts of its last games, for each number of players."""
    experience, facts = first_guess(), list[Facts]()
    for again in range(rounds):
        mind = Value(experience, learns=name in LEARNING)
        many = games * (2 if again == rounds - 1 else 1)
        tasks = [(mind, EYES[name], n, many, f"{name} {again} {n}") for n in PLAYERS]
        facts = list(tqdm(workers.map(_noted, tasks), total=len(tasks), desc=f"{name}, time {again + 1}"))
        experience = learned(zip(PLAYERS, facts, strict=True), experience)
        for n in PLAYERS:
            print(name, n, experience.calibration[str(n)], experience.starts[str(n)])
    return experience, facts


def fit_ordinary(games: int, workers: Executor) -> dict[str, Any]:
    """The experience of ordinary players who learn from others, and who took the arrow after a placement by whether the
    row was right or wrong then."""
    experience, facts = fit_level("keen", games, 5, workers)
    taken: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for players, seen in zip(PLAYERS, facts, strict=True):
        for really in (True, False):
            taken[really][str(players)] = _takers(players, seen.placed[seen.placed[:, 3] == really])
    return {"experience": experience, "taken_if_right": taken[True], "taken_if_wrong": taken[False]}


def learned(facts: Iterable[tuple[int, Facts]], before: Experience) -> Experience:
    """What the games show, averaged with what was assumed before, so that the iteration does not oscillate."""
    calibration, taken, starts = {}, {}, {}
    for players, seen in facts:
        n = str(players)
        calibration[n] = _calibrated(seen.looked)
        taken[n] = _halfway(_takers(players, seen.placed), before.taken[n])
        started = np.bincount(seen.started, minlength=players)
        starts[n] = _halfway(started / started.sum(), before.starts[n])
    return Experience(calibration, taken, starts)


def _halfway(new: Any, old: Any) -> Any:
    return (np.asarray(new) / 2 + np.asarray(old) / 2).round(4).tolist()


def _calibrated(looked: Numbers) -> tuple[float, float, float]:
    """Logistic regression by Newton's method (Platt scaling with the row's length)."""
    believed, cards, wrong = looked.astype(float).T
    believed = believed.clip(1e-6, 1 - 1e-6)
    known = np.column_stack([np.ones_like(believed), np.log(believed / (1 - believed)), cards - SHORTEST_DOUBTED])
    weights = np.array([0.0, 0.7, 0.0])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-known @ weights))
        slope = known.T @ (known * (chance * (1 - chance))[:, None]) + 1e-6 * np.eye(3)
        weights += np.linalg.solve(slope, known.T @ (wrong - chance))
    level, slope_, length = (round(float(weight), 4) for weight in weights)
    return level, slope_, length


def _takers(players: int, everything: Numbers) -> list[list[list[float]]]:
    """For each length of the row a P-spline (Eilers & Marx 1996), piecewise linear in the chance that it is right."""
    lengths = []
    for length in range(SHORTEST_DOUBTED, SHORTEST_DOUBTED + LENGTHS):
        last = length == SHORTEST_DOUBTED + LENGTHS - 1
        some = everything[(everything[:, 0] >= length) if last else (everything[:, 0] == length)]
        at = some[:, 1].clip(0, 1) * (STEPS - 1)
        hats = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(STEPS)))
        taken = (some[:, 2][:, None] == np.arange(players)).astype(float)
        bend = np.diff(np.eye(STEPS), 2, axis=0)
        fitted = np.linalg.solve(hats.T @ hats + 30 * bend.T @ bend + 1e-6 * np.eye(STEPS), hats.T @ taken)
        fitted = fitted.clip(1e-9, 1)
        fitted /= fitted.sum(axis=1, keepdims=True)
        lengths.append([[round(float(part), 4) for part in step] for step in fitted])
    return lengths


def _wins(task: tuple[Mind, Mind, Eyes, int, int, str]) -> int:
    """How often the first mind wins against n - 1 of the other."""
    one, other, eyes, players, games, seed = task
    contestants = [Contestant(eyes, one), *[Contestant(eyes, other)] * (players - 1)]
    return int(contest(contestants, games, seed).won[:, 0].sum())


def best_threshold(players: int, eyes: Eyes, games: int, guess: float, workers: Executor) -> float:
    """The threshold that wins most against itself, by a parabola through the win rates of its neighbours."""
    for again in range(3):
        tried = [round(guess + step * 0.04, 3) for step in range(-3, 4)]
        tasks = [
            (Threshold({players: each}), Threshold({players: guess}), eyes, players, games, f"{again} {each}")
            for each in tried
        ]
        won = np.array(list(workers.map(_wins, tasks))) / games
        curve = np.polyfit(tried, won, 2)
        top = -curve[1] / (2 * curve[0]) if curve[0] < 0 else tried[int(won.argmax())]
        guess = round(float(np.clip(top, tried[0], tried[-1])), 3)
        print(players, guess, dict(zip(tried, won.round(3).tolist(), strict=True)), flush=True)
    return guess


def compare_evidence(games: int) -> None:
    """The log loss of a learning mind's calibrated beliefs, by what it assumes of others' eyes; smaller is better."""
    experience = msgspec.json.decode(WRITTEN.read_bytes(), type=dict[str, Experience])["eagle-eye"]
    for players in (2, 4):
        found: list[tuple[Situation, Numbers, Numbers]] = []

        def note(turns: Turns, found: list[tuple[Situation, Numbers, Numbers]] = found) -> None:
            counts = turns.playing & (np.asarray(turns.states.length) >= SHORTEST_DOUBTED)
            found.append((turns.situation(), np.asarray(turns.states.broke) > 0, counts))

        mind = Value(experience, learns=True)
        contest([Contestant(EYES["eagle-eye"], mind)] * players, games, f"evidence {players}", watch=note)
        for spread, tolerance in [(None, 0.0), *product((0.06, 0.08, 0.1, 0.12, 0.16), (0.5, 1.0, 1.5))]:
            learns = spread is not None
            others = OthersEyes(spread, tolerance) if spread is not None else ASSUMED
            judge: ArrayMind = array_mind(Value(experience, learns=learns), usual_terms(players), others)
            looked = np.concatenate(
                [
                    np.column_stack([weighed(judge, known)[0], known.length, wrong])[counts]
                    for known, wrong, counts in found
                ]
            )
            fitted = Experience({str(players): _calibrated(looked)}, {}, {})
            said = np.array([fitted.wrong(players, believed, int(cards)) for believed, cards, _ in looked])
            loss = -np.log(np.where(looked[:, 2] > 0, said, 1 - said).clip(1e-9)).mean()
            print(players, spread, tolerance, round(float(loss), 4), fitted.calibration[str(players)], flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    what = ("experience", "thresholds", "evidence", "ordinary")
    parser.add_argument("what", nargs="?", choices=what, default="experience")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--out", type=Path, default=WRITTEN, help="where experience is written to")
    parser.add_argument("--w", type=float, default=0.106, help="for thresholds: the eyes")
    add_executor(parser)
    chosen = parser.parse_args()
    with executor(chosen.jobs, chosen.on) as workers:
        if chosen.what == "evidence":
            compare_evidence(chosen.games)
        elif chosen.what == "thresholds":
            for players, guess in zip(PLAYERS, (0.72, 0.67, 0.65, 0.65), strict=True):
                best_threshold(players, Eyes(chosen.w), chosen.games, guess, workers)
        elif chosen.what == "ordinary":
            ordinary = fit_ordinary(chosen.games, workers)
            ORDINARY.write_bytes(msgspec.json.format(msgspec.json.encode(ordinary), indent=0) + b"\n")
        else:
            fitted = {name: fit_level(name, chosen.games, 5, workers)[0] for name in ("sharp", "eagle-eye")}
            chosen.out.write_bytes(msgspec.json.format(msgspec.json.encode(fitted), indent=0) + b"\n")


if __name__ == "__main__":
    main()
