"""Many games of one engine at the same time, a decision of each in every step."""

# NumPy, Gymnasium and PettingZoo say little about their types.
# pyright: basic

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliopause.env.arrays import Array
from heliopause.env.board import Board
from heliopause.env.games import Game
from heliopause.env.menu import Mask, Menu
from heliopause.env.turn import Turn


@dataclass(frozen=True)
class Ended:
    """A game that has ended in the last step; another has begun in its place."""

    game: Game
    rewards: dict[int, float]
    """What each seat has won since it was rewarded last."""


@dataclass(frozen=True)
class Asked:
    """What the games ask: one seat of each."""

    turns: Sequence[Turn]
    seats: NDArray[np.int64]
    """Which seat is asked, by games."""
    rewards: Sequence[dict[int, float]]
    """What the seats of each game have won in the last step, in games that go on."""
    ended: dict[int, Ended]
    """Games that have ended in the last step, by their places."""
    _board: Board

    @property
    def menus(self) -> list[Menu]:
        """What the seats may do, as menus of orders."""
        return [turn.menu for turn in self.turns]

    def masks(self) -> Mask:
        """What the seats may do: a row for each game."""
        return np.stack([self._board.mask(turn) for turn in self.turns])

    def observations(self) -> Array:
        """What the seats know: a row for each game."""
        return np.stack([self._board.array(turn) for turn in self.turns])


class Vector:
    """Games in which learners play all seats. One that is over is followed by the next in its place."""

    def __init__(self, kind: str, games: int, *, most_actions: int | None = None, **more: Any) -> None:
        """`most_actions` cuts games off after so many; other options are those of `Board`."""
        if games < 1:
            raise ValueError("at least one game")
        self.board = Board(kind, **more)
        self.size, self._most = games, most_actions
        self.games: list[Game] = []
        self._seeds = np.random.default_rng()

    def reset(self, seed: int | None = None) -> Asked:
        """Begins all games anew; the same seed begins the same ones, and the same ones after them."""
        self._seeds = np.random.default_rng(seed)
        self.games = self._new(self.size)
        return self._asked({})

    def step(self, actions: Sequence[int] | NDArray[np.int64]) -> Asked:
        """Takes an action of the seat that is asked in each game."""
        if len(actions) != len(self.games):
            raise ValueError(f"give {len(self.games)} actions, one for each game")
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

    def _asked(self, ended: dict[int, Ended]) -> Asked:
        turns = [game.turn for game in self.games]
        seats = np.array([turn.seat for turn in turns])
        return Asked(turns, seats, [game.rewards() for game in self.games], ended, self.board)
