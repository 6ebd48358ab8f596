"""Evenings of pages on our server and on others, one after another in the same run."""

from collections.abc import Sequence
from typing import NamedTuple

from bench.load.evening.drive import PAGES, Task
from bench.load.evening.measure import Measured, measure
from bench.load.servers import Server

TITLES = ("moves", "all ms", "serving", "drawing", "client", "page 50 %", "99 %", "picture", "99 %", "KB a table")
LEGEND = """\
  all         CPU a move of all the server's processes, its database included; of it serving and drawing; client: of the
              four pages together
  page        milliseconds from when a move was due until the last of four pages has it: half of them, 99 of 100
  picture     until the last of four has the picture of the card that the move brought
  KB a table  by which the server grows for each table with four pages"""


class Window(NamedTuple):
    """How long, how many seconds between a table's moves, and how many languages at a table, one after the other."""

    seconds: float
    every: float
    languages: Sequence[int]


def report(found: Sequence[Server], sizes: Sequence[int], window: Window, clients: int) -> None:
    seconds, every, wanted = window
    print(f"Evenings: four pages a table with all pictures, a move every {every:g} s at each table, {seconds:g} s")
    print(f"  {'':46}{'tables':>7}" + "".join(f"{title:>11}" for title in TITLES) + "  errors")
    for tables in sizes:
        for server in found:
            for languages in wanted if server.contender == PAGES else (1,):
                task = Task(server.contender, 0, tables, seconds, every, languages)
                told = f"{server.name}, {languages} languages" if languages > 1 else server.name
                line(told, tables, measure(server, task, clients))
    print(LEGEND)


def line(name: str, tables: int, figures: Measured) -> None:
    whole = figures.serving + (figures.drawing or 0) + (figures.database or 0)
    drawing = "-" if figures.drawing is None else f"{figures.drawing:.2f}"
    cpu = (f"{figures.moves:,}", f"{whole:.2f}", f"{figures.serving:.2f}", drawing, f"{figures.client:.2f}")
    delays = (f"{delay:,.0f}" for delay in (*figures.page, *figures.picture))
    told = "".join(f"{each:>11}" for each in (*cpu, *delays, f"{figures.memory:,.0f}"))
    trouble = ", ".join(f"{count} {what}" for what, count in figures.trouble.most_common(5))
    print(f"  {name:46}{tables:>7}{told}  {trouble or 'none'}", flush=True)
