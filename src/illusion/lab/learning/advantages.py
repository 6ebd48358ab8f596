"""How much better than expected each decision turned out: generalized advantage estimation (Schulman et al. 2016).

Seats take turns in a lane, so each seat has its own sequence of decisions. What a seat expected is compared with what
it expects at its next decision, or with its reward if the game ends before.
"""

from typing import Any, NamedTuple

import numpy as np

from illusion.lab.batch.lanes import Number
from illusion.lab.batch.primitives import namespace


class Later(NamedTuple):
    """What follows for each seat of each lane, going backward through time."""

    value: Number
    advantage: Number
    known: Number
    """Whether anything is known of it: not for the last decisions of a rollout whose game goes on."""


def nothing_later(xp: Any, lanes: int, players: int) -> Later:
    none = xp.zeros((lanes, players), dtype=np.float32)
    return Later(none, none, none)


def one_step_back(
    later: Later, seat: Number, value: Number, rewards: Number, ended: Number, decay: float
) -> tuple[Later, tuple[Number, Number, Number]]:
    """The advantage of a decision, what it was worth, and whether both are known (1 or 0); and what is later then."""
    xp = namespace(value)
    over = ended[:, None]
    after = Later(
        xp.where(over, rewards, later.value),
        xp.where(over, 0, later.advantage),
        xp.where(over, 1, later.known),
    )
    me = xp.arange(rewards.shape[1], dtype=np.int32) == seat[:, None]
    next_value, next_advantage, known = ((xp.where(me, each, 0)).sum(axis=1) for each in after)
    advantage = known * (next_value - value + decay * next_advantage)
    before = Later(
        xp.where(me, value[:, None], after.value),
        xp.where(me, advantage[:, None], after.advantage),
        xp.where(me, 1, after.known),
    )
    return before, (advantage, advantage + value, known)
