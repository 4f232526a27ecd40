"""Many games of one engine at the same time. Each step takes one decision of each game."""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Unpack

from heliopause.env.arrays import Array
from heliopause.env.board import Board, Settings
from heliopause.env.games import Game
from heliopause.env.menu import Mask, Menu
from heliopause.env.turn import Turn


@dataclass(frozen=True)
class Ended:
    """A game that ended in the last step and was replaced by a new one."""

    game: Game
    rewards: dict[int, float]
    """The rewards of each seat since its last reward."""


@dataclass(frozen=True)
class Pending:
    """The pending decisions, one per game."""

    turns: Sequence[Turn]
    seats: NDArray[np.int64]
    """The seat of the decision, by game."""
    rewards: Sequence[dict[int, float]]
    """The rewards of the last step, in games that continue."""
    ended: dict[int, Ended]
    """Games that ended in the last step, by index."""
    _board: Board

    @property
    def menus(self) -> list[Menu]:
        """Returns the menus of the seats."""
        return [turn.menu for turn in self.turns]

    def masks(self) -> Mask:
        """Returns the legal actions: a row per game."""
        return np.stack([self._board.mask(turn) for turn in self.turns])

    def observations(self) -> Array:
        """Returns the views: a row per game."""
        return np.stack([self._board.array(turn) for turn in self.turns])


class Vector:
    """Games in which learners play all seats. A new game replaces each game that is over."""

    def __init__(
        self,
        kind: str,
        games: int,
        *,
        players: int | None = None,
        automated: Mapping[int, str] | None = None,
        most_actions: int | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """Truncates games after `most_actions`. `automated` gives levels of automation by seat."""
        if games < 1:
            raise ValueError(f"games: {games} is too small; the minimum is 1")
        self.board = Board(kind, players=players, automated=automated, **settings)
        self.size, self._most = games, most_actions
        self.games: list[Game] = []
        self._seeds = np.random.default_rng()

    def reset(self, seed: int | None = None) -> Pending:
        """Restarts all games. The same seed gives the same games, and the same later games."""
        self._seeds = np.random.default_rng(seed)
        self.games = self._new(self.size)
        return self._asked({})

    def step(self, actions: Sequence[int] | NDArray[np.int64]) -> Pending:
        """Applies an action of the pending seat in each game."""
        if len(actions) != len(self.games):
            raise ValueError(f"expected {len(self.games)} actions, one for each game, found {len(actions)}")
        for game, action in zip(self.games, actions, strict=True):
            game.choose(int(action))
        self.board.place.run(self.board.place.games.advance(self.games))
        over = [at for at, game in enumerate(self.games) if game.over or self._cut(game)]
        ended = {at: Ended(self.games[at], self.games[at].rewards()) for at in over}
        if over:
            for at, game in zip(over, self._new(len(over)), strict=True):
                self.games[at] = game
        return self._asked(ended)

    def close(self) -> None:
        """Closes the connection."""
        self.board.place.close()

    def _cut(self, game: Game) -> bool:
        return self._most is not None and game.actions >= self._most

    def _new(self, count: int) -> list[Game]:
        seeds = [int(seed) for seed in self._seeds.integers(2**63, size=count)]
        return self.board.place.run(self.board.place.games.new(seeds))

    def _asked(self, ended: dict[int, Ended]) -> Pending:
        turns = [game.turn for game in self.games]
        seats = np.array([turn.seat for turn in turns])
        return Pending(turns, seats, [game.rewards() for game in self.games], ended, self.board)
