"""Views as arrays of fixed length.

For Starships at Large and the games on the map of Europe, the arrays represent the board. For other
games, they are the numbers and words of the view, hashed into bins.
"""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

import math
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from numpy.typing import NDArray

from heliopause.diplomacy.v1 import table_pb2 as europe
from heliopause.env.turn import Turn
from heliopause.starships_at_large.v1 import starships_pb2 as starships

Array = NDArray[np.float32]

_SIDE = 3
HEXES = [(q, r) for q in range(-_SIDE, _SIDE + 1) for r in range(-_SIDE, _SIDE + 1) if abs(q + r) <= _SIDE]
"""The 37 hexes of Starships at Large."""
_HEX_AT = {place: at for at, place in enumerate(HEXES)}
_MARKERS = 9
# The columns of a hex: marker, face up, Death Zone, owner of the planet (self, other), pieces (self, others).
_OF_HEX = _MARKERS + 2 + 2 + 4
_OF_TABLE = 4

PROVINCES = """
    Adr Aeg Alb Ank Apu Arm BAL BAR Bel Ber BLA Boh BOT Bre Bud Bul Bur Cly Con Den EAS Edi ENG Fin Gal
    Gas Gre HEL Hol ION IRI Kie Lon Lvn Lvp LYO MAO Mar Mos Mun NAf Nap NAO Nth Nwy NWG Par Pic Pie Por
    Pru Rom Ruh Rum Ser Sev Sil SKA Smy Spa StP Swe Syr Tri Tun Tus Tyr TYS Ukr Ven Vie Wal War WES Yor
""".upper().split()
"""The 75 provinces of the map of Europe."""
_PROVINCE_AT = {name: at for at, name in enumerate(PROVINCES)}
# The number of powers in a row: the reader, then the other seats in table order. Further seats share the last index.
_POWERS = 7
# The columns of a province: army, fleet, dislodged, owner of the unit, owner of the center.
_OF_PROVINCE = 3 + 2 * _POWERS

_BINS = 512


def of_starships(turn: Turn) -> Array:
    """Returns the board of Starships at Large in a seat's view: a row per hex, and one for the round."""
    board = np.zeros((len(HEXES), _OF_HEX), np.float32)
    known: starships.Position = turn.view.starships_at_large.known
    me = turn.seat
    for hexagon in known.hexes:
        row = board[_HEX_AT[hexagon.hex.q, hexagon.hex.r]]
        row[hexagon.marker if hexagon.marker < _MARKERS else 0] = 1
        row[_MARKERS] = hexagon.face_up
        row[_MARKERS + 1] = hexagon.death_zone
        if hexagon.owner:
            row[_MARKERS + (2 if hexagon.owner == me else 3)] = 1
    for seat, player in enumerate(known.players, start=1):
        first = _MARKERS + (4 if seat == me else 6)
        for ship in player.starships:
            board[_HEX_AT[ship.at.q, ship.at.r], first] += 1
        for base in player.bases:
            board[_HEX_AT[base.at.q, base.at.r], first + 1] += 1
    owned = board[:, _MARKERS + 2 : _MARKERS + 4].sum(axis=0)
    table = [known.round / 12, known.death_star.state / 3, owned[0] / 7, owned[1] / 7]
    return np.concatenate([board.ravel(), np.array(table, np.float32)])


def of_europe(turn: Turn) -> Array:
    """Returns the map of Europe in a seat's view: a row per province, and the year and phase."""
    board = np.zeros((len(PROVINCES), _OF_PROVINCE), np.float32)
    table: europe.Table = turn.view.diplomacy.table

    def place(seat: int) -> int:
        return min((seat - turn.seat) % max(table.players, 1), _POWERS - 1)

    for power in table.powers:
        owner = place(power.seat)
        for unit in power.units:
            at = _PROVINCE_AT.get(unit.at.partition("/")[0].upper())
            if at is not None:
                board[at, unit.kind - 1] = 1
                board[at, 3 + owner] = 1
        for center in (*power.centers, *power.colonies):
            at = _PROVINCE_AT.get(center.upper())
            if at is not None:
                board[at, 3 + _POWERS + owner] = 1
    for one in table.dislodged:
        at = _PROVINCE_AT.get(one.unit.unit.at.partition("/")[0].upper())
        if at is not None:
            board[at, 2] = 1
    return np.concatenate([board.ravel(), np.array([(table.year - 1900) / 20, table.phase / 5], np.float32)])


def of_any(turn: Turn) -> Array:
    """Returns the fields of any view in bins by name: numbers by size, words by frequency."""
    bins = np.zeros(_BINS, np.float32)
    view = turn.view
    kind = view.WhichOneof("game")
    if kind is not None:
        _into(bins, getattr(view, kind), 0)
    for goal in turn.question.goals:
        bins[_bin(f"{goal.label}/{goal.seat == turn.seat}", 1)] += goal.value
    small: Array = np.sign(bins) * np.log1p(np.abs(bins))
    return small


def _into(bins: Array, message: Message, above: int) -> None:
    for descriptor, value in message.ListFields():
        path = zlib.crc32(descriptor.name.encode(), above)
        if descriptor.type == FieldDescriptor.TYPE_MESSAGE:
            if isinstance(value, Mapping):
                bins[path % _BINS] += len(value)
                continue
            for one in value if descriptor.is_repeated else (value,):
                _into(bins, one, path)
        else:
            for one in value if descriptor.is_repeated else (value,):
                _count(bins, one, path)


def _count(bins: Array, value: Any, path: int) -> None:
    if isinstance(value, (str, bytes)):
        bins[_bin(value, path)] += 1
    elif isinstance(value, float) and not math.isfinite(value):
        return
    else:
        bins[path % _BINS] += float(value)


def _bin(word: str | bytes, above: int) -> int:
    return zlib.crc32(word.encode() if isinstance(word, str) else word, above) % _BINS


Arrange = Callable[[Turn], Array]
"""Converts a seat's view to an array."""

_NATURAL: dict[str, tuple[Arrange, int]] = {
    "starships-at-large": (of_starships, len(HEXES) * _OF_HEX + _OF_TABLE),
    "diplomacy": (of_europe, len(PROVINCES) * _OF_PROVINCE + 2),
    "it-came-from-outer-space": (of_europe, len(PROVINCES) * _OF_PROVINCE + 2),
}


def arranged(kind: str) -> tuple[Arrange, int]:
    """Returns the converter of a kind of game, and the length of its arrays."""
    return _NATURAL.get(kind, (of_any, _BINS))
