"""Start-time fair queueing (Goyal, Vin and Cheng, 1996): who has had the least is next.

What an item cost is known only afterwards; then its payer is charged, and others come first for as long.
"""

from collections import deque
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

MAX_WAITING: Final = 200
"""Items that may wait for one payer: about two seconds of work."""
MAX_WAITING_IN_ALL: Final = 2000
"""Items that wait for all payers together, shared out evenly. When more is asked for than can be done, somebody has to
be told, or what waits takes all memory and is out of date when its turn comes."""
FEWEST_WAITING: Final = 4
"""Items that each payer may have waiting, however many payers there are: a page shows some pictures at once."""

_payer: ContextVar[str] = ContextVar("payer", default="")

Item = TypeVar("Item")


class TooMuchWork(Exception):
    """Too much of this payer waits already."""


def set_payer(payer: str) -> None:
    """From now on, work that this task asks for counts for this payer, also that of tasks that it starts."""
    _payer.set(payer)


def current_payer() -> str:
    """An address or a table; an empty string if nobody in particular pays."""
    return _payer.get()


@dataclass(slots=True)
class _Flow(Generic[Item]):
    """What waits for one payer."""

    start: float
    """The virtual time at which its next item may start."""
    waiting: deque[Item] = field(default_factory=deque)


class FairQueue(Generic[Item]):
    """A queue in which nobody waits for more than what is running, whatever others have put in."""

    def __init__(self) -> None:
        self._flows: dict[str, _Flow[Item]] = {}
        """Of payers for whom something waits, and of those who have had more than others."""
        self._virtual_time = 0.0

    @property
    def payers(self) -> int:
        """How many are remembered."""
        return len(self._flows)

    def put(self, payer: str, item: Item) -> None:
        """Raises TooMuchWork."""
        flow = self._flows.setdefault(payer, _Flow(self._virtual_time))
        if len(flow.waiting) >= min(MAX_WAITING, max(MAX_WAITING_IN_ALL // len(self._flows), FEWEST_WAITING)):
            raise TooMuchWork
        flow.waiting.append(item)

    def put_back(self, payer: str, item: Item) -> None:
        """One that was taken out and could not be done: it is next of its payer's, and was let in once."""
        self._flows.setdefault(payer, _Flow(self._virtual_time)).waiting.appendleft(item)

    def pop(self) -> tuple[str, Item] | None:
        """The next item and its payer. If nothing waits, everybody is even again."""
        waiting = [(flow.start, payer) for payer, flow in self._flows.items() if flow.waiting]
        if not waiting:
            self._flows.clear()
            return None
        start, payer = min(waiting)
        self._virtual_time = max(self._virtual_time, start)
        return payer, self._flows[payer].waiting.popleft()

    def charge(self, payer: str, cost_s: float) -> None:
        flow = self._flows.setdefault(payer, _Flow(self._virtual_time))
        flow.start = max(flow.start, self._virtual_time) + cost_s
        for each in [each for each, flow in self._flows.items() if self._is_even(flow)]:
            del self._flows[each]

    def drain(self) -> list[Item]:
        """Everything that waits, taken out."""
        items = [item for flow in self._flows.values() for item in flow.waiting]
        self._flows.clear()
        return items

    def _is_even(self, flow: _Flow[Item]) -> bool:
        return not flow.waiting and flow.start <= self._virtual_time
