"""Gymnasium environments with one seat, alone or against automation: one game, or many."""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from typing_extensions import Unpack

from heliopause.env.board import Board, Info, Observation, Settings, State
from heliopause.env.board import render_mode as checked
from heliopause.env.games import Game

_SEAT = 1


class Single(gymnasium.Env[Observation, np.int64]):
    """An environment with one seat, alone in solo games, otherwise against automated opponents.

    An action is the number of a line in the menu. 0 orders nothing, where allowed.
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
        **settings: Unpack[Settings],
    ) -> None:
        """Gives the learner the first seat and `opponents` the others. Truncates a game after `most_actions`."""
        self.board = _board(kind, opponents, level, settings)
        self.render_mode, self._most = checked(render_mode), most_actions
        self.observation_space, self.action_space = self.board.observation_space(), self.board.action_space()
        self._last: Observation = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Starts a new game. The same seed starts the same game."""
        super().reset(seed=seed, options=options)
        # Without a seed the games differ, but the last seed determines their sequence.
        self.game = self.board.new(int(self.np_random.integers(2**63)))
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Applies an action and continues until the seat has a decision or the game is over."""
        self.game.choose(int(action))
        if self.game.waits:
            self.board.advance(self.game)
        observation, info = self._observe()
        reward = self.game.rewards().get(_SEAT, 0.0)
        return observation, reward, self.game.over, _is_cut(self.game, self._most), info

    def render(self) -> str | None:
        """Returns the map of the seat and its decision as text, or None without `render_mode`."""
        return self.board.text(self.game, _SEAT) if self.render_mode == "ansi" else None

    def clone_state(self) -> State:
        """Returns the current point in the game, to which `restore_state` returns."""
        return self.board.state(self.game, {"last": self._last})

    def restore_state(self, state: State) -> tuple[Observation, Info]:
        """Continues from an earlier point in this or another game of this environment."""
        self.game, kept = self.board.restored(state)
        self._last = kept["last"]
        return self._observe()

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _observe(self) -> tuple[Observation, Info]:
        if self.game.over:
            return _final(self._last), {"outcome": self.game.outcome}
        self._last = _observation(self.board, self.game)
        return self._last, self.board.info(self.game.turn)


class Many(VectorEnv[dict[str, Any], NDArray[np.int64], Any]):
    """Many games of `Single` on one engine. A new game replaces each game that is over at the next step."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        kind: str,
        num_envs: int = 1,
        *,
        opponents: int = 0,
        level: str = "standard",
        most_actions: int | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """Gives the learner the first seat and `opponents` the others. Truncates games after `most_actions`."""
        if num_envs < 1:
            raise ValueError(f"num_envs: {num_envs} is too small; the minimum is 1")
        self.board = _board(kind, opponents, level, settings)
        self.num_envs, self._most, self.games = num_envs, most_actions, list[Game]()
        self.single_observation_space = self.board.observation_space()
        self.single_action_space = self.board.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._last: list[Observation] = [{} for _ in range(num_envs)]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Restarts all games. The same seed starts the same games, and the same later games."""
        super().reset(seed=seed, options=options)
        self.games = self._new(self.num_envs)
        return self._observe()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Applies an action in each game. Games that ended in the last step restart instead."""
        over = [at for at, game in enumerate(self.games) if game.over or _is_cut(game, self._most)]
        for at, game in enumerate(self.games):
            if at not in over:
                game.choose(int(actions[at]))
        self.board.place.run(self.board.place.games.advance([game for game in self.games if game.waits]))
        for at, game in zip(over, self._new(len(over)) if over else [], strict=True):
            self.games[at] = game
        observations, infos = self._observe()
        rewards = np.array([game.rewards().get(_SEAT, 0.0) for game in self.games])
        terminated = np.array([game.over for game in self.games])
        truncated = np.array([_is_cut(game, self._most) for game in self.games])
        return observations, rewards, terminated, truncated, infos

    def close_extras(self, **_: Any) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _new(self, count: int) -> list[Game]:
        seeds = [int(seed) for seed in self.np_random.integers(2**63, size=count)]
        return self.board.place.run(self.board.place.games.new(seeds))

    def _observe(self) -> tuple[dict[str, Any], dict[str, Any]]:
        infos: dict[str, Any] = {}
        for at, game in enumerate(self.games):
            if game.over:
                self._last[at] = _final(self._last[at])
                infos = self._add_info(infos, {"outcome": game.outcome}, at)
            else:
                self._last[at] = _observation(self.board, game)
                infos = self._add_info(infos, {"orders": game.turn.menu}, at)
        return {key: np.stack([one[key] for one in self._last]) for key in self._last[0]}, infos


def _board(kind: str, opponents: int, level: str, settings: Settings) -> Board:
    automated = dict.fromkeys(range(_SEAT + 1, _SEAT + 1 + opponents), level)
    return Board(kind, players=1 + opponents, automated=automated, **settings)


def _is_cut(game: Game, most: int | None) -> bool:
    return not game.over and most is not None and game.actions >= most


def _observation(board: Board, game: Game) -> Observation:
    return {"observation": board.array(game.turn), "action_mask": board.mask(game.turn)}


def _final(last: Observation) -> Observation:
    """Returns the last observation without legal actions."""
    return {**last, "action_mask": np.zeros_like(last["action_mask"])}


KINDS = {
    "StarshipsAtLarge": ("starships-at-large", 0),
    "StarEmpires": ("star-empires", 1),
    "StellarConquest": ("stellar-conquest", 1),
    "FateOfEmpire": ("fate-of-empire", 0),
    "AloneInOuterSpace": ("alone-in-outer-space", 1),
    "Diplomacy": ("diplomacy", 6),
    "ItCameFromOuterSpace": ("it-came-from-outer-space", 1),
}
"""The kind of game and the usual number of opponents, by registered name."""


def register() -> None:
    """Registers `Single` and `Many` with Gymnasium, for example as "heliopause/Diplomacy-v0"."""
    for name, (kind, opponents) in KINDS.items():
        gymnasium.register(
            f"heliopause/{name}-v0",
            entry_point="heliopause.env.gym:Single",
            vector_entry_point="heliopause.env.gym:Many",
            kwargs={"kind": kind, "opponents": opponents},
        )
