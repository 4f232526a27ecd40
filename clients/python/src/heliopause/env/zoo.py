"""PettingZoo environments: seats in turn (AEC), or all at once (parallel)."""

# NumPy, Gymnasium and PettingZoo say little about their types.
# pyright: basic

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from heliopause.env.board import Board, Info, Observation
from heliopause.env.board import render_mode as checked
from heliopause.env.games import Game
from heliopause.env.menu import NOTHING
from heliopause.env.turn import Turn


def name_of(seat: int) -> str:
    """The name of the agent that has a seat."""
    return f"seat_{seat}"


def seat_of(agent: str) -> int:
    """The seat that an agent has."""
    return int(agent.partition("_")[2])


class _Seats:
    """The agents of a board, and what each saw last."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.agents = [name_of(seat) for seat in range(1, board.players + 1) if seat not in board.rules.automated]
        self._observation_space, self._action_spaces = board.observation_space(), dict[str, spaces.Discrete]()
        self._seen = dict[str, Any]()

    def action_space(self, agent: str) -> spaces.Discrete:
        """An agent's own space, so that each draws its own random actions."""
        return self._action_spaces.setdefault(agent, self.board.action_space())

    def observation_space(self) -> spaces.Dict:
        """The space of all agents."""
        return self._observation_space

    def look(self, game: Game) -> None:
        """Keeps what those see who are asked. Others keep what they saw when they were asked last."""
        for turn in game.turns:
            self._seen[name_of(turn.seat)] = self.board.array(turn)

    def forget(self) -> None:
        """Forgets all: a new game begins."""
        self._seen.clear()

    def observe(self, agent: str, turn: Turn | None, *, waiting: bool) -> Observation:
        """What an agent observes. One that is not asked may take no action, or may only wait."""
        array = self._seen.get(agent)
        mask = self.board.mask(turn)
        if turn is None and not waiting:
            mask[NOTHING] = 0
        blank = np.zeros(self.board.length, np.float32)
        return {"observation": blank if array is None else array.copy(), "action_mask": mask}


class Aec(AECEnv[str, Observation, Any]):
    """A game in which one seat acts after the other, also where the rules ask all of them at once.

    An action is the number of a line on the menu of the seat that is asked; 0 is nothing. The rewards are points.
    """

    metadata = {"render_modes": ["ansi"], "name": "heliopause", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, kind: str, *, most_actions: int | None = None, render_mode: str | None = None, **more: Any):
        """`most_actions` cuts a game off after so many; other options are those of `Board`."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.metadata = {**Aec.metadata, "name": kind}
        self.render_mode, self._most = checked(render_mode), most_actions
        self.board = Board(kind, **more)
        self._seats = _Seats(self.board)
        self.possible_agents = list(self._seats.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002
        """What an agent observes."""
        return self._seats.observation_space()

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may do."""
        return self._seats.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begins a new game; the same seed begins the same one."""
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
        """What an agent knows, and which actions it may take."""
        return self._seats.observe(agent, self._turn(agent), waiting=False)

    def step(self, action: int | None) -> None:
        """Takes an action of the agent that is asked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked and must act")
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
        """The map as the seat that is asked sees it and what it is asked, as text."""
        asked = self.game.turn.seat if self.game.turns else None
        return self.board.text(self.game, asked) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _turn(self, agent: str) -> Turn | None:
        """What an agent is asked, if it is its turn."""
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
    """A game in which all seats act at the same time. Those that are not asked take action 0."""

    metadata = {"render_modes": ["ansi"], "name": "heliopause"}  # noqa: RUF012

    def __init__(self, kind: str, *, most_actions: int | None = None, render_mode: str | None = None, **more: Any):
        """`most_actions` cuts a game off after so many; other options are those of `Board`."""
        self.metadata = {**Parallel.metadata, "name": kind}
        self.render_mode, self._most = checked(render_mode), most_actions
        self.board = Board(kind, together=True, **more)
        self._seats = _Seats(self.board)
        self.possible_agents = list(self._seats.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002
        """What an agent observes."""
        return self._seats.observation_space()

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may do."""
        return self._seats.action_space(agent)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begins a new game; the same seed begins the same one."""
        self._seats.forget()
        self.agents = list(self.possible_agents)
        self.game = self.board.new(seed)
        return self._looks(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Takes an action of each agent."""
        for turn in list(self.game.turns):
            if not self.game.over:
                self.game.choose(int(actions[name_of(turn.seat)]), turn.seat)
        if self.game.waits:
            self.board.advance(self.game)
        earned = self.game.rewards()
        rewards = {agent: earned.get(seat_of(agent), 0.0) for agent in self.agents}
        cut = not self.game.over and self._most is not None and self.game.actions >= self._most
        told = self._looks(), rewards, self._all(self.game.over), self._all(cut), self._infos()
        if self.game.over or cut:
            self.agents = []
        return told

    def render(self) -> str | None:
        """The map as a spectator sees it and who is asked what, as text."""
        return self.board.text(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _looks(self) -> dict[str, Observation]:
        self._seats.look(self.game)
        turns = {name_of(turn.seat): turn for turn in self.game.turns}
        return {agent: self._seats.observe(agent, turns.get(agent), waiting=True) for agent in self.agents}

    def _infos(self) -> dict[str, Info]:
        turns = {name_of(turn.seat): turn for turn in self.game.turns}
        waiting: Info = {"action_mask": self.board.mask(None)}
        return {agent: self.board.info(turns[agent]) if agent in turns else dict(waiting) for agent in self.agents}

    def _all(self, value: bool) -> dict[str, bool]:
        return dict.fromkeys(self.agents, value)
