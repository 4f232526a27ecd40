"""The program `heliopause-mcp`."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import anyio

from heliopause_mcp.server import make
from heliopause_mcp.sessions import Sessions, Settings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Let language models play Heliopause (Model Context Protocol).")
    parser.add_argument("--engine", metavar="ADDRESS", help="address of the engine [default: HELIOPAUSE_ENGINE]")
    parser.add_argument("--tls-ca", metavar="FILE", help="certificate authority for https:// engines")
    parser.add_argument(
        "--token-file", metavar="FILE", type=Path, help="file with the account's token (without --http)"
    )
    parser.add_argument("--game", metavar="ID", help="the only game that may be played")
    parser.add_argument("--no-new-games", action="store_true", help="allow sessions to join but not to create games")
    parser.add_argument("--calls", type=_count, metavar="N", help="number of calls per session")
    parser.add_argument(
        "--characters", type=_count, metavar="N", help="number of characters per session, read and written"
    )
    parser.add_argument("--http", metavar="HOST:PORT", help="serve streamable HTTP instead of standard streams")
    parser.add_argument("--sessions", type=_count, default=64, metavar="N", help="maximum number of sessions over HTTP")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, found {text!r}")
    return int(text)


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
        parser.error(f"--http: expected HOST:PORT, found {options.http}")

    async def serve() -> None:
        try:
            if options.http:
                # The caller's token identifies the session, so no other state is needed.
                await server.run_streamable_http_async(host=host, port=int(port), stateless_http=True)
            else:
                await server.run_stdio_async()
        finally:
            await sessions.close()

    anyio.run(serve)
