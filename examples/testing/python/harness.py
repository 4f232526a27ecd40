"""What the tests need of an engine: its processes, accounts, and sandbox games whose events can be awaited."""

import os
import pathlib
import re
import shutil
import subprocess
import uuid

import grpc
from google.protobuf import json_format
from grpc_tools import protoc

PROTO = pathlib.Path(__file__).resolve().parents[3] / "proto"


def generate(into):
    """Generates the client's code from the contract."""
    files = [str(path.relative_to(PROTO)) for path in sorted(PROTO.glob("heliopause/**/*.proto"))]
    arguments = ["protoc", f"-I{PROTO}", f"-I{pathlib.Path(protoc.__file__).parent / '_proto'}"]
    if protoc.main([*arguments, f"--python_out={into}", f"--grpc_python_out={into}", *files]) != 0:
        raise RuntimeError("the contract cannot be compiled")


def program(name):
    """A program of the engine: in the folder HELIOPAUSE_BIN, else on the PATH."""
    found = shutil.which(name, path=os.environ.get("HELIOPAUSE_BIN")) or shutil.which(name)
    if not found:
        raise RuntimeError(f"there is no {name} in HELIOPAUSE_BIN or on the PATH")
    return found


class Process:
    """A process that ends with the test, and what it wrote."""

    def __init__(self, log, *command, stdout=subprocess.DEVNULL, env=None):
        self.log, self.command = log, command
        with open(log, "wb") as stderr:
            self.popen = subprocess.Popen(command, stdout=stdout, stderr=stderr, env=env, text=True)

    def ready(self):
        """The address in the one line that an engine prints when it is ready. An engine that fails prints none and ends."""
        line = self.popen.stdout.readline()
        found = re.match(r"heliopause ready grpc=(\S+)", line)
        if not found:
            raise RuntimeError(f"the engine is not ready:\n{self.log.read_text()}")
        return found[1]

    def stop(self):
        """Stops it. Fails if it had ended by itself."""
        ended = self.popen.poll()
        self.popen.terminate()
        self.popen.communicate(timeout=30)
        if ended is not None:
            raise AssertionError(f"{self.command[0]} ended by itself with {ended}:\n{self.log.read_text()}")


class Account:
    """An account on an engine, and its calls."""

    def __init__(self, channel, name):
        from heliopause.v1 import game_pb2_grpc, player_pb2, player_pb2_grpc, sandbox_pb2_grpc

        self.name = name
        self.games = game_pb2_grpc.GameServiceStub(channel)
        self.sandboxes = sandbox_pb2_grpc.SandboxServiceStub(channel)
        self.token = player_pb2_grpc.PlayerServiceStub(channel).Register(player_pb2.RegisterRequest(name=name)).token
        self.metadata = [("authorization", f"Bearer {self.token}")]

    def call(self, method, request):
        return method(request, metadata=self.metadata, timeout=30)

    def sandbox(self, **request):
        """A sandbox game that this account owns, from a request in proto3 JSON."""
        from heliopause.v1 import sandbox_pb2

        message = json_format.ParseDict(request, sandbox_pb2.CreateSandboxGameRequest())
        return Sandbox(self, self.call(self.sandboxes.CreateSandboxGame, message).game)


class Sandbox:
    """A sandbox game. Its owner orders for every seat, and may see what every seat sees."""

    def __init__(self, owner, game):
        self.owner, self.game_id = owner, game.game_id
        self.seats = {seat.number: Seat(self, seat.number) for seat in game.seats}


class Seat:
    """A seat of a sandbox game."""

    def __init__(self, table, number):
        self.table, self.number, self.seen = table, number, 0

    def order(self, *lines):
        """Gives orders, one after the other. Fails if one is refused."""
        from heliopause.v1 import game_pb2

        owner, where = self.table.owner, {"game_id": self.table.game_id, "seat": self.number}
        for line in lines:
            view = owner.call(owner.games.GetView, game_pb2.GetViewRequest(**where))
            request = game_pb2.SubmitOrdersRequest(**where, phase=view.phase, revision=view.revision)
            request.request_id, request.orders.text = str(uuid.uuid4()), line
            owner.call(owner.games.SubmitOrders, request)

    def view(self):
        """What the seat knows, as the game's own message."""
        from heliopause.v1 import game_pb2

        owner = self.table.owner
        request = game_pb2.GetViewRequest(game_id=self.table.game_id, seat=self.number)
        view = owner.call(owner.games.GetView, request).view
        return getattr(view, view.WhichOneof("game"))

    def until(self, what, matches, seconds=20):
        """Waits for the next event that matches, of those that the seat is told. Fails when the time is over."""
        from heliopause.v1 import event_pb2, game_pb2

        after = event_pb2.Cursor(audience=event_pb2.Audience(seat=self.number), number=self.seen)
        request = game_pb2.StreamEventsRequest(game_id=self.table.game_id, seat=self.number, after=after)
        owner, told = self.table.owner, []
        stream = owner.games.StreamEvents(request, metadata=owner.metadata, timeout=seconds)
        try:
            for part in stream:
                if part.WhichOneof("part") == "event":
                    self.seen = part.event.number
                    told.append(part.event.text)
                    if matches(part.event):
                        return part.event
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
        finally:
            stream.cancel()
        raise AssertionError("\n  ".join([f"within {seconds} s seat {self.number} was not told that {what}, only:", *told]))

    def until_asked(self, kind="turn"):
        """Waits until the seat is asked something."""
        asked = lambda event: event.WhichOneof("body") == "decision_opened" and event.decision_opened.decision.kind == kind
        return self.until(f"a decision of kind {kind} is open", asked)

    def until_told(self, what):
        """Waits for an event of the game itself, by the name of its field."""

        def matches(event):
            game = event.game.WhichOneof("game")
            return event.WhichOneof("body") == "game" and getattr(event.game, game).WhichOneof("kind") == what

        event = self.until(f"{what} happened", matches)
        return getattr(getattr(event.game, event.game.WhichOneof("game")), what)
