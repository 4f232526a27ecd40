"""Games as learning environments: PettingZoo, Gymnasium, and many games at once. Needs `heliopause[env]`.

`Aec` and `Parallel` are PettingZoo's two kinds, `Single` is Gymnasium's, `Vector` plays many games of one engine. All
play in a sandbox: that of the engine that is named, or of one that is started for this process.
"""

from heliopause.env.arrays import HEXES, PROVINCES
from heliopause.env.board import Board
from heliopause.env.games import Game, Reward
from heliopause.env.gym import Single
from heliopause.env.menu import NOTHING, Menu
from heliopause.env.turn import Turn
from heliopause.env.vector import Asked, Ended, Vector
from heliopause.env.zoo import Aec, Parallel

__all__ = [
    "HEXES",
    "NOTHING",
    "PROVINCES",
    "Aec",
    "Asked",
    "Board",
    "Ended",
    "Game",
    "Menu",
    "Parallel",
    "Reward",
    "Single",
    "Turn",
    "Vector",
]
