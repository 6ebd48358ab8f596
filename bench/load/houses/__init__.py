"""Where the game is played: one file for each kind of server, with what its clients say and hear."""

from bench.load.houses.boardgame import Boardgame
from bench.load.houses.colyseus import Colyseus
from bench.load.houses.echo import Echo
from bench.load.houses.house import ServerOptions
from bench.load.houses.illusion import Illusion

HOUSES: dict[str, type[ServerOptions]] = {
    "boardgame.io": Boardgame,
    "colyseus": Colyseus,
    "echo": Echo,
    "illusion": Illusion,
}
