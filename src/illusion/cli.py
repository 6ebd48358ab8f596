"""The command `illusion`."""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence

from illusion.rules import (
    ArrowAwarded,
    CardPlaced,
    Colour,
    ColourCard,
    Event,
    GameEnded,
    RoundStarted,
    RowDoubted,
    Variant,
    apply,
    deal,
    legal_moves,
    opening,
)

CARDS = 98


def main(argv: Sequence[str] | None = None) -> None:
    """Parse the command line and do what it says; a wrong one ends with a sentence and exit code 2."""
    parser = argparse.ArgumentParser(prog="illusion", description="How much colour do you really see?")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="command")
    play = commands.add_parser("play", help="show a game of players who move at random (also without a command)")
    play.add_argument("--players", type=players, default=4, metavar="N", help="2 to 5 (default: 4)")
    play.add_argument("--variant", type=variant, default=Variant.FIRST_TO_THREE, help=f"{' or '.join(Variant)}")
    play.add_argument("--seed", type=whole_number, metavar="N", help="the same seed shows the same game")
    arguments = sys.argv[1:] if argv is None else argv
    chosen = parser.parse_args(arguments or ["play"])
    seed = random.SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    try:
        print(f"A game of {chosen.players} random players (--seed {seed}).")
        for line in random_game(chosen.players, chosen.variant, random.Random(seed)):
            print(line)
    except BrokenPipeError:
        raise SystemExit(0) from None


def whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def players(text: str) -> int:
    number = whole_number(text)
    if not 2 <= number <= 5:
        raise argparse.ArgumentTypeError(f"{number} is not a number from 2 to 5")
    return number


def variant(text: str) -> Variant:
    try:
        return Variant(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"choose {' or '.join(Variant)}, not {text!r}") from None


def random_game(players: int, variant: Variant, rng: random.Random) -> Iterator[str]:
    """A whole game in sentences."""
    game = deal(players, (card(number, rng) for number in range(1, CARDS + 1)), rng, variant)
    yield sentence(opening(game.setup))
    while not game.over:
        game, events = apply(game, rng.choice(legal_moves(game)))
        yield from map(sentence, events)


def card(number: int, rng: random.Random) -> ColourCard:
    """A card without a picture: four shares that leave some white."""
    shares = {colour: rng.randint(0, 25) for colour in Colour}
    return ColourCard(number, shares)


def sentence(event: Event) -> str:
    """What happened, in words."""
    match event:
        case RoundStarted():
            return (
                f"\nRound {event.round}: the arrow is {event.arrow}. "
                f"Card {event.first_card} begins the row, {player(event.to_play)} begins."
            )
        case CardPlaced():
            return f"  {player(event.seat)} believes, and lays card {event.card} into gap {event.gap}."
        case RowDoubted():
            shares = "  ".join(f"{turned.shares[event.arrow]}%" for turned in event.row)
            verdict = "The row is right." if event.first_fall is None else f"Card {event.first_fall + 1} falls."
            return f"  {player(event.seat)}: I don't believe it!  {shares}  {verdict}"
        case ArrowAwarded():
            return f"  {player(event.seat)} takes the {event.arrow} arrow."
        case GameEnded():
            return f"\n{' and '.join(map(player, event.winners))} won: {event.ending}."


def player(seat: int) -> str:
    return f"Player {seat + 1}"
