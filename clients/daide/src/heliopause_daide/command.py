"""The program `heliopause-daide`."""

import argparse
import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from heliopause._program import json_option, log_to_terminal, run, show  # pyright: ignore[reportPrivateUsage]
from heliopause.aio import Client

from heliopause_daide import saved
from heliopause_daide.host import Host, Plan


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Connect DAIDE bots to Heliopause, or import saved games.")
    parser.add_argument("--engine", metavar="ADDRESS", help="address of the engine [default: HELIOPAUSE_ENGINE]")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="let DAIDE clients play a game")
    serve.add_argument("--listen", default="127.0.0.1:16713", metavar="HOST:PORT", help="address to listen on")
    serve.add_argument("--game", metavar="ID", help="game that is waiting for players [default: create one]")
    serve.add_argument("--clients", type=int, default=1, metavar="N", help="number of clients in a new game")
    serve.add_argument("--automation", default="standard", metavar="LEVEL", help="level of automation of other powers")
    serve.add_argument("--options", type=json_option, default={}, metavar="JSON", help="options of a new game")
    serve.add_argument("--level", type=int, default=0, choices=(0, 10), help="level of press")
    bring = commands.add_parser("import", help="import a saved game of the Python package `diplomacy` into a sandbox")
    bring.add_argument("file", type=Path, help="the saved game (JSON)")
    bring.add_argument("--phase", metavar="NAME", help="import only the position of this phase, such as S1903M")
    bring.add_argument("--token", default=os.environ.get("HELIOPAUSE_TOKEN"), help="token of the sandbox's owner")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    log_to_terminal(verbose=True)
    return run(parser, lambda: _serve(options) if options.command == "serve" else _import(options))


async def _serve(options: argparse.Namespace) -> None:
    plan = Plan(
        engine=options.engine,
        game=options.game,
        clients=options.clients,
        level=options.level,
        automation=options.automation,
        options=options.options,
    )
    address, _, port = options.listen.rpartition(":")
    if not (address and port.isdecimal()):
        raise ValueError(f"--listen: expected HOST:PORT, found {options.listen}")
    host = Host(plan)
    server = await host.serve(address, int(port))
    show(f"ready daide={address}:{server.sockets[0].getsockname()[1]}")
    try:
        await host.finished.wait()
        show(f"the game {host.game_id} is over")
    finally:
        server.close()
        await host.close()


async def _import(options: argparse.Namespace) -> None:
    phases = saved.load(options.file)
    async with Client(options.engine, token=options.token) as client:
        if client.token is None:
            await client.register(f"import-{uuid.uuid4().hex[:8]}")
            show(f"token={client.token}")
        if options.phase:
            phase = next((one for one in phases if one.name == options.phase), None)
            if phase is None:
                names = ", ".join(one.name for one in phases)
                raise saved.InvalidFile(f"--phase: the file has no phase {options.phase}; the phases are {names}")
            show(f"game={(await saved.as_position(client, phase)).game_id}")
            return
        played = await saved.as_history(client, phases)
        show(f"game={played.sandbox.game_id}\n{played.phases} of {len(phases)} phases were played")
        for line in [*played.refused, *played.differences]:
            show(line)
