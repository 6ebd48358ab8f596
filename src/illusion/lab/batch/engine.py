"""Thousands of games side by side: the same game as `rules/`, as arrays, by a backend that is chosen by name."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from illusion.extras import how_to_install
from illusion.lab.batch.lanes import COLOURS, Cards, Lanes, LaneTurn, Number, Outcome, Table, Terms
from illusion.lab.batch.on_arrays import WithJax, WithNumpy
from illusion.lab.batch.step import choices
from illusion.rules import ARROWS, Colour, ColourCard, End, Penalty, Setup, Variant
from illusion.rules.setup import CARDS_TO_BEGIN, FEWEST_PLAYERS, MOST_PLAYERS

_COPIES: Final = 4
"""As many states as a step may need memory for, its own operations included."""


class CannotPlay(ValueError):
    """Why a batch cannot be made or a step not be taken, in a sentence."""


class Backend(Protocol):
    """The step in all lanes. States are values: none of these changes the one it is given."""

    def on_device(self, arrays: Any) -> Any: ...
    def free_memory(self) -> int:
        """Bytes."""
        ...

    def made_fast(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of arrays, compiled if the backend can."""
        ...

    def deal(self, lanes: Lanes, terms: Terms) -> Lanes: ...
    def step(
        self, lanes: Lanes, actions: Number, terms: Terms, shares: Table, *, renew: bool
    ) -> tuple[Lanes, Outcome]: ...
    def play_randomly(self, lanes: Lanes, steps: int, terms: Terms, shares: Table) -> tuple[Lanes, int]: ...


def _with_numba() -> Backend:
    from illusion.lab.batch.compiled import Compiled  # noqa: PLC0415  (an extra)

    return Compiled()


_BACKENDS: Final[dict[str, tuple[str, Callable[[], Backend]]]] = {
    "numpy": ("", WithNumpy),
    "numba": ("fast", _with_numba),
    "jax": ("gpu", WithJax),
}
BACKENDS: Final = tuple(_BACKENDS)


def backend(name: str) -> Backend:
    if name not in _BACKENDS:
        raise CannotPlay(f"There is no backend {name!r}; there are {', '.join(BACKENDS)}.")
    extra, made = _BACKENDS[name]
    try:
        return made()
    except ModuleNotFoundError as missing:
        if missing.name not in ("numba", "jax", "jaxlib"):
            raise
        raise CannotPlay(f"The backend {name} needs the extra '{extra}': run {how_to_install(extra)}.") from None


class Engine:
    """Games of one kind. `piles` has a line of cards for each deck that lanes are dealt from in turn."""

    def __init__(
        self,
        players: int,
        piles: Sequence[Sequence[ColourCard]],
        variant: Variant | str = Variant.FIRST_TO_THREE,
        *,
        end: End | None = None,
        penalty: Penalty = Penalty.NOTHING,
        longest: int | None = None,
        name: str = "numpy",
    ) -> None:
        variant = Variant(variant)
        if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            raise CannotPlay(f"Two to five can play, not {players}.")
        sizes = {len(pile) for pile in piles}
        if len(sizes) != 1 or min(sizes) < CARDS_TO_BEGIN:
            raise CannotPlay(f"All piles must have the same number of cards, two or more, not {sorted(sizes)}.")
        (pile,) = sizes
        if longest is not None and not 2 <= longest <= pile:
            raise CannotPlay(f"The longest row must have 2 to {pile} cards, not {longest}.")
        self.backend = backend(name)
        self.name = name
        self.piles = tuple(tuple(cards) for cards in piles)
        self.terms = Terms.of(
            players,
            variant.end if end is None else end,
            penalty,
            pile,
            pile if longest is None else longest,
            by_lot=True,
        )
        backs = [[card.shares[colour] for cards in self.piles for card in cards] for colour in Colour]
        self.shares = self.backend.on_device(np.array(backs, np.uint8))

    @classmethod
    def in_order(
        cls, setups: Sequence[Setup], name: str = "numpy", longest: int | None = None
    ) -> tuple["Engine", Lanes]:
        """Games of one kind whose piles lie in the order given, one lane for each; every lane has cards of its own."""
        kind, many = setups[0], len(setups)
        piles = [setup.deck for setup in setups]
        engine = cls(kind.players, piles, kind.variant, end=kind.end, penalty=kind.penalty, longest=longest, name=name)
        engine.terms = engine.terms._replace(by_lot=0)
        deck = np.arange(many * engine.terms.pile, dtype=engine._card_type()).reshape(many, -1)
        arrows = np.array([[COLOURS.index(arrow) for arrow in setup.arrows] for setup in setups], np.uint8)
        starts = np.array([setup.first for setup in setups], np.int32)
        return engine, engine.backend.on_device(engine._lanes(deck, arrows, starts, 0, 0))

    def init(self, seed: int, lanes: int, first_lane: int = 0) -> Lanes:
        """A game dealt by lot in every lane; lane n of a seed is the same game in any batch that has it."""
        if not 0 <= seed < 2**32:
            raise CannotPlay(f"A seed is a whole number from 0 up to 4,294,967,295, not {seed}.")
        self._check_room(lanes)
        which = (np.arange(lanes) + first_lane) % len(self.piles)
        cards = np.arange(len(self.piles) * self.terms.pile, dtype=self._card_type()).reshape(len(self.piles), -1)
        arrows = np.array([COLOURS.index(arrow) for arrow in ARROWS], np.uint8)
        blank = self._lanes(cards[which], np.tile(arrows, (lanes, 1)), np.zeros(lanes, np.int32), seed, first_lane)
        return self.backend.deal(self.backend.on_device(blank), self.terms)

    def step(self, lanes: Lanes, actions: Number, *, renew: bool = True) -> tuple[Lanes, Outcome]:
        """A decision in every lane: a gap, or `terms.longest` for a doubt. An illegal one raises and changes nothing.

        With `renew`, a new game begins where one has ended; without, a lane whose game is over takes any action.
        """
        if np.shape(actions) != np.shape(lanes.lane):
            raise CannotPlay(f"{np.size(lanes.lane)} lanes need as many actions, not {np.size(actions)}.")
        after, did = self.backend.step(lanes, actions, self.terms, self.shares, renew=renew)
        refused = np.flatnonzero(np.asarray((did.legal == 0) & (lanes.turn.to_play >= 0)))
        if refused.size:
            lane, action = int(refused[0]), int(np.asarray(actions)[refused[0]])
            raise CannotPlay(f"The action {action} is not legal in lane {lane}: ask `legal` first.")
        return after, did

    def legal(self, lanes: Lanes) -> tuple[Number, Number]:
        """How many gaps take the next card in each lane, and whether the row can be doubted."""
        return choices(lanes.turn, self.terms)

    def play_randomly(self, lanes: Lanes, steps: int) -> tuple[Lanes, int]:
        """As many decisions in every lane, each a legal action by lot, and how many games ended. With JAX the state
        given is used up."""
        return self.backend.play_randomly(lanes, steps, self.terms, self.shares)

    def _lanes(
        self, deck: NDArray[Any], arrows: NDArray[Any], first: NDArray[Any], seed: int, first_lane: int
    ) -> Lanes:
        many = len(deck)
        row = np.zeros((many, self.terms.longest), np.uint8 if self.terms.longest <= 256 else np.int16)
        stacks = np.ones((many, self.terms.players), np.int32)
        none, one = np.zeros(many, np.int32), np.ones(many, np.int32)
        turn = LaneTurn(one, one.copy(), one.copy(), first, none, none.copy(), none.copy(), none.copy())
        lane = np.arange(first_lane, first_lane + many, dtype=np.uint32)
        return Lanes(Cards(deck, row, arrows, stacks), turn, np.full(many, seed, np.uint32), lane)

    def _card_type(self) -> Any:
        """As narrow as it can be with JAX: an accelerator is as fast as its memory. Elsewhere the same for all usual
        batches, so that numba compiles once."""
        most = len(self.piles) * self.terms.pile - 1
        return np.min_scalar_type(most if self.name == "jax" else max(most, 2**16 - 1)).type

    def _check_room(self, lanes: int) -> None:
        if lanes < 1:
            raise CannotPlay(f"A batch needs one lane or more, not {lanes}.")
        width = self.terms.pile * self._card_type()(0).itemsize + self.terms.longest + len(ARROWS) + 60
        need, free = _COPIES * lanes * width, self.backend.free_memory()
        if need > free:
            raise CannotPlay(f"{lanes:,} games need about {need / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free.")
