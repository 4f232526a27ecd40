"""A Gymnasium environment: one seat, alone or against automation."""

# NumPy, Gymnasium and PettingZoo say little about their types.
# pyright: basic

from typing import Any

import gymnasium
import numpy as np

from heliopause.env.board import Board, Info, Observation
from heliopause.env.board import render_mode as checked


class Single(gymnasium.Env[Observation, np.int64]):
    """One seat at a game: alone where the game is for one, else against automated opponents.

    An action is the number of a line on the menu; 0 is nothing, where that is allowed.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        kind: str,
        *,
        opponents: int = 0,
        level: str = "standard",
        most_actions: int | None = None,
        render_mode: str | None = None,
        **more: Any,
    ) -> None:
        """The seat is the first; `opponents` have the others. Other options are those of `Board`."""
        automated = dict.fromkeys(range(2, 2 + opponents), level)
        self.board = Board(kind, players=1 + opponents, automated=automated, **more)
        self.render_mode, self._most = checked(render_mode), most_actions
        self.observation_space, self.action_space = self.board.observation_space(), self.board.action_space()
        self._last: Observation = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begins a new game; the same seed begins the same one."""
        super().reset(seed=seed, options=options)
        # Without a seed the games of one environment are different, and still the same ones after the last seed.
        self.game = self.board.new(int(self.np_random.integers(2**63)))
        return self._look()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Takes an action, and goes on until the seat is asked again or the game is over."""
        self.game.choose(int(action))
        if self.game.waits:
            self.board.advance(self.game)
        observation, info = self._look()
        reward = self.game.rewards().get(1, 0.0)
        cut = not self.game.over and self._most is not None and self.game.actions >= self._most
        return observation, reward, self.game.over, cut, info

    def render(self) -> str | None:
        """The map as the seat sees it and what is asked, as text."""
        return self.board.text(self.game, 1) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _look(self) -> tuple[Observation, Info]:
        if self.game.over:
            return {**self._last, "action_mask": np.zeros_like(self._last["action_mask"])}, {
                "outcome": self.game.outcome
            }
        turn = self.game.turn
        self._last = {"observation": self.board.array(turn), "action_mask": self.board.mask(turn)}
        return self._last, self.board.info(turn)
