"""Which worker is the home of which table: its players meet there, so that a move is worked out in one process.

Every worker finds the same home, by a hash of the table's id. Nothing but speed depends on it.
"""

from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from illusion.tables.model import commands
from illusion.web.http import urls


@dataclass(frozen=True, slots=True)
class Homes:
    """The workers of one server by their places, from 0, as one of them sees them. It can be pickled."""

    folder: str
    """Where their sockets are."""
    count: int
    place: int
    """This worker's own; one that takes the place of a dead one has the same."""

    def home(self, table: str) -> int:
        return crc32(table.encode()) % self.count

    def home_of_request(self, received: bytes) -> int:
        """Where a request belongs that begins with these bytes. One that names no table belongs where it is."""
        table = urls.table_in_request(received)
        return self.place if table is None else self.home(table)

    def new_id(self) -> str:
        """The id of a table that is opened here, and whose home is here."""
        while self.home(id := commands.new_id()) != self.place:
            pass
        return id

    def address(self, place: int) -> str:
        """The Unix socket at which a worker takes connections from the others."""
        return str(Path(self.folder, f"home-{place}"))
