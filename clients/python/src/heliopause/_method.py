"""Descriptors of calls: path, request type and response type."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.message import Message

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Q, A]):
    """A call of the contract."""

    path: str
    request: type[Q]
    answer: type[A]

    @property
    def name(self) -> str:
        """The name without its service: `GetOffers`."""
        return self.path.rpartition("/")[2]


class Unary(Method[Q, A]):
    """A call with one request and one response."""


class Listening(Method[Q, A]):
    """A call with one request and a stream of responses."""


class Duplex(Method[Q, A]):
    """A call with a stream of requests and a stream of responses."""
