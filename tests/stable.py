"""What docs/stability.md promises, line by line: `python -m tests.stable --record` writes it down for a release.

A line that is gone, or says something else, takes a new major version; `tests/test_house.py` notices.
"""

import argparse
import inspect
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import msgspec

from illusion import bots, deck, lab, rules
from illusion.cli import COMMANDS
from illusion.cli.serve import APPLICATION
from illusion.tables.public.record import Record
from illusion.web.api import description
from illusion.web.problems import SENTENCES
from illusion.web.telemetry import Telemetry

RECORDED: Final = Path(__file__).with_name("stable.txt")


def surface() -> list[str]:
    return sorted({*rules_lines(), *name_lines(), *api_lines(), *command_lines(), *record_lines(), *metric_lines()})


def rules_lines() -> Iterator[str]:
    """Every name with what belongs to it: parameters, fields, members."""
    for name in rules.__all__:
        thing = getattr(rules, name)
        yield f"rules {name}"
        if inspect.isfunction(thing):
            for parameter in inspect.signature(thing).parameters.values():
                needed = "" if parameter.default is inspect.Parameter.empty else " (optional)"
                yield f"rules {name} takes {parameter.name}{needed}"
        elif inspect.isclass(thing) and issubclass(thing, Enum):
            yield from (f"rules {name} has {each.name} = {each.value}" for each in thing)
        elif is_dataclass(thing):
            yield from (f"rules {name} has {each.name}" for each in fields(thing))


def name_lines() -> Iterator[str]:
    for module in (bots, deck, lab):
        yield from (f"{module.__name__.partition('.')[2]} {name}" for name in module.__all__)


def api_lines() -> Iterator[str]:
    document = description()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield from (f"api {method.upper()} {path} answers {status}" for status in operation["responses"])
    for name, schema in document["components"]["schemas"].items():
        for field in schema.get("properties", {}):
            yield f"api {name} has {field}{'' if field in schema.get('required', ()) else ' (optional)'}"
    yield from (f"api error {code}" for code in SENTENCES)


def command_lines() -> Iterator[str]:
    for command, (adding, _) in COMMANDS.items():
        parser = argparse.ArgumentParser(add_help=False)
        resolve_name(f"illusion.cli.{adding}")(parser)
        yield f"command {command}"
        for action in parser._actions:  # noqa: SLF001  (argparse has no other way to ask)
            yield f"command {command} takes {' '.join(action.option_strings) or action.metavar or action.dest}"
    for option in APPLICATION:
        yield f"environment ILLUSION_{option.removeprefix('--').replace('-', '_').upper()}"


def record_lines() -> Iterator[str]:
    for field in msgspec.structs.fields(Record):
        yield f"record {field.encode_name}{'' if field.required else ' (optional)'}"


def metric_lines() -> Iterator[str]:
    for line in Telemetry().text(0).decode().splitlines():
        match line.split():
            case ["#", "TYPE", name, kind] if name.startswith("illusion_") and not name.endswith("_created"):
                yield f"metric {name} {kind}"


def main() -> None:
    if sys.argv[1:] != ["--record"]:
        sys.exit(__doc__)
    RECORDED.write_text("".join(f"{line}\n" for line in surface()), "utf-8")


if __name__ == "__main__":
    main()
