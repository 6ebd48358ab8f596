"""Train the learned mind, measure it against a level with the same eyes, and train best responses to every mind.

    python -m tools.train_mind --out learned.npz                            # 2 to 5 players, on an accelerator
    python -m tools.train_mind --weights learned.npz --best-responses       # one to it, and one to each of the levels
    python -m tools.train_mind --lanes 64 --steps 16 --updates 2 --games 40 --players 2 --out tiny.npz   # to try it

In some of the lanes it plays itself, in the others the level. A best response has one seat, starts from the learned
mind, and has the eyes of whom it plays against.

Needs the extra `gpu` (JAX), and JAX's own plugin for the accelerator. Prints a line of JSON for every result.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np

from illusion.bots import LEVEL_NAMES, levels
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.lab.arena import DECKS
from illusion.lab.arena_report import wilson_interval
from illusion.lab.batch import CannotPlay
from illusion.lab.crowd.environment import BatchEnvironment
from illusion.lab.learning.learned import Learned, NoWeights, Weights, read_weights, write_weights
from illusion.lab.learning.measuring import duel
from illusion.lab.learning.training import Plan, Trainer, trained


def said(**figures: object) -> None:
    print(json.dumps(figures), flush=True)


def learned(
    players: int,
    eyes: Eyes,
    plan: Plan,
    chosen: argparse.Namespace,
    opponent: Mind | None,
    start: Weights | None = None,
) -> Weights:
    environment = BatchEnvironment(players, eyes=eyes, decks=range(chosen.decks), longest=chosen.longest, backend="jax")
    began, update, weights = time.perf_counter(), 0, None
    for update, (after, figures) in enumerate(Trainer(environment, plan, opponent).train(start), 1):
        weights = after
        if update % chosen.every == 0:
            rounded = {name: round(figure, 4) for name, figure in figures.items()}
            print(f"{players} players, update {update}: {rounded}", file=sys.stderr, flush=True)
    assert weights is not None
    decisions = plan.lanes * plan.steps * update
    seconds = time.perf_counter() - began
    said(
        trained=players, against=_name(opponent), in_lanes=plan.against, seconds=round(seconds, 1), decisions=decisions
    )  # fmt: skip
    return Weights(*(np.asarray(array) for array in weights))


def measured(name: str, mind: Mind, other: Mind, eyes: Eyes, players: int, chosen: argparse.Namespace) -> None:
    """How often one player of the mind wins against others of another, with the same eyes; rows up to 64 cards."""
    environment = BatchEnvironment(players, eyes=eyes, decks=DECKS, longest=64, backend="jax")
    share = duel(environment, mind, other, chosen.games, chosen.seed + 1000)
    low, high = wilson_interval(round(share * chosen.games), chosen.games)
    said(
        what=name, players=players, won=round(share, 4), low=round(low, 4), high=round(high, 4), games=chosen.games,
        even=round(1 / players, 4),
    )  # fmt: skip


def best_response(
    name: str, mind: Mind, eyes: Eyes, players: int, chosen: argparse.Namespace, plan: Plan, start: Weights
) -> None:
    response = trained(learned(players, eyes, replace(plan, against=1.0), chosen, mind, start), players)
    measured(f"best response to {name}", response, mind, eyes, players, chosen)


def _name(mind: Mind | None) -> str:
    return "itself" if mind is None else type(mind).__name__


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5], choices=(2, 3, 4, 5))
    parser.add_argument("--level", default="eagle-eye", choices=LEVEL_NAMES, help="whose eyes, and whom to beat")
    parser.add_argument("--out", type=Path, help="where the weights are written to (.npz)")
    parser.add_argument("--weights", type=Path, help="measure these instead of training")
    parser.add_argument("--best-responses", action="store_true", help="train one against it and against every level")
    everybody = ("learned", *LEVEL_NAMES)
    parser.add_argument("--against", nargs="+", default=everybody, choices=everybody, help="or against these alone")
    parser.add_argument("--share", type=float, default=0.5, help="of the lanes, those in which it plays the level")
    parser.add_argument("--lanes", type=int, default=Plan.lanes)
    parser.add_argument("--steps", type=int, default=Plan.steps)
    parser.add_argument("--updates", type=int, default=Plan.updates)
    parser.add_argument("--seconds", type=float, help="train so long instead, compiling not counted")
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--longest", type=int, default=32, help="the longest row in training")
    parser.add_argument("--decks", type=int, default=8, help="how many decks to train on")
    parser.add_argument("--games", type=int, default=65_536, help="to measure with")
    parser.add_argument("--every", type=int, default=20, help="report after so many updates")
    chosen = parser.parse_args(arguments)
    if (chosen.out is None) == (chosen.weights is None):
        parser.error("either --out FILE, to train, or --weights FILE, to measure")
    for name in ("steps", "updates", "decks", "games", "every"):
        if getattr(chosen, name) < 1:
            parser.error(f"--{name} needs a whole number from 1 up, not {getattr(chosen, name)}")
    if not 0 <= chosen.share <= 1:
        parser.error(f"a share is a number from 0 to 1, not {chosen.share}")
    jax.config.update("jax_default_matmul_precision", "highest")  # chances are products of many small numbers
    plan = Plan(chosen.lanes, chosen.steps, chosen.updates, chosen.seconds, against=chosen.share, seed=chosen.seed)
    level = levels()[chosen.level]
    try:
        found = {} if chosen.weights is None else read_weights(chosen.weights)
    except NoWeights as refusal:
        parser.error(str(refusal))
    for players in chosen.players:
        if chosen.out is None and players not in found:
            parser.error(f"{chosen.weights} has no weights for {players} players")
        if chosen.out is not None:
            found[players] = learned(players, level.eyes, plan, chosen, level.mind if chosen.share else None)
            write_weights(chosen.out, found)
        mind = Learned({players: found[players]})
        if chosen.out is not None or not chosen.best_responses:
            measured(f"learned against {chosen.level}", mind, level.mind, level.eyes, players, chosen)
            measured(f"{chosen.level} against learned", level.mind, mind, level.eyes, players, chosen)
        if chosen.best_responses:
            minds = {"learned": (mind, level.eyes)}
            minds |= {name: (each.mind, each.eyes) for name, each in levels().items()}
            for name in chosen.against:
                best_response(name, *minds[name], players, chosen, plan, found[players])


if __name__ == "__main__":
    try:
        main()
    except CannotPlay as refusal:
        raise SystemExit(f"train_mind: {refusal}") from None
