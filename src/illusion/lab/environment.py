"""The game as a PettingZoo environment (AEC); each agent sees the cards with eyes of its own."""

from collections.abc import Sequence
from functools import partial
from math import exp
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, TypedDict

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from illusion.bots import CHARACTERS, Observer, levels
from illusion.bots.eyes import Eyes, Impression, repeatable_noise
from illusion.bots.minds import Mind
from illusion.deck.shares import CARDS
from illusion.lab.measured_decks import TRAINING_DECKS, measured_pile
from illusion.lab.observation import Mask, Numbers, ObservationLayout
from illusion.rules import Game, Variant, View, apply, deal, view
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS

AgentEyes: TypeAlias = str | Eyes
"""The name of a level, for its eyes; or any other eyes."""


class Observation(TypedDict):
    """What the agent sees, and its legal actions, as in PettingZoo's own games."""

    observation: Numbers
    action_mask: Mask


def env(
    players: int = 2,
    variant: Variant | str = Variant.FIRST_TO_THREE,
    eyes: AgentEyes | Sequence[AgentEyes] = "keen",
    *,
    decks: Sequence[int] = TRAINING_DECKS,
    longest: int | None = None,
    folder: Path | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """The environment with PettingZoo's wrappers: an illegal action loses the game, calls in a wrong order raise.

    `eyes` are those of all agents, or a list with one for each. Each game is dealt from a random one of `decks`
    (seeds); each is drawn and measured once, which takes seconds, and kept in `folder`, by default the user's cache
    folder. For smaller observations set `longest`, by default the whole pile: a row of that length can only be doubted.
    """
    env = raw_env(players, variant, eyes, decks=decks, longest=longest, folder=folder, render_mode=render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


def raw_env(
    players: int = 2,
    variant: Variant | str = Variant.FIRST_TO_THREE,
    eyes: AgentEyes | Sequence[AgentEyes] = "keen",
    *,
    decks: Sequence[int] = TRAINING_DECKS,
    longest: int | None = None,
    folder: Path | None = None,
    render_mode: str | None = None,
) -> "Illusion":
    """The environment without wrappers: an illegal action raises the rules' error and changes nothing."""
    return Illusion(players, Variant(variant), eyes, decks, longest, folder, render_mode)


class Illusion(AECEnv[str, Any, Any]):
    """Agents are `player_0`, `player_1` and so on, in the order of their turns.

    The seed of `reset` decides everything random: the deck, the deal, who begins, and what everybody sees.
    """

    def __init__(
        self,
        players: int,
        variant: Variant,
        eyes: AgentEyes | Sequence[AgentEyes],
        decks: Sequence[int],
        longest: int | None,
        folder: Path | None,
        render_mode: str | None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.metadata = {"name": "illusion_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(_between(FEWEST_PLAYERS, players, MOST_PLAYERS))]
        self.agents: list[str] = []
        self.variant = variant
        pile = variant.end.decks * CARDS  # R6.6
        self.layout = ObservationLayout(pile if longest is None else _between(2, longest, pile), pile)
        if render_mode not in (None, "ansi"):
            raise ValueError(f"There is no render mode {render_mode!r}; there is ansi.")
        self.render_mode = render_mode
        self._eyes = _eyes_of_each(eyes, players)
        self._decks, self._folder = tuple(decks), folder
        if not self._decks:
            raise ValueError("Without a deck there is nothing to deal.")
        self._rng: Random | None = None
        self._spaces = {agent: self.layout.space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self.layout.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game; without a seed the generator of the last game continues."""
        if seed is not None or self._rng is None:
            self._rng = Random(None if seed is None else int(seed))
        pile = measured_pile(self._rng.choice(self._decks), self.variant, folder=self._folder)
        self._look = pile.sights.__getitem__
        self._observers = [_observer(eyes, self._rng) for eyes in self._eyes]
        self.put(deal(len(self.possible_agents), pile.cards, self._rng, self.variant))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        game, _ = apply(self._game, self.layout.move(int(action)))
        if len(game.row) > self.layout.longest:
            raise ValueError(f"A row of {self.layout.longest} cards is as long as it can be here: doubt it.")
        self.put(game)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if game.over:
            self.rewards = {agent: reward(game, seat) for seat, agent in enumerate(self.possible_agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What the agent sees, at any time; the mask is empty except on its turn."""
        seat = self.possible_agents.index(agent)
        numbers = self.layout.observation(self._view, seat, *self._seen_by(seat))
        on_turn = self._game.to_play == seat and not self.terminations.get(agent, True)
        mask = self.layout.mask(self._view.legal) if on_turn else self.layout.empty_mask()
        return {"observation": numbers, "action_mask": mask}

    def advice(self, mind: Mind, temper: float = 0.0) -> int:
        """The action that a bot's mind would take for the agent at turn, from what that agent sees."""
        seat = self._game.to_play
        if seat is None:
            raise ValueError("The game is over: there is no action to advise.")
        move = mind.decide(self._view, *self._seen_by(seat), temper)
        full = len(self._game.row) == self.layout.longest
        return self.layout.longest if full else self.layout.action(move)

    def render(self) -> str | None:
        """The row as the agent whose turn it is sees it, in percent."""
        if self.render_mode is None:
            return None
        seen = self._view
        arrows = ", ".join(
            f"{agent} {len(won)}" for agent, won in zip(self.possible_agents, seen.arrows_won, strict=True)
        )
        if seen.to_play is None:
            winners = " and ".join(self.possible_agents[seat] for seat in seen.winners)
            return f"{winners} won. Arrows: {arrows}."
        row, card = self._seen_by(seen.to_play)
        return (
            f"Round {seen.round}, {seen.arrow}. Arrows: {arrows}.\n{self.agent_selection} sees "
            f"{' '.join(map(_percent, row))}, and next {'nothing' if card is None else _percent(card)}."
        )

    def _seen_by(self, seat: int) -> tuple[list[Impression], Impression | None]:
        return self._observers[seat].survey(self._view, self._look)

    @property
    def game(self) -> Game:
        """The whole state, for analysis; agents must not look at it."""
        return self._game

    def put(self, game: Game) -> None:
        """Continue from another state, which must have been dealt from the same pile."""
        self._game: Game = game
        self._view: View = view(game)
        if game.to_play is not None:
            self.agent_selection = self.possible_agents[game.to_play]


def reward(game: Game, seat: int) -> float:
    """1 for a sole winner and -1 / (players - 1) for the others. Winners share the 1; the sum is always 0."""
    share = 1 / len(game.winners) if seat in game.winners else 0.0
    return (game.players * share - 1) / (game.players - 1)


def _eyes_of_each(eyes: AgentEyes | Sequence[AgentEyes], players: int) -> list[Eyes]:
    chosen = [eyes] * players if isinstance(eyes, str | Eyes) else list(eyes)
    if len(chosen) != players:
        raise ValueError(f"{players} players need {players} pairs of eyes, not {len(chosen)}.")
    known = levels()
    for one in chosen:
        if isinstance(one, str) and one not in known:
            raise ValueError(f"There are no eyes called {one!r}; there are {', '.join(known)}.")
    return [known[one].eyes if isinstance(one, str) else one for one in chosen]


def _observer(eyes: Eyes, rng: Random) -> Observer:
    """Its noise is a function of the card, so that what it sees does not depend on who looks first."""
    who = rng.choice(CHARACTERS).name
    return Observer(eyes, who, partial(repeatable_noise, f"{rng.getrandbits(64)}"))


def _between(least: int, number: int, most: int) -> int:
    if not least <= number <= most:
        raise ValueError(f"{number} is not between {least} and {most}.")
    return number


def _percent(seen: Impression) -> str:
    return f"{exp(seen.seen):.0f}%"
