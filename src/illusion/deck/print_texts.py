"""What the printed deck says about itself, by language."""

from dataclasses import dataclass
from typing import Final

from illusion.rules import Colour


@dataclass(frozen=True, slots=True)
class PrintTexts:
    """The first sheet: how to print on its front, the rules on its back. `{...}` is filled in."""

    title: str
    deck: str
    how_title: str
    how: tuple[str, ...]
    check: str
    rules_title: str
    rules: tuple[tuple[str, str], ...]
    credit: str
    colours: dict[Colour, str]


PRINT_TEXTS: Final = {
    "en": PrintTexts(
        title="Illusion",
        deck="Deck {seed}: 98 colour cards and 12 arrow cards, drawn for you and for nobody else.",
        how_title="How to print",
        how=(
            "Print all pages at actual size (100 %, no fit to page) on card of 200 to 300 g/m².",
            "Print on both sides and flip on the long edge. Without a duplex printer, print the odd pages, turn the "
            "stack over, and print the even ones.",
            "Print this sheet first and measure the bar below.",
            "Cut along the crop marks: first the long lines through the whole stack, then the short ones. Each sheet "
            "gives nine cards of 63 by 88 millimetres, which fit common card sleeves.",
            "Do not look at the backs of the colour cards too closely: they hold the answers.",
        ),
        check="This bar is exactly 100 mm long.",
        rules_title="The rules on one page",
        rules=(
            (
                "What it is about",
                "Two to five players from eight years lay cards in a row so that the share of one colour rises from "
                "card to card. Whoever takes three arrow cards first wins.",
            ),
            (
                "The cards",
                "The front of a colour card shows a picture. Its back tells how much of the white area each colour "
                "covers, in percent; the grey frame does not count. Nobody may see a back before a doubt.",
            ),
            (
                "Setting up",
                "Shuffle the arrow cards face down and the colour cards with their pictures up. Draw lots for the "
                "first player. Each round, turn up the top arrow: its colour is the colour of the round. Lay the top "
                "colour card beside the arrow's tip. It begins the row.",
            ),
            (
                "A turn",
                "Everybody sees the next card on the pile. The round's first player must lay it left or right of the "
                "first card. After that, clockwise, you either believe the whole row and lay the next card into it, "
                "far left, far right or between two cards, or you doubt the whole row. Cards once laid stay where they "
                "are.",
            ),
            (
                "A doubt",
                "Say: I don't believe it! Turn all cards of the row over. The row is right if the colour's percentage "
                "never falls from the arrow onward; equal neighbours are right. If it falls anywhere, the doubter "
                "takes the arrow card, whoever made the mistake. If it is right, the player who laid the last card "
                "takes it. Put the row's cards aside. Whoever took the arrow begins the next round.",
            ),
            (
                "The end",
                "The first player with three arrow cards wins at once. For a longer game play twelve rounds: most "
                "arrow cards win, and several can win together. If the pile runs out, the player at turn must doubt; "
                "if fewer than two cards are left to begin a round, the game ends and most arrow cards win.",
            ),
        ),
        credit="Illusion is a game by Wolfgang Warsch. This is an unofficial deck with its own pictures and texts.",
        colours={Colour.RED: "red", Colour.YELLOW: "yellow", Colour.GREEN: "green", Colour.BLUE: "blue"},
    ),
}
