"""What a decision is made by: a seat, as its own player sees it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from heliopause.v1 import game_pb2, table_pb2
from heliopause.v1.envelope_pb2 import GameView


class Seat(ABC):
    """A seat at a game, with what its player may know. A `Table` is one, and so is what a worker is leased."""

    def __init__(self, game_id: str, kind: str, number: int) -> None:
        self.game_id = game_id
        """The id of the game."""
        self.kind = kind
        """Its kind: "diplomacy"."""
        self.number = number
        """The seat, from 1; 0 for a spectator."""
        self.decision: table_pb2.Decision | None = None
        """The open decision; None if the seat owes none."""
        self.level = ""
        """The level that a lease asks for; empty at a table."""
        self.random = Random()
        """Randomness for this decision. In a lease the same decision has the same."""
        self.memo = b""
        """The memo of the seat's last answer. At a table it lasts as long as the bot."""
        self.attempt = 0
        """How many answers to this decision were refused."""
        self.refused: Sequence[game_pb2.Verdict] = ()
        """Why the last answer was refused; empty at the first attempt."""

    @abstractmethod
    async def view(self) -> GameView:
        """What the seat may know now."""
