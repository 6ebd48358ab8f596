"""Where the game is played: one file for each kind of server, with what its clients say and hear."""

from bench.load.houses.house import House
from bench.load.houses.illusion import Illusion

HOUSES: dict[str, type[House]] = {"illusion": Illusion}
