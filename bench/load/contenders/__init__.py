"""Where the game is played: one file for each kind of server, with what its clients say and hear."""

from bench.load.contenders.boardgame import Boardgame
from bench.load.contenders.colyseus import Colyseus
from bench.load.contenders.contender import Contender
from bench.load.contenders.echo import Echo
from bench.load.contenders.illusion import IllusionPrograms
from bench.load.contenders.pages import Pages

CONTENDERS: dict[str, type[Contender]] = {
    "boardgame.io": Boardgame,
    "colyseus": Colyseus,
    "echo": Echo,
    "illusion": IllusionPrograms,
    "pages": Pages,
}
