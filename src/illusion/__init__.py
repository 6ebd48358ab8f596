"""Illusion, Wolfgang Warsch's card game about how much colour you really see."""

__version__ = "0.1.0"
