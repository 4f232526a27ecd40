"""Scenes as tensors: a row per place of the board, and a column per fact.

`COLUMNS` names the columns, which are the same for all games and versions. Each seat sees itself as seat 0 and
the others in table order.
"""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from heliopause.v1 import sandbox_pb2, scene_pb2

Array = NDArray[np.float32]

SEATS = 8
"""The number of columns for owners: the reader, then the other seats. Further seats share the last column."""
RADIUS = 12
"""The distance of the farthest rows from (0,0) on a map that is hidden. With local frames, (0,0) is the homeworld."""

_TERRAINS = ("space", "cloud", "waste", "sea", "land")
_PLACES = (
    *("star", "planet", "world", "homeworld", "portal", "storm", "nebula", "center", "earth", "friendly"),
    *("hostile", "dead", "asteroids", "empty", "destroyed", "death-star", "unknown"),
)
_PIECES = ("army", "fleet", "ship", "ships", "base", "colony", "post", "flag", "wreck", "waiting")
_STATES = ("disrupted", "out", "dislodged", "besieged", "shielded", "old")
_OUT_OF_SIGHT = (scene_pb2.SCENE_SIGHT_STALE, scene_pb2.SCENE_SIGHT_HIDDEN)


def _numbered(name: str) -> list[str]:
    return [f"{name}:{seat}" for seat in range(SEATS)]


COLUMNS = (
    "known",
    "visible",
    "value",
    *(f"terrain:{word}" for word in _TERRAINS),
    *(f"place:{word}" for word in _PLACES),
    *_numbered("owner"),
    *(f"own:{word}" for word in _PIECES),
    *(f"other:{word}" for word in _PIECES),
    *_numbered("pieces"),
    *(f"state:{word}" for word in _STATES),
)
"""The columns.

`known` is 1 for places that the seat knows, `visible` for those that it sees at present. `value` is the production
of a world or the rating of a storm. `terrain` and `place` are 1 for what is there, `owner` for the seat that owns it.
`own` and `other` count the pieces of a kind, `pieces` those of a seat, `state` those in a state.
"""
_AT = {name: at for at, name in enumerate(COLUMNS)}


class Layout:
    """The rows of a kind of game."""

    def __init__(self, board: scene_pb2.Board) -> None:
        """Takes the rows from the places of a board, or from the hexes around (0,0) if the board is partial."""
        if board.partial:
            names = [f"({q},{y})" for q in _span() for y in _span() if abs(q - y) <= RADIUS]
        else:
            names = [place.name for place in board.places]
        self.rows: tuple[str, ...] = tuple(names)
        """The names of the places, in the order of the rows."""
        self.shape = (len(names), len(COLUMNS))
        """The numbers of rows and columns."""
        self.row = {name: at for at, name in enumerate(names)}
        """The rows by the names of places."""

    def tensor(self, asked: sandbox_pb2.SandboxDecision) -> Array:
        """Returns the scene of a decision as a tensor. Places without a row are omitted."""
        array = np.zeros(self.shape, np.float32)
        scene, seats = asked.scene, max(len(asked.scene.seats), 1)
        rows = dict(self.row)

        def relative(seat: int) -> int:
            return min((seat - asked.seat) % seats, SEATS - 1)

        def put(row: int, name: str, value: float = 1.0) -> None:
            column = _AT.get(name)
            if column is not None:
                array[row, column] += value

        for area in scene.areas:
            row = rows.get(area.name)
            if row is None:
                continue
            put(row, "known", float(area.sight != scene_pb2.SCENE_SIGHT_HIDDEN))
            put(row, "visible", float(area.sight not in _OUT_OF_SIGHT))
            put(row, f"terrain:{area.terrain}")
            if area.HasField("owner"):
                put(row, f"owner:{relative(area.owner)}")
        for place in scene.places:
            row = rows.get(place.name, rows.get(place.area))
            if row is None:
                continue
            rows.setdefault(place.name, row)
            put(row, f"place:{place.kind}")
            put(row, "value", place.value)
            # An area and what it contains may share a row and an owner.
            if place.HasField("owner"):
                array[row, _AT[f"owner:{relative(place.owner)}"]] = 1
        for piece in scene.pieces:
            row = rows.get(piece.place)
            if row is None:
                continue
            count = max(piece.count, 1)
            owner = relative(piece.owner) if piece.HasField("owner") else SEATS - 1
            put(row, f"{'other' if owner else 'own'}:{piece.kind}", count)
            put(row, f"pieces:{owner}", count)
            for state in piece.states:
                put(row, f"state:{state}", count)
        return array


def _span() -> Iterable[int]:
    return range(-RADIUS, RADIUS + 1)
