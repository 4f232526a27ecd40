"""What the environments have in common: spaces, observations and infos of a seat."""

# NumPy, Gymnasium and PettingZoo say little about their types.
# pyright: basic

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from heliopause.aio.client import Json
from heliopause.env.arrays import Array, arranged
from heliopause.env.games import Game, Illegal, Reward, Rules
from heliopause.env.local import Place
from heliopause.env.menu import NOTHING, Mask
from heliopause.env.turn import Turn
from heliopause.methods import GameService
from heliopause.v1 import envelope_pb2, game_pb2

Observation = dict[str, Any]
"""`observation`, an array, and `action_mask`, which has a 1 for each action that is on the menu."""
Info = dict[str, Any]
"""`orders`, the menu; `action_mask`; `view`, typed; `decision`, what is asked."""


def render_mode(mode: str | None) -> str | None:
    """A mode of rendering that the environments have."""
    if mode not in (None, "ansi"):
        raise ValueError(f"render_mode: {mode!r} is not supported; use 'ansi' or None")
    return mode


class Board:
    """A kind of game with a place to play it, and how its seats see it."""

    def __init__(
        self,
        kind: str,
        *,
        players: int | None = None,
        options: envelope_pb2.GameOptions | Json | None = None,
        automated: Mapping[int, str] | None = None,
        actions: int = 512,
        reward: Reward = "points",
        illegal: Illegal = "replace",
        together: bool = False,
        engine: str | None = None,
        token: str | None = None,
    ) -> None:
        """`actions` is how many lines a menu has at most; without an `engine` this process starts one.

        `illegal` says what becomes of an action that is not on the menu: "replace" takes a legal one at random,
        "terminate" ends the game and the seat earns -1, "raise" raises `ValueError`.
        """
        if actions < 2:
            raise ValueError("a menu needs room for two actions at least")
        self.rules = Rules(kind, players, options, dict(automated or {}), actions, reward, illegal, together)
        self.place = Place(self.rules, engine, token)
        self.players = self.place.players
        self._arrange, self.length = arranged(kind)

    def observation_space(self) -> spaces.Dict:
        """What a seat observes."""
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (self.length,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.rules.size,), np.int8),
            }
        )

    def action_space(self) -> spaces.Discrete:
        """What a seat may do: the number of a line on its menu."""
        return spaces.Discrete(self.rules.size)

    def array(self, turn: Turn) -> Array:
        """What a seat knows as an array."""
        return self._arrange(turn)

    def mask(self, turn: Turn | None) -> Mask:
        """Which actions a seat may take; one that is not asked waits."""
        if turn is not None:
            return turn.menu.mask(self.rules.size)
        mask = np.zeros(self.rules.size, np.int8)
        mask[NOTHING] = 1
        return mask

    def info(self, turn: Turn) -> Info:
        """What else a seat may want to know."""
        menu = turn.menu
        return {"orders": menu, "action_mask": self.mask(turn), "view": turn.view, "decision": turn.decision}

    def new(self, seed: int | None) -> Game:
        """A new game, at its first decision."""
        return self.place.run(self.place.games.new([seed]))[0]

    def text(self, game: Game, seat: int | None = None) -> str:
        """The map as text, as a seat or a spectator sees it, and what is asked."""
        request = game_pb2.DrawMapRequest(
            game_id=game.game_id, seat=seat, as_spectator=seat is None, format=game_pb2.MAP_FORMAT_TEXT, width=100
        )
        drawn = self.place.run(self.place.games.client.call(GameService.DrawMap, request)).map
        asked = "\n".join(f"seat {turn.seat}: {turn.decision.prompt}" for turn in game.turns)
        return f"{drawn.rstrip()}\n{asked or 'the game is over'}"

    def advance(self, game: Game) -> None:
        """Gives the orders that were chosen."""
        self.place.run(self.place.games.advance([game]))
