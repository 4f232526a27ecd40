"""A seat with the view of its player."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from heliopause.v1 import game_pb2, table_pb2
from heliopause.v1.envelope_pb2 import GameView


class Seat(ABC):
    """A seat with the view of its player: a `Table`, or a seat leased to a worker."""

    def __init__(self, game_id: str, kind: str, number: int) -> None:
        self.game_id = game_id
        """The id of the game."""
        self.kind = kind
        """The kind of game, such as "diplomacy"."""
        self.number = number
        """The number of the seat, from 1, or 0 for a spectator."""
        self.decision: table_pb2.Decision | None = None
        """The pending decision, or None if there is none."""
        self.level = ""
        """The level that a lease requests, or an empty string at a table."""
        self.random = Random()
        """Random numbers for this decision. A repeated lease of a decision gets the same numbers."""
        self.memo = b""
        """The memo of the seat's last answer. At a table, the bot keeps the memo in memory."""
        self.attempt = 0
        """The number of refused answers to this decision."""
        self.refused: Sequence[game_pb2.Verdict] = ()
        """The verdicts on the last answer. Empty at the first attempt."""

    @abstractmethod
    async def view(self) -> GameView:
        """Returns the current view of the seat."""
