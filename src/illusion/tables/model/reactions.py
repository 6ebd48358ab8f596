"""Quick reactions in place of a chat: heard by whoever listens just then and never stored, as no part of the game."""

from enum import StrEnum


class Reaction(StrEnum):
    """What a player can show to the table."""

    CLAP = "clap"
    LAUGH = "laugh"
    WOW = "wow"
    THINK = "think"
    OOPS = "oops"
    HEART = "heart"
