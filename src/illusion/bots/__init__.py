"""Opponents: eyes that look at pictures, and minds that decide from what the eyes saw."""

from illusion.bots.characters import CHARACTERS, LEVEL_NAMES, Bot, Character, Level, levels
from illusion.bots.eyes import Eyes, Impression, Look, Noise, Observer, Sight, sight_of
from illusion.bots.faces import MOODS, face_svg
from illusion.bots.minds import Mind

__all__ = [
    "CHARACTERS",
    "LEVEL_NAMES",
    "MOODS",
    "Bot",
    "Character",
    "Eyes",
    "Impression",
    "Level",
    "Look",
    "Mind",
    "Noise",
    "Observer",
    "Sight",
    "face_svg",
    "levels",
    "sight_of",
]
