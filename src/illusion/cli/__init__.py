"""The command `illusion`. Subcommands are imported on demand, so that each starts fast."""

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pkgutil import resolve_name
from typing import Final

from illusion import __version__

COMMANDS: Final = {
    "play": ("serve:add_play", "open the game in your browser (also without a command)"),
    "serve": ("serve:add_serve", "serve tables in the browser"),
    "verify": ("records:add_verify", "check that a finished game was dealt as promised"),
    "replay": ("records:add_replay", "look at a finished game again, from its record"),
    "export": ("records:add_export", "write tables as JSON lines, to keep or to move them"),
    "import": ("records:add_import", "take in tables that were exported"),
    "backup": ("keep:add_backup", "save the database into a file while people play"),
    "restore": ("keep:add_restore", "put such a file in the database's place"),
    "check": ("keep:add_check", "say what this version would do to a database"),
    "deck": ("deck:add_deck", "draw a deck of ninety-eight new pictures, to look at or to print"),
    "arena": ("arena:add_arena", "let bots play many games against each other, and count"),
}
"""By name: the function that adds the arguments, and the help text."""
INTERRUPTED: Final = 130
"""The exit status that shells give a command ended by Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> None:
    """Parse and run a command line; a wrong one ends with a sentence and exit code 2."""
    arguments = list(sys.argv[1:] if argv is None else argv) or ["play"]
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(errors="replace")  # old code pages lack characters
    parser = argparse.ArgumentParser(prog="illusion", description="How much colour can you really see?")
    parser.add_argument("--version", action="version", version=f"illusion {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="command", required=True)
    for name, (adding, purpose) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose)
        if name in arguments:
            resolve_name(f"illusion.cli.{adding}")(command)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        sys.stderr.close()  # silence the warning at exit
        raise SystemExit(0) from None
    except Exception as failure:
        said = _sentence(failure)
        if said is None:
            raise
        raise SystemExit(f"illusion: {said}") from None


def _sentence(failure: Exception) -> str | None:
    """The sentence for an expected failure; None for others, which need their traceback."""
    from illusion.deck.deck_files import CannotWrite, MissingExtra  # noqa: PLC0415  (slow to load)
    from illusion.lab.executors import NoCluster  # noqa: PLC0415
    from illusion.tables import CannotOpen, StoreFailed  # noqa: PLC0415
    from illusion.tables.transfer import CannotTransfer  # noqa: PLC0415
    from illusion.web import CannotListen  # noqa: PLC0415

    match failure:
        case CannotOpen():
            return f"the database cannot be used: {failure}"
        case StoreFailed():
            return f"the database failed: {failure}"
        case CannotListen() | CannotWrite() | CannotTransfer() | MissingExtra() | NoCluster():
            return str(failure)
    return None
