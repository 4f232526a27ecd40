"""A bot for Starships at Large: creates or joins a game and plays it to the end.

    pip install -r requirements.txt
    python bot.py --engine 127.0.0.1:50051 --opponents 2      a new game against automated opponents
    python bot.py --engine 127.0.0.1:50051 --join GAME_ID     a seat in a game that is forming
    python bot.py --engine 127.0.0.1:50051 --token TOKEN --game GAME_ID    a seat that this account has

It resumes after lost connections and restarts of the engine, and passes `cli-client conformance`.

The client is generated from the contract when the bot starts, without a build step.
"""

import argparse
import os
import pathlib
import random
import sys
import tempfile
import time
import uuid

import grpc
from google.rpc import error_details_pb2
from grpc_tools import protoc

from offers import lines

KIND = "starships-at-large"
PROTO = pathlib.Path(__file__).resolve().parents[2] / "proto"

# The bot's preferences, as prefixes of orders in the game's notation. Other orders are taken at
# random.
PREFERENCES = ["build", "colonize", "settle", "choose", "sacrifice", "fire", "diplomacy", "force", "again", "move", "end"]


def generate(into):
    """Generates the client from the .proto files and adds it to the path."""
    files = [str(path.relative_to(PROTO)) for path in sorted(PROTO.glob("heliopause/**/*.proto"))]
    arguments = ["protoc", f"-I{PROTO}", f"-I{pathlib.Path(protoc.__file__).parent / '_proto'}"]
    if protoc.main([*arguments, f"--python_out={into}", f"--grpc_python_out={into}", *files]) != 0:
        sys.exit("protoc failed to compile the contract")
    sys.path.insert(0, into)


def details_of(error):
    """Returns the reason of an error, as listed in errors.proto, and the seconds before a retry."""
    reason, wait = "", None
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            from google.rpc import status_pb2

            info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
            for detail in status_pb2.Status.FromString(value).details:
                if detail.Unpack(info):
                    reason = info.reason
                elif detail.Unpack(retry):
                    wait = retry.retry_delay.ToNanoseconds() / 1e9
    return reason, wait


class Bot:
    def __init__(self, channel, seed):
        from heliopause.v1 import game_pb2_grpc, player_pb2_grpc

        self.players = player_pb2_grpc.PlayerServiceStub(channel)
        self.games = game_pb2_grpc.GameServiceStub(channel)
        self.random = random.Random(seed)
        self.metadata = None
        self.orders = 0

    def call(self, method, request):
        """Makes a call and retries it as long as the error allows a retry.

        The request id ensures that the engine executes the call once.
        """
        while True:
            try:
                return method(request, metadata=self.metadata, timeout=30)
            except grpc.RpcError as error:
                reason, wait = details_of(error)
                if wait is None and error.code() != grpc.StatusCode.UNAVAILABLE and reason != "LOST_RACE":
                    raise
                time.sleep(wait or 0.1)

    def register(self, name):
        from heliopause.v1 import player_pb2

        self.sign_in(self.players.Register(player_pb2.RegisterRequest(name=name)).token)

    def sign_in(self, token):
        self.metadata = [("authorization", f"Bearer {token}")]

    def new_game(self, opponents):
        """Creates a game against automated opponents, which starts immediately because no seat is open."""
        from heliopause.v1 import game_pb2, table_pb2

        mine = game_pb2.SeatPlan(open=table_pb2.OpenSeat())
        theirs = game_pb2.SeatPlan(automated=table_pb2.AutomatedSeat(level="random"))
        request = game_pb2.CreateGameRequest(
            # Repeating the request with the same id creates no second game.
            request_id=str(uuid.uuid4()),
            kind=KIND, name="A bot's game", seats=[mine] + [theirs] * opponents, start_when_full=True
        )
        return self.call(self.games.CreateGame, request).game.game_id

    def join(self, game_id):
        from heliopause.v1 import game_pb2

        self.call(self.games.JoinGame, game_pb2.JoinGameRequest(game_id=game_id))

    def play(self, game_id):
        """Streams the game's events and answers every decision until the game is over."""
        from heliopause.v1 import event_pb2, game_pb2

        seat = self.call(self.games.GetGame, game_pb2.GetGameRequest(game_id=game_id)).game.your_seat
        # Start at the first event, to read events from before the stream was opened.
        after = event_pb2.Cursor(number=0)
        while True:
            request = game_pb2.StreamEventsRequest(game_id=game_id, after=after)
            try:
                for part in self.games.StreamEvents(request, metadata=self.metadata):
                    which = part.WhichOneof("part")
                    if which == "event":
                        print(f"{part.event.number:5}  {part.event.text}")
                        after = event_pb2.Cursor(audience=event_pb2.Audience(seat=seat), number=part.event.number, time=part.event.time)
                        if part.event.WhichOneof("body") == "game_ended":
                            return part.event.game_ended.outcome
                    if which == "caught_up" or (which == "event" and self.is_asked(part.event)):
                        self.answer(game_id)
            except grpc.RpcError as error:
                _, wait = details_of(error)
                if wait is None and error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
                print("the stream has ended; resuming")
                time.sleep(wait or 0.1)

    @staticmethod
    def is_asked(event):
        # After a pause the decision is pending again without its own event.
        return event.WhichOneof("body") in ("decision_opened", "status_changed")

    def answer(self, game_id):
        """Submits orders while a decision is pending. The turn continues until the bot ends it."""
        from heliopause.v1 import game_pb2

        while True:
            try:
                asked = self.call(self.games.GetOffers, game_pb2.GetOffersRequest(game_id=game_id))
                if not asked.HasField("decision"):
                    return
                order = self.choose(list(lines(asked.offers)))
                request = game_pb2.SubmitOrdersRequest(
                    game_id=game_id,
                    phase=asked.phase,
                    revision=asked.revision,
                    # A random id. A repeated request with the same id gets the same response.
                    request_id=str(uuid.uuid4()),
                    orders=game_pb2.Orders(text=order),
                )
                self.call(self.games.SubmitOrders, request)
                self.orders += 1
            except grpc.RpcError as error:
                # The game changed or ended since the offers were read. Read the offers again, or
                # stop.
                reason, _ = details_of(error)
                if reason == "WRONG_STATUS":
                    return
                if reason not in ("PHASE_CLOSED", "STALE_REVISION"):
                    raise

    def choose(self, choices):
        """Returns the most preferred order, or sometimes any offered one."""
        if self.random.random() < 0.1:
            return self.random.choice(choices)
        for like in PREFERENCES:
            liked = [choice for choice in choices if choice.startswith(like)]
            # Move only half of the time, because a turn must end.
            if liked and not (like == "move" and self.random.random() < 0.5):
                return self.random.choice(liked)
        return self.random.choice(choices)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=os.environ.get("HELIOPAUSE_ENGINE", "127.0.0.1:50051"))
    parser.add_argument("--name", default=f"python-bot-{uuid.uuid4().hex[:8]}")
    parser.add_argument("--opponents", type=int, default=1, help="number of automated opponents in a new game")
    parser.add_argument("--join", metavar="GAME_ID", help="join this game instead of creating one")
    parser.add_argument("--game", metavar="GAME_ID", help="play this game, in which the account has a seat")
    parser.add_argument("--token", help="token of an account (default: create one)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as generated:
        generate(generated)
        # Limits the delay between attempts to reconnect to two seconds.
        patience = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 2000)]
        with grpc.insecure_channel(options.engine.removeprefix("http://"), patience) as channel:
            bot = Bot(channel, options.seed)
            if options.token:
                bot.sign_in(options.token)
            else:
                bot.register(options.name)
            if options.join:
                bot.join(options.join)
            game_id = options.game or options.join or bot.new_game(options.opponents)
            print(f"playing {game_id}")
            outcome = bot.play(game_id)
            print(f"the game is over after {bot.orders} orders: {outcome.summary}")


if __name__ == "__main__":
    main()
