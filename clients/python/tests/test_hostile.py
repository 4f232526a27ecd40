"""A hostile server cannot control the terminal of the command."""

import os
import subprocess
import sys
from concurrent import futures
from pathlib import Path

import grpc
from google.protobuf.message import Message

from heliopause.v1 import game_pb2, player_pb2

# Terminal codes that write to the clipboard, set the title and hide text.
HOSTILE = "\x1b]52;c;aGk=\x07\x1b]0;title\x07\x1b[8m\u202e"


class Hostile(grpc.GenericRpcHandler):
    """Answers the calls of the command `list` with terminal codes in every text."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        kind = game_pb2.GameKind(kind=f"k{HOSTILE}", name=HOSTILE)
        game = game_pb2.GameSummary(game_id=f"g{HOSTILE}", kind=HOSTILE, name=HOSTILE)
        answers: dict[str, Message] = {
            "GetMe": player_pb2.GetMeResponse(player=player_pb2.Player(name=HOSTILE)),
            "ListKinds": game_pb2.ListKindsResponse(kinds=[kind]),
            "ListGames": game_pb2.ListGamesResponse(games=[game]),
        }
        answer = answers[handler_call_details.method.rpartition("/")[2]]

        def said(request: bytes, context: grpc.ServicerContext) -> bytes:
            return answer.SerializeToString()

        return grpc.unary_unary_rpc_method_handler(said)


def test_list_sanitizes_all_text_of_the_server(tmp_path: Path) -> None:
    server = grpc.server(futures.ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((Hostile(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        command = [str(Path(sys.executable).with_name("heliopause")), "list", "--engine", f"127.0.0.1:{port}"]
        environment = {**os.environ, "HELIOPAUSE_CONFIG_DIR": str(tmp_path), "HELIOPAUSE_TOKEN": "hp_x"}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    finally:
        server.stop(None)
    assert ran.returncode == 0, ran.stderr
    assert "g<U+001B>]52;" in ran.stdout
    assert "k<U+001B>]52;" in ran.stdout
    assert not any(one in ran.stdout + ran.stderr for one in "\x1b\x07\u202e")
