"""The example of a kernel plays the games of `arrays.py`. A C++ compiler builds it, with a loop for its threads."""

import shutil
import subprocess
from pathlib import Path

import jax
import numpy as np

from illusion.lab.arrays import ArrayGame, play_randomly
from illusion.rules import Colour, ColourCard

SOURCE = Path(__file__).parents[2] / "examples" / "random_play.cu"
PLACES, DECISIONS = 128, 500
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


def test_the_kernel_plays_the_same_games(tmp_path: Path) -> None:
    text = PROCESSOR + SOURCE.read_text().replace("everywhere<<<many / 128, 128>>>(", "on_all(many, ")
    (tmp_path / "kernel.cpp").write_text(text.replace("int main(", f"{THREADS}int main("))
    compiler = shutil.which("c++")
    assert compiler is not None, "a C++ compiler is needed"
    subprocess.run([compiler, "-O1", "kernel.cpp", "-o", "kernel"], cwd=tmp_path, check=True)
    said = subprocess.run(
        [tmp_path / "kernel", str(PLACES), str(DECISIONS)], capture_output=True, text=True, check=True
    )
    *lines, rate = said.stdout.splitlines()
    assert rate.endswith(" million decisions a second")
    played = np.array([line.split() for line in lines], int)

    cards = [ColourCard(n, {colour: (n * 7 + at * 31) % 26 for at, colour in enumerate(Colour)}) for n in range(98)]
    game = ArrayGame.of_cards(4, [cards])
    keys = jax.random.wrap_key_data(np.array([[1, place] for place in range(PLACES)], np.uint32), impl="threefry2x32")
    state, games, _ = play_randomly(game, jax.vmap(game.init)(keys), DECISIONS)
    assert int(games) == played[:, 0].sum() > PLACES
    assert np.array_equal(played[:, 1:], np.array([state.round, state.drawn, state.length, state.to_play]).T)
