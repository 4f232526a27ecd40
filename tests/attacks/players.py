"""Paths of calls, accounts and games that all attacks use."""

import time
import uuid
from dataclasses import replace

from heliopause.v1 import game_pb2, player_pb2, table_pb2

from wire import PATIENCE, Connection

GAME = "/heliopause.v1.GameService/"
PLAYER = "/heliopause.v1.PlayerService/"
MASTER = "/heliopause.v1.GameMasterService/"
REGISTER = PLAYER + "Register"
GET_ME = PLAYER + "GetMe"
WATCH = "/grpc.health.v1.Health/Watch"
WORK = "/heliopause.v1.AutomationService/Work"
# The limit of new accounts per address and minute, minus a few for other attacks.
ACCOUNTS_OF_ADDRESS = 50

OPEN = game_pb2.SeatPlan(open=table_pb2.OpenSeat())
AUTOMATED = game_pb2.SeatPlan(automated=table_pb2.AutomatedSeat())


class Account:
    """An account with its own connection."""

    def __init__(self, target, nth=0, source=None):
        self.target, self.name = target, target.name(nth)
        self.source = source or target.source(nth // ACCOUNTS_OF_ADDRESS)
        self.line = Connection(target, self.source)
        answer = self.line.call(REGISTER, player_pb2.RegisterRequest(name=self.name))
        opened = answer.message(player_pb2.RegisterResponse)
        self.token, self.player_id = opened.token, opened.player.player_id
        self.line.token = self.token

    def another_line(self, **how):
        return Connection(self.target, self.source, token=self.token, **how)

    def call(self, path, message=b"", **how):
        return self.line.call(path, message, **how)

    def succeed(self, path, message, kind):
        """Makes a call that must succeed, and waits for the rate limit."""
        until = time.monotonic() + PATIENCE
        while (answer := self.call(path, message)).reason == "RATE_LIMITED" and time.monotonic() < until:
            time.sleep(0.1)
        return answer.message(kind)

    def create(self, kind="starships-at-large", seats=(OPEN,), **fields):
        """Creates a game that starts when all seats are taken."""
        fields.setdefault("request_id", str(uuid.uuid4()))
        request = game_pb2.CreateGameRequest(kind=kind, name="A game", seats=seats, start_when_full=True, **fields)
        return self.succeed(GAME + "CreateGame", request, game_pb2.CreateGameResponse).game

    def join(self, game_id):
        request = game_pb2.JoinGameRequest(game_id=game_id)
        return self.succeed(GAME + "JoinGame", request, game_pb2.JoinGameResponse).game

    def view(self, game_id):
        return self.succeed(GAME + "GetView", game_pb2.GetViewRequest(game_id=game_id), game_pb2.GetViewResponse)

    def submit(self, game_id, text, request_id, **fields):
        view = self.view(game_id)
        request = game_pb2.SubmitOrdersRequest(
            game_id=game_id, phase=view.phase, revision=view.revision, request_id=request_id,
            orders=game_pb2.Orders(text=text), **fields,
        )  # fmt: skip
        return self.call(GAME + "SubmitOrders", request)


def accounts(target, count, first=0):
    return [Account(target, first + nth) for nth in range(count)]


def elsewhere(target, nth=200):
    """Creates an honest account at a second address."""
    return Account(replace(target), nth, source=target.source(nth))
