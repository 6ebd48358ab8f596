"""`illusion export` and `illusion import`: tables as JSON lines, to keep or to move them."""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO, TypeVar

from illusion.cli.arguments import DATABASE
from illusion.tables import Store, default_database, exclusive_use, store_at
from illusion.tables.transfer import Imported, exported_lines, import_file

Result = TypeVar("Result")


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("--table", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument("file", metavar="FILE", help="where to; - writes to the standard output")
    parser.set_defaults(run=_export)


def add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("file", metavar="FILE", help="where from; - reads from the standard input")
    parser.set_defaults(run=_import)


def _export(chosen: argparse.Namespace) -> None:
    """A file is there whole or not at all, and for the host's eyes only: it holds the secrets of running games."""

    async def export(store: Store, file: IO[bytes]) -> None:
        async for line in exported_lines(store, chosen.table):
            file.write(line)

    if chosen.file == "-":
        asyncio.run(with_store(chosen.database, lambda store: export(store, sys.stdout.buffer)))
        return
    wanted = Path(chosen.file)
    if wanted.exists() and not wanted.is_file():
        raise SystemExit(f"illusion: {chosen.file} cannot be written: it is not a file")
    part = None
    try:
        with tempfile.NamedTemporaryFile(dir=wanted.parent, prefix=f"{wanted.name[:99]}.", delete=False) as file:
            part = file.name
            asyncio.run(with_store(chosen.database, lambda store: export(store, file)))
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
            moved: Imported = asyncio.run(with_store(database, lambda store: import_file(store, file)))
    except OSError as error:
        raise SystemExit(f"illusion: {chosen.file} cannot be read: {error.strerror}") from None
    print(f"Taken in: {moved.tables - moved.known} tables; {moved.known} were there already.")


async def with_store(database: Path | str | None, work: Callable[[Store], Awaitable[Result]]) -> Result:
    store = store_at(database or default_database())
    await store.open()
    try:
        return await work(store)
    finally:
        await store.close()
