"""A server for DAIDE clients. It waits for clients, gives each client a power, and lets all clients play a game."""

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
# A client that does not read for this long is disconnected.
_WRITE_SECONDS = 30
# A dead connection is detected after 20 s of silence and three unanswered probes.
_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}


@dataclass(frozen=True)
class Plan:
    """The game for the clients: a new one, or one that is waiting for players."""

    engine: str | None = None
    game: str | None = None
    clients: int = 1
    """The number of clients in a new game."""
    level: int = 0
    """The level of press: 0 is none, 10 is peace and alliances."""
    automation: str = "standard"
    options: dict[str, object] = field(default_factory=dict[str, object])


class Host:
    """The connected clients and their game."""

    def __init__(self, plan: Plan) -> None:
        if plan.level not in (0, 10):
            raise ValueError(f"level: {plan.level} is not supported; the levels are 0 and 10")
        if not 1 <= plan.clients <= 7:
            raise ValueError(f"clients: {plan.clients} is out of range; the range is 1 to 7")
        self.plan = plan
        self.game_id: str | None = plan.game
        """The id of the game, once the first client has connected."""
        self.finished = asyncio.Event()
        """Set when the game is over for all clients."""
        self.seats: list[Seat] = []
        self._clients: list[Client] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: set[asyncio.StreamWriter] = set()
        self._guard = Guard()
        self._sitting = asyncio.Lock()
        self._playing = 0

    async def serve(self, host: str, port: int) -> asyncio.Server:
        """Starts listening for clients."""
        return await asyncio.start_server(self._connected, host, port)

    async def close(self) -> None:
        """Stops all tasks and closes all connections."""
        for connection in list(self._connections):
            connection.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in self._clients:
            await client.close()

    async def sit(self, connection: "Connection", name: str, version: str) -> Seat | None:
        """Gives a new client a seat. Returns None if the client is rejected.

        Raises `PeerRefused` if too many names from the client's address were rejected.
        """
        async with self._sitting:
            if not self._guard.allows_name(connection.address):
                _LOG.warning("rejected %s: too many rejected names from this address", connection.address)
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
                _LOG.warning("%r was rejected: %s", name, refusal)
                self._guard.rejected(connection.address)
                self._clients.remove(client)
                await client.close()
                return None
            seat = Seat(client, table, connection, level=self.plan.level, name=name, version=version)
            self.seats.append(seat)
            self._start(seat)
            return seat

    async def reconnect(self, connection: "Connection", power: str, passcode: int) -> Seat | None:
        """Returns the seat of a client that reconnects with its passcode.

        Returns None, after a delay, if the passcode is wrong. Returns None if the seat has an open
        connection. Raises `PeerRefused` after too many wrong passcodes.
        """
        address = connection.address
        seat = next((one for one in self.seats if one.powers and one.power == power), None)
        known = seat is not None and seat.connection.address == address
        if not self._guard.allows(address, power, known=known):
            _LOG.warning("rejected %s: too many wrong passcodes from this address or for %s", address, power)
            raise wire.PeerRefused
        if seat is None or not secrets.compare_digest(str(seat.passcode), str(passcode)):
            self._guard.wrong(address, power)
            _LOG.warning("%s sent a wrong passcode for %s", address, power or "no power")
            await asyncio.sleep(DELAY_SECONDS)
            return None
        if seat.connection.live:
            return None
        seat.connection = connection
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
            # The other seats continue.
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
        self._connections.add(writer)
        try:
            await Connection(self, reader, writer).run()
        finally:
            self._connections.discard(writer)


class Connection:
    """A connection to a client."""

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
        """Sends a sentence to the client. Does nothing if the connection is closed."""
        await self._send(wire.diplomacy(list(flat(sentence))))

    async def _listen(self) -> None:
        try:
            first = await asyncio.wait_for(wire.receive(self._reader), wire.INITIAL_SECONDS)
        except asyncio.TimeoutError:
            raise wire.ProtocolError(wire.Fault.TIMER) from None
        wire.check_initial(first)
        await self._send(wire.representation())
        while (words := wire.check_later(await wire.receive(self._reader))) is not None:
            await self._handle(words)

    async def _send(self, message: wire.Message) -> None:
        if self._writer.is_closing():
            return
        self._writer.write(message.encoded())
        try:
            await asyncio.wait_for(self._writer.drain(), _WRITE_SECONDS)
        except (asyncio.TimeoutError, OSError):
            self._writer.close()

    async def _handle(self, words: list[int]) -> None:
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
                await self._seat.receive(sentence)
            else:
                await self._before(sentence)
            return
        await self._before(sentence)

    async def _before(self, sentence: Sentence) -> None:
        match head(sentence):
            case "NME" if self._seat is None:
                name, version = texts_of(sentence)
                self._seat = await self._host.sit(self, name, version)
                await self.say([_T["REJ" if self._seat is None else "YES"], sentence])
                if self._seat is not None:
                    await self.say([_T["MAP"], quoted(MAP_NAME)])
                    self._seat.seated.set()
            case "IAM" if self._seat is None:
                self._seat = await self._reconnect(sentence)
                await self.say([_T["REJ" if self._seat is None else "YES"], sentence])
            case "MDF":
                await self.say(definition())
            case "MAP":
                await self.say([_T["MAP"], quoted(MAP_NAME)])
            case "YES" | "PRN" | "HUH":
                return
            case "REJ":
                # The client rejected the map, so it cannot play.
                self._writer.close()
            case "NME" | "IAM" | "OBS" | "GOF" | "HLO" | "SUB" | "SND" | "DRW" | "NOT" | "ORD" | "NOW" | "SCO":
                await self.say([_T["REJ"], sentence])
            case _:
                await self.say([_T["HUH"], [_T["ERR"], *sentence]])

    async def _reconnect(self, sentence: Sentence) -> Seat | None:
        parts = [one[0] for one in sentence[1:] if isinstance(one, list) and len(one) == 1]
        if len(parts) != 2 or not all(isinstance(one, int) for one in parts):
            return None
        power, passcode = parts
        assert isinstance(power, int)
        assert isinstance(passcode, int)
        return await self._host.reconnect(self, WORDS.get(power, ""), value(passcode))


def _account(name: str) -> str:
    letters = "".join(one for one in name if one.isascii() and one.isalnum())[:16]
    return f"{letters or 'daide'}-{secrets.token_hex(4)}"
