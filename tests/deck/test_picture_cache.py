"""The cache of pictures under several threads."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from illusion.deck.picture_cache import PictureCache

TIMEOUT_S = 10


def test_a_kept_picture_is_returned_while_another_is_being_drawn() -> None:
    begun, may_end = Event(), Event()

    def draw(card: str) -> str:
        if card == "slow":
            begun.set()
            assert may_end.wait(TIMEOUT_S)
        return card.upper()

    cache = PictureCache(draw, capacity=3)
    cache.get("kept")
    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(cache.get, "slow")
        assert begun.wait(TIMEOUT_S)
        assert threads.submit(cache.get, "kept").result(TIMEOUT_S) == "KEPT"
        assert not slow.done()
        may_end.set()
        assert slow.result(TIMEOUT_S) == "SLOW"


def test_four_threads_that_ask_for_the_same_card_get_one_drawing() -> None:
    drawn: list[str] = []
    begun, may_end = Event(), Event()

    def draw(card: str) -> str:
        drawn.append(card)
        begun.set()
        assert may_end.wait(TIMEOUT_S)
        return card.upper()

    cache = PictureCache(draw, capacity=3)
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(cache.get, "new") for _ in range(4)]
        assert begun.wait(TIMEOUT_S)
        may_end.set()
        assert {each.result(TIMEOUT_S) for each in asked} == {"NEW"}
    assert drawn == ["new"]


def test_a_drawing_that_fails_leaves_the_cache_usable() -> None:
    def draw(card: int) -> float:
        return 1 / card

    cache = PictureCache(draw, capacity=3)
    for _ in range(2):
        try:
            cache.get(0)
        except ZeroDivisionError:
            continue
        raise AssertionError("the failure was swallowed")
    assert cache.get(2) == 0.5


def test_the_picture_unused_for_longest_is_dropped() -> None:
    drawn: list[str] = []

    def draw(card: str) -> str:
        drawn.append(card)
        return card.upper()

    cache = PictureCache(draw, capacity=2)
    for card in ("a", "b", "a", "c", "a", "b"):
        cache.get(card)
    assert drawn == ["a", "b", "c", "b"]
