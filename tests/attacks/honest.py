"""An honest player with the usual client library, who views all games and submits orders."""

import concurrent.futures
import contextlib
import itertools
import socket
import threading
import time
import uuid

import grpc
from google.rpc import error_details_pb2, status_pb2
from heliopause.v1 import event_pb2, game_pb2, game_pb2_grpc, player_pb2, player_pb2_grpc, table_pb2

from offered import first_lines

# The intervals of views, orders and new connections in seconds, well within the limits of a player.
LOOKS, ORDERS, COMES = 0.025, 0.2, 0.5
# The number of entries of the long game.
LONG = 400
# The time after which a call counts as failed.
PATIENCE = 20.0


def reason_of(error):
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info):
                    return info.reason
    return f"{error.code().name}: {error.details()}"


class Player:
    """The honest player, and the results of their calls."""

    def __init__(self, address, mirror):
        self.address = address
        self.mirror = socket.create_connection(mirror)
        self.mirror.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.channel = grpc.insecure_channel(address)
        self.games = game_pb2_grpc.GameServiceStub(self.channel)
        token = player_pb2_grpc.PlayerServiceStub(self.channel).Register(
            player_pb2.RegisterRequest(name="Honest"), timeout=PATIENCE
        ).token  # fmt: skip
        self.metadata = [("authorization", f"Bearer {token}")]
        self.lock = threading.Lock()
        self.times = {}
        self.refusals = []
        self.stopped = threading.Event()

    def create(self, kind):
        """Creates a game of a kind against automation, which no worker plays here."""
        seats = [game_pb2.SeatPlan(open=table_pb2.OpenSeat())]
        seats += [game_pb2.SeatPlan(automated=table_pb2.AutomatedSeat())] * (max(kind.players_min, 2) - 1)
        if kind.players_max == 1:
            del seats[1:]
        request = game_pb2.CreateGameRequest(
            kind=kind.kind, name=f"Honest {kind.kind}", seats=seats, start_when_full=True
        )
        return self.games.CreateGame(request, metadata=self.metadata, timeout=PATIENCE).game.game_id

    def prepare(self):
        """Creates a game of each kind. Only Diplomacy's game becomes long, by repeated orders."""
        kinds = self.games.ListKinds(game_pb2.ListKindsRequest(), metadata=self.metadata, timeout=PATIENCE).kinds
        self.game_ids = {kind.kind: self.create(kind) for kind in kinds}
        self.long = self.game_ids["diplomacy"]
        asked = self.games.GetOffers(
            game_pb2.GetOffersRequest(game_id=self.long), metadata=self.metadata, timeout=PATIENCE
        )
        self.orders = itertools.cycle(list(first_lines(asked.offers))[:16])
        self.phase, self.revision = asked.phase, asked.revision
        for _ in range(LONG):
            self.order()

    def order(self):
        request = game_pb2.SubmitOrdersRequest(
            game_id=self.long, phase=self.phase, revision=self.revision, request_id=str(uuid.uuid4()),
            orders=game_pb2.Orders(text=next(self.orders)),
        )  # fmt: skip
        answer = self.games.SubmitOrders(request, metadata=self.metadata, timeout=PATIENCE)
        self.phase, self.revision = answer.phase, answer.revision

    def look(self, game_id, games=None):
        request = game_pb2.GetViewRequest(game_id=game_id)
        (games or self.games).GetView(request, metadata=self.metadata, timeout=PATIENCE)

    def look_into_mirror(self):
        """Makes a round trip to an idle process, to measure the speed of the machine."""
        self.mirror.sendall(b"x" * 64)
        self.mirror.recv(64, socket.MSG_WAITALL)

    def come_anew(self):
        """Reads a view on a new connection, like a client that just started."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(self.address, options) as channel:
            self.look(self.long, game_pb2_grpc.GameServiceStub(channel))

    def timed(self, what, call):
        begun = time.monotonic()
        try:
            call()
        except grpc.RpcError as error:
            if not self.stopped.is_set():
                with self.lock:
                    self.refusals.append(f"{what}: {reason_of(error)} after {time.monotonic() - begun:.1f} s")
            return
        with self.lock:
            self.times.setdefault(what, []).append(time.monotonic() - begun)

    def keep(self, what, every, calls):
        """Makes one call after the other at a steady pace."""
        due = time.monotonic()
        for call in calls:
            due = max(due + every, time.monotonic())
            if self.stopped.wait(due - time.monotonic()):
                return
            self.timed(what, call)

    def listen(self):
        """Reads the stream of the long game, which contains the player's own orders."""
        request = game_pb2.StreamEventsRequest(game_id=self.long, after=event_pb2.Cursor())
        while not self.stopped.is_set():
            try:
                for _ in self.games.StreamEvents(request, metadata=self.metadata):
                    if self.stopped.is_set():
                        return
                why = "the stream ended"
            except grpc.RpcError as error:
                why = reason_of(error)
            if not self.stopped.is_set():
                with self.lock:
                    self.refusals.append(f"StreamEvents: {why}")
                self.stopped.wait(0.5)

    def play(self):
        looks = itertools.cycle([lambda game=game: self.look(game) for game in self.game_ids.values()])
        work = concurrent.futures.ThreadPoolExecutor(5)
        work.submit(self.keep, "mirror", LOOKS, itertools.repeat(self.look_into_mirror))
        work.submit(self.keep, "GetView", LOOKS, looks)
        work.submit(self.keep, "SubmitOrders", ORDERS, itertools.repeat(self.order))
        work.submit(self.keep, "new connection", COMES, itertools.repeat(self.come_anew))
        work.submit(self.listen)

    def report(self):
        with self.lock:
            times, self.times = self.times, {}
            refusals, self.refusals = self.refusals, []
        return {"times": times, "refusals": refusals}


def mirror(pipe):
    """Echoes data, in a separate process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        pipe.send(server.getsockname())
        line, _ = server.accept()
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := line.recv(64):
            line.sendall(data)


def main(address, mirror, pipe):
    player = Player(address, mirror)
    player.prepare()
    player.play()
    pipe.send({"games": player.game_ids})
    with contextlib.suppress(EOFError):
        while pipe.recv() == "report":
            pipe.send(player.report())
    player.stopped.set()
    player.channel.close()
