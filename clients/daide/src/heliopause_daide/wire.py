"""The client-server protocol: messages over TCP, each with a type and a length."""

import asyncio
import struct
from dataclasses import dataclass
from enum import IntEnum

VERSION, MAGIC, WRONG_ENDIAN = 1, 0xDA10, 0x10DA
_HEAD = struct.Struct(">BxH")
# A client has to begin within so many seconds.
INITIAL_SECONDS = 30


class Kind(IntEnum):
    """Types of messages."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


class Fault(IntEnum):
    """Errors of the protocol. Whoever meets one says it and closes the connection."""

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
    """What a peer does against the protocol."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.name.lower().replace("_", " "))
        self.fault = fault


class PeerLeft(Exception):
    """The peer has ended the connection, or told an error; then `fault` is its number."""

    def __init__(self, fault: int | None = None) -> None:
        super().__init__("the peer has left" if fault is None else f"the peer tells error {fault:#04x}")
        self.fault = fault


class PeerRefused(Exception):
    """The server closes the connection because the peer is over a limit."""


@dataclass(frozen=True)
class Message:
    """A message as it stands on the line."""

    kind: int
    body: bytes

    def encoded(self) -> bytes:
        """Its bytes."""
        return _HEAD.pack(self.kind, len(self.body)) + self.body


def initial() -> Message:
    """The first message of a client."""
    return Message(Kind.INITIAL, struct.pack(">HH", VERSION, MAGIC))


def representation() -> Message:
    """The first answer of a server: an empty one means the standard map and its words."""
    return Message(Kind.REPRESENTATION, b"")


def diplomacy(words: list[int]) -> Message:
    """Words."""
    return Message(Kind.DIPLOMACY, struct.pack(f">{len(words)}H", *words))


def final() -> Message:
    """The last message of either side."""
    return Message(Kind.FINAL, b"")


def error(fault: Fault) -> Message:
    """That the peer broke the protocol."""
    return Message(Kind.ERROR, struct.pack(">H", fault))


def words_of(message: Message) -> list[int]:
    """The words of a message."""
    if len(message.body) % 2:
        raise ProtocolError(Fault.SHORT)
    return list(struct.unpack(f">{len(message.body) // 2}H", message.body))


async def receive(reader: asyncio.StreamReader) -> Message:
    """The next message. Raises `PeerLeft` at the end, also of a message that is cut off."""
    try:
        kind, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
        return Message(kind, await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise PeerLeft from None


def check_initial(message: Message) -> None:
    """Raises `ProtocolError` unless this is how a client begins."""
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
    """The words of a client's later message; None if it says farewell."""
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
