"""An LRU cache of drawings that several threads share."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Drawing = TypeVar("Drawing")


class PictureCache(Generic[Key, Drawing]):
    """Keeps the `capacity` drawings used last.

    One drawing is made at a time, so four players who ask for a new card at once get one drawing, not four. A drawing
    that is kept is returned without waiting for one that is being made.
    """

    def __init__(self, draw: Callable[[Key], Drawing], capacity: int) -> None:
        self._draw = draw
        self._capacity = capacity
        self._kept: OrderedDict[Key, Drawing] = OrderedDict()
        self._kept_lock = Lock()  # held for a look-up only
        self._draw_lock = Lock()  # held for a whole drawing

    def get(self, key: Key) -> Drawing:
        drawing = self._find(key)
        if drawing is None:
            with self._draw_lock:
                drawing = self._find(key)  # another thread may have drawn it meanwhile
                if drawing is None:
                    drawing = self._draw(key)
                    self.put(key, drawing)
        return drawing

    def _find(self, key: Key) -> Drawing | None:
        with self._kept_lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Key, drawing: Drawing) -> None:
        """Keep a drawing that was made elsewhere."""
        with self._kept_lock:
            self._kept[key] = drawing
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
