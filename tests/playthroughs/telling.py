"""How a story of play-throughs is registered, and what people in several stories do."""

from collections.abc import Callable, Sequence
from inspect import getdoc
from pathlib import Path
from typing import Any, Final

from harness.playthroughs.people import Person
from harness.playthroughs.story import Story

RECORDINGS: Final[dict[str, Callable[[Path], None]]] = {}
"""By name: what writes one or several files into a folder."""


def story(**settings: Any) -> Callable[[Callable[[Story], None]], Callable[[Path], None]]:
    """Registers a function as a story; its docstring heads the recording. Settings are those of `Story`."""

    def register(tells: Callable[[Story], None]) -> Callable[[Path], None]:
        name = tells.__name__.replace("_", "-")

        def record(folder: Path) -> None:
            begun = Story(name, getdoc(tells) or "", **settings)
            tells(begun)
            (folder / f"{name}.txt").write_text(begun.end())

        RECORDINGS[name] = record
        return record

    return register


def at_a_table(story: Story, *names: str, browser: bool = False, **options: object) -> list[Person]:
    """Programs, or people with browsers, at a new table that has not started; the host first."""
    people = [Person(story, name, browser=browser) for name in names]
    people[0].opens(**{"seats": len(names), **options})  # type: ignore[arg-type]
    for each in people[1:]:
        each.sits(people[0].table)
    return people


def play(people: Sequence[Person], moves: int = 1000, *, row: int = 4, gap: int = 0) -> None:
    """Whoever's turn it is lays the card into this gap (-1 is the last one), and doubts a row that is so long.

    Bots between the people move by themselves.
    """
    for _ in range(moves):
        view = people[0].view
        if view["over"]:
            return
        at_turn = next(each["name"] for each in view["players"] if each["seat"] == view["to_play"])
        mover, length = next(each for each in people if at_turn in each.names), len(view["row"])
        if length >= row or not view["legal"]["gaps"]:
            mover.doubts()
        else:
            mover.places(range(length + 1)[gap])
