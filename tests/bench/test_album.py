"""When the last of four has a picture, whichever way it came."""

from bench.load.players import Players
from bench.load.table import Album, Task


class Listener(Players):
    """Keeps when the moves were due whose pictures have come."""

    def __init__(self) -> None:
        super().__init__(Task("echo", 0, 0))
        self.dues = list[float]()

    def complete(self, due: float) -> None:
        self.dues.append(due)


def test_a_picture_is_complete_with_the_last_of_four_and_counts_from_its_own_move() -> None:
    listener = Listener()
    album = Album(listener)
    album.expect("a", due=1.0)
    for _ in range(3):
        album.add("a", due=1.0)
    album.expect("b", due=5.0)  # the next move, while somebody still waits
    assert album.waiting() == [1.0, 5.0]
    album.add("a", due=5.0)
    assert listener.dues == [1.0]
    assert album.waiting() == [5.0]


def test_a_picture_may_come_before_its_event() -> None:
    listener = Listener()
    album = Album(listener)
    for _ in range(4):
        album.add("a", due=2.0)
        album.expect("a", due=9.0)
    assert listener.dues == [2.0]
    assert album.waiting() == []
