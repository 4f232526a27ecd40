"""PettingZoo environments: seats in turn (AEC), or all together (parallel)."""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from typing_extensions import Unpack

from heliopause.env.board import Board, Info, Observation, Settings, State
from heliopause.env.board import render_mode as checked
from heliopause.env.games import Game
from heliopause.env.menu import NOTHING
from heliopause.env.turn import Turn

# The attributes of a PettingZoo environment that change during a game, except the infos of seats with a decision.
_KEPT = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")


def name_of(seat: int) -> str:
    """Returns the name of a seat's agent."""
    return f"seat_{seat}"


def seat_of(agent: str) -> int:
    """Returns the seat of an agent."""
    return int(agent.partition("_")[2])


class _Seats:
    """The agents of a board and their last observations."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.agents = [name_of(seat) for seat in range(1, board.players + 1) if seat not in board.rules.automated]
        self._observation_space, self._action_spaces = board.observation_space(), dict[str, spaces.Discrete]()
        self._seen = dict[str, Any]()

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the agent's own space, so that agents draw independent random actions."""
        return self._action_spaces.setdefault(agent, self.board.action_space())

    def observation_space(self) -> spaces.Dict:
        """Returns the space of all agents."""
        return self._observation_space

    def look(self, game: Game) -> None:
        """Updates the observations of seats with a decision. Other seats keep their last observations."""
        for turn in game.turns:
            self._seen[name_of(turn.seat)] = self.board.array(turn)

    def forget(self) -> None:
        """Clears the observations for a new game."""
        self._seen.clear()

    @property
    def seen(self) -> dict[str, Any]:
        """The last observations, by agent."""
        return dict(self._seen)

    @seen.setter
    def seen(self, seen: dict[str, Any]) -> None:
        self._seen = dict(seen)

    def observe(self, agent: str, turn: Turn | None, *, waiting: bool) -> Observation:
        """Returns the observation of an agent. An agent without a decision may only wait, if `waiting`."""
        array = self._seen.get(agent)
        mask = self.board.mask(turn)
        if turn is None and not waiting:
            mask[NOTHING] = 0
        blank = np.zeros(self.board.shape, np.float32)
        return {"observation": blank if array is None else array.copy(), "action_mask": mask}


class Aec(AECEnv[str, Observation, Any]):
    """A game in which the seats act one after the other, even if the rules let all decide at once.

    An action is the number of a line in the seat's menu. 0 orders nothing. Rewards are points.
    """

    metadata = {"render_modes": ["ansi"], "name": "heliopause", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        kind: str,
        *,
        players: int | None = None,
        automated: Mapping[int, str] | None = None,
        most_actions: int | None = None,
        render_mode: str | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """Truncates a game after `most_actions`. `automated` gives levels of automation by seat."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.metadata = {**Aec.metadata, "name": kind}
        self.render_mode, self._most = checked(render_mode), most_actions
        self.board = Board(kind, players=players, automated=automated, **settings)
        self._seats = _Seats(self.board)
        self.possible_agents = list(self._seats.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002
        """Returns the space of an agent's observations."""
        return self._seats.observation_space()

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the space of an agent's actions."""
        return self._seats.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Starts a new game. The same seed starts the same game."""
        self._seats.forget()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self.game = self.board.new(seed)
        self._look()

    def observe(self, agent: str) -> Observation:
        """Returns the observation and the legal actions of an agent."""
        return self._seats.observe(agent, self._turn(agent), waiting=False)

    def step(self, action: int | None) -> None:
        """Applies an action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has a decision and must act")
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self.game.choose(int(action))
        if self.game.waits:
            self.board.advance(self.game)
        earned = self.game.rewards()
        self.rewards = {one: earned.get(seat_of(one), 0.0) for one in self.agents}
        self._look()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Returns the map of the selected seat and its decision as text, or None without `render_mode`."""
        asked = self.game.turn.seat if self.game.turns else None
        return self.board.text(self.game, asked) if self.render_mode == "ansi" else None

    def clone_state(self) -> State:
        """Returns the current point in the game, to which `restore_state` returns."""
        kept = {name: getattr(self, name) for name in _KEPT if hasattr(self, name)}
        return self.board.state(self.game, {**kept, "seen": self._seats.seen})

    def restore_state(self, state: State) -> None:
        """Continues from an earlier point in this or another game of this environment."""
        self.game, kept = self.board.restored(state)
        self._seats.seen = kept.pop("seen")
        for name, value in kept.items():
            setattr(self, name, value)
        if self.game.turns:
            self.infos[self.agent_selection] = self.board.info(self.game.turn)

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _turn(self, agent: str) -> Turn | None:
        first = self.game.turns[0] if self.game.turns else None
        return first if first is not None and name_of(first.seat) == agent else None

    def _look(self) -> None:
        game = self.game
        if game.over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._most is not None and game.actions >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._seats.look(game)
            self.agent_selection = name_of(game.turn.seat)
            self.infos[self.agent_selection] = self.board.info(game.turn)


class Parallel(ParallelEnv[str, Observation, Any]):
    """A game in which all seats act at the same time. Seats without a decision take action 0."""

    metadata = {"render_modes": ["ansi"], "name": "heliopause"}  # noqa: RUF012

    def __init__(
        self,
        kind: str,
        *,
        players: int | None = None,
        automated: Mapping[int, str] | None = None,
        most_actions: int | None = None,
        render_mode: str | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """Truncates a game after `most_actions`. `automated` gives levels of automation by seat."""
        self.metadata = {**Parallel.metadata, "name": kind}
        self.render_mode, self._most = checked(render_mode), most_actions
        self.board = Board(kind, players=players, automated=automated, together=True, **settings)
        self._seats = _Seats(self.board)
        self.possible_agents = list(self._seats.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002
        """Returns the space of an agent's observations."""
        return self._seats.observation_space()

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the space of an agent's actions."""
        return self._seats.action_space(agent)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Starts a new game. The same seed starts the same game."""
        self._seats.forget()
        self.agents = list(self.possible_agents)
        self.game = self.board.new(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Applies an action of each agent."""
        for turn in list(self.game.turns):
            if not self.game.over:
                self.game.choose(int(actions[name_of(turn.seat)]), turn.seat)
        if self.game.waits:
            self.board.advance(self.game)
        earned = self.game.rewards()
        rewards = {agent: earned.get(seat_of(agent), 0.0) for agent in self.agents}
        cut = not self.game.over and self._most is not None and self.game.actions >= self._most
        result = self._observations(), rewards, self._all(self.game.over), self._all(cut), self._infos()
        if self.game.over or cut:
            self.agents = []
        return result

    def render(self) -> str | None:
        """Returns the map of a spectator and the pending decisions as text, or None without `render_mode`."""
        return self.board.text(self.game) if self.render_mode == "ansi" else None

    def clone_state(self) -> State:
        """Returns the current point in the game, to which `restore_state` returns."""
        return self.board.state(self.game, {"agents": self.agents, "seen": self._seats.seen})

    def restore_state(self, state: State) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Continues from an earlier point in this or another game of this environment."""
        self.game, kept = self.board.restored(state)
        self.agents, self._seats.seen = kept["agents"], kept["seen"]
        return self._observations(), self._infos()

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _observations(self) -> dict[str, Observation]:
        self._seats.look(self.game)
        turns = {name_of(turn.seat): turn for turn in self.game.turns}
        return {agent: self._seats.observe(agent, turns.get(agent), waiting=True) for agent in self.agents}

    def _infos(self) -> dict[str, Info]:
        turns = {name_of(turn.seat): turn for turn in self.game.turns}
        waiting: Info = {"action_mask": self.board.mask(None)}
        return {agent: self.board.info(turns[agent]) if agent in turns else dict(waiting) for agent in self.agents}

    def _all(self, value: bool) -> dict[str, bool]:
        return dict.fromkeys(self.agents, value)
