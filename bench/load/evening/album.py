"""When has the last of four the picture of a card?"""

from collections.abc import Callable

from bench.load.table import PLAYERS


class Album:
    """The pictures of one table. A picture may come before, with or after the event that shows its card."""

    def __init__(self, complete: Callable[[float], object], people: int = PLAYERS) -> None:
        """`complete` is called with the time when the move was due that brought a card, once all have its picture."""
        self._complete = complete
        self._people = people
        self._missing: dict[str, tuple[float, int]] = {}

    def expect(self, card: str, due: float) -> None:
        """Everybody is to have it; a card that is known stays as it is."""
        self._missing.setdefault(card, (due, self._people))

    def add(self, card: str, due: float) -> None:
        """One more has it. `due` counts if nobody has heard of the card yet."""
        since, missing = self._missing.get(card, (due, self._people))
        self._missing[card] = since, missing - 1
        if missing == 1:
            self._complete(since)

    def waiting(self) -> list[float]:
        """When the moves were due whose cards somebody has not got."""
        return [since for since, missing in self._missing.values() if missing > 0]
