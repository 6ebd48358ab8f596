"""Minds decide what to do about what the eyes saw. They know only the public view and their own impressions."""

from illusion.bots.minds.learned import Learned
from illusion.bots.minds.mind import Mind
from illusion.bots.minds.point_estimate import PointEstimate
from illusion.bots.minds.threshold import Threshold
from illusion.bots.minds.value import Value

__all__ = ["Learned", "Mind", "PointEstimate", "Threshold", "Value"]
