"""A bot at one game: it looks at the pictures on the table and decides. Tables and the arena play the same bots."""

from illusion.bots.eyes import named_percentage
from illusion.bots.levels import Level
from illusion.bots.observer import Look, Noise, Observer
from illusion.rules import CardId, Colour, Move, View


class Bot:
    """`name` decides its taste in patterns, `temper` how early it doubts, `noise` what it sees in this game."""

    def __init__(self, level: Level, name: str, noise: Noise, temper: float = 0.0) -> None:
        self.level, self.name, self.temper = level, name, temper
        self._observer = Observer(level.eyes, name, noise)

    def decide(self, view: View, look: Look) -> Move:
        """What it does on its turn, from the public view and the pictures in it alone."""
        row, card = self._observer.survey(view, look)
        return self.level.mind.decide(view, row, card, self.temper)

    def believed(self, card: CardId, colour: Colour, look: Look) -> int:
        """The percentage it would name if somebody asked."""
        return named_percentage(self._observer.see(card, colour, look).seen, colour)
