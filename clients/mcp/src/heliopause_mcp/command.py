"""The program `heliopause-mcp`."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import anyio

from heliopause_mcp.server import make
from heliopause_mcp.sessions import Sessions, Settings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Lets language models play Heliopause by the Model Context Protocol.")
    parser.add_argument("--engine", metavar="ADDRESS", help="the engine [default: HELIOPAUSE_ENGINE]")
    parser.add_argument("--tls-ca", metavar="FILE", help="trust this authority for https:// engines")
    parser.add_argument("--token-file", metavar="FILE", type=Path, help="the account on standard input and output")
    parser.add_argument("--game", metavar="ID", help="the one game that may be played")
    parser.add_argument("--no-new-games", action="store_true", help="let sessions join games, but make none")
    parser.add_argument("--calls", type=_count, metavar="N", help="how many calls a session may make")
    parser.add_argument("--characters", type=_count, metavar="N", help="how many characters it may read and write")
    parser.add_argument("--http", metavar="HOST:PORT", help="serve by streamable HTTP, and not on standard output")
    parser.add_argument("--sessions", type=_count, default=64, metavar="N", help="over HTTP: how many at most")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the server."""
    parser = _parser()
    options = parser.parse_args(arguments)
    settings = Settings(
        engine=options.engine,
        tls_ca=options.tls_ca,
        game=options.game,
        may_create=not options.no_new_games,
        calls=options.calls,
        characters=options.characters,
        most_sessions=options.sessions,
    )
    sessions = Sessions(settings, token=os.environ.get("HELIOPAUSE_TOKEN"), token_file=options.token_file)
    server = make(sessions)
    host, colon, port = (options.http or "").rpartition(":")
    if options.http and not (host and colon and port.isdecimal()):
        parser.error("--http takes HOST:PORT")

    async def serve() -> None:
        try:
            if options.http:
                # What a caller's session is follows from their token, so no other state is needed.
                await server.run_streamable_http_async(host=host, port=int(port), stateless_http=True)
            else:
                await server.run_stdio_async()
        finally:
            await sessions.close()

    anyio.run(serve)
