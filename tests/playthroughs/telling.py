"""How a story of play-throughs is registered, and what people in several stories do."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from harness.playthroughs.story import Person, Story

Tells = Callable[[Story], None]


class Told(NamedTuple):
    """A story, with what its server and its lots are to be like."""

    tells: Tells
    settings: dict[str, Any]


STORIES: Final[dict[str, Told]] = {}
"""By the name of the recording."""


def story(**settings: Any) -> Callable[[Tells], Tells]:
    """Registers a function as a story; its docstring heads the recording. Settings are those of `Story`."""

    def register(tells: Tells) -> Tells:
        STORIES[tells.__name__.replace("_", "-")] = Told(tells, settings)
        return tells

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

    `people` are in the order of the game's seats; bots between them move by themselves.
    """
    by_seat = {seat: each for each in people for seat in seats_of(each)}
    for _ in range(moves):
        view = people[0].view
        if view["over"]:
            return
        mover, length = by_seat[view["to_play"]], len(view["row"])
        if length >= row or not view["legal"]["gaps"]:
            mover.doubts()
        else:
            mover.places(range(length + 1)[gap])


def seats_of(person: Person) -> list[int]:
    """By the names at the table."""
    return [each["seat"] for each in person.view["players"] if each["name"] in person.names]
