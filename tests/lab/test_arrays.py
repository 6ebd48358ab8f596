"""Thousands of games at once: the named generator, games that are dealt evenly, and what the players see of them. The
example of a kernel plays the same games: a C++ compiler builds it, with a loop for its threads."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from illusion.bots import CHARACTERS, levels
from illusion.bots.eyes import Eyes, Impression
from illusion.lab.arrays import (
    ArrayGame,
    CannotPlay,
    array_game,
    below,
    deal,
    observe,
    play_randomly,
    random_words,
    step,
)
from illusion.lab.measured_decks import measured_pile
from illusion.lab.observation import ObservationLayout
from illusion.rules import Colour, ColourCard, view
from tests.lab.words import in_words

PLACES, PLAYERS = 300, 3
BLOCK = 128
"""As many places as the kernel has threads in a block."""
EYES: tuple[str | Eyes, ...] = "keen", "eagle-eye", Eyes(0.0)
KERNEL = Path(__file__).parents[2] / "examples" / "random_play.cu"
PROCESSOR = """
#include <cstdlib>
#include <cstring>
#define __device__
#define __global__
#define cudaMemcpyDeviceToHost 0
struct { int x; } blockIdx, blockDim, threadIdx;
void cudaDeviceSynchronize() {}
template <class T> void cudaMalloc(T** there, size_t bytes) { *there = (T*)malloc(bytes); }
void cudaMemcpy(void* here, void* there, size_t bytes, int) { memcpy(here, there, bytes); }
"""
THREADS = """
void on_all(int many, Place* places, int decisions) {
    for (threadIdx.x = 0; threadIdx.x < many; threadIdx.x++) everywhere(places, decisions);
}
"""


@pytest.fixture(scope="module")
def game(folder: Path) -> ArrayGame:
    return array_game(PLAYERS, eyes=EYES, decks=(0, 1), folder=folder)


@pytest.fixture(scope="module")
def of_the_kernel() -> ArrayGame:
    cards = [ColourCard(n, {colour: (n * 7 + at * 31) % 26 for at, colour in enumerate(Colour)}) for n in range(98)]
    return ArrayGame.of_cards(4, [cards])


def by_lot(mask: Any, rng: np.random.Generator) -> Any:
    """A legal action of each place."""
    return (rng.random(mask.shape) * np.asarray(mask)).argmax(axis=1)


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
    given = random_words(np.array(key, np.uint32), *np.array(counter, np.uint32))
    assert tuple(int(word) for word in given) == words


def test_a_number_below_a_limit_is_the_high_word_of_the_product_and_the_rest_is_the_low_one() -> None:
    words = np.array([0, 1, 2**16, 2**31, 2**32 - 1, 0xDEADBEEF], np.uint32)
    for limit in (1, 2, 5, 98, 1176, 65536):
        numbers, rest = below(words, limit)
        assert numbers.tolist() == [int(each) * limit >> 32 for each in words]
        assert rest.tolist() == [int(each) * limit % 2**32 for each in words]


def test_a_place_has_the_same_games_in_any_batch(of_the_kernel: ArrayGame) -> None:
    one, games, _ = play_randomly(of_the_kernel, deal(of_the_kernel, 9, BLOCK), 100)
    other, _, _ = play_randomly(of_the_kernel, deal(of_the_kernel, 9, BLOCK, first=100), 100)
    another_seed, _, _ = play_randomly(of_the_kernel, deal(of_the_kernel, 10, BLOCK), 100)
    assert int(games) > BLOCK
    for name, values in one._asdict().items():
        if name != "row":  # beyond its length a row has anything
            assert np.array_equal(np.asarray(values)[100:], getattr(other, name)[: BLOCK - 100]), name
    assert not np.array_equal(another_seed.deck, one.deck)


def test_the_kernel_plays_the_same_games(of_the_kernel: ArrayGame, tmp_path: Path) -> None:
    text = PROCESSOR + KERNEL.read_text().replace("everywhere<<<many / 128, 128>>>(", "on_all(many, ")
    (tmp_path / "kernel.cpp").write_text(text.replace("int main(", f"{THREADS}int main("))
    compiler = shutil.which("c++")
    assert compiler is not None, "a C++ compiler is needed"
    subprocess.run([compiler, "-O1", "kernel.cpp", "-o", "kernel"], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "kernel", str(BLOCK), "500"], capture_output=True, text=True, check=True)
    *lines, rate = said.stdout.splitlines()
    assert rate.endswith(" million decisions a second")
    played = np.array([line.split() for line in lines], int)

    words = np.array([[1, place] for place in range(BLOCK)], np.uint32)
    dealt = jax.jit(jax.vmap(of_the_kernel.init))(jax.random.wrap_key_data(words, impl="threefry2x32"))
    state, games, _ = play_randomly(of_the_kernel, dealt, 500)
    assert int(games) == played[:, 0].sum() > BLOCK
    assert np.array_equal(played[:, 1:], np.array([state.round, state.drawn, state.length, state.to_play]).T)


def test_games_are_dealt_evenly() -> None:
    """Every card comes to every place, every arrow first, everybody begins; in first games and in those that follow.

    With so many deals a fair share differs from the mean by more than five standard deviations once in a million.
    """
    cards = [ColourCard(number, dict.fromkeys(Colour, number)) for number in range(10)]
    game = ArrayGame.of_cards(4, [cards, cards])
    state = deal(game, 3, 20_000)
    for _ in range(2):
        now = jax.tree.map(np.asarray, state)
        fresh = now.drawn == 1  # at first everywhere; later where a game has just begun
        first, second = now.deck[fresh, 0].astype(int), now.deck[fresh, 1]
        counts = [
            np.bincount(first, minlength=10),
            np.bincount(second, minlength=10),
            np.bincount(first * 10 + second, minlength=100).reshape(10, 10)[~np.eye(10, dtype=bool)],
            np.bincount(now.arrows[fresh, 0], minlength=4),
            np.bincount(now.to_play[fresh], minlength=4),
            np.bincount(now.deck_number[fresh], minlength=2),
        ]
        assert int(fresh.sum()) > 1000
        for count in counts:
            mean = fresh.sum() / count.size
            assert np.abs(count - mean).max() < 5 * mean**0.5
        state, _, _ = play_randomly(game, state, 20)


def test_an_observation_is_that_of_the_one_game_environment(game: ArrayGame, folder: Path) -> None:
    """Number by number; the impressions are taken from the observation, all else from the view of the rules."""
    layout, rng = ObservationLayout(game.longest, 98), np.random.default_rng(1)
    state = deal(game, 3, PLACES)
    for turn in range(25):
        seats = None if turn % 2 else np.full(PLACES, turn // 2 % PLAYERS)
        numbers, mask = (np.asarray(each) for each in observe(game, state, seats))
        for at in range(turn % 10, PLACES, 25):
            words = in_words(game, state, at, folder)
            assert words.to_play is not None
            me = words.to_play if seats is None else int(seats[at])
            cards = numbers[at, layout.fields["row"]].reshape(-1, layout.per_card)[: len(words.row), 1:3]
            card = Impression(*numbers[at, layout.fields["next card"]][1:].tolist())
            row = [Impression(*each) for each in cards.tolist()]
            assert numbers[at].tolist() == layout.observation(view(words), me, row, card).tolist()
            allowed = layout.mask(view(words).legal) if me == words.to_play else layout.empty_mask()
            assert np.array_equal(mask[at], allowed)
        _, mask = observe(game, state)
        state, _ = step(game, state, by_lot(mask, rng))


def test_looks_are_those_of_the_eyes(game: ArrayGame, folder: Path) -> None:
    """The next card as each seat sees it: with the eyes' bias, spread and, over many, deviation; a second look, and one
    at the card in the row, is the same."""
    state, where = deal(game, 5, PLACES), ObservationLayout(game.longest, 98).fields
    away = {seat: list[float]() for seat in range(PLAYERS)}
    for seat, eyes in enumerate(EYES):
        numbers = np.asarray(observe(game, state, np.full(PLACES, seat)).numbers)
        for at in range(PLACES):
            words = in_words(game, state, at, folder)
            assert words.arrow is not None
            assert words.next_card is not None
            who = CHARACTERS[int(state.kinds[at, seat]) % len(CHARACTERS)].name
            pile = measured_pile(int(state.deck_number[at]), folder=folder)
            looked = levels()[eyes].eyes if isinstance(eyes, str) else eyes
            mean, deviation, spread = looked.perception(pile.sights[words.next_card.id], words.arrow, who)
            _, seen, unsure = numbers[at, where["next card"]].tolist()
            assert unsure == pytest.approx(spread)
            if deviation:
                away[seat].append((seen - mean) / deviation)
            else:
                assert seen == pytest.approx(mean, abs=0.0051)
    for noise in map(np.array, (away[0], away[1])):
        assert abs(noise.mean()) < 5 / PLACES**0.5
        assert abs(noise.std() - 1) < 5 / (2 * PLACES) ** 0.5
    assert abs(np.corrcoef(away[0], away[1])[0, 1]) < 5 / PLACES**0.5
    before = np.asarray(observe(game, state, np.zeros(PLACES, np.int32)).numbers)
    after, _ = step(game, state, np.ones(PLACES, np.int32))
    row = np.asarray(observe(game, after, np.zeros(PLACES, np.int32)).numbers)[:, where["row"]]
    assert np.array_equal(row.reshape(PLACES, game.longest, -1)[:, 1, :3], before[:, where["next card"]])


def test_a_row_as_long_as_it_can_be_must_be_doubted(game: ArrayGame) -> None:
    state = deal(game, 1, PLACES)
    for _ in range(game.longest - 1):
        state, _ = step(game, state, np.zeros(PLACES, np.int32))
    assert not np.asarray(step(game, state, np.zeros(PLACES, np.int32))[1].legal).any()
    assert np.array_equal(np.unique(observe(game, state).mask, axis=0), [[0] * game.longest + [1]])
    state, _ = step(game, state, np.full(PLACES, game.longest))
    assert (np.asarray(state.round) == 2).all()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"players": 6}, "Two to five can play, not 6."),
        ({"eyes": "owl"}, "There are no eyes called 'owl'"),
        ({"eyes": ["keen"]}, "2 players need 2 pairs of eyes, not 1."),
        ({"decks": []}, "Without a deck there is nothing to deal."),
        ({"longest": 1}, "The longest row must have 2 to 98 cards, not 1."),
        ({"longest": 99}, "The longest row must have 2 to 98 cards, not 99."),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str, folder: Path) -> None:
    options: dict[str, Any] = {"players": 2, "decks": (0,), "folder": folder} | wrong
    with pytest.raises(CannotPlay, match=sentence):
        array_game(**options)


def test_what_cannot_be_dealt_is_refused_in_a_sentence(of_the_kernel: ArrayGame) -> None:
    cards = [ColourCard(number, dict.fromkeys(Colour, number)) for number in range(3)]
    for piles in ([], [cards, cards[1:]], [cards[:1]]):
        with pytest.raises(CannotPlay, match="All piles must have the same number of cards"):
            ArrayGame.of_cards(2, piles)
    sentence = "A seed is a number from 0 up to 4,294,967,295, of one place or more; not"
    for seed, places in ((-1, 4), (2**32, 4), (1, 0)):
        with pytest.raises(CannotPlay, match=f"{sentence} {seed} of {places}."):
            deal(of_the_kernel, seed, places)
