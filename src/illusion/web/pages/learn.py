"""Pages that teach the game, with cards of the public deck."""

from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from illusion.deck import Card
from illusion.rules import Colour, first_fall
from illusion.web import urls
from illusion.web.context import context
from illusion.web.pages import page
from illusion.web.pictures import sample_deck


@dataclass(frozen=True)
class ShownRow:
    """A row with its percentages; the rules decide whether it is right (R3.1)."""

    arrow: Colour
    cards: tuple[Card, ...]

    @property
    def shares(self) -> list[int]:
        return [card.shares[self.arrow] for card in self.cards]

    @property
    def fall(self) -> int | None:
        return first_fall([card.colour_card for card in self.cards], self.arrow)


@dataclass(frozen=True)
class Lesson:
    """A row, and a next card with one right place in it."""

    row: ShownRow
    next_card: Card

    @property
    def share(self) -> int:
        return self.next_card.shares[self.row.arrow]

    @property
    def falls(self) -> list[int | None]:
        """For each gap, where the row would fall with the next card in it."""
        return [self._laid(gap).fall for gap in range(len(self.row.cards) + 1)]

    @property
    def right_gaps(self) -> list[int]:
        return [gap for gap, fall in enumerate(self.falls) if fall is None]

    def _laid(self, gap: int) -> ShownRow:
        cards = self.row.cards
        return ShownRow(self.row.arrow, (*cards[:gap], self.next_card, *cards[gap:]))


RIGHT: Final = Colour.GREEN, (90, 94, 87, 49)
WRONG: Final = Colour.RED, (80, 60, 56, 81)
TIE: Final = Colour.YELLOW, (63, 14, 82, 98)
GAPS: Final = Colour.BLUE, (11, 79)
BACK: Final = 48
TO_PLACE: Final = Colour.RED, (71, 63), 27
TO_DOUBT: Final = Colour.BLUE, (93, 10, 21)
"""An arrow, and numbers of cards of the public deck."""


async def rules(request: Request) -> Response:
    return await page(request, "rules.html", **await context(request).service.worker.run(_rules))


async def tutorial(request: Request) -> Response:
    return await page(request, "tutorial.html", **await context(request).service.worker.run(_tutorial))


async def moved(request: Request) -> Response:
    return RedirectResponse(urls.at(request, "/rules"), 301)


def _rules() -> dict[str, Any]:
    """Slow the first time, when the public deck is dealt."""
    rows = {"right": RIGHT, "wrong": WRONG, "tie": TIE, "gaps": GAPS}
    return {**{name: _row(*shown) for name, shown in rows.items()}, "back": _card(BACK)}


def _tutorial() -> dict[str, Any]:
    arrow, row, next_card = TO_PLACE
    return {"place": Lesson(_row(arrow, row), _card(next_card)), "doubt": _row(*TO_DOUBT)}


def _row(arrow: Colour, numbers: tuple[int, ...]) -> ShownRow:
    return ShownRow(arrow, tuple(map(_card, numbers)))


def _card(number: int) -> Card:
    return sample_deck()[number - 1]


ROUTES = [
    Route("/rules", rules, methods=["GET"]),
    Route("/tutorial", tutorial, methods=["GET"]),
    Route("/how-to-play", moved, methods=["GET"]),
]
