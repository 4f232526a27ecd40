"""What a call is: its path, and the types of its request and its answer."""

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
    """One request, one answer."""


class Listening(Method[Q, A]):
    """One request, a stream of answers."""


class Duplex(Method[Q, A]):
    """A stream of requests, a stream of answers."""
