"""The lab: bots against bots by the thousand, and environments to train in. It plays without tables.

Modules that need an extra are imported on first use, so that the rest works without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from illusion.extras import how_to_install

if TYPE_CHECKING:
    from illusion.lab.arrays import array_game
    from illusion.lab.environment import env, raw_env
    from illusion.lab.jaxmarl import JaxMARL

__all__ = ["JaxMARL", "array_game", "env", "raw_env"]

_WHERE: Final = {"env": "environment", "raw_env": "environment", "array_game": "arrays", "JaxMARL": "jaxmarl"}
_EXTRA: Final = {"pettingzoo": "rl", "gymnasium": "rl", "jax": "fast", "jaxlib": "fast"}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"illusion.lab.{_WHERE[name]}"), name)
    except ModuleNotFoundError as missing:
        if missing.name not in _EXTRA:
            raise
        extra = _EXTRA[missing.name]
        raise ModuleNotFoundError(
            f"illusion.lab.{name} needs the extra '{extra}': run {how_to_install(extra)}",
            name=missing.name,
        ) from None
