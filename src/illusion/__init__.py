"""Illusion, Wolfgang Warsch's card game about how much colour you really see."""
