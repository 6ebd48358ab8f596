"""Random numbers of the batch: the named generator, the same on every backend, and games that are dealt evenly."""

from typing import Any

import numpy as np
import pytest

from illusion.lab.batch import CannotPlay, Engine, Lanes
from illusion.lab.batch.lots import below, random_words
from illusion.rules import Colour, ColourCard, Variant

CARDS = [
    ColourCard(number, {colour: (number * 7 + at * 31) % 26 for at, colour in enumerate(Colour)})
    for number in range(98)
]


def arrays(lanes: Lanes) -> dict[str, list[int]]:
    """Every number that has a meaning: what lies beyond a row has none."""
    cards, turn = lanes.cards, lanes.turn
    rows = [row[:length].tolist() for row, length in zip(np.asarray(cards.row), np.asarray(turn.length), strict=True)]
    found = {name: np.asarray(values).tolist() for name, values in (turn._asdict() | cards._asdict()).items()}
    return found | {"row": rows}


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0), (0, 0), (0x9D1C5EC6, 0x8BD50731)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0xFD36D048, 0x2D17272C)),
        ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xBA3E4725, 0xF27D669E)),
    ],
)
def test_the_generator_is_threefry(counter: tuple[int, int], key: tuple[int, int], words: tuple[int, int]) -> None:
    """The known answers of Threefry-2x32 with 13 rounds, published with Random123."""
    given = [np.array([number], np.uint32) for number in (*key, *counter)]
    assert tuple(int(word[0]) for word in random_words(*given)) == words


def test_below_is_the_high_word_of_the_product() -> None:
    bits = np.array([0, 1, 2**16, 2**31, 2**32 - 1, 0xDEADBEEF], np.uint32)
    for limit in (1, 2, 5, 98, 1176, 65536):
        assert below(bits, np.int32(limit)).tolist() == [int(each) * limit >> 32 for each in bits]


@pytest.mark.parametrize(
    ("players", "variant", "others"),
    [(2, Variant.FIRST_TO_THREE, ["numba"]), (5, Variant.TWELVE_ROUNDS, ["numba", "jax"])],
)
def test_every_backend_plays_the_same_games(players: int, variant: Variant, others: list[str]) -> None:
    """Seventy random decisions in each of 200 lanes, with games ending and beginning anew."""
    played = {}
    for name in ("numpy", *others):
        engine = Engine(players, [CARDS[:40], CARDS[40:80]], variant, name=name)
        lanes, games = engine.play_randomly(engine.init(5, 200), 70)
        assert games > 100
        played[name] = arrays(lanes)
    for name in others:
        assert played[name] == played["numpy"]


def test_a_lane_is_the_same_game_in_any_batch() -> None:
    engine = Engine(3, [CARDS, CARDS[::-1]], name="numba")
    whole, _ = engine.play_randomly(engine.init(9, 50), 40)
    part, _ = engine.play_randomly(engine.init(9, 10, first_lane=20), 40)
    assert arrays(part) == {name: values[20:30] for name, values in arrays(whole).items()}
    other = engine.play_randomly(engine.init(10, 50), 40)[0]
    assert arrays(other)["deck"] != arrays(whole)["deck"]


def test_games_are_dealt_evenly() -> None:
    """Every card comes to every place, every arrow first, everybody begins; in first games and in those that follow.

    With so many deals a fair share differs from the mean by more than five standard deviations once in a million.
    """
    engine = Engine(4, [CARDS[:10]], name="numba")
    lanes = engine.init(3, 20_000)
    for _ in range(2):
        deck, turn = lanes.cards.deck, lanes.turn
        fresh = turn.drawn == 1  # at first all lanes; later those in which a game has just begun
        counts = [
            np.bincount(deck[fresh, 0], minlength=10),
            np.bincount(deck[fresh, 1], minlength=10),
            np.bincount(deck[fresh, 0] * 10 + deck[fresh, 1], minlength=100).reshape(10, 10)[~np.eye(10, dtype=bool)],
            np.bincount(lanes.cards.arrows[fresh, 0], minlength=4),
            np.bincount(turn.to_play[fresh], minlength=4),
        ]
        assert int(fresh.sum()) > 1000
        for count in counts:
            mean = fresh.sum() / count.size
            assert np.abs(count - mean).max() < 5 * mean**0.5
        lanes, _ = engine.play_randomly(lanes, 20)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "cuda"}, "There is no backend 'cuda'; there are numpy, numba, jax."),
        ({"players": 6}, "Two to five can play, not 6."),
        ({"piles": []}, "All piles must have the same number of cards"),
        ({"piles": [CARDS, CARDS[1:]]}, "All piles must have the same number of cards"),
        ({"longest": 1}, "The longest row must have 2 to 98 cards, not 1."),
        ({"lanes": 0}, "A batch needs one lane or more, not 0."),
        ({"lanes": 10**13}, "GB are free"),
        ({"lanes": 10**13, "name": "jax"}, "GB are free"),
        ({"seed": -1}, "A seed is a whole number from 0 up to 4,294,967,295, not -1."),
    ],
)
def test_a_batch_that_cannot_be_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    asked: dict[str, Any] = {"players": 2, "piles": [CARDS], "name": "numpy", "longest": None, "seed": 1, "lanes": 4}
    asked |= wrong
    seed, lanes = asked.pop("seed"), asked.pop("lanes")
    with pytest.raises(CannotPlay, match=sentence):
        Engine(**asked).init(seed, lanes)
