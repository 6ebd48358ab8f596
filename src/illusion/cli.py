"""The command `illusion`."""

import argparse
import asyncio
import ipaddress
import math
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TypeVar

import msgspec
from tqdm import tqdm

from illusion import __version__
from illusion.bots import LEVEL_NAMES
from illusion.bots.minds.learned import Learned, NoWeights, read_weights
from illusion.deck import LATEST, PALETTES, Card, PicturesDiffer, check_pictures, make_deck
from illusion.deck.generators import GENERATORS
from illusion.deck.output.deck_files import CannotWrite, MissingExtra, write_contact_sheet, write_folder, write_pdf
from illusion.languages import languages
from illusion.rules import Variant
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables import CannotOpen, Pace, Store, StoreFailed, default_database, exclusive_use, store_at
from illusion.tables.model.entries import encode
from illusion.tables.public.record import MAX_RECORD_BYTES, InvalidRecord, Record, entries, find_mismatch, read_record
from illusion.tables.runtime.export_import import CannotTransfer, Imported, exported_lines, import_file

Result = TypeVar("Result")

PAPERS = ("a4", "letter")
VARIANTS = tuple(variant.value for variant in Variant)
LOGS = ("trouble", "notable", "requests")
LIMITS = (
    *("requests", "changes", "seat", "tables", "unfinished", "cpu", "misses"),
    *("connections", "streams", "table_streams", "seat_streams"),
)
INTERRUPTED = 130
"""The exit status that shells give a command ended by Ctrl-C."""
MAX_NUMBER = 10**9
MAX_SEED_DIGITS = 1000
MAX_ADDRESS = 253
HOST_NAME = re.compile(r"[\w.-]+", re.ASCII)
MAX_SHOWN = 60
"""Characters of a wrong argument that its refusal repeats."""
_LIMITS = f"set a limit on guests, 0 lifts it: {', '.join(LIMITS)}"
_PROXY = "trust this proxy (or network) for the client address and TLS"
_HOST_NAME = "serve under this name alone; may be repeated (addresses and localhost always work)"
_PAINTERS = "processes that draw pictures (default: one less than the cores, at least one; 0 draws them in the server)"
_METRICS = "who may read /metrics besides this machine itself"
_GENERATOR = f"draw it as generator N did, to reprint a card of an older deck (default: {LATEST}, the latest)"
_DATABASE = "a file, or postgresql://… (default: a file in your data folder)"


def main(argv: Sequence[str] | None = None) -> None:
    """Parse the command line and do what it says; a wrong one ends with a sentence and exit code 2."""
    parser = argparse.ArgumentParser(prog="illusion", description="How much colour can you really see?")
    parser.add_argument("--version", action="version", version=f"illusion {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="command")
    _add_play(commands.add_parser("play", help="open the game in your browser (also without a command)"))
    _add_serve(commands.add_parser("serve", help="serve tables in the browser"))
    _add_verify(commands.add_parser("verify", help="check that a finished game was dealt as promised"))
    _add_replay(commands.add_parser("replay", help="look at a finished game again, from its record"))
    _add_export(commands.add_parser("export", help="write tables as JSON lines, to keep or to move them"))
    _add_import(commands.add_parser("import", help="take in tables that were exported"))
    _add_deck(commands.add_parser("deck", help="draw a deck of ninety-eight new pictures, to look at or to print"))
    _add_arena(commands.add_parser("arena", help="let bots play each other many times, and count"))
    arguments = sys.argv[1:] if argv is None else argv
    chosen = parser.parse_args(arguments or ["play"])
    try:
        chosen.run(chosen)
    except CannotOpen as refusal:
        raise SystemExit(f"illusion: the database cannot be used: {refusal}") from None
    except StoreFailed as failure:
        raise SystemExit(f"illusion: the database failed: {failure}") from None
    except (CannotWrite, CannotTransfer, MissingExtra, PicturesDiffer) as refusal:
        raise SystemExit(f"illusion: {refusal}") from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        sys.stderr.close()  # nobody reads on; say nothing about it
        raise SystemExit(0) from None


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lan", action="store_true", help="let phones on the same network join")
    parser.add_argument("--database", metavar="DB", help=_DATABASE)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_play)


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", type=_address, default="127.0.0.1", help="address to listen on (default: this machine alone)"
    )
    parser.add_argument("--port", type=_port, default=8000, help="default: 8000; 0 takes a free one")
    parser.add_argument("--database", metavar="DB", help=_DATABASE)
    parser.add_argument("--workers", type=_workers, default=1, metavar="N", help="processes; several need PostgreSQL")
    parser.add_argument("--painters", type=_painters, metavar="N", help=_PAINTERS)
    parser.add_argument("--lan", action="store_true", help="let phones on the same network join")
    parser.add_argument("--bot-seconds", type=_seconds, default=1.5, metavar="S", help="how long a bot thinks")
    parser.add_argument("--idle-hours", type=_hours, default=6, metavar="H", help="when a forgotten table is closed")
    guests = parser.add_argument_group("guests and proxies, see docs/operating.md")
    guests.add_argument("--tables-a-minute", type=_whole, metavar="N", help="new tables from one address (60)")
    guests.add_argument("--limit", type=_limit, action="append", default=[], metavar="NAME=N", help=_LIMITS)
    guests.add_argument("--no-limits", action="store_true", help="lift all limits")
    guests.add_argument("--trusted-proxy", type=_network, action="append", default=[], metavar="ADDRESS", help=_PROXY)
    guests.add_argument("--host-name", type=_host_name, action="append", default=[], metavar="NAME", help=_HOST_NAME)
    guests.add_argument("--metrics-from", type=_network, action="append", default=[], metavar="ADDRESS", help=_METRICS)
    guests.add_argument("--log", type=_one_of(LOGS), default="trouble", help=f"JSON lines: {_either(LOGS)}")
    parser.set_defaults(run=_serve)


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="GAME.json", help="saved after a game, with “Save this game”")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_replay)


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="TABLE.json", help="from the table's page, or /api/tables/ID/record")
    parser.set_defaults(run=_verify)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=_DATABASE)
    parser.add_argument("--table", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument("file", metavar="FILE", help="where to; - writes to the standard output")
    parser.set_defaults(run=_export)


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=_DATABASE)
    parser.add_argument("file", metavar="FILE", help="where from; - reads from the standard input")
    parser.set_defaults(run=_import)


def _add_deck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=_seed, required=True, metavar="N", help="the same seed draws the same deck")
    parser.add_argument("--generator", type=_generator, default=LATEST, metavar="N", help=_GENERATOR)
    parser.add_argument("--out", type=Path, metavar="DIR", help="write fronts, backs, arrows and deck.json there")
    parser.add_argument("--contact-sheet", type=Path, metavar="FILE", help="all fronts on one picture, .svg or .png")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="the deck to print and cut, nine cards a sheet")
    parser.add_argument("--palette", type=_one_of(PALETTES), default="standard", help=_either(PALETTES))
    parser.add_argument("--paper", type=_one_of(PAPERS), default="a4", help=f"for --pdf: {_either(PAPERS)}")
    parser.add_argument("--lang", type=_one_of(languages()), default="en", help=f"for --pdf: {_either(languages())}")
    parser.set_defaults(run=_deck, usage_error=parser.error)


def _add_arena(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=_levels, required=True, metavar="LEVEL,…", help=_either(LEVEL_NAMES))
    parser.add_argument(
        "--learned", type=Path, metavar="FILE.npz", help="weights of tools/train_mind.py, for players called 'learned'"
    )
    parser.add_argument("--games", type=_count, default=1000, metavar="N", help="default: 1000")
    parser.add_argument("--seed", type=_seed, default=1, metavar="N", help="the same seed gives the same result")
    parser.add_argument("--variant", type=_one_of(VARIANTS), default=VARIANTS[0], help=_either(VARIANTS))
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--jobs", type=_jobs, default=os.cpu_count() or 1, metavar="N", help="default: one per core")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw win rates and the rows' lengths")
    parser.set_defaults(run=_arena)


def _play(chosen: argparse.Namespace) -> None:
    from illusion.web import CannotListen, serve  # noqa: PLC0415  (a server is slow to load)

    try:
        serve(port=0, database=chosen.database, lan=chosen.lan, open_browser=not chosen.no_browser)
    except CannotListen as refusal:
        raise SystemExit(f"illusion: {refusal}") from None


def _serve(chosen: argparse.Namespace) -> None:
    from illusion.web import CannotListen, Limits, serve  # noqa: PLC0415  (a server is slow to load)

    limits = Limits.lifted() if chosen.no_limits else Limits()
    if chosen.tables_a_minute is not None:
        limits = replace(limits, tables=chosen.tables_a_minute)
    try:
        serve(
            chosen.host,
            chosen.port,
            chosen.database,
            lan=chosen.lan,
            pace=Pace(bot_s=chosen.bot_seconds, idle_s=chosen.idle_hours * 3600),
            limits=replace(limits, **dict(chosen.limit)),
            trusted_proxies=chosen.trusted_proxy,
            log=chosen.log,
            metrics_from=chosen.metrics_from,
            host_names=chosen.host_name,
            workers=chosen.workers,
            painters=chosen.painters,
        )
    except CannotListen as refusal:
        raise SystemExit(f"illusion: {refusal}") from None


def _export(chosen: argparse.Namespace) -> None:
    """A file is there whole or not at all, and for the host's eyes only: it holds the secrets of running games."""

    async def export(store: Store, file: IO[bytes]) -> None:
        async for line in exported_lines(store, chosen.table):
            file.write(line)

    if chosen.file == "-":
        asyncio.run(_with_store(chosen.database, lambda store: export(store, sys.stdout.buffer)))
        return
    wanted = Path(chosen.file)
    if wanted.exists() and not wanted.is_file():
        raise SystemExit(f"illusion: {chosen.file} cannot be written: it is not a file")
    part = None
    try:
        with tempfile.NamedTemporaryFile(dir=wanted.parent, prefix=f"{wanted.name[:99]}.", delete=False) as file:
            part = file.name
            asyncio.run(_with_store(chosen.database, lambda store: export(store, file)))
        os.replace(part, wanted)
    except OSError as error:
        raise SystemExit(f"illusion: {chosen.file} cannot be written: {error.strerror}") from None
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)


def _import(chosen: argparse.Namespace) -> None:
    database = chosen.database or default_database()
    try:
        with sys.stdin.buffer if chosen.file == "-" else open(chosen.file, "rb") as file, exclusive_use(database):
            moved: Imported = asyncio.run(_with_store(database, lambda store: import_file(store, file)))
    except OSError as error:
        raise SystemExit(f"illusion: {chosen.file} cannot be read: {error.strerror}") from None
    print(f"Taken in: {moved.tables - moved.known} tables; {moved.known} were there already.")


async def _with_store(database: Path | str | None, work: Callable[[Store], Awaitable[Result]]) -> Result:
    store = store_at(database or default_database())
    await store.open()
    try:
        return await work(store)
    finally:
        await store.close()


def _verify(chosen: argparse.Namespace) -> None:
    record = _verified(chosen.file)
    print(f"As promised: the commitment fits, and all cards of table {record.table} came in the order it fixed.")
    try:
        check_pictures(int(record.secret["generator"]))
    except PicturesDiffer as refusal:
        print(f"Its pictures cannot be had exactly here: {refusal}.")


def _replay(chosen: argparse.Namespace) -> None:
    """The game gets a table of its own, in a database that is gone afterwards."""
    from illusion.web import CannotListen, serve  # noqa: PLC0415  (a server is slow to load)

    record = _verified(chosen.file)
    with tempfile.TemporaryDirectory(prefix="illusion-replay-") as folder:
        database = Path(folder, "tables.db")
        log = [encode(entry) for entry in entries(record)]
        asyncio.run(_with_store(database, lambda store: store.append(record.table, 1, log, ended=True)))
        try:
            serve(database=database, open_browser=not chosen.no_browser, page=f"table/{record.table}/replay")
        except CannotListen as refusal:
            raise SystemExit(f"illusion: {refusal}") from None


def _verified(path: Path) -> Record:
    """The record in a file; ends with one sentence if it is none, or not as promised."""
    try:
        with path.open("rb") as file:
            record = read_record(file.read(MAX_RECORD_BYTES + 1))
    except OSError as error:
        raise SystemExit(f"illusion: {path} cannot be read: {error.strerror}") from None
    except InvalidRecord as refusal:
        raise SystemExit(f"illusion: {path} is not the record of a game: {refusal}") from None
    doubts = find_mismatch(record)
    if doubts is not None:
        raise SystemExit(f"illusion: not as promised: {doubts}")
    return record


def _deck(chosen: argparse.Namespace) -> None:
    if not (chosen.out or chosen.contact_sheet or chosen.pdf):
        chosen.usage_error("say what to make: --out DIR, --contact-sheet FILE or --pdf FILE")
    check_pictures(chosen.generator)
    deck, palette = make_deck(chosen.seed, chosen.generator), PALETTES[chosen.palette]
    if chosen.out:
        write_folder(deck, chosen.out, palette, _progress)
    if chosen.contact_sheet:
        write_contact_sheet(deck, chosen.contact_sheet, palette, _progress)
    if chosen.pdf:
        write_pdf(deck, chosen.pdf, palette, chosen.paper, languages()[chosen.lang], _progress)


def _arena(chosen: argparse.Namespace) -> None:
    from illusion.lab import arena, plot  # noqa: PLC0415  (numpy and the bots are slow to load)
    from illusion.lab.measured_decks import measured_pile  # noqa: PLC0415

    if chosen.plot is not None and not chosen.plot.parent.is_dir():
        raise SystemExit(f"illusion: there is no folder {chosen.plot.parent} to write {chosen.plot.name} into")
    variant = Variant(chosen.variant)
    learned = _learned(chosen.players, chosen.learned)

    def progress(tallies: Iterable[arena.Tally], count: int) -> Iterable[arena.Tally]:
        return tqdm(tallies, total=count, desc="Playing", unit=f"x{arena.GAMES_AT_ONCE}", disable=None, leave=False)

    for deck in tqdm(arena.DECKS, desc="Drawing decks", unit="deck", disable=None, leave=False):
        measured_pile(deck, variant)  # takes seconds the first time, and is kept
    tally = arena.compete(chosen.players, chosen.games, chosen.seed, variant, chosen.jobs, progress, learned)
    result = arena.report(chosen.players, chosen.seed, variant, tally)
    if chosen.plot is not None:
        try:
            chosen.plot.write_text(plot.plot_svg(result), encoding="utf-8")
        except OSError as error:
            raise SystemExit(f"illusion: {chosen.plot} cannot be written: {error.strerror}") from None
    if chosen.json:
        print(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())
        return
    for player in result.players:
        rate, low, high = (100 * number for number in (player.win_rate, player.low, player.high))
        print(f"{player.level:12} {rate:5.1f} %   ({low:.1f} to {high:.1f})   {player.wins:,} wins")
    print(f"{result.games:,} games, {variant}: {result.rounds:.2f} rounds, {result.cards_used:.1f} cards a game")
    if result.shared_wins:
        print(f"{result.shared_wins:,} games had several winners; each of them is counted")
    right = 100 * result.doubts_right
    print(f"{result.row_at_doubt:.2f} cards in the row at a doubt; {right:.1f} % of the doubts were right")
    print(f"Decks {', '.join(map(str, result.decks))} of generator {result.generator}")
    if (faster := arena.what_is_faster()) is not None:
        print(faster)


def _learned(players: Sequence[str], file: Path | None) -> Learned | None:
    """The mind of those who are called so."""
    if "learned" not in players:
        return None
    if file is None:
        raise SystemExit("illusion: a player 'learned' needs weights: --learned FILE.npz, made by tools/train_mind.py")
    try:
        weights = read_weights(file)
    except NoWeights as refusal:
        raise SystemExit(f"illusion: {refusal}") from None
    if len(players) not in weights:
        raise SystemExit(
            f"illusion: {file} has weights for {', '.join(map(str, weights))} players, not {len(players)}."
        )
    return Learned(weights)


def _progress(cards: Sequence[Card]) -> Iterable[Card]:
    """A bar on a terminal, nothing elsewhere."""
    return tqdm(cards, desc="Drawing", unit="card", disable=None, leave=False)


def _either(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _one_of(names: Collection[str]) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text not in names:
            raise _wrong(f"choose {_either(names)}", text)
        return text

    return check


def _levels(text: str) -> list[str]:
    """Two to five levels, with commas between them."""
    players = [name.strip() for name in text.split(",")]
    for name in players:
        _one_of((*LEVEL_NAMES, "learned"))(name)
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise argparse.ArgumentTypeError(f"two to five can play, not {len(players)}")
    return players


def _wrong(wanted: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{wanted}, not {_shown(text)}")


def _shown(text: str) -> str:
    return f"{text[:MAX_SHOWN]!r}{'…' if len(text) > MAX_SHOWN else ''}"


def _whole_number(wanted: str, text: str, least: int = 0, most: int = MAX_NUMBER) -> int:
    """The number is looked at only if it is not too long: Python refuses to read thousands of digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise _wrong(wanted, text)
    return int(text)


def _number(wanted: str, text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:  # nor is NaN
        raise _wrong(wanted, text)
    return number


def _whole(text: str) -> int:
    return _whole_number("a whole number from 0 up", text)


def _count(text: str) -> int:
    return _whole_number("a whole number from 1 up", text, 1)


def _jobs(text: str) -> int:
    return _whole_number("from 1 to 256 processes", text, 1, 256)


def _port(text: str) -> int:
    return _whole_number("a port from 0 to 65535", text, 0, 65535)


def _seconds(text: str) -> float:
    return _number("from 0 to 600 seconds", text, 0, 600)


def _hours(text: str) -> float:
    return _number("from 0 to 10000 hours", text, 0, 10_000)


def _limit(text: str) -> tuple[str, int]:
    wanted = f"a limit is NAME=N with {_either(LIMITS)}"
    name, _, number = text.partition("=")
    if name not in LIMITS:
        raise _wrong(wanted, text)
    return name, _whole_number(wanted, number)


def _address(text: str) -> str:
    """An empty one would mean all of this machine's networks."""
    if not text.strip() or len(text) > MAX_ADDRESS:
        raise _wrong("an address to listen on", text)
    return text


def _host_name(text: str) -> str:
    if len(text) > MAX_ADDRESS or not HOST_NAME.fullmatch(text):
        raise _wrong("a name such as illusion.example, without a port", text)
    return text


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise _wrong("an address or a network such as 10.0.0.0/8", text) from None


def _painters(text: str) -> int:
    return _whole_number("from 0 to 64 painters", text, 0, 64)


def _workers(text: str) -> int:
    return _whole_number("from 1 to 64 workers", text, 1, 64)


def _generator(text: str) -> int:
    if text not in map(str, GENERATORS):
        raise argparse.ArgumentTypeError(
            f"there is no generator {_shown(text)}: choose {_either(map(str, GENERATORS))}"
        )
    return int(text)


def _seed(text: str) -> int:
    most = f" of at most {MAX_SEED_DIGITS} digits" if len(text) > MAX_SEED_DIGITS else ""
    return _whole_number(f"a seed is a whole number from 0 up{most}", text, 0, 10**MAX_SEED_DIGITS - 1)
