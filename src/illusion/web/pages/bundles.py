"""A page's scripts in one file: its modules linked, each after those that it imports (a depth-first walk).

Scripts are written as modules. Sent as they are, a first visit would ask for twenty of them, each compressed
on its own and under headers of its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

IMPORT: Final = re.compile(r"^import (?:\{([^}]*)\} from )?'([^']+)';\n", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|function|class) ([\w$]+))", re.MULTILINE)
NO_EXPORT: Final = re.compile(r"^export \{\};\n", re.MULTILINE)
TRAILING_COMMENT: Final = re.compile(r"(?<=[;,(){}]) // .*")
OTHER_FORM: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def link(modules: Mapping[str, str], entries: Iterable[str]) -> str:
    """The entries and all that they import.

    A module becomes a function that runs once and gives what it exports; an entry becomes a block, so it may wait.
    """
    entries = tuple(entries)
    order = _in_order(modules, entries)
    return "".join((_as_block if name in entries else _as_function)(name, modules[name]) for name in order)


def _in_order(modules: Mapping[str, str], entries: Iterable[str]) -> Iterator[str]:
    """Each after those that it imports; ValueError for modules that import one another."""
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> Iterator[str]:
        if name in above:
            raise ValueError(f"{' imports '.join((*above, name))}")
        if name in done:
            return
        for found in IMPORT.finditer(modules[name]):
            yield from visit(_address(name, found[2]), (*above, name))
        done.add(name)
        yield name

    for entry in entries:
        yield from visit(entry, ())


def _as_block(name: str, source: str) -> str:
    return f"{{\n{_linked(name, source)}}}\n"


def _as_function(name: str, source: str) -> str:
    exported = ", ".join(found[1] for found in EXPORT.finditer(source))
    return f"const {_variable(name)} = (() => {{\n{_linked(name, source)}return {{ {exported} }};\n}})();\n"


def _linked(name: str, source: str) -> str:
    """With its imports as constants, and without the word `export`."""
    source = NO_EXPORT.sub("", EXPORT.sub("", source))
    source = IMPORT.sub(lambda found: _imported(found[1], _address(name, found[2])), source)
    other = OTHER_FORM.search(source)
    if other:
        raise ValueError(f"{name}: cannot link “{other[0]}”")
    return "".join(f"{line}\n" for line in _compact(name, source))


def _compact(name: str, source: str) -> Iterator[str]:
    """Without indentation and comments at the end of a line, which only readers need."""
    for line in source.splitlines():
        short = TRAILING_COMMENT.sub("", line.strip())
        if short.count("`") % 2:
            raise ValueError(f"{name}: the text in “{short}” runs over several lines")
        yield short


def _imported(names: str | None, address: str) -> str:
    return f"const {{{names.replace(' as ', ': ')}}} = {_variable(address)};\n" if names else ""


def _address(importer: str, path: str) -> str:
    return normpath(PurePosixPath(importer).parent / path)


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
