"""Shared parts of this package's programs: options, accounts, exit codes, and bots as programs."""

import argparse
import asyncio
import logging
import os
import sys
import uuid
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from heliopause import aio
from heliopause.refusals import Refusal, Unreachable
from heliopause.v1 import table_pb2

if TYPE_CHECKING:
    from heliopause.bot import Bot

FAILED, NO_ENGINE, INTERRUPTED = 1, 3, 130


def connection_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the engine and the account."""
    parser.add_argument("--engine", metavar="ADDRESS", help="the engine, or several separated by commas")
    parser.add_argument("--tls-ca", metavar="FILE", help="certificate authority for https:// engines")
    parser.add_argument("--token", help="token of the account [default: HELIOPAUSE_TOKEN, else a new account]")
    parser.add_argument(
        "--token-file", metavar="FILE", help="file with the token; a new account's token is written to it"
    )
    parser.add_argument("--name", help="name of a new account")
    parser.add_argument("--verbose", action="store_true", help="log every retry")


def seat_options(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:  # pyright: ignore[reportPrivateUsage]
    """Adds the options that choose a seat."""
    where = parser.add_mutually_exclusive_group()
    game = os.environ.get("HELIOPAUSE_GAME")
    where.add_argument("--game", metavar="ID", default=game, help="play this game; join it if necessary")
    where.add_argument("--new", metavar="KIND", help="create a game of this kind and play it")
    parser.add_argument(
        "--opponents", type=int, default=1, metavar="N", help="number of automated opponents in a new game"
    )
    parser.add_argument("--level", default="", help="level of automated opponents")
    parser.add_argument("--options", type=json_option, metavar="JSON", help="options of a new game")
    return where


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds; the minimum is 0")
    return seconds


def json_option(text: str) -> Any:
    """Parses an option in JSON."""
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"not valid JSON: {error}") from None


async def sign_in(client: aio.Client, options: argparse.Namespace) -> str:
    """Returns the name of the account. Creates an account if there is none."""
    return (await client.sign_in(options.name or f"python-{uuid.uuid4().hex[:8]}")).name


async def take_seat(client: aio.Client, options: argparse.Namespace) -> aio.Table:
    """Creates a game, or opens the given one and joins it if necessary. Returns the table."""
    if options.new:
        return await client.new_game(
            options.new, opponents=options.opponents, level=options.level, options=options.options
        )
    table = await client.table(options.game)
    return table if table.number else await client.join(options.game)


def visible(text: str) -> str:
    """Makes text safe for a terminal: characters that hide or reorder are shown as code points."""
    return "".join(one if one.isprintable() or one == "\n" else f"<U+{ord(one):04X}>" for one in text)


def show(*texts: object) -> None:
    """Prints text without characters that could control a terminal."""
    print(*(visible(str(text)) for text in texts), flush=True)


class _Visible(logging.Formatter):
    """A formatter that shows characters that could control a terminal as code points."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def log_to_terminal(*, verbose: bool) -> None:
    """Logs warnings to standard error, or everything if `verbose`."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Visible())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])


def run(parser: argparse.ArgumentParser, work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Runs a program. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no engine."""
    try:
        asyncio.run(work())
    except Unreachable as error:
        print(f"{parser.prog}: no engine is available: {visible(error.message)}", file=sys.stderr)
        return NO_ENGINE
    except Refusal as error:
        print(f"{parser.prog}: {visible(str(error))}", file=sys.stderr)
        return FAILED
    except (OSError, ValueError) as error:
        parser.error(visible(str(error)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    return 0


def _result(outcome: table_pb2.Outcome, seat: int) -> str:
    """Describes the result of a seat: "seat 1: place 2 of 3, 12 credits"."""
    score = next((one for one in outcome.scores if one.seat == seat), None)
    if score is None:
        return f"seat {seat}: no result"
    places = outcome.decimals
    points = f"{score.points / 10**places:.{places}f}"
    unit = f"{outcome.unit or 'point'}{'' if score.points == 1 or places else 's'}"
    return f"seat {seat}: place {score.place} of {len(outcome.scores)}, {points} {unit}"


def run_bot(bot: "Bot", arguments: Sequence[str] | None) -> int:
    """Runs a bot as a program."""
    parser = argparse.ArgumentParser(description="Play Heliopause. Specify one of --game, --new, --serve and --work.")
    connection_options(parser)
    where = seat_options(parser)
    where.add_argument("--serve", action="store_true", help="play all games of the account until stopped")
    where.add_argument(
        "--work",
        action="append",
        metavar="KIND[:PROFILE[:LEVEL]]",
        help="play automated seats as a worker (repeatable); requires a worker's token",
    )
    parser.add_argument(
        "--patience",
        type=_seconds,
        metavar="SECONDS",
        help="exit if no engine responds for this long [default: no limit]",
    )
    options = parser.parse_args(arguments)
    if not (options.game or options.new or options.serve or options.work):
        parser.error("nothing to play: specify --game ID, --new KIND, --serve or --work KIND:PROFILE:LEVEL")
    log_to_terminal(verbose=options.verbose)
    return run(parser, lambda: _play(bot, options))


async def _play(bot: "Bot", options: argparse.Namespace) -> None:
    async with aio.Client(
        options.engine,
        token=options.token,
        token_file=options.token_file,
        patience=options.patience,
        tls_ca=options.tls_ca,
    ) as client:
        client.calls.stream_patience = options.patience
        name = await sign_in(client, options)
        if options.work:
            await bot.work(client, options.work)
        elif options.serve:
            show(f"playing all games of {name}")
            await bot.serve(client)
        else:
            table = await take_seat(client, options)
            show(f"playing {table.game_id} as {name}")
            outcome = await bot.play(table)
            show(f"the game is over: {outcome.summary}")
            # The event that ends a game does not contain the places of the seats.
            show(_result((await table.refresh()).outcome, table.number))
