"""Opponents: eyes that look at pictures, and minds that decide from what they saw."""

from illusion.bots.levels import LEVELS, Level
from illusion.bots.player import choose

__all__ = ["LEVELS", "Level", "choose"]
