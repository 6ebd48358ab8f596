"""The game in JAX: `init`, `step` and `observe` of one game, to be mapped over thousands by `jax.vmap`.

The same game as `rules/game.py`: `tests/lab/test_same_game.py` compares them decision by decision. All functions are
pure. An `ArrayGame` is a pytree, so games of other terms but the same shapes need no second compilation. The functions
at the end of the file are jitted and take a batch of states.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from illusion.bots import CHARACTERS, levels
from illusion.bots.eyes import Eyes
from illusion.lab.measured_decks import TRAINING_DECKS, MeasuredPile, measured_pile
from illusion.lab.observation import FAINTEST, STRONGEST
from illusion.rules import ARROWS, Colour, ColourCard, End, Penalty, Variant
from illusion.rules.setup import CARDS_TO_BEGIN, FEWEST_PLAYERS, MOST_PLAYERS

Scalar: TypeAlias = Any
"""A scalar of one game; under `vmap` an array with a number for each game."""
Vector: TypeAlias = Any
"""A vector of one game."""
Matrix: TypeAlias = Any

COLOURS: Final = tuple(Colour)
"""Arrays hold a colour as its index here."""
NO_GOAL: Final = len(ARROWS) + 1
"""`ArrayTerms.arrows_to_win` where only the rounds count: more arrows than there are."""
GOES_ON, GOAL_REACHED, ROUNDS_PLAYED, DECK_TOO_SMALL = range(4)
"""Values of `StepResult.ending`."""

_NORMAL_BITS: Final = 12
_NORMAL: Final = np.array(
    [NormalDist().inv_cdf((part + 0.5) / 2**_NORMAL_BITS) for part in range(2**_NORMAL_BITS)], np.float32
)
"""Quantiles of the normal distribution, for inverse transform sampling from 12 random bits."""
_DEAL, _CHOICE, _TASTES, _LOOKS = 0, 1, 2, 16
"""Purposes of random words, for `random_words`; `_LOOKS` and all numbers above are the seats' looks at cards."""


class CannotPlay(ValueError):
    """The message says, in a sentence, why such a game is impossible."""


class ArrayTerms(NamedTuple):
    """Shared by all games of a batch."""

    players: Scalar
    arrows_to_win: Scalar
    rounds: Scalar
    arrows_returned: Scalar
    """The most arrow cards that a wrong doubt costs (R5.5)."""
    pile: Scalar
    """Cards in a deck."""


def terms_of(players: int, end: End, penalty: Penalty, pile: int) -> ArrayTerms:
    to_win = NO_GOAL if end.arrows_to_win is None else end.arrows_to_win
    return ArrayTerms(*map(np.int32, (players, to_win, end.rounds, penalty.returned(len(ARROWS)), pile)))


class State(NamedTuple):
    """The state of one place of a batch. Derived values are left out: who laid a card follows from when it was laid."""

    key: Vector
    """Two words, from which all random numbers of this place are made, in all its games."""
    decisions: Scalar
    """Decisions at this place, in all its games so far."""
    dealt: Scalar
    """`decisions` when this game was dealt: identifies the game at this place."""
    random: Vector
    """Two random words, for the cards that the next decision turns up."""
    kinds: Vector
    """Kind of player by seat: the first index of `Perception`."""
    deck_number: Scalar
    deck: Vector
    """Card numbers, top first. The first `drawn` have been drawn; the rest is shuffled only as it is drawn."""
    arrows: Vector
    """Colours of the arrow pile, top first. The first `round` have been turned up; the rest as in `deck`."""
    row: Vector
    """From the arrow's tip on: when each card was laid, 0 for the first. Undefined from `length` on."""
    length: Scalar
    drawn: Scalar
    """Cards taken off the deck so far; the next one lies face up."""
    round: Scalar
    to_play: Scalar
    arrows_won: Vector
    """By seat."""
    broke: Scalar
    """When the first card that made the row wrong was laid; 0 while the row is right."""


class StepResult(NamedTuple):
    """The result of a step: where a game ended, that of the old game."""

    legal: Scalar
    """An illegal action has changed nothing."""
    taker: Scalar
    """The seat that took the arrow; -1 if nobody doubted."""
    ending: Scalar
    arrows_won: Vector
    round: Scalar
    drawn: Scalar


class Perception(NamedTuple):
    """The results of `Eyes.perception`, by kind of player, colour, deck and card."""

    mean: Matrix
    deviation: Matrix
    spread: Matrix
    """The player's own uncertainty."""


class Impressions(NamedTuple):
    """What a seat sees of several cards."""

    seen: Vector
    """ln of the share seen, in percent."""
    spread: Vector


class ArrayObservation(NamedTuple):
    numbers: Vector
    """As in the environment of one game (`observation.py`)."""
    mask: Vector
    """1 for every legal action; all 0 for a seat that is not at turn."""


def random_words(key: Vector, count: Scalar, purpose: Scalar) -> tuple[Scalar, Scalar]:
    """Two words of 32 bits: Threefry-2x32 with 13 rounds, the fewest that pass BigCrush (Salmon, Moraes, Dror & Shaw,
    *Parallel random numbers: as easy as 1, 2, 3*, 2011). Unrolled, so that XLA fuses it with its users."""
    first, second = key[0], key[1]
    keys = first, second, first ^ second ^ np.uint32(0x1BD11BDA)
    x, y = jnp.asarray(count).astype(np.uint32) + first, jnp.asarray(purpose).astype(np.uint32) + second
    for rotations, again in (((13, 15, 26, 6), 1), ((17, 29, 16, 24), 2), ((13, 15, 26, 6), 3), ((17,), 0)):
        for bits in rotations:
            x = x + y
            y = (y << np.uint32(bits) | y >> np.uint32(32 - bits)) ^ x
        if again:
            x, y = x + keys[again % 3], y + keys[(again + 1) % 3] + np.uint32(again)
    return x, y


def below(word: Scalar, limit: Scalar) -> tuple[Scalar, Scalar]:
    """A random integer below a limit of at most 65,536, and a random word for the next one.

    They are the high and the low half of word times limit (Lemire 2019, without rejection; several numbers from one
    word: Brackett-Rozinsky & Lemire 2024), computed in parts because JAX has no 64-bit integers by default. Numbers
    whose limits multiply to n have a bias of at most n / 2**32.
    """
    limit = jnp.asarray(limit).astype(np.uint32)
    low = ((word & np.uint32(0xFFFF)) * limit) >> np.uint32(16)
    return (((word >> np.uint32(16)) * limit + low) >> np.uint32(16)).astype(np.int32), word * limit


@partial(jax.tree_util.register_dataclass, data_fields=["terms", "shares", "eyes"], meta_fields=["longest"])
@dataclass(frozen=True)
class ArrayGame:
    """The rules, decks and eyes of a batch of games."""

    terms: ArrayTerms
    shares: Matrix
    """Percentages on the backs, by deck, colour and card."""
    eyes: Perception | None
    longest: int
    """The longest possible row. Actions 0 to `longest - 1` are gaps; `longest` is the doubt."""

    @classmethod
    def of_cards(
        cls,
        players: int,
        piles: Sequence[Sequence[ColourCard]],
        variant: Variant | str = Variant.FIRST_TO_THREE,
        *,
        end: End | None = None,
        penalty: Penalty = Penalty.NOTHING,
        longest: int | None = None,
        eyes: Perception | None = None,
    ) -> "ArrayGame":
        """Each game is dealt from a random one of the piles."""
        variant = Variant(variant)
        end = end or variant.end
        if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            raise CannotPlay(f"Two to five can play, not {players}.")
        sizes = {len(pile) for pile in piles}
        if len(sizes) != 1 or min(sizes) < CARDS_TO_BEGIN:
            raise CannotPlay(f"All piles must have the same number of cards, two or more, not {sorted(sizes)}.")
        (pile,) = sizes
        if longest is not None and not 2 <= longest <= pile:
            raise CannotPlay(f"The longest row must have 2 to {pile} cards, not {longest}.")
        terms = terms_of(players, end, penalty, pile)
        shares = np.array([[[card.shares[colour] for card in pile] for colour in COLOURS] for pile in piles], np.uint8)
        made: ArrayGame = jax.device_put(cls(terms, shares, eyes, pile if longest is None else longest))
        return made

    def init(self, key: Any) -> State:
        """A random deal (R2.1) from a JAX key."""
        key = jax.random.key_data(key)
        random, none = jnp.stack(random_words(key, 0, _DEAL)), jnp.int32(0)
        pile = self.shares.shape[2]
        word, tastes = random_words(key, 0, _TASTES)[0], []
        for seat in range(MOST_PLAYERS):
            taste, word = below(word, len(CHARACTERS))
            tastes.append(jnp.where(seat < self.terms.players, seat * len(CHARACTERS) + taste, 0))
        deck = jnp.arange(pile, dtype=np.min_scalar_type(pile - 1))
        deck, rest = _turned_up(deck, none, self.terms.pile, random[0], when=True)
        deck, _ = _turned_up(deck, none + 1, self.terms.pile, rest, when=True)
        arrows = jnp.array([COLOURS.index(arrow) for arrow in ARROWS], np.uint8)
        arrows, rest = _turned_up(arrows, none, len(ARROWS), random[1], when=True)
        first, rest = below(rest, self.terms.players)
        deck_number, _ = below(rest, self.shares.shape[0])
        row = jnp.zeros(self.longest, np.min_scalar_type(self.longest - 1))
        random, won = jnp.stack(random_words(key, 1, _DEAL)), jnp.zeros(MOST_PLAYERS, np.int32)
        one = none + 1
        return State(
            key, one, one, random, jnp.stack(tastes), deck_number, deck, arrows, row, one, one, one, first, won, none
        )

    def choices(self, state: State) -> tuple[Scalar, Scalar]:
        """The number of gaps that take the next card (all gaps or none), and whether the row can be doubted."""
        may_place = (state.drawn < self.terms.pile) & (state.length < self.longest)  # R6.4
        return jnp.where(may_place, state.length + 1, 0), state.length > 1  # R4.3, R4.2

    def mask(self, state: State) -> Vector:
        """1 for every legal action."""
        gaps, may_doubt = self.choices(state)
        action = np.arange(self.longest + 1)
        return ((action < gaps) | ((action == self.longest) & may_doubt)).astype(np.int8)

    def step(self, state: State, action: Scalar) -> tuple[State, StepResult]:
        """Applies the action of the player at turn: a gap, or `longest` for a doubt. An illegal one changes nothing.

        Where a game ends the next one begins in the same step (Gymnasium's same-step autoreset).
        """
        terms, seat = self.terms, state.to_play
        gaps, may_doubt = self.choices(state)
        places, doubts = (action >= 0) & (action < gaps), (action == self.longest) & may_doubt
        moves = places | doubts

        gap = jnp.where(places, action, 0)
        breaks = places & (state.broke == 0) & self._falls(state, gap)
        row = _inserted(state.row, gap, state.length, when=places)  # R3.2
        row = _put(row, 0, 0, when=doubts)

        before = jnp.where(seat > 0, seat, terms.players) - 1
        taker = jnp.where(state.broke > 0, seat, before)  # R5.2, R5.3
        seats = np.arange(MOST_PLAYERS)
        won = state.arrows_won + ((seats == taker) & doubts)
        costs = jnp.where(doubts & (state.broke == 0), terms.arrows_returned, 0)
        won = jnp.where(seats == seat, jnp.maximum(won - costs, 0), won)  # R5.5
        ending = jnp.where(terms.pile - state.drawn < CARDS_TO_BEGIN, DECK_TOO_SMALL, GOES_ON)  # R6.5
        ending = jnp.where(state.round == terms.rounds, ROUNDS_PLAYED, ending)  # R6.2
        wins = ((seats == taker) & (won == terms.arrows_to_win)).any()
        ending = jnp.where(doubts, jnp.where(wins, GOAL_REACHED, ending), GOES_ON)  # R6.1
        did = StepResult(moves, jnp.where(doubts, taker, -1), ending, won, state.round, state.drawn)

        over = ending != GOES_ON
        drawn = jnp.where(over, 0, state.drawn + moves)  # R2.3
        round = jnp.where(over, 1, state.round + doubts)  # R5.4
        deck, rest = _turned_up(state.deck, drawn, terms.pile, state.random[0], when=moves)  # R2.4
        deck, _ = _turned_up(deck, drawn + 1, terms.pile, rest, when=over)
        arrows, rest = _turned_up(state.arrows, round - 1, len(ARROWS), state.random[1], when=doubts)
        first, rest = below(rest, terms.players)
        deck_number, _ = below(rest, self.shares.shape[0])
        following = jnp.where(seat + 1 < terms.players, seat + 1, 0)  # R4.1
        after_doubt = jnp.where(over, first, taker)
        decisions = state.decisions + moves
        return state._replace(
            decisions=decisions,
            dealt=jnp.where(over, decisions, state.dealt),
            random=jnp.stack(random_words(state.key, decisions, _DEAL)),
            deck_number=jnp.where(over, deck_number, state.deck_number),
            deck=deck,
            arrows=arrows,
            row=row,
            length=jnp.where(doubts, 1, state.length + places),
            drawn=drawn + over,
            round=round,
            to_play=jnp.where(doubts, after_doubt, jnp.where(places, following, seat)),
            arrows_won=jnp.where(over, 0, won),
            broke=jnp.where(doubts, 0, jnp.where(breaks, state.length, state.broke)),
        ), did

    def random_action(self, state: State, word: Scalar) -> Scalar:
        """A uniformly random legal action, from a random word."""
        gaps, may_doubt = self.choices(state)
        chosen, _ = below(word, gaps + may_doubt)
        return jnp.where(chosen < gaps, chosen, self.longest)

    def rewards(self, did: StepResult) -> Vector:
        """By seat: 0 until the game ends; then 1 for a sole winner and -1 / (players - 1) for the others. Winners share
        the 1; the sum is always 0."""
        won, players = winners(self.terms.players, did.arrows_won), self.terms.players
        reward = (players * won - won.sum()) / (won.sum() * (players - 1))
        there = (np.arange(MOST_PLAYERS) < players) & (did.ending != GOES_ON)
        return jnp.where(there, reward, 0).astype(np.float32)

    def look(self, state: State, seat: Scalar, width: int) -> Impressions:
        """What a seat sees of the first `width` cards of the row and of the next card: `Eyes.see`, with noise that is a
        function of game, seat, card and colour, so that a second look sees the same."""
        assert self.eyes is not None
        there = np.arange(width) < state.length
        laid = jnp.append(jnp.where(there, state.row[:width].astype(np.int32), 0), state.length)
        position = jnp.minimum(state.drawn - state.length + laid, self.terms.pile - 1)
        colour = _at(state.arrows, state.round - 1)
        which = (position * len(COLOURS) + colour) * MOST_PLAYERS + seat + _LOOKS
        bits, _ = random_words(state.key, state.dealt, which)
        noise = jnp.asarray(_NORMAL).at[bits >> np.uint32(32 - _NORMAL_BITS)].get(mode="promise_in_bounds")
        where = state.kinds[seat], colour, state.deck_number, _at(state.deck, position)
        mean, deviation, spread = (table.at[where].get(mode="promise_in_bounds") for table in self.eyes)
        seen = jnp.clip(jnp.rint(100 * (mean + deviation * noise)), 100 * FAINTEST, 100 * STRONGEST) / 100
        return Impressions(seen, spread)

    def observe(self, state: State, seat: Scalar | None = None) -> ArrayObservation:
        """What the player at `seat` sees; by default the player at turn."""
        players, me = self.terms.players, state.to_play if seat is None else seat
        mask = self.mask(state) * (state.to_play == me)
        place = np.arange(self.longest)
        there = place < state.length
        laid = jnp.where(there, state.row.astype(np.int32), 0)
        by = (state.to_play - state.length + laid - me) % players
        who = jnp.where(laid == 0, 0, 1 + by)[:, None] == np.arange(1 + MOST_PLAYERS)
        seen = self.look(state, me, self.longest)
        shown = jnp.append(there, state.drawn < self.terms.pile)
        looks = jnp.stack([jnp.ones_like(seen.seen), seen.seen, seen.spread], axis=1) * shown[:, None]
        seats = np.arange(MOST_PLAYERS)
        rest = [
            state.length,
            looks[-1],
            _at(state.arrows, state.round - 1) == np.arange(len(COLOURS)),
            (state.to_play - me) % players == seats,
            jnp.where(seats < players, state.arrows_won[(me + seats) % players], 0),
            players,
            state.round,
            self.terms.pile - state.drawn,
            self.terms.arrows_to_win == NO_GOAL,
        ]
        row = jnp.concatenate([looks[:-1], laid[:, None], who & there[:, None]], axis=1)
        parts = [row.ravel(), *(jnp.atleast_1d(part) for part in rest)]
        return ArrayObservation(jnp.concatenate([part.astype(np.float32) for part in parts]), mask)

    def _falls(self, state: State, gap: Scalar) -> Scalar:
        """Whether the next card is below the card left of a gap, or above the one right of it (R3.1)."""
        colour, first = _at(state.arrows, state.round - 1), state.drawn - state.length

        def share(position: Scalar) -> Scalar:
            where = state.deck_number, colour, _at(state.deck, position)
            return self.shares.at[where].get(mode="promise_in_bounds")

        left = share(first + _at(state.row, jnp.maximum(gap - 1, 0)))
        right = share(first + _at(state.row, jnp.minimum(gap, state.length - 1)))
        card = share(jnp.minimum(state.drawn, self.terms.pile - 1))
        return ((gap > 0) & (left > card)) | ((gap < state.length) & (card > right))


def array_game(
    players: int = 2,
    variant: Variant | str = Variant.FIRST_TO_THREE,
    eyes: str | Eyes | Sequence[str | Eyes] = "keen",
    *,
    decks: Sequence[int] = TRAINING_DECKS,
    longest: int | None = 24,
    folder: Path | None = None,
) -> ArrayGame:
    """`eyes` are those of all seats, or a list with one for each; tastes in patterns are random. Each game is dealt
    from a random one of `decks` (seeds). `longest` is the longest possible row (`None`: the whole pile), on which the
    size of an observation depends."""
    chosen = [eyes] * players if isinstance(eyes, str | Eyes) else list(eyes)
    if len(chosen) != players:
        raise CannotPlay(f"{players} players need {players} pairs of eyes, not {len(chosen)}.")
    if not decks:
        raise CannotPlay("Without a deck there is nothing to deal.")
    known = levels()
    for one in chosen:
        if isinstance(one, str) and one not in known:
            raise CannotPlay(f"There are no eyes called {one!r}; there are {', '.join(known)}.")
    piles = [measured_pile(deck, Variant(variant), folder=folder) for deck in decks]
    lookers = [(known[one].eyes if isinstance(one, str) else one, who.name) for one in chosen for who in CHARACTERS]
    cards = [pile.cards for pile in piles]
    return ArrayGame.of_cards(players, cards, variant, longest=longest, eyes=perception(lookers, piles))


def perception(lookers: Sequence[tuple[Eyes, str]], piles: Sequence[MeasuredPile]) -> Perception:
    """For kinds of players given as eyes and the character whose taste in patterns they have."""
    known = [
        [
            [[eyes.perception(pile.sights[card.id], colour, who) for card in pile.cards] for pile in piles]
            for colour in COLOURS
        ]
        for eyes, who in lookers
    ]
    return Perception(*np.moveaxis(np.array(known, np.float32), -1, 0))


def deal(game: ArrayGame, seed: int, many: int, first: int = 0) -> State:
    """The first games of `many` places, numbered from `first`. A seed and a place's number determine all its games."""
    if not 0 <= seed < 2**32 or many < 1:
        raise CannotPlay(f"A seed is a number from 0 up to 4,294,967,295, of one place or more; not {seed} of {many}.")
    dealt: State = _dealt(game, np.uint32(seed), first + np.arange(many, dtype=np.uint32))
    return dealt


@jax.jit
def _dealt(game: ArrayGame, seed: Scalar, places: Vector) -> State:
    keys = jax.vmap(partial(jax.random.fold_in, jax.random.key(seed, impl="threefry2x32")))(places)
    made: State = jax.vmap(game.init)(keys)
    return made


@jax.jit
def step(game: ArrayGame, state: State, actions: Vector) -> tuple[State, StepResult]:
    """`ArrayGame.step` at every place."""
    made: tuple[State, StepResult] = jax.vmap(game.step)(state, actions)
    return made


@jax.jit
def observe(game: ArrayGame, state: State, seats: Vector | None = None) -> ArrayObservation:
    """`ArrayGame.observe` at every place."""
    seen: ArrayObservation = jax.vmap(game.observe)(state, state.to_play if seats is None else seats)
    return seen


@partial(jax.jit, static_argnames="observing", donate_argnames="state")
def play_randomly(
    game: ArrayGame, state: State, decisions: Scalar, *, observing: bool = False
) -> tuple[State, Scalar, Scalar]:
    """Makes `decisions` random legal decisions at every place. Returns the state, the number of games that ended, and
    with `observing` the sum of all observations. The state given is donated."""

    def words(state: State) -> Vector:
        return jax.vmap(lambda key, count: random_words(key, count, _CHOICE)[0])(state.key, state.decisions)

    def once(_: Scalar, so_far: tuple[State, Vector, Scalar, Scalar]) -> tuple[State, Vector, Scalar, Scalar]:
        state, random, games, total = so_far  # carried, so that XLA computes the words once, not at every use
        if observing:
            total += jax.vmap(game.observe)(state).numbers.sum()
        state, did = jax.vmap(game.step)(state, jax.vmap(game.random_action)(state, random))
        return state, words(state), games + (did.ending != GOES_ON).sum(), total

    state, _, games, total = jax.lax.fori_loop(0, decisions, once, (state, words(state), 0, np.float32(0)))
    return state, games, total


def winners(players: Scalar, arrows_won: Vector) -> Vector:
    """Whether each seat has the most arrow cards (R6.2, R6.3)."""
    there = np.arange(MOST_PLAYERS) < players
    return there & (arrows_won == jnp.where(there, arrows_won, -1).max())


def _at(line: Vector, index: Scalar) -> Scalar:
    return line.at[index].get(mode="promise_in_bounds").astype(np.int32)


def _put(line: Vector, index: Scalar, value: Scalar, *, when: Scalar) -> Vector:
    nowhere = line.shape[0]
    index = jnp.where(when, index, nowhere)
    return line.at[index].set(jnp.asarray(value).astype(line.dtype), mode="drop", unique_indices=True)


def _inserted(line: Vector, index: Scalar, value: Scalar, *, when: Scalar) -> Vector:
    """With the value inserted before `index`; the last element is dropped."""
    place = np.arange(line.shape[0], dtype=line.dtype)
    moved, index = jnp.concatenate([line[:1], line[:-1]]), index.astype(line.dtype)
    inserted = jnp.where(place == index, value.astype(line.dtype), jnp.where(place > index, moved, line))
    return jnp.where(when, inserted, line)


def _turned_up(pile: Vector, top: Scalar, size: Scalar, word: Scalar, *, when: Scalar) -> tuple[Vector, Scalar]:
    """Swaps a random unseen card to position `top`: a step of the Fisher-Yates shuffle (Durstenfeld 1964).

    The pile is shuffled as it is drawn; any order will do to start the next game from.
    """
    when = when & (top < size)
    top = jnp.where(when, top, 0)
    offset, rest = below(word, size - top)
    card, other = _at(pile, top), _at(pile, top + offset)
    return _put(_put(pile, top + offset, card, when=when), top, other, when=when), rest
