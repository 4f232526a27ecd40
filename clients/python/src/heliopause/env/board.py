"""Shared parts of the environments: spaces, observations and infos of a seat."""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

import copy
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from typing_extensions import TypedDict, Unpack

from heliopause.aio.client import Json
from heliopause.env.arrays import Array, arranged
from heliopause.env.games import Game, Illegal, Reward, Rules
from heliopause.env.local import Place
from heliopause.env.menu import NOTHING, Mask
from heliopause.env.tensor import Layout
from heliopause.env.turn import Turn
from heliopause.methods import GameService
from heliopause.v1 import envelope_pb2, game_pb2

Observation = dict[str, Any]
"""The `observation` as an array, and the `action_mask`, with a 1 for each legal action."""
Info = dict[str, Any]
"""The menu as `orders`, the `action_mask`, the typed `view`, and the pending `decision`."""


def render_mode(mode: str | None) -> str | None:
    """Returns the mode of rendering. Raises `ValueError` unless it is "ansi" or None."""
    if mode not in (None, "ansi"):
        raise ValueError(f"render_mode: {mode!r} is not supported; use 'ansi' or None")
    return mode


class Settings(TypedDict, total=False):
    """The settings of all environments."""

    options: envelope_pb2.GameOptions | Json | None
    """The options of the rules."""
    actions: int
    """The maximum length of a menu. The default is 512."""
    observation: Literal["array", "tensor"]
    """The form of observations: the array of the kind, which is the default, or a tensor as `Layout` describes."""
    reward: Reward
    """The rewards. The default is "points"."""
    illegal: Illegal
    """The treatment of illegal actions: "replace", the default, takes a random legal one, "terminate" ends the game
    and gives the seat -1, and "raise" raises `ValueError`.
    """
    engine: str | None
    """The address of an engine. By default, the environment starts one."""
    token: str | None
    """The token of an account. By default, the environment registers one."""


@dataclass(frozen=True)
class State:
    """A point in a game to which an environment can return, any number of times."""

    game: Game
    seed: bytes
    """The seed of the dice after the return."""
    kept: dict[str, Any]
    """The other state of the environment."""


class Board:
    """The games of one kind on an engine, and the conversions of their views for learners."""

    def __init__(
        self,
        kind: str,
        *,
        players: int | None = None,
        automated: Mapping[int, str] | None = None,
        together: bool = False,
        **settings: Unpack[Settings],
    ) -> None:
        """Opens an engine. By default, starts one."""
        actions = settings.get("actions", 512)
        if actions < 2:
            raise ValueError(f"actions: {actions} is too small; the minimum is 2")
        options, is_tensor = settings.get("options"), settings.get("observation") == "tensor"
        self.rules = Rules(
            kind,
            players,
            options,
            dict(automated or {}),
            actions,
            settings.get("reward", "points"),
            settings.get("illegal", "replace"),
            scenes=is_tensor,
            together=together,
        )
        self.place = Place(self.rules, settings.get("engine"), settings.get("token"))
        self.players = self.place.players
        self.layout: Layout | None = None
        """The rows and columns of tensors, or None for arrays."""
        self._arrange, length = arranged(kind)
        self.shape: tuple[int, ...] = (length,)
        """The shape of observations."""
        if is_tensor:
            self.layout = Layout(self.place.run(self.place.games.client.board(kind, options=options)))
            self.shape = self.layout.shape

    def observation_space(self) -> spaces.Dict:
        """Returns the space of a seat's observations."""
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, self.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self.rules.size,), np.int8),
            }
        )

    def action_space(self) -> spaces.Discrete:
        """Returns the space of a seat's actions: the numbers of lines in its menu."""
        return spaces.Discrete(self.rules.size)

    def array(self, turn: Turn) -> Array:
        """Returns a seat's view as an array, or its scene as a tensor."""
        return self._arrange(turn) if self.layout is None else self.layout.tensor(turn.question)

    def mask(self, turn: Turn | None) -> Mask:
        """Returns the legal actions of a seat. A seat without a decision can only wait."""
        if turn is not None:
            return turn.menu.mask(self.rules.size)
        mask = np.zeros(self.rules.size, np.int8)
        mask[NOTHING] = 1
        return mask

    def info(self, turn: Turn) -> Info:
        """Returns the menu, the mask, the view and the decision of a seat."""
        menu = turn.menu
        return {"orders": menu, "action_mask": self.mask(turn), "view": turn.view, "decision": turn.decision}

    def new(self, seed: int | None) -> Game:
        """Creates a game and advances it to its first decision."""
        return self.place.run(self.place.games.new([seed]))[0]

    def state(self, game: Game, kept: dict[str, Any]) -> State:
        """Keeps a copy of a game and of other state."""
        (copied,) = self.place.run(self.place.games.clone(game))
        return State(copied, os.urandom(32), copy.deepcopy(kept))

    def restored(self, state: State) -> tuple[Game, dict[str, Any]]:
        """Returns a game that continues from a kept one, and the other state. The dice are the same each time."""
        (game,) = self.place.run(self.place.games.clone(state.game, seed=state.seed))
        return game, copy.deepcopy(state.kept)

    def text(self, game: Game, seat: int | None = None) -> str:
        """Returns the map as text for a seat or a spectator, and the pending decisions."""
        request = game_pb2.DrawMapRequest(
            game_id=game.game_id, seat=seat, as_spectator=seat is None, format=game_pb2.MAP_FORMAT_TEXT, width=100
        )
        drawn = self.place.run(self.place.games.client.call(GameService.DrawMap, request)).map
        asked = "\n".join(f"seat {turn.seat}: {turn.decision.prompt}" for turn in game.turns)
        return f"{drawn.rstrip()}\n{asked or 'the game is over'}"

    def advance(self, game: Game) -> None:
        """Submits the chosen orders."""
        self.place.run(self.place.games.advance([game]))
