"""Quick reactions in place of a chat. They reach the readers connected at that moment and are never stored."""

from enum import StrEnum


class Reaction(StrEnum):
    """What a player can show to the table."""

    CLAP = "clap"
    LAUGH = "laugh"
    WOW = "wow"
    THINK = "think"
    OOPS = "oops"
    HEART = "heart"
