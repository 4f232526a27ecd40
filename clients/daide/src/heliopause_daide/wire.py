"""The client-server protocol: messages over TCP, each with a type and a length."""

import asyncio
import struct
from dataclasses import dataclass
from enum import IntEnum

VERSION, MAGIC, WRONG_ENDIAN = 1, 0xDA10, 0x10DA
_HEAD = struct.Struct(">BxH")
# The timeout for a client's first message.
INITIAL_SECONDS = 30


class Kind(IntEnum):
    """Types of messages."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


class Fault(IntEnum):
    """Errors of the protocol. The side that detects an error sends it and closes the connection."""

    TIMER = 0x01
    INITIAL_NOT_FIRST = 0x02
    ENDIAN = 0x03
    MAGIC = 0x04
    VERSION = 0x05
    INITIAL_TWICE = 0x06
    INITIAL_BY_SERVER = 0x07
    UNKNOWN_MESSAGE = 0x08
    SHORT = 0x09
    DIPLOMACY_TOO_EARLY = 0x0A
    REPRESENTATION_NOT_FIRST = 0x0B
    REPRESENTATION_TWICE = 0x0C
    REPRESENTATION_BY_CLIENT = 0x0D
    WORD = 0x0E


class ProtocolError(Exception):
    """A violation of the protocol by the peer."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.name.lower().replace("_", " "))
        self.fault = fault


class PeerLeft(Exception):
    """The peer closed the connection or sent an error, whose number is `fault`."""

    def __init__(self, fault: int | None = None) -> None:
        super().__init__("the peer closed the connection" if fault is None else f"the peer sent error {fault:#04x}")
        self.fault = fault


class PeerRefused(Exception):
    """The server closes the connection because the peer exceeds a limit."""


@dataclass(frozen=True)
class Message:
    """An encoded message."""

    kind: int
    body: bytes

    def encoded(self) -> bytes:
        """Returns the bytes of the message."""
        return _HEAD.pack(self.kind, len(self.body)) + self.body


def initial() -> Message:
    """Returns the first message of a client."""
    return Message(Kind.INITIAL, struct.pack(">HH", VERSION, MAGIC))


def representation() -> Message:
    """Returns the server's first response. An empty response means the standard map and its words."""
    return Message(Kind.REPRESENTATION, b"")


def diplomacy(words: list[int]) -> Message:
    """Returns a message with words."""
    return Message(Kind.DIPLOMACY, struct.pack(f">{len(words)}H", *words))


def final() -> Message:
    """Returns the last message of either side."""
    return Message(Kind.FINAL, b"")


def error(fault: Fault) -> Message:
    """Returns the message about an error of the peer."""
    return Message(Kind.ERROR, struct.pack(">H", fault))


def words_of(message: Message) -> list[int]:
    """Returns the words of a message."""
    if len(message.body) % 2:
        raise ProtocolError(Fault.SHORT)
    return list(struct.unpack(f">{len(message.body) // 2}H", message.body))


async def receive(reader: asyncio.StreamReader) -> Message:
    """Receives a message. Raises `PeerLeft` at the end, even within a message."""
    try:
        kind, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
        return Message(kind, await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise PeerLeft from None


def check_initial(message: Message) -> None:
    """Raises `ProtocolError` unless the message is a valid first message."""
    if message.kind != Kind.INITIAL:
        raise ProtocolError(Fault.INITIAL_NOT_FIRST)
    if len(message.body) != 4:
        raise ProtocolError(Fault.SHORT)
    version, magic = struct.unpack(">HH", message.body)
    if magic == WRONG_ENDIAN:
        raise ProtocolError(Fault.ENDIAN)
    if magic != MAGIC:
        raise ProtocolError(Fault.MAGIC)
    if version != VERSION:
        raise ProtocolError(Fault.VERSION)


def check_later(message: Message) -> list[int] | None:
    """Returns the words of a later message, or None for a final message."""
    if message.kind == Kind.DIPLOMACY:
        return words_of(message)
    if message.kind == Kind.FINAL:
        return None
    if message.kind == Kind.ERROR:
        raise PeerLeft(struct.unpack(">H", message.body)[0] if len(message.body) == 2 else None)
    if message.kind == Kind.INITIAL:
        raise ProtocolError(Fault.INITIAL_TWICE)
    if message.kind == Kind.REPRESENTATION:
        raise ProtocolError(Fault.REPRESENTATION_BY_CLIENT)
    raise ProtocolError(Fault.UNKNOWN_MESSAGE)
