"""The cost of parts on one core: the rules, a card's picture, a bot's decision, the review of a long game."""

import gzip
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from time import perf_counter, process_time

from illusion.bots import levels, sight_of
from illusion.bots.drawing import draw
from illusion.deck import make_deck, make_pile
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import even_bot, play
from illusion.review import Moved, review
from illusion.rules import Colour, ColourCard, Game, Move, Place, Variant, View, apply, deal, legal_moves, view

DECISIONS = 60_000
RUNS = 5
SEEDS = range(100, 103)
ROWS, ROW = 200, 10
CARDS = [
    ColourCard(number, {colour: (number * 7 + at * 31) % 26 for at, colour in enumerate(Colour)})
    for number in range(98)
]


def random_games() -> int:
    """Whole games of four random players to three arrows, the deal included."""
    rng = Random(1)
    made = 0
    while made < DECISIONS:
        game = deal(4, CARDS, rng)
        while not game.over:
            moves = legal_moves(game)
            game, _ = apply(game, moves[int(rng.random() * len(moves))])
            made += 1
    return made


def per_second(play: Callable[[], int]) -> float:
    began = perf_counter()
    made = play()
    return made / (perf_counter() - began)


def told(what: str, times: Sequence[float]) -> None:
    """Seconds, formatted as milliseconds."""
    late = statistics.quantiles(times, n=20)[18]
    print(f"  {what:40}{statistics.mean(times) * 1000:8.2f} ms, 95 % within {late * 1000:.2f} ms")


def timed(call: Callable[[], object]) -> float:
    began = process_time()
    call()
    return process_time() - began


def pictures() -> None:
    """Cards in no order, as a server draws them."""
    cards = [card for seed in SEEDS for card in make_deck(seed)]
    Random(0).shuffle(cards)
    draw(cards[0])
    told("a card drawn, compressed and measured", [timed(partial(draw, card)) for card in cards])
    sizes = [len(gzip.compress(card.svg().encode())) for card in cards]
    print(f"  a picture, gzipped: {statistics.mean(sizes) / 1000:.1f} KB, the largest {max(sizes) / 1000:.1f} KB")


def long_row(seed: int) -> Game:
    """A game whose row has ten cards, laid where they belong, as careful players would have it."""
    game = deal(4, measured_pile(seed % 4).cards, Random(seed))
    while len(game.row) < ROW:
        assert game.next_card is not None
        assert game.arrow is not None
        share = game.next_card.shares[game.arrow]
        game, _ = apply(game, Place(sum(card.shares[game.arrow] <= share for card in game.row)))
    return game


def decisions() -> None:
    rows = [long_row(seed) for seed in range(ROWS)]
    for name, level in levels().items():
        times = []
        for seed, game in enumerate(rows):
            bot, look = even_bot(level.eyes, level.mind, Random(seed)), measured_pile(seed % 4).sights.__getitem__
            times.append(timed(partial(bot.decide, view(game), look)))
        told(f"{name} decides, a row of {ROW}", times)


def long_review(players: int) -> None:
    """Players who see nearly everything play twelve rounds; no picture has been drawn."""
    eagle, rng = levels()["eagle-eye"], Random(4)
    begun, moves = list[Game](), list[Moved]()

    def watch(game: Game, _: View, move: Move) -> None:
        begun.append(game)
        moves.append(Moved(len(moves) + 1, move))

    variant, seed = Variant.TWELVE_ROUNDS, players % 4
    bots = [even_bot(eagle.eyes, eagle.mind, rng) for _ in range(players)]
    play(bots, measured_pile(seed, variant), Random(players), variant, watch)
    pile = make_pile(seed, variant)
    took = timed(lambda: review(begun[0], moves, lambda card: sight_of(pile[int(card) - 1])))
    print(f"  a game of {players} with {len(moves)} decisions looked back at, its pictures drawn: {took:.2f} s")


def main() -> None:
    rate = statistics.median(per_second(random_games) for _ in range(RUNS))
    print(f"Parts, on one core\n  the rules: {rate:,.0f} decisions a second of random play")
    pictures()
    decisions()
    for players in (2, 5):
        long_review(players)


if __name__ == "__main__":
    main()
