"""Many games at once, as arrays: for training, for fitting, and for the arena."""

from illusion.lab.batch.engine import BACKENDS, CannotPlay, Engine
from illusion.lab.batch.lanes import Lanes, Outcome, Terms

__all__ = ["BACKENDS", "CannotPlay", "Engine", "Lanes", "Outcome", "Terms"]
