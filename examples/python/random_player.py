"""Plays games of any kind to the end by their offers alone, without rules or notation.

    pip install -r requirements.txt
    python random_player.py --engine 127.0.0.1:50051 diplomacy 'starships-at-large={"starshipsAtLarge": {"rounds": 3}}'

It creates a sandbox game of each kind, with options if given, and plays every seat. The engine needs
`--sandbox`. Every order made from an offer must be accepted: a refusal ends the program.
"""

import argparse
import json
import os
import random
import tempfile
import time
import uuid

import grpc
from google.protobuf import json_format

from bot import details_of, generate
from offers import at_random

# The relative frequency of offers, by weight.
FREQUENCIES = {"OFFER_WEIGHT_MAIN": 8, "OFFER_WEIGHT_MINOR": 1, "OFFER_WEIGHT_END": 4, "OFFER_WEIGHT_GRAVE": 0.2}
DEFAULT_FREQUENCY = 4
# Limits for the lines of a sheet and for the orders of a simultaneous phase.
LINES, ORDERS = 12, 60


class Player:
    def __init__(self, channel, seed):
        from heliopause.v1 import game_pb2, game_pb2_grpc, offer_pb2, player_pb2, player_pb2_grpc, sandbox_pb2_grpc

        self.pb, self.weights, self.random = game_pb2, offer_pb2, random.Random(seed)
        self.games = game_pb2_grpc.GameServiceStub(channel)
        self.sandbox = sandbox_pb2_grpc.SandboxServiceStub(channel)
        request = player_pb2.RegisterRequest(name=f"Random {uuid.uuid4().hex[:8]}")
        token = player_pb2_grpc.PlayerServiceStub(channel).Register(request).token
        self.metadata = [("authorization", f"Bearer {token}")]
        self.orders = 0

    def call(self, method, request):
        while True:
            try:
                return method(request, metadata=self.metadata)
            except grpc.RpcError as error:
                reason, wait = details_of(error)
                if reason != "RATE_LIMITED":
                    raise
                time.sleep(wait or 0.1)

    def play(self, kind, options):
        from heliopause.v1 import envelope_pb2, sandbox_pb2, table_pb2

        message = json_format.ParseDict(options, envelope_pb2.GameOptions())
        request = sandbox_pb2.CreateSandboxGameRequest(kind=kind, options=message, seed=self.random.randbytes(32))
        game = self.call(self.sandbox.CreateSandboxGame, request).game
        while True:
            for seat in range(1, len(game.seats) + 1):
                state = self.call(self.games.GetGame, self.pb.GetGameRequest(game_id=game.game_id)).game
                if state.status == table_pb2.GAME_STATUS_ENDED:
                    return state.outcome.summary
                self.answer(game.game_id, seat)

    def ask(self, game_id, seat):
        return self.call(self.games.GetOffers, self.pb.GetOffersRequest(game_id=game_id, seat=seat))

    def answer(self, game_id, seat):
        """Answers a seat's decision with one order, or with one per heading if it is revisable."""
        asked, done = self.ask(game_id, seat), set()
        while asked.HasField("decision") and not asked.decision.ready:
            heading, all_offers = asked.offers.groups, asked.offers.offers
            # Skip headings with only minor offers, such as withdrawing all orders.
            wanted = {heading[offer.group] for offer in all_offers if offer.weight != self.weights.OFFER_WEIGHT_MINOR}
            if not asked.decision.revisable:
                wanted = set(heading)
            offers = [offer for offer in all_offers if heading[offer.group] in wanted - done]
            if offers and asked.offers.sheet:
                lines = [at_random(asked.offers, self.choose(offers), self.random) for _ in range(LINES)]
                self.order(game_id, seat, asked, "\n".join(self.accepted_together(game_id, seat, lines)))
            elif offers and len(done) < ORDERS:
                offer = self.choose(offers)
                self.order(game_id, seat, asked, at_random(asked.offers, offer, self.random))
                if asked.decision.revisable:
                    # The next offers may depend on this order.
                    done.add(heading[offer.group])
                    asked = self.ask(game_id, seat)
                    continue
            if asked.decision.revisable:
                ready = self.pb.SetReadyRequest(game_id=game_id, seat=seat, phase=asked.phase, ready=True)
                self.call(self.games.SetReady, ready)
            return

    def accepted_together(self, game_id, seat, lines):
        """Returns the lines that are accepted together. Each line by itself must be accepted."""
        kept = []
        for line in lines:
            if not self.refusal(game_id, seat, [*kept, line]):
                kept.append(line)
            elif refusal := self.refusal(game_id, seat, [line]):
                raise SystemExit(f"rejected: {line}: {refusal}")
        return kept

    def refusal(self, game_id, seat, lines):
        """Returns why these lines of a sheet are refused together. Empty if they are accepted."""
        request = self.pb.ValidateOrdersRequest(game_id=game_id, seat=seat)
        request.orders.text = "\n".join(lines)
        try:
            verdicts = self.call(self.games.ValidateOrders, request).verdicts
        except grpc.RpcError as error:
            return error.details()
        return "; ".join(verdict.message or "refused" for verdict in verdicts if not verdict.accepted)

    def choose(self, offers):
        likes = [FREQUENCIES.get(self.weights.OfferWeight.Name(offer.weight), DEFAULT_FREQUENCY) for offer in offers]
        return self.random.choices(offers, likes)[0]

    def order(self, game_id, seat, asked, text):
        request = self.pb.SubmitOrdersRequest(game_id=game_id, seat=seat, phase=asked.phase, revision=asked.revision)
        request.request_id, request.orders.text = str(uuid.uuid4()), text
        answer = self.call(self.games.SubmitOrders, request)
        if answer.HasField("refused"):
            raise SystemExit(f"rejected: {text}: {answer.refused.message}")
        self.orders += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=os.environ.get("HELIOPAUSE_ENGINE", "127.0.0.1:50051"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="+", metavar="KIND[=OPTIONS]")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as generated:
        generate(generated)
        with grpc.insecure_channel(arguments.engine.removeprefix("http://")) as channel:
            for game in arguments.games:
                kind, _, options = game.partition("=")
                player = Player(channel, arguments.seed)
                summary = player.play(kind, json.loads(options or "{}"))
                print(f"{kind}: over after {player.orders} orders: {summary}", flush=True)


if __name__ == "__main__":
    main()
