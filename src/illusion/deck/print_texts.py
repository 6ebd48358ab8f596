"""The texts of the printed deck, in English: the first sheet has instructions to print and, on its back, the rules."""

from typing import Final

from illusion.languages import N_
from illusion.rules import Colour

DECK: Final = N_("Deck %(seed)s: 98 colour cards and 12 arrow cards, drawn for you and for nobody else.")
HOW_TITLE: Final = N_("How to print")
HOW: Final = (
    N_("Print all pages at actual size (100%, no fit to page) on card of 200 to 300 g/m²."),
    N_(
        "Print on both sides and flip on the long edge. Without a duplex printer, print the odd pages, turn the stack"
        " over, and print the even ones."
    ),
    N_("Print this sheet first and measure the bar below."),
    N_(
        "Cut along the crop marks: first the long lines through the whole stack, then the short ones. Each sheet "
        "gives nine cards of 63 by 88 millimetres, which fit common card sleeves."
    ),
    N_("Do not look at the backs of the colour cards too closely: they hold the answers."),
)
CHECK: Final = N_("This bar is exactly 100 mm long.")
RULES_TITLE: Final = N_("The rules on one page")
RULES: Final = {
    N_("What it is about"): N_(
        "Two to five players, aged 8 and up, place cards in a row so that the share of one colour rises from card to "
        "card. Whoever takes three arrow cards first wins."
    ),
    N_("The cards"): N_(
        "The front of a colour card shows a picture. Its back says what percentage of the white area each colour "
        "covers; the grey frame does not count. Nobody may see a back before someone doubts."
    ),
    N_("Setting up"): N_(
        "Shuffle the arrow cards face down and the colour cards picture side up. Draw lots for the first player. Each"
        " round, turn up the top arrow: its colour is the colour of the round. Place the top colour card next to the "
        "arrow's tip. It begins the row."
    ),
    N_("A turn"): N_(
        "Everybody sees the next card on the deck. The first player of the round must place it left or right of the "
        "first card. After that, clockwise, you either believe the whole row and add the next card to it, far left, "
        "far right or between two cards, or you doubt the whole row. Cards already placed keep their order; after "
        "each card you may straighten the row."
    ),
    N_("Doubting"): N_(
        "Say: I don't believe it! Turn over all the cards in the row. The row is right if the colour's percentage "
        "never drops from the arrow onward; equal neighbours are fine. If it drops anywhere, the doubter takes the "
        "arrow card, no matter who made the mistake. If the row is right, the player who placed the last card takes "
        "it. Put the row's cards aside. Whoever took the arrow begins the next round."
    ),
    N_("The end"): N_(
        "The first player with three arrow cards wins at once. For a longer game play twelve rounds: the player with "
        "the most arrow cards wins."
    ),
    N_("House rules"): N_(
        "The printed rules of the game say nothing about these cases. We play: tied players win together; if the deck"
        " runs out, the player whose turn it is must doubt; if fewer than two cards are left to begin a round, the "
        "game ends and the player with the most arrow cards wins."
    ),
}
"""Paragraphs by heading."""
CREDIT: Final = N_("Illusion is a game by Wolfgang Warsch. This is an unofficial deck with its own pictures and texts.")
COLOURS: Final = {
    Colour.RED: N_("red"),
    Colour.YELLOW: N_("yellow"),
    Colour.GREEN: N_("green"),
    Colour.BLUE: N_("blue"),
}
