"""The lab: bots against bots by the thousand, and an environment to train in. It plays without tables.

`env` and `raw_env` need PettingZoo and are imported on first use, so that the rest of the lab works without it;
`batch_env` needs nothing more than numpy.
"""

from typing import TYPE_CHECKING, Any

from illusion.extras import how_to_install

if TYPE_CHECKING:
    from illusion.lab.crowd.environment import batch_env
    from illusion.lab.environment import env, raw_env

__all__ = ["batch_env", "env", "raw_env"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "batch_env":
        from illusion.lab.crowd.environment import batch_env  # noqa: PLC0415

        return batch_env
    try:
        from illusion.lab import environment  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name not in ("pettingzoo", "gymnasium"):
            raise
        raise ModuleNotFoundError(
            f"illusion.lab.{name} needs the extra 'rl': run {how_to_install('rl')}",
            name=missing.name,
        ) from None
    return getattr(environment, name)
