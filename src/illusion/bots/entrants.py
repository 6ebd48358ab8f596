"""Minds from outside the package, for arena and training: an entry point of an installed package, or `module:Mind`.

Tables offer the five levels alone; other programs join them over the HTTP API.
"""

from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from inspect import isclass
from pkgutil import resolve_name
from typing import Any, Final

from illusion.bots.characters import Level, levels

GROUP: Final = "illusion.minds"
"""The group of entry points. Each names a mind (an object, or a class that takes no arguments), or a `Level`."""
EYES_OF: Final = "keen"
"""The level whose eyes a mind gets that comes without a `Level`."""


LONGEST_NAME: Final = 100


class NoSuchPlayer(ValueError):
    """The message says, in a sentence, what a player may be."""


def is_level(name: str) -> bool:
    """Whether it is one of the five levels."""
    return name in levels()


@cache
def player(name: str) -> Level:
    """The player of this name: a level, an entry point, or `module:Mind`. Raises NoSuchPlayer."""
    if is_level(name):
        return levels()[name]
    if len(name) > LONGEST_NAME:
        raise NoSuchPlayer(f"no player has a name of {len(name):,} characters")
    found = _loaded(name)
    if isinstance(found, Level):
        return replace(found, name=name)
    try:
        mind: Any = found() if isclass(found) else found
    except TypeError as error:
        raise NoSuchPlayer(f"{name} is no mind: {error}") from None
    if not callable(getattr(mind, "decide", None)):
        raise NoSuchPlayer(f"{name} is no mind: it has no function decide")
    return Level(name, levels()[EYES_OF].eyes, mind)


def _loaded(name: str) -> object:
    points = entry_points(group=GROUP)
    where = points[name].value if name in points.names else name
    if ":" not in where:
        known = ", ".join([*levels(), *sorted(points.names)])
        raise NoSuchPlayer(f"choose {known} or a mind of your own as module:Mind, not {name!r}")
    try:
        return resolve_name(where)
    except (ImportError, AttributeError, ValueError) as error:
        raise NoSuchPlayer(f"{name} cannot be loaded: {error}") from error
