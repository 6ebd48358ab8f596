"""Players from elsewhere, for arena and training: a mind that an installed package names, or `module:Mind`.

Tables offer the five levels alone: a program of one's own sits down at them over the HTTP API.
"""

from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from inspect import isclass
from pkgutil import resolve_name
from typing import Any, Final

from illusion.bots.characters import Level, levels

GROUP: Final = "illusion.minds"
"""Entry points of packages. Each names a mind (an object, or a class that takes no arguments), or a `Level`."""
EYES_OF: Final = "keen"
"""Whose eyes a mind has that comes without a `Level`."""


class NoSuchPlayer(ValueError):
    """A sentence that says what a player may be."""


def is_own(name: str) -> bool:
    """Whether it is one of the five levels, which also play as arrays; all others play one by one."""
    return name in levels()


@cache
def player(name: str) -> Level:
    """One of the five levels, an entry point, or `module:Mind`. Raises NoSuchPlayer."""
    if is_own(name):
        return levels()[name]
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
