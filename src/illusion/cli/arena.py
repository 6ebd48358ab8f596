"""`illusion arena`: bots against bots."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from tqdm import tqdm

from illusion.bots import LEVEL_NAMES
from illusion.bots.entrants import GROUP, NoSuchPlayer, player
from illusion.cli.arguments import add_executor, count, either, one_of, seed
from illusion.rules import Penalty, Variant
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS

VARIANTS: Final = tuple(variant.value for variant in Variant)
_PLAYERS: Final = f"{either(LEVEL_NAMES)}, an entry point of {GROUP}, or a mind of your own as module:Mind"
PENALTIES: Final = tuple(penalty.value for penalty in Penalty)


def add_arena(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=_players, required=True, metavar="LEVEL,…", help=_PLAYERS)
    parser.add_argument("--games", type=count, default=1000, metavar="N", help="default: 1000")
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="the same seed gives the same result")
    parser.add_argument("--variant", type=one_of(VARIANTS), default=VARIANTS[0], help=either(VARIANTS))
    parser.add_argument(
        "--penalty",
        type=one_of(PENALTIES),
        default=PENALTIES[0],
        help=f"what a wrong doubt costs (R5.5): {either(PENALTIES)}",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_executor(parser)
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw win rates and the rows' lengths")
    parser.set_defaults(run=_arena)


def _arena(chosen: argparse.Namespace) -> None:
    from illusion.lab import arena, plot  # noqa: PLC0415  (numpy and the bots are slow to load)
    from illusion.lab.executors import executor  # noqa: PLC0415
    from illusion.lab.measured_decks import DECKS, measured_pile  # noqa: PLC0415

    if chosen.plot is not None and not chosen.plot.parent.is_dir():
        raise SystemExit(f"illusion: there is no folder {chosen.plot.parent} to write {chosen.plot.name} into")
    variant, penalty = Variant(chosen.variant), Penalty(chosen.penalty)

    at_once = arena.games_per_task(chosen.players)

    def progress(tallies: Iterable[arena.Tally], count: int) -> Iterable[arena.Tally]:
        return tqdm(tallies, total=count, desc="Playing", unit=f"x{at_once}", disable=None, leave=False)

    parts = -(-chosen.games // at_once)
    with executor(min(chosen.jobs, parts), chosen.on) as workers:
        for deck in tqdm(DECKS, desc="Drawing decks", unit="deck", disable=None, leave=False):
            measured_pile(deck, variant)  # takes seconds the first time, then it is cached
        tally = arena.compete(chosen.players, chosen.games, chosen.seed, variant, workers, progress, penalty)
    result = arena.report(chosen.players, chosen.seed, variant, penalty, tally)
    if chosen.plot is not None:
        try:
            chosen.plot.write_bytes(plot.plot_svg(result).encode())
        except OSError as error:
            raise SystemExit(f"illusion: {chosen.plot} cannot be written: {error.strerror}") from None
    if chosen.json:
        print(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())
        return
    for each in result.players:
        rate, low, high = (100 * number for number in (each.win_rate, each.low, each.high))
        print(f"{each.level:12} {rate:5.1f} %   ({low:.1f} to {high:.1f})   {each.wins:,} wins")
    costs = "" if penalty is Penalty.NOTHING else f", a wrong doubt costs: {penalty}"
    print(f"{result.games:,} games, {variant}{costs}: {result.rounds:.2f} rounds, {result.cards_used:.1f} cards a game")
    if result.shared_wins:
        print(f"{result.shared_wins:,} games had several winners; each of them is counted")
    right = 100 * result.doubts_right
    print(f"{result.row_at_doubt:.2f} cards in the row at a doubt; {right:.1f} % of the doubts were right")
    print(f"Decks {', '.join(map(str, result.decks))}")
    if (faster := arena.speed_hint(chosen.players, chosen.games)) is not None:
        print(faster)


def _players(text: str) -> list[str]:
    """Two to five names, separated by commas. Modules are also found in the current folder."""
    players = [name.strip() for name in text.split(",")]
    sys.path.append(str(Path.cwd()))
    for name in players:
        try:
            player(name)
        except NoSuchPlayer as reason:
            raise argparse.ArgumentTypeError(str(reason)) from None
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise argparse.ArgumentTypeError(f"two to five can play, not {len(players)}")
    return players
