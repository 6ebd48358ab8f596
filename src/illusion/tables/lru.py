"""An LRU cache bounded by bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

ENTRY_BYTES: Final = 300
"""What keeping a value takes besides it: many small ones must not fill the memory either."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lru(Generic[Key, Value]):
    """The values used last, as many as fit into `max_bytes` by `size`."""

    def __init__(self, max_bytes: int, size: Callable[[Value], int]) -> None:
        self._max_bytes = max_bytes
        self._size = size
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def get(self, key: Key) -> Value | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Key, value: Value) -> None:
        self.pop(key)
        self._kept[key] = value
        self._bytes += self._size(value) + ENTRY_BYTES
        while self._bytes > self._max_bytes:
            self.pop(next(iter(self._kept)))

    def pop(self, key: Key) -> None:
        """Forget a value, if it is there."""
        if key in self._kept:
            self._bytes -= self._size(self._kept.pop(key)) + ENTRY_BYTES
