"""What every server under measurement has in common: it opens tables."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from bench.load.lines import Lines
from bench.load.table import Table


class Contender(ABC):
    """The client's side of one kind of server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.posts = Lines(port)

    @abstractmethod
    def table(self, seed: int, delivered: Callable[[Table], object]) -> Table: ...
