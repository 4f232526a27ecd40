"""Answers of bots, and their conversion to protobuf messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from heliopause.v1 import game_pb2


@dataclass(frozen=True)
class OutgoingMessage:
    """A message to other seats."""

    to: Sequence[int]
    """The seats that receive the message, from 1."""
    text: str


@dataclass(frozen=True)
class Answer:
    """Orders with additional data."""

    orders: str | Sequence[str] = ()
    """Orders in the game's notation: text with one per line, or a list."""
    ready: bool = True
    """Whether the seat is ready. If not, a revisable decision remains pending."""
    memo: bytes | None = None
    """Data for the seat's next decision. None keeps the last memo."""
    messages: Sequence[OutgoingMessage] = ()
    """Messages to other seats, sent once the orders are accepted."""


Reply = Answer | str | Sequence[str] | None
"""A bot's reply: an `Answer`, or only its orders. None means ready without orders."""


def answer_of(reply: Reply) -> Answer:
    """Converts a reply to an answer."""
    return reply if isinstance(reply, Answer) else Answer(reply or ())


def text_of(orders: str | Sequence[str]) -> str:
    """Converts orders to text with one per line."""
    return orders if isinstance(orders, str) else "\n".join(orders)


def orders_of(orders: str | Sequence[str] | game_pb2.Orders) -> game_pb2.Orders:
    """Converts orders to the `Orders` protobuf message."""
    return orders if isinstance(orders, game_pb2.Orders) else game_pb2.Orders(text=text_of(orders))
