"""Games as learning environments: PettingZoo, Gymnasium, and vectorized. Needs `heliopause[env]`.

`Aec` and `Parallel` are the two kinds of PettingZoo. `Single` and `Many` are for Gymnasium, which this module
registers. `Vector` plays many games with all their seats. All of them use sandbox games of the given engine, or of
an engine that this process starts.
"""

from heliopause.env.arrays import HEXES, PROVINCES
from heliopause.env.board import Board, Settings, State
from heliopause.env.games import Game, Reward
from heliopause.env.gym import Many, Single, register
from heliopause.env.menu import NOTHING, Menu
from heliopause.env.tensor import COLUMNS, Layout
from heliopause.env.turn import Turn
from heliopause.env.vector import Ended, Pending, Vector
from heliopause.env.zoo import Aec, Parallel

__all__ = [
    "COLUMNS",
    "HEXES",
    "NOTHING",
    "PROVINCES",
    "Aec",
    "Board",
    "Ended",
    "Game",
    "Layout",
    "Many",
    "Menu",
    "Parallel",
    "Pending",
    "Reward",
    "Settings",
    "Single",
    "State",
    "Turn",
    "Vector",
]

register()
