"""When the last of four has a picture, whichever way it came."""

from bench.load.evening.album import Album


def test_a_picture_is_complete_with_the_last_of_four_and_counts_from_its_own_move() -> None:
    complete: list[float] = []
    album = Album(complete.append)
    album.expect("a", due=1.0)
    for _ in range(3):
        album.add("a", due=1.0)
    album.expect("b", due=5.0)  # the next move, while somebody still waits
    assert album.waiting() == [1.0, 5.0]
    album.add("a", due=5.0)
    assert complete == [1.0]
    assert album.waiting() == [5.0]


def test_a_picture_may_come_before_its_event() -> None:
    complete: list[float] = []
    album = Album(complete.append)
    for _ in range(4):
        album.add("a", due=2.0)
        album.expect("a", due=9.0)
    assert complete == [2.0]
    assert album.waiting() == []
