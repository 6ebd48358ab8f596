"""The texts of the printed deck in a language."""

from collections.abc import Callable
from dataclasses import dataclass

from illusion.languages import Language
from illusion.rules import Colour


@dataclass(frozen=True, slots=True)
class PrintTexts:
    """The first sheet: how to print on its front, the rules on its back."""

    title: str
    deck: str
    how_title: str
    how: tuple[str, ...]
    check: str
    rules_title: str
    rules: tuple[tuple[str, str], ...]
    credit: str
    colours: dict[Colour, str]
    percent: Callable[[int], str]
    """How the language writes a percentage: 16% or 16 %."""


def print_texts(language: Language, seed: int) -> PrintTexts:
    """The texts of the deck with this seed."""
    _ = language.gettext
    return PrintTexts(
        title="Illusion",
        deck=_("Deck %(seed)s: 98 colour cards and 12 arrow cards, drawn for you and for nobody else.")
        % {"seed": seed},
        how_title=_("How to print"),
        how=(
            _("Print all pages at actual size (100%, no fit to page) on card of 200 to 300 g/m²."),
            _(
                "Print on both sides and flip on the long edge. Without a duplex printer, print the "
                "odd pages, turn the stack over, and print the even ones."
            ),
            _("Print this sheet first and measure the bar below."),
            _(
                "Cut along the crop marks: first the long lines through the whole stack, then the "
                "short ones. Each sheet gives nine cards of 63 by 88 millimetres, which fit common "
                "card sleeves."
            ),
            _("Do not look at the backs of the colour cards too closely: they hold the answers."),
        ),
        check=_("This bar is exactly 100 mm long."),
        rules_title=_("The rules on one page"),
        rules=(
            (
                _("What it is about"),
                _(
                    "Two to five players, aged 8 and up, place cards in a row so that the share of one colour "
                    "rises from card to card. Whoever takes three arrow cards first wins."
                ),
            ),
            (
                _("The cards"),
                _(
                    "The front of a colour card shows a picture. Its back says what percentage of the white area "
                    "each colour covers; the grey frame does not count. Nobody may see a back before someone doubts."
                ),
            ),
            (
                _("Setting up"),
                _(
                    "Shuffle the arrow cards face down and the colour cards picture side up. Draw lots for the first "
                    "player. Each round, turn up the top arrow: its colour is the colour of the round. Place the top "
                    "colour card next to the arrow's tip. It begins the row."
                ),
            ),
            (
                _("A turn"),
                _(
                    "Everybody sees the next card on the deck. The first player of the round must place it left or "
                    "right of the first card. After that, clockwise, you either believe the whole row and add the "
                    "next card to it, far left, far right or between two cards, or you doubt the whole row. Cards "
                    "already placed keep their order; after each card you may straighten the row."
                ),
            ),
            (
                _("Doubting"),
                _(
                    "Say: I don't believe it! Turn over all the cards in the row. The row is right if the colour's "
                    "percentage never drops from the arrow onward; equal neighbours are fine. If it drops anywhere, "
                    "the doubter takes the arrow card, no matter who made the mistake. If the row is right, the "
                    "player who placed the last card takes it. Put the row's cards aside. Whoever took the arrow "
                    "begins the next round."
                ),
            ),
            (
                _("The end"),
                _(
                    "The first player with three arrow cards wins at once. For a longer game play twelve rounds: the "
                    "player with the most arrow cards wins."
                ),
            ),
            (
                _("House rules"),
                _(
                    "The printed rules of the game say nothing about these cases. We play: tied players win "
                    "together; if the deck runs out, the player whose turn it is must doubt; if fewer than two cards "
                    "are left to begin a round, the game ends and the player with the most arrow cards wins."
                ),
            ),
        ),
        credit=_("Illusion is a game by Wolfgang Warsch. This is an unofficial deck with its own pictures and texts."),
        colours={
            Colour.RED: _("red"),
            Colour.YELLOW: _("yellow"),
            Colour.GREEN: _("green"),
            Colour.BLUE: _("blue"),
        },
        percent=language.percent,
    )
