"""What looking back at a game costs, on one core: the longest games with their pictures, and short ones without."""

import statistics
from collections.abc import Sequence
from random import Random
from time import process_time

from illusion.bots import Bot, levels, sight_of
from illusion.deck import make_pile
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import even_bot, play, seated
from illusion.review import Moved, review
from illusion.review.own_eyes import own_eyes
from illusion.review.turn_chances import seat_looks
from illusion.rules import Game, Move, Variant, View

GAMES = 50


def played(bots: Sequence[Bot], seed: int, variant: Variant = Variant.FIRST_TO_THREE) -> tuple[Game, list[Moved]]:
    begun: list[Game] = []
    moves: list[Moved] = []

    def watch(game: Game, _: View, move: Move) -> None:
        begun.append(game)
        moves.append(Moved(len(moves) + 1, move))

    play(bots, measured_pile(seed % 4, variant), Random(seed), variant, watch)
    return begun[0], moves


def long_game(players: int) -> None:
    """Players who see nearly everything play twelve rounds; no picture has been drawn."""
    eagle, rng = levels()["eagle-eye"], Random(4)
    bots = [even_bot(eagle.eyes, eagle.mind, rng) for _ in range(players)]
    begun, moves = played(bots, players, Variant.TWELVE_ROUNDS)
    pile = make_pile(players % 4, Variant.TWELVE_ROUNDS)
    began = process_time()
    review(begun, moves, lambda card: sight_of(pile[int(card) - 1]))
    took = process_time() - began
    print(
        f"review: a long game of {players} with {len(moves)} decisions in {took:.2f} s of one core, its pictures drawn"
    )


def short_games() -> None:
    times = []
    for seed in range(GAMES):
        begun, moves = played(seated(["keen"] * 4, Random(seed)), seed)
        began = process_time()
        review(begun, moves, measured_pile(seed % 4).sights.__getitem__)
        times.append(process_time() - began)
    print(f"review: a game of four to three arrows in {statistics.mean(times) * 1000:.0f} ms, its pictures measured")


def eyes() -> None:
    looks = []
    for seed in range(GAMES):
        begun, moves = played(seated(["keen"] * 2, Random(seed)), seed)
        looks.append(seat_looks(begun, moves, measured_pile(seed % 4).sights.__getitem__, 0))
    began = process_time()
    found = own_eyes(looks)
    print(f"review: own eyes from {found.placements} placements in {process_time() - began:.2f} s")


def main() -> None:
    for players in (2, 5):
        long_game(players)
    short_games()
    eyes()


if __name__ == "__main__":
    main()
