"""The bot under test: a sentry of Starships at Large. It attacks whoever comes into its hex and fights on until one of them is
lost; otherwise it ends its turn. Before each order it thinks.

    python sentry.py --engine 127.0.0.1:50051 --token-file sentry.token

It takes every seat that is kept for its account, and plays in all games of the account at once. The code that is generated
from the contract must be on PYTHONPATH; `harness.generate` makes it.
"""

import argparse
import pathlib
import time
import uuid

import grpc
from heliopause.v1 import game_pb2, game_pb2_grpc, player_pb2, player_pb2_grpc

# The offers that it takes, by their keys, the best first.
LIKES = ["attack", "fight-on", "end"]


class Sentry:
    def __init__(self, channel, token, think):
        self.games = game_pb2_grpc.GameServiceStub(channel)
        self.players = player_pb2_grpc.PlayerServiceStub(channel)
        self.metadata = [("authorization", f"Bearer {token}")]
        self.think = think

    def call(self, method, request):
        return method(request, metadata=self.metadata, timeout=30)

    def watch(self):
        """Looks whenever there is something new in any of its games."""
        for notice in self.games.StreamMyGames(game_pb2.StreamMyGamesRequest(), metadata=self.metadata):
            if notice.WhichOneof("notice") in ("game", "caught_up", "fell_behind"):
                self.sit()
                while self.answer():
                    pass

    def sit(self):
        """Takes the seats that are kept for it."""
        for game in self.call(self.players.ListMyGames, player_pb2.ListMyGamesRequest()).games:
            if game.invited:
                self.call(self.games.JoinGame, game_pb2.JoinGameRequest(game_id=game.game_id))

    def answer(self):
        """Gives an order for every decision that it owes. Says whether there was one: a turn takes several orders."""
        owed = self.call(self.games.ListMyDecisions, game_pb2.ListMyDecisionsRequest()).decisions
        for decision in owed:
            time.sleep(self.think)
            where = {"game_id": decision.game_id, "seat": decision.seat}
            asked = self.call(self.games.GetOffers, game_pb2.GetOffersRequest(**where))
            if not asked.HasField("decision"):
                continue
            orders = game_pb2.Orders(text=self.choose(asked.offers))
            request = game_pb2.SubmitOrdersRequest(
                **where, phase=asked.phase, revision=asked.revision, request_id=str(uuid.uuid4()), orders=orders
            )
            self.call(self.games.SubmitOrders, request)
        return bool(owed)

    def choose(self, offers):
        """The offer that it likes best, with the first choice in each slot."""
        offer = next(offer for key in LIKES for offer in offers.offers if offer.key == key)
        order = offer.notation
        for slot in (offers.slots[index] for index in offer.slots):
            picks = getattr(slot, slot.WhichOneof("kind"))
            text = offers.values[offers.lists[picks.list].values[0]]
            order = order.replace("{" + slot.name + "}", (slot.text or "{}").replace("{}", text))
        return order


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, metavar="ADDRESS")
    parser.add_argument("--token-file", required=True, type=pathlib.Path)
    parser.add_argument("--think", type=float, default=1, metavar="SECONDS")
    options = parser.parse_args()
    with grpc.insecure_channel(options.engine) as channel:
        Sentry(channel, options.token_file.read_text().strip(), options.think).watch()


if __name__ == "__main__":
    main()
