"""The environment of many games: each lane has the one-game environment's observation, mask and rewards."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from illusion.bots.eyes import Eyes, Impression
from illusion.lab import batch_env
from illusion.lab.batch import BACKENDS, CannotPlay
from illusion.lab.batch.in_words import Lane
from illusion.lab.batch.lanes import NO_GOAL
from illusion.lab.crowd.environment import BatchEnvironment, State
from illusion.lab.environment import reward
from illusion.rules import Game, Setup, Variant, view

DECKS = {Variant.FIRST_TO_THREE: (0, 1), Variant.TWELVE_ROUNDS: (0,)}


def made(folder: Path, players: int = 2, variant: Variant = Variant.FIRST_TO_THREE, **options: Any) -> BatchEnvironment:
    return BatchEnvironment(players, variant, decks=DECKS[variant], folder=folder, **options)


def by_lot(mask: Any, rng: np.random.Generator) -> Any:
    """A legal action of each lane."""
    return (rng.random(mask.shape) * np.asarray(mask)).argmax(axis=1)


def in_words(environment: BatchEnvironment, state: State, number: int) -> Game:
    """The game of a lane as the rules have it."""
    lane = Lane(environment.engine, state.lanes, number)
    variant = Variant.TWELVE_ROUNDS if environment.terms.arrows_to_win == NO_GOAL else Variant.FIRST_TO_THREE
    deck = lane.deck
    setup = Setup(environment.players, lane.arrows, deck, 0, variant)
    winners = lane.winners if lane.to_play is None else ()
    return Game(setup, lane.round, lane.drawn, lane.row, lane.placed_by, lane.to_play, lane.arrows_won, winners, None)


@pytest.mark.parametrize(
    ("players", "variant", "backend"),
    [(2, Variant.FIRST_TO_THREE, "numpy"), (5, Variant.TWELVE_ROUNDS, "numba")],
)
def test_an_observation_is_that_of_the_one_game_environment(
    players: int, variant: Variant, backend: str, folder: Path
) -> None:
    """Number by number; the impressions are taken from the observation, all else from the view of the rules."""
    environment = made(folder, players, variant, backend=backend)
    layout, rng = environment.layout, np.random.default_rng(1)
    state = environment.init(3, 12)
    for turn in range(25):
        for seats in (None, np.full(12, turn % players)):
            numbers, mask = (np.asarray(each) for each in environment.observe(state, seats))
            for number in range(12):
                game = in_words(environment, state, number)
                assert game.to_play is not None
                me = game.to_play if seats is None else int(seats[number])
                cards = numbers[number, layout.fields["row"]].reshape(-1, layout.per_card)[: len(game.row), 1:3]
                card = Impression(*numbers[number, layout.fields["next card"]][1:].tolist())
                row = [Impression(*each) for each in cards.tolist()]
                expected = layout.observation(view(game), me, row, card)
                assert numbers[number].tolist() == expected.tolist()
                allowed = layout.mask(view(game).legal) if me == game.to_play else layout.empty_mask()
                assert np.array_equal(mask[number], allowed)
        state = environment.step(state, by_lot(environment.mask(state), rng)).state


def test_players_see_with_their_own_eyes(folder: Path) -> None:
    environment = made(folder, 3, eyes=["first-timer", "eagle-eye", Eyes(0.0)])
    state = environment.init(1, 300)
    where = environment.layout.fields["next card"]
    spreads = [np.asarray(environment.observe(state, np.full(300, seat)).numbers)[:, where][:, 2] for seat in range(3)]
    assert (spreads[0] > spreads[1]).all()
    assert not spreads[2].any()


@pytest.mark.parametrize(("players", "variant"), [(3, Variant.FIRST_TO_THREE), (4, Variant.TWELVE_ROUNDS)])
def test_rewards_come_with_the_end_and_a_new_game_begins_in_the_same_step(
    players: int, variant: Variant, folder: Path
) -> None:
    environment, rng = made(folder, players, variant, backend="numba"), np.random.default_rng(2)
    state, ends, shared = environment.init(4, 200), 0, 0
    for _ in range(150):
        action = by_lot(environment.mask(state), rng)
        ended_state = environment.step(state, action, renew=False).state
        state, rewards, ended = environment.step(state, action)
        assert not rewards[~ended].any()
        assert (state.lanes.turn.to_play >= 0).all()
        assert (state.lanes.turn.drawn[ended] == 1).all()
        for number in np.flatnonzero(ended).tolist():
            game = in_words(environment, ended_state, number)
            assert rewards[number].tolist() == pytest.approx([reward(game, seat) for seat in range(players)])
            shared += len(game.winners) > 1
        ends += int(ended.sum())
    assert ends > 100
    assert shared > 0 or variant is Variant.FIRST_TO_THREE


def test_a_seed_gives_the_same_games_on_every_backend_and_inside_a_jit(folder: Path) -> None:
    import jax  # noqa: PLC0415  (slow to load)

    seen = {}
    for backend in BACKENDS:
        environment, rng = made(folder, 4, backend=backend), np.random.default_rng(3)
        step, observe = environment.step, environment.observe
        if backend == "jax":
            step, observe = jax.jit(environment.step_unchecked), jax.jit(environment.observe)
        state, looks = environment.init(8, 50), []
        for _ in range(30):
            numbers, mask = observe(state)
            looks.append(np.asarray(numbers))
            state = step(state, by_lot(mask, rng)).state
        seen[backend] = np.array(looks)
    for backend in ("numba", "jax"):  # a compiler may multiply and add in one rounding, and so break a tie otherwise
        apart = np.abs(seen[backend] - seen["numpy"])
        assert apart.max() < 0.0101
        assert (apart > 1e-5).mean() < 1e-4


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"eyes": "owl"}, "There are no eyes called 'owl'"),
        ({"eyes": ["keen"]}, "2 players need 2 pairs of eyes, not 1."),
        ({"decks": []}, "Without a deck there is nothing to deal."),
        ({"longest": 99}, "The longest row must have 2 to 98 cards, not 99."),
        ({"backend": "torch"}, "There is no backend 'torch'"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str, folder: Path) -> None:
    options: dict[str, Any] = {"decks": (0,), "folder": folder} | wrong
    with pytest.raises(CannotPlay, match=sentence):
        batch_env(**options)
