"""The game as a Gymnasium environment: one seat is yours, bots have the others.

Importing this module registers `Illusion-v0`; `gymnasium.make("illusion.lab.gym:Illusion-v0")` imports it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium

from illusion.bots.entrants import player
from illusion.lab.environment import AgentEyes, Observation, raw_env
from illusion.lab.measured_decks import TRAINING_DECKS
from illusion.rules import IllegalMove, Variant

ME = "player_0"
"""Who begins is drawn by lot."""


class AgainstBots(gymnasium.Env[Any, Any]):
    """The agent has `eyes`; `opponents` is a level or `module:Mind` for all other seats, or a list with one for each.

    The reward comes at the end, as in `illusion.lab.env`, whose other options this takes. An illegal action, which the
    observation's mask rules out, loses the game at once: reward -1.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        players: int = 2,
        variant: Variant | str = Variant.FIRST_TO_THREE,
        eyes: AgentEyes = "keen",
        opponents: str | Sequence[str] = "keen",
        *,
        decks: Sequence[int] = TRAINING_DECKS,
        longest: int | None = 24,
        folder: Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        others = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        levels = [player(name) for name in others]
        lookers = [eyes, *(level.eyes for level in levels)]
        self._game = raw_env(
            players, variant, lookers, decks=decks, longest=longest, folder=folder, render_mode=render_mode
        )
        self._minds = {f"player_{seat}": level.mind for seat, level in enumerate(levels, 1)}
        self.render_mode = render_mode
        self.observation_space, self.action_space = self._game.observation_space(ME), self._game.action_space(ME)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self._game.reset(seed=int(self.np_random.integers(2**63)))
        self._let_bots_play()
        return self._game.observe(ME), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            self._game.step(int(action))
        except (IllegalMove, ValueError) as refusal:
            return self._game.observe(ME), -1.0, True, False, {"illegal": str(refusal)}
        self._let_bots_play()
        return self._game.observe(ME), self._game.rewards[ME], self._game.terminations[ME], False, {}

    def render(self) -> str | None:
        return self._game.render()

    def _let_bots_play(self) -> None:
        while not self._game.terminations[ME] and (agent := self._game.agent_selection) != ME:
            self._game.step(self._game.advice(self._minds[agent]))


gymnasium.register("Illusion-v0", entry_point=AgainstBots)
