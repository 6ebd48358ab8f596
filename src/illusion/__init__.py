"""Illusion, Wolfgang Warsch's card game about how much colour you really see."""

__version__ = "1.0.0"
