"""What a bot answers when it is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from heliopause.v1 import game_pb2


@dataclass(frozen=True)
class Letter:
    """A message to other seats."""

    to: Sequence[int]
    """The seats that receive it, from 1."""
    text: str


@dataclass(frozen=True)
class Answer:
    """Orders, and what goes with them."""

    orders: str | Sequence[str] = ()
    """Orders in the notation of the game: a text with one a line, or a list."""
    ready: bool = True
    """Whether that is all. It matters for decisions that may be revised; if not, the seat is asked again."""
    memo: bytes | None = None
    """What the seat's next decision brings back. None keeps the last memo."""
    letters: Sequence[Letter] = ()
    """What the seat writes to others, once the orders are taken."""


Reply = Answer | str | Sequence[str] | None
"""What may be answered: an `Answer`, or its orders alone. None and no orders mean: ready, nothing more."""


def answer_of(reply: Reply) -> Answer:
    """The answer that a reply stands for."""
    return reply if isinstance(reply, Answer) else Answer(reply or ())


def text_of(orders: str | Sequence[str]) -> str:
    """Orders as one text, one a line."""
    return orders if isinstance(orders, str) else "\n".join(orders)


def orders_of(orders: str | Sequence[str] | game_pb2.Orders) -> game_pb2.Orders:
    """Orders as the contract has them."""
    return orders if isinstance(orders, game_pb2.Orders) else game_pb2.Orders(text=text_of(orders))
