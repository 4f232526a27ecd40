"""A server for DAIDE clients in front of a table: it waits for them, gives each a power, and lets them play."""

import asyncio
import logging
import secrets
import socket
from dataclasses import dataclass, field

from heliopause.aio import Client, Table
from heliopause.refusals import Refusal

from heliopause_daide import wire
from heliopause_daide.board import definition
from heliopause_daide.guard import DELAY_SECONDS, Guard
from heliopause_daide.seat import MAP_NAME, Seat, texts_of
from heliopause_daide.tokens import (
    CLOSE,
    MOST_WORDS,
    NUMBERS,
    OPEN,
    WORDS,
    Sentence,
    SyntaxFault,
    Unbalanced,
    flat,
    head,
    nested,
    quoted,
    value,
)

_T = NUMBERS
_LOG = logging.getLogger("heliopause_daide")
# A client that takes so long to read what it is told has gone.
_WRITE_SECONDS = 30
# A connection whose peer is gone without a word is found dead after 20 s of silence and three unanswered probes.
_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}


@dataclass(frozen=True)
class Plan:
    """The table that the clients sit at: a new one, or one that waits for players."""

    engine: str | None = None
    game: str | None = None
    clients: int = 1
    """How many clients a new game waits for."""
    level: int = 0
    """What press the clients know: 0 is none, 10 is peace and alliances."""
    automation: str = "standard"
    options: dict[str, object] = field(default_factory=dict[str, object])
    """The rules options of a new game."""


class Host:
    """The clients that have come, and the table."""

    def __init__(self, plan: Plan) -> None:
        if plan.level not in (0, 10):
            raise ValueError("the levels are 0 and 10")
        if not 1 <= plan.clients <= 7:
            raise ValueError("one to seven clients play")
        self.plan = plan
        self.game_id: str | None = plan.game
        """The game, once the first client has come."""
        self.finished = asyncio.Event()
        """Set when the game is over for all clients."""
        self.seats: list[Seat] = []
        self._clients: list[Client] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: set[asyncio.StreamWriter] = set()
        self._guard = Guard()
        self._sitting = asyncio.Lock()
        self._playing = 0

    async def serve(self, host: str, port: int) -> asyncio.Server:
        """Listens for clients."""
        return await asyncio.start_server(self._connected, host, port)

    async def close(self) -> None:
        """Ends all games' tasks and connections to the engine."""
        for line in list(self._lines):
            line.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in self._clients:
            await client.close()

    async def sit(self, connection: "Connection", name: str, version: str) -> Seat | None:
        """Gives a client a seat; None if there is none for it. Rejected names are limited."""
        async with self._sitting:
            if not self._guard.allows_name(connection.address):
                _LOG.warning("%s is over the limit of rejected names", connection.address)
                raise wire.PeerRefused
            if self.plan.game is None and len(self.seats) >= self.plan.clients:
                self._guard.rejected(connection.address)
                return None
            client = Client(self.plan.engine)
            self._clients.append(client)
            try:
                await client.register(_account(name))
                table = await self._table(client)
            except Refusal as refusal:
                _LOG.warning("%r gets no seat: %s", name, refusal)
                self._guard.rejected(connection.address)
                self._clients.remove(client)
                await client.close()
                return None
            seat = Seat(client, table, connection, level=self.plan.level, name=name, version=version)
            self.seats.append(seat)
            self._start(seat)
            return seat

    async def again(self, connection: "Connection", power: str, passcode: int) -> Seat | None:
        """The seat of a client that lost its connection and names its passcode.

        A seat whose connection is open keeps it. Wrong passcodes are answered late, and limited.
        """
        address = connection.address
        seat = next((one for one in self.seats if one.powers and one.power == power), None)
        known = seat is not None and seat.line.address == address
        if not self._guard.allows(address, power, known=known):
            _LOG.warning("%s is over the limit of wrong passcodes", address)
            raise wire.PeerRefused
        if seat is None or not secrets.compare_digest(str(seat.passcode), str(passcode)):
            self._guard.wrong(address, power)
            _LOG.warning("%s named a wrong passcode for %s", address, power or "no power")
            await asyncio.sleep(DELAY_SECONDS)
            return None
        if seat.line.live:
            return None
        seat.line = connection
        return seat

    def _start(self, seat: Seat) -> None:
        self._playing += 1
        task = asyncio.create_task(self._play(seat))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, seat: Seat) -> None:
        try:
            await seat.play()
        except Exception:
            # The other seats play on.
            _LOG.exception("seat %d cannot continue", seat.table.number)
        finally:
            self._playing -= 1
            if not self._playing:
                self.finished.set()

    async def _table(self, client: Client) -> Table:
        if self.game_id is not None:
            return await client.join(self.game_id)
        plan = self.plan
        options = {"diplomacy": {**({"press": "PRESS_RULE_NONE"} if plan.level == 0 else {}), **plan.options}}
        table = await client.new_game(
            "diplomacy",
            open_seats=plan.clients - 1,
            opponents=7 - plan.clients,
            level=plan.automation,
            options=options,
        )
        self.game_id = table.game_id
        return table

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.add(writer)
        try:
            await Connection(self, reader, writer).run()
        finally:
            self._lines.discard(writer)


class Connection:
    """A line to a client."""

    def __init__(self, host: Host, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._host, self._reader, self._writer = host, reader, writer
        self._seat: Seat | None = None
        self.address = str((writer.get_extra_info("peername") or ("",))[0])
        connected: socket.socket | None = writer.get_extra_info("socket")
        if connected is not None:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, number in _KEEPALIVE.items():
                if hasattr(socket, name):
                    connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), number)

    @property
    def live(self) -> bool:
        """Whether the connection is open."""
        return not self._writer.is_closing()

    async def run(self) -> None:
        """Serves the client until it leaves or breaks the protocol."""
        try:
            await self._listen()
        except wire.ProtocolError as broken:
            await self._send(wire.error(broken.fault))
        except (wire.PeerLeft, wire.PeerRefused, OSError):
            pass
        except Exception:
            _LOG.exception("the connection from %s failed", self.address)
        finally:
            self._writer.close()

    async def say(self, sentence: Sentence) -> None:
        """Tells the client something. One that has gone misses it."""
        await self._send(wire.diplomacy(list(flat(sentence))))

    async def _listen(self) -> None:
        try:
            first = await asyncio.wait_for(wire.receive(self._reader), wire.INITIAL_SECONDS)
        except asyncio.TimeoutError:
            raise wire.ProtocolError(wire.Fault.TIMER) from None
        wire.check_initial(first)
        await self._send(wire.representation())
        while (words := wire.check_later(await wire.receive(self._reader))) is not None:
            await self._hear(words)

    async def _send(self, message: wire.Message) -> None:
        if self._writer.is_closing():
            return
        self._writer.write(message.encoded())
        try:
            await asyncio.wait_for(self._writer.drain(), _WRITE_SECONDS)
        except (asyncio.TimeoutError, OSError):
            self._writer.close()

    async def _hear(self, words: list[int]) -> None:
        if len(words) > MOST_WORDS:
            await self.say([_T["HUH"], [_T["ERR"]]])
            return
        try:
            sentence = nested(words)
        except Unbalanced:
            await self._send(wire.diplomacy([_T["PRN"], OPEN, *words, CLOSE]))
            return
        except SyntaxFault:
            raise wire.ProtocolError(wire.Fault.WORD) from None
        if not sentence:
            return
        if self._seat is not None and head(sentence) not in ("NME", "IAM", "OBS"):
            if self._seat.powers:
                await self._seat.hear(sentence)
            else:
                await self._before(sentence)
            return
        await self._before(sentence)

    async def _before(self, sentence: Sentence) -> None:
        """Answers a client that does not play yet."""
        match head(sentence):
            case "NME" if self._seat is None:
                name, version = texts_of(sentence)
                self._seat = await self._host.sit(self, name, version)
                await self.say([_T["REJ" if self._seat is None else "YES"], sentence])
                if self._seat is not None:
                    await self.say([_T["MAP"], quoted(MAP_NAME)])
                    self._seat.seated.set()
            case "IAM" if self._seat is None:
                self._seat = await self._again(sentence)
                await self.say([_T["REJ" if self._seat is None else "YES"], sentence])
            case "MDF":
                await self.say(definition())
            case "MAP":
                await self.say([_T["MAP"], quoted(MAP_NAME)])
            case "YES" | "PRN" | "HUH":
                return
            case "REJ":
                # It cannot play on this map.
                self._writer.close()
            case "NME" | "IAM" | "OBS" | "GOF" | "HLO" | "SUB" | "SND" | "DRW" | "NOT" | "ORD" | "NOW" | "SCO":
                await self.say([_T["REJ"], sentence])
            case _:
                await self.say([_T["HUH"], [_T["ERR"], *sentence]])

    async def _again(self, sentence: Sentence) -> Seat | None:
        parts = [one[0] for one in sentence[1:] if isinstance(one, list) and len(one) == 1]
        if len(parts) != 2 or not all(isinstance(one, int) for one in parts):
            return None
        power, passcode = parts
        assert isinstance(power, int)
        assert isinstance(passcode, int)
        return await self._host.again(self, WORDS.get(power, ""), value(passcode))


def _account(name: str) -> str:
    """A name for the account of a client, which nobody else has."""
    letters = "".join(one for one in name if one.isascii() and one.isalnum())[:16]
    return f"{letters or 'daide'}-{secrets.token_hex(4)}"
