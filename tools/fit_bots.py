"""Fit what the bots' minds learn from games: `python tools/fit_bots.py [experience|thresholds|evidence|ordinary]`.

`experience` plays many games of a level against itself and writes `src/illusion/bots/experience.json`: how often rows
that looked wrong were wrong, and who took the arrow after a placement. `thresholds` prints the best thresholds for the
level *keen*. `evidence` prints how well assumptions about other players' eyes predict wrong rows. `ordinary` writes
`src/illusion/review/ordinary.json`, what a review assumes of ordinary players. Each takes minutes.
"""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from tqdm import tqdm

from illusion.bots.belief import believe
from illusion.bots.experience import SHORTEST_DOUBTED, Experience
from illusion.bots.eyes import Eyes, Impression
from illusion.bots.minds import Mind, Threshold, Value
from illusion.bots.others_evidence import OthersEyes, others_evidence
from illusion.bots.scale import posterior
from illusion.lab.arena import DECKS
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import even_bot, play
from illusion.rules import Game, Move, Place, View, apply, first_fall

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


class Notes:
    """What happened in many games of one number of players."""

    def __init__(self, mind: Value) -> None:
        self.mind = mind
        self.looked: list[tuple[float, int, bool]] = []
        self.placed: list[tuple[int, float, int, bool]] = []
        """Each placement: the row's length then, how likely it seemed right, who took the arrow, counted from the one
        who placed, and whether the row was right."""
        self.started: list[int] = []

    def add_game(self, eyes: Eyes, players: int, seed: str) -> None:
        rng = Random(seed)
        turns: list[tuple[int, int, float, bool]] = []
        starter, tried = -1, False

        def note(game: Game, view: View, move: Move) -> None:
            nonlocal starter, tried
            assert game.to_play is not None
            assert game.arrow is not None
            if len(view.row) == 1:
                starter, tried = game.to_play, False
                turns.clear()
            weighed = recorded[game.to_play].weighed
            if recorded[game.to_play].tried:
                tried = True
                turns.clear()  # earlier placements did not lead here by choice; this one counts
            if len(view.row) >= SHORTEST_DOUBTED and not tried:
                self.looked.append((weighed.believed, len(view.row), first_fall(game.row, game.arrow) is not None))
            if isinstance(move, Place):
                right = first_fall(apply(game, move)[0].row, game.arrow) is None
                turns.append((game.to_play, len(view.row) + 1, weighed.stays[move.gap], right))
            else:
                after, _ = apply(game, move)
                taker = next(s for s in range(players) if len(after.arrows_won[s]) > len(game.arrows_won[s]))
                self.placed += [(cards, stays, (taker - seat) % players, right) for seat, cards, stays, right in turns]
                if not tried:
                    self.started.append((taker - starter) % players)

        recorded = [_Recording(self.mind, rng) for _ in range(players)]
        bots = [even_bot(eyes, mind, rng) for mind in recorded]
        play(bots, measured_pile(rng.choice(DECKS)), rng, watch=note)


class _Recording:
    """A mind that records what it weighed last, and sometimes explores a random placement."""

    def __init__(self, mind: Value, rng: Random) -> None:
        self.mind = mind
        self.rng = rng

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        self.weighed = self.mind.weigh(view, row, card)
        self.tried = card is not None and self.rng.random() < TRY_CHANCE
        if self.tried:
            return Place(self.rng.choice(view.legal.gaps))
        return self.mind.judge(view, self.weighed, temper)


def _noted(task: tuple[Value, Eyes, int, int, str]) -> Notes:
    mind, eyes, players, games, seed = task
    notes = Notes(mind)
    for game in range(games):
        notes.add_game(eyes, players, f"{seed} {game}")
    return notes


def fit_level(name: str, games: int, rounds: int) -> tuple[Experience, list[tuple[int, Notes, Notes]]]:
    """What a level learns by playing itself, and the notes of its last games."""
    experience, noted = first_guess(), []
    for again in range(rounds):
        mind = Value(experience, learns=name in LEARNING)
        many = games * (2 if again == rounds - 1 else 1)
        tasks = [(mind, EYES[name], n, many // 2, f"{name} {again} {n} {half}") for n in PLAYERS for half in range(2)]
        with ProcessPoolExecutor(2) as pool:
            notes = list(tqdm(pool.map(_noted, tasks), total=len(tasks), desc=f"{name}, time {again + 1}"))
        noted = [(n, notes[2 * at], notes[2 * at + 1]) for at, n in enumerate(PLAYERS)]
        experience = learned(noted, experience)
        for n in PLAYERS:
            print(name, n, experience.calibration[str(n)], experience.starts[str(n)])
    return experience, noted


def fit_ordinary(games: int) -> dict[str, Any]:
    """The experience of ordinary players who learn from others, and who took the arrow after a placement by whether the
    row was right or wrong then."""
    experience, noted = fit_level("keen", games, 5)
    taken: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for players, one, other in noted:
        for really in (True, False):
            some = [each for each in one.placed + other.placed if each[3] is really]
            taken[really][str(players)] = _takers(players, some)
    return {"experience": experience, "taken_if_right": taken[True], "taken_if_wrong": taken[False]}


def learned(notes: Iterable[tuple[int, Notes, Notes]], before: Experience) -> Experience:
    """What the games show, averaged with what was assumed before, so that the iteration does not oscillate."""
    calibration, taken, starts = {}, {}, {}
    for players, one, other in notes:
        n = str(players)
        calibration[n] = _calibrated(one.looked + other.looked)
        taken[n] = _halfway(_takers(players, one.placed + other.placed), before.taken[n])
        started = np.bincount(one.started + other.started, minlength=players)
        starts[n] = _halfway(started / started.sum(), before.starts[n])
    return Experience(calibration, taken, starts)


def _halfway(new: Any, old: Any) -> Any:
    return (np.asarray(new) / 2 + np.asarray(old) / 2).round(4).tolist()


def _calibrated(looked: Sequence[tuple[float, int, bool]]) -> tuple[float, float, float]:
    """Logistic regression by Newton's method (Platt scaling with the row's length)."""
    believed, cards, wrong = (np.array(column, dtype=float) for column in zip(*looked, strict=True))
    believed = believed.clip(1e-6, 1 - 1e-6)
    known = np.column_stack([np.ones_like(believed), np.log(believed / (1 - believed)), cards - SHORTEST_DOUBTED])
    weights = np.array([0.0, 0.7, 0.0])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-known @ weights))
        slope = known.T @ (known * (chance * (1 - chance))[:, None]) + 1e-6 * np.eye(3)
        weights += np.linalg.solve(slope, known.T @ (wrong - chance))
    level, slope_, length = (round(float(weight), 4) for weight in weights)
    return level, slope_, length


def _takers(players: int, placed: Sequence[tuple[int, float, int, bool]]) -> list[list[list[float]]]:
    """For each length of the row a P-spline (Eilers & Marx 1996), piecewise linear in the chance that it is right."""
    lengths = []
    everything = np.array(placed)
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
    won = 0
    for game in range(games):
        rng = Random(f"{seed} {game}")
        seat = rng.randrange(players)
        minds = [one if at == seat else other for at in range(players)]
        ended = play([even_bot(eyes, mind, rng) for mind in minds], measured_pile(rng.choice(DECKS)), rng)
        won += seat in ended.winners
    return won


def best_threshold(players: int, eyes: Eyes, games: int, guess: float) -> float:
    """The threshold that wins most against itself, by a parabola through the win rates of its neighbours."""
    for again in range(3):
        tried = [round(guess + step * 0.04, 3) for step in range(-3, 4)]
        tasks = [
            (Threshold({players: each}), Threshold({players: guess}), eyes, players, games, f"{again} {each}")
            for each in tried
        ]
        with ProcessPoolExecutor(2) as pool:
            won = np.array(list(pool.map(_wins, tasks))) / games
        curve = np.polyfit(tried, won, 2)
        top = -curve[1] / (2 * curve[0]) if curve[0] < 0 else tried[int(won.argmax())]
        guess = round(float(np.clip(top, tried[0], tried[-1])), 3)
        print(players, guess, dict(zip(tried, won.round(3).tolist(), strict=True)), flush=True)
    return guess


class _Keeping:
    """A mind that remembers what it saw on its last turn."""

    def __init__(self, mind: Value) -> None:
        self.mind = mind
        self.seen: Sequence[Impression] = ()

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        self.seen = row
        return self.mind.decide(view, row, card, temper)


Situation = tuple[View, Sequence[Impression], bool]
"""What a player knew, what they saw, and whether the row was wrong."""


def situations(players: int, games: int) -> list[Situation]:
    experience = msgspec.json.decode(WRITTEN.read_bytes(), type=dict[str, Experience])["eagle-eye"]
    mind = _Keeping(Value(experience, learns=True))
    found: list[Situation] = []

    def note(game: Game, view: View, _: Move) -> None:
        assert game.arrow is not None
        if len(view.row) >= SHORTEST_DOUBTED:
            found.append((view, mind.seen, first_fall(game.row, game.arrow) is not None))

    for game in range(games):
        rng = Random(f"evidence {game}")
        bots = [even_bot(EYES["eagle-eye"], mind, rng) for _ in range(players)]
        play(bots, measured_pile(rng.choice(DECKS)), rng, watch=note)
    return found


def compare_evidence(games: int) -> None:
    """The log loss of a learning mind's calibrated beliefs, by what it assumes of others' eyes; smaller is better."""
    for players in (2, 4):
        found = situations(players, games)
        for spread, tolerance in [(None, 0.0), *product((0.06, 0.08, 0.1, 0.12, 0.16), (0.5, 1.0, 1.5))]:
            looked = []
            for view, row, wrong in found:
                others = (
                    () if spread is None else others_evidence(view, view.to_play or 0, OthersEyes(spread, tolerance))
                )
                looked.append((1 - believe([posterior(each) for each in row], None, others).right, len(row), wrong))
            fitted = Experience({str(players): _calibrated(looked)}, {}, {})
            said = np.array([fitted.wrong(players, believed, cards) for believed, cards, _ in looked])
            true = np.array([wrong for _, _, wrong in looked])
            loss = -np.log(np.where(true, said, 1 - said).clip(1e-9)).mean()
            print(players, spread, tolerance, round(float(loss), 4), fitted.calibration[str(players)], flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    what = ("experience", "thresholds", "evidence", "ordinary")
    parser.add_argument("what", nargs="?", choices=what, default="experience")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--w", type=float, default=0.106, help="for thresholds: the eyes")
    chosen = parser.parse_args()
    if chosen.what == "evidence":
        compare_evidence(chosen.games)
    elif chosen.what == "thresholds":
        for players, guess in zip(PLAYERS, (0.72, 0.67, 0.65, 0.65), strict=True):
            best_threshold(players, Eyes(chosen.w), chosen.games, guess)
    elif chosen.what == "ordinary":
        fitted = fit_ordinary(chosen.games)
        ORDINARY.write_bytes(msgspec.json.format(msgspec.json.encode(fitted), indent=0) + b"\n")
    else:
        fitted = {name: fit_level(name, chosen.games, 5)[0] for name in ("sharp", "eagle-eye")}
        WRITTEN.write_bytes(msgspec.json.format(msgspec.json.encode(fitted), indent=0) + b"\n")


if __name__ == "__main__":
    main()
