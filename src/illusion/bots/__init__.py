"""Opponents: eyes that look at pictures, and minds that decide from what they saw."""

from illusion.bots.bot import Bot
from illusion.bots.characters import CHARACTERS, Character
from illusion.bots.eyes import Eyes, Impression
from illusion.bots.faces import face_svg
from illusion.bots.levels import LEVEL_NAMES, Level, levels
from illusion.bots.observer import Look, Noise, Observer
from illusion.bots.sight import Sight, sight_of

__all__ = [
    "CHARACTERS",
    "LEVEL_NAMES",
    "Bot",
    "Character",
    "Eyes",
    "Impression",
    "Level",
    "Look",
    "Noise",
    "Observer",
    "Sight",
    "face_svg",
    "levels",
    "sight_of",
]
