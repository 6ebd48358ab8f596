"""The environment keeps the contracts of PettingZoo and Gymnasium and ours: an agent sees what its eyes can see, and
acts on its turn, beside agents or bots."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import log
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from illusion.bots import levels
from illusion.bots.eyes import Eyes
from illusion.lab import env, raw_env
from illusion.lab.environment import Illusion, reward
from illusion.rules import Colour, Game, IllegalMove, Place, Variant, apply, legal_moves, view
from tests.bots.situations import dealt_anew, with_other_backs

DECKS = {variant: (0, 1) if variant.end.decks == 1 else (0,) for variant in Variant}
"""Three decks to draw and measure in all: deck 0, deck 1, and the second deck of twelve rounds."""
GAMES = list(product((2, 3, 4, 5), Variant))


def made(
    folder: Path, players: int = 2, variant: Variant = Variant.FIRST_TO_THREE, eyes: Any = "keen", **options: Any
) -> Illusion:
    return raw_env(players, variant, eyes, decks=DECKS[variant], folder=folder, **options)


def at_random(environment: Illusion, seed: int) -> Iterator[Game]:
    """A game of random legal actions; yields each state before it is acted on, and the end."""
    environment.reset(seed=seed)
    rng = Random(seed)
    while not environment.game.over:
        yield environment.game
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(rng.choice(np.flatnonzero(mask).tolist()))
    yield environment.game


# PettingZoo warns about dictionary observations, except in its own games.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_it_passes_pettingzoos_own_tests(players: int, variant: Variant, folder: Path) -> None:
    def fresh(longest: int | None = None) -> Any:
        return env(players, variant, longest=longest, decks=DECKS[variant], folder=folder)

    def together() -> Any:
        return turn_based_aec_to_parallel(fresh(longest=8))

    api_test(fresh(), num_cycles=300)  # type: ignore[no-untyped-call]
    seed_test(fresh, num_cycles=300)  # type: ignore[no-untyped-call]
    parallel_api_test(together(), num_cycles=100)
    parallel_seed_test(together, num_cycles=100)  # type: ignore[no-untyped-call]


def test_a_row_as_long_as_it_can_be_must_be_doubted(folder: Path) -> None:
    environment = made(folder, longest=3)
    environment.reset(seed=1)
    for _ in range(2):
        environment.step(0)
    mask = environment.observe(environment.agent_selection)["action_mask"]
    assert mask.tolist() == [0, 0, 0, 1]
    with pytest.raises(ValueError, match="A row of 3 cards is as long as it can be here"):
        environment.step(0)
    assert len(environment.game.row) == 3
    assert environment.advice(levels()["first-timer"].mind) == 3
    environment.step(3)
    assert environment.game.round == 2


@pytest.mark.parametrize(("players", "variant"), GAMES)
def test_what_nobody_has_seen_changes_no_observation(players: int, variant: Variant, folder: Path) -> None:
    environment = made(folder, players, variant, render_mode="ansi")

    def everything() -> list[object]:
        seen = [environment.observe(agent) for agent in environment.possible_agents]
        return [environment.render(), [(each["observation"].tobytes(), each["action_mask"].tobytes()) for each in seen]]

    rng = Random(players)
    for game in at_random(environment, 6):
        known = everything()
        environment.put(with_other_backs(dealt_anew(game, rng), rng))
        assert everything() == known
        environment.put(game)


@pytest.mark.parametrize(("players", "variant"), [(2, Variant.FIRST_TO_THREE), (5, Variant.TWELVE_ROUNDS)])
def test_an_observation_reads_as_the_table_seen_from_the_agents_seat(
    players: int, variant: Variant, folder: Path
) -> None:
    """With perfect eyes, so that every number is known. The mask is what the rules allow, and empty off turn."""
    environment = made(folder, players, variant, eyes=Eyes(0.0))
    layout = environment.layout
    for game in at_random(environment, 7):
        seen = view(game)
        for seat, agent in enumerate(environment.possible_agents):
            observed = environment.observe(agent)
            numbers = observed["observation"]
            assert environment.observation_space(agent)["observation"].contains(numbers)
            allowed = legal_moves(game) if seat == game.to_play else ()
            actions = [move.gap if isinstance(move, Place) else layout.longest for move in allowed]
            assert np.flatnonzero(observed["action_mask"]).tolist() == actions
            fields = {name: numbers[where] for name, where in layout.fields.items()}
            ring = [(seat + after) % players for after in range(players)]
            nobody = [0.0] * (5 - players)
            assert fields["arrows won"].tolist() == [len(seen.arrows_won[other]) for other in ring] + nobody
            assert fields["to play"].tolist() == [other == seen.to_play for other in ring] + nobody
            assert fields["arrow"].tolist() == [colour is seen.arrow for colour in Colour]
            assert [fields[name].item() for name in ("row length", "players", "round", "cards left")] == [
                len(seen.row), players, seen.round, seen.cards_left
            ]  # fmt: skip
            assert fields["twelve rounds"].item() == (variant is Variant.TWELVE_ROUNDS)
            cards = fields["row"].reshape(layout.longest, layout.per_card)
            assert not cards[len(seen.row) :].any()
            for at, card in enumerate(game.row):
                assert game.arrow is not None
                by = seen.placed_by[at]
                expected = [1, log(max(card.shares[game.arrow], 0.25)), 0, seen.laid[at], float(by is None)]
                expected += [float(other == by) for other in ring] + nobody
                assert np.allclose(cards[at], expected, rtol=0, atol=0.006), (cards[at], expected)
            card_seen = [0.0, 0.0, 0.0]
            if game.arrow is not None and game.next_card is not None:
                card_seen = [1, log(max(game.next_card.shares[game.arrow], 0.25)), 0]
            assert np.allclose(fields["next card"], card_seen, rtol=0, atol=0.006)


def test_agents_see_with_eyes_of_their_own_and_the_same_whoever_looks_first(folder: Path) -> None:
    environment = made(folder, 3, eyes=["first-timer", "eagle-eye", Eyes(0.0)])
    where, agents = environment.layout.fields["next card"], environment.possible_agents

    def looks(order: list[str]) -> dict[str, list[float]]:
        return {agent: environment.observe(agent)["observation"][where].tolist() for agent in order}

    environment.reset(seed=3)
    first = looks(agents)
    assert looks(agents) == first
    environment.reset(seed=3)
    assert looks(agents[::-1]) == first
    spreads = [first[agent][2] for agent in agents]
    assert spreads[0] > spreads[1] > spreads[2] == 0
    assert len({seen for _, seen, _ in first.values()}) == 3


def test_a_seed_gives_a_game_and_without_one_games_differ(folder: Path) -> None:
    """Of twelve rounds, which are dealt from two decks."""
    environment = made(folder, 2, Variant.TWELVE_ROUNDS)
    games = []
    for seed in (4, 4, np.int64(4), None, None, 5):
        environment.reset(seed=seed)  # type: ignore[arg-type]
        games.append(environment.game.setup)
    assert games[0] == games[1] == games[2]
    assert len({setup.deck for setup in games}) == 4
    assert len({card.id for card in games[0].deck}) == 2 * 98


def test_rewards_come_at_the_end_to_everybody_and_winners_share(folder: Path) -> None:
    environment = made(folder, 4)
    *before, ended = at_random(environment, 10)
    assert len(before) > 6
    (winner,) = ended.winners
    got = {}
    while environment.agents:
        _, total, terminated, truncated, _ = environment.last()
        assert (terminated, truncated) == (True, False)
        got[environment.agent_selection] = total
        environment.step(None)
    assert got == {f"player_{seat}": 1.0 if seat == winner else pytest.approx(-1 / 3) for seat in range(4)}
    for winners, of_winners, of_others in (((0, 2), 1 / 3, -1 / 3), ((0, 1, 2), 1 / 9, -1 / 3), ((0, 1, 2, 3), 0, 0)):
        rewards = [reward(replace(ended, winners=winners), seat) for seat in range(4)]
        assert rewards == pytest.approx([of_winners if seat in winners else of_others for seat in range(4)])


def test_an_illegal_action_loses_the_game_or_raises_in_the_raw_environment_and_changes_nothing(folder: Path) -> None:
    wrapped, raw = env(3, decks=[0], folder=folder), made(folder)
    wrapped.reset(seed=1)
    culprit = wrapped.agent_selection
    wrapped.step(98)  # a doubt of one card
    assert wrapped.terminations == dict.fromkeys(wrapped.possible_agents, True)
    assert wrapped.rewards == {agent: -1.0 if agent == culprit else 0.0 for agent in wrapped.possible_agents}
    seen = wrapped.observe(culprit)
    assert seen is not None
    assert not seen["action_mask"].any()
    raw.reset(seed=1)
    before = raw.game
    for action, refusal in ((98, "nothing-to-doubt"), (2, "gap-out-of-range")):
        with pytest.raises(IllegalMove, match=refusal):
            raw.step(action)
    assert raw.game is before


def test_it_can_be_read_as_text(folder: Path) -> None:
    environment = made(folder, 2, eyes=Eyes(0.0), render_mode="ansi")
    environment.reset(seed=1)
    game, _ = apply(environment.game, Place(0))
    environment.step(0)
    assert game.arrow is not None
    assert game.next_card is not None
    left, right, following = (card.shares[game.arrow] for card in (*game.row, game.next_card))
    assert environment.render() == (
        f"Round 1, {game.arrow}. Arrows: player_0 0, player_1 0.\n"
        f"{environment.agent_selection} sees {left}% {right}%, and next {following}%."
    )
    *_, ended = at_random(environment, 1)
    text = environment.render()
    assert text is not None
    assert text.startswith(f"player_{ended.winners[0]} won. Arrows: player_0 {len(ended.arrows_won[0])}, ")
    assert made(folder).render() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "1 is not between 2 and 5."),
        ({"players": 6}, "6 is not between 2 and 5."),
        ({"longest": 1}, "1 is not between 2 and 98."),
        ({"eyes": "hawk"}, "There are no eyes called 'hawk'; there are first-timer, casual, "),
        ({"eyes": ["keen"] * 3}, "2 players need 2 pairs of eyes, not 3."),
        ({"decks": []}, "Without a deck there is nothing to deal."),
        ({"variant": "chess"}, "'chess' is not a valid Variant"),
        ({"render_mode": "human"}, "There is no render mode 'human'; there is ansi."),
    ],
)
def test_options_that_make_no_sense_get_one_clear_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        env(**options)


OPTIONS: dict[str, Any] = {"decks": (0,), "longest": 12}


@pytest.mark.parametrize("players", [2, 5])
def test_it_passes_gymnasiums_checker(players: int, folder: Path) -> None:
    made = gymnasium.make("illusion.lab.gym:Illusion-v0", players=players, folder=folder, **OPTIONS)
    check_env(made.unwrapped)
    assert "Illusion-v0" in gymnasium.registry


def test_a_game_of_legal_actions_ends_with_its_reward_and_the_same_seed_gives_the_same_game(folder: Path) -> None:
    made = gymnasium.make(
        "illusion.lab.gym:Illusion-v0", players=3, opponents=["casual", "keen"], folder=folder, **OPTIONS
    )

    def played(seed: int) -> tuple[list[bytes], float]:
        rng, seen, over, reward = np.random.default_rng(seed), list[bytes](), False, 0.0
        observation, _ = made.reset(seed=seed)
        while not over:
            seen.append(observation["observation"].tobytes())
            assert observation["action_mask"].any()
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            observation, reward, over, _, info = made.step(action)
            assert over or (reward == 0 and not info)
        return seen, reward

    games = [played(seed) for seed in range(40)]
    assert -0.5 in {reward for _, reward in games} <= {1.0, -0.5}
    assert played(3) == games[3]


def test_an_illegal_action_loses_against_bots(folder: Path) -> None:
    made = gymnasium.make("illusion.lab.gym:Illusion-v0", render_mode="ansi", folder=folder, **OPTIONS)
    for seed in range(20):
        observation, _ = made.reset(seed=seed)
        assert "player_0 sees" in str(made.render())
        illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
        _, reward, terminated, truncated, info = made.step(illegal)
        assert (reward, terminated, truncated) == (-1, True, False)
        assert info["illegal"]
