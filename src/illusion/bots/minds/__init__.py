"""Minds: what to do about what was seen. Each knows the public view and its own impressions, nothing else."""

from illusion.bots.minds.mind import Decision, Mind
from illusion.bots.minds.point_estimate import PointEstimate
from illusion.bots.minds.threshold import Threshold
from illusion.bots.minds.value import Value

__all__ = ["Decision", "Mind", "PointEstimate", "Threshold", "Value"]
