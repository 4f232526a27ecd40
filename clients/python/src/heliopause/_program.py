"""What the programs of this package share: options, accounts, exit codes, and a bot's command line."""

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
    """Adds the options that say where the engine is and who plays."""
    parser.add_argument("--engine", metavar="ADDRESS", help="the engine; of several, with commas between them")
    parser.add_argument("--tls-ca", metavar="FILE", help="trust this authority for https:// engines")
    parser.add_argument("--token", help="the account [default: HELIOPAUSE_TOKEN, else a new one]")
    parser.add_argument("--token-file", metavar="FILE", help="the account; a new one's token is written here")
    parser.add_argument("--name", help="the name of a new account")
    parser.add_argument("--verbose", action="store_true", help="say when the line is lost and tried again")


def seat_options(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:  # pyright: ignore[reportPrivateUsage]
    """Adds the options that say which seat is played."""
    where = parser.add_mutually_exclusive_group()
    game = os.environ.get("HELIOPAUSE_GAME")
    where.add_argument("--game", metavar="ID", default=game, help="play this game; joins it if need be")
    where.add_argument("--new", metavar="KIND", help="make a new game of this kind and play it")
    parser.add_argument("--opponents", type=int, default=1, metavar="N", help="automated opponents of a new game")
    parser.add_argument("--level", default="", help="the level of the automated opponents")
    parser.add_argument("--options", type=json_option, metavar="JSON", help="the rules options of a new game")
    return where


def _seconds(text: str) -> float:
    """A number of seconds."""
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds from 0")
    return seconds


def json_option(text: str) -> Any:
    """An option in JSON."""
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None


async def sign_in(client: aio.Client, options: argparse.Namespace) -> str:
    """Answers the account's name; opens an account if there is none yet."""
    return (await client.sign_in(options.name or f"python-{uuid.uuid4().hex[:8]}")).name


async def take_seat(client: aio.Client, options: argparse.Namespace) -> aio.Table:
    """The table that the options name."""
    if options.new:
        return await client.new_game(
            options.new, opponents=options.opponents, level=options.level, options=options.options
        )
    table = await client.table(options.game)
    return table if table.number else await client.join(options.game)


def visible(text: str) -> str:
    """A text of others for a terminal: what could hide or reorder is shown as its code point."""
    return "".join(one if one.isprintable() or one == "\n" else f"<U+{ord(one):04X}>" for one in text)


def show(*texts: object) -> None:
    """Prints texts for people, without characters that could control a terminal."""
    print(*(visible(str(text)) for text in texts), flush=True)


class _Visible(logging.Formatter):
    """Log lines without characters that could control a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def log_to_terminal(*, verbose: bool) -> None:
    """Writes warnings to standard error; everything if `verbose`."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Visible())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])


def run(parser: argparse.ArgumentParser, work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Runs a program to its exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 no engine."""
    try:
        asyncio.run(work())
    except Unreachable as error:
        print(f"{parser.prog}: no engine: {visible(error.message)}", file=sys.stderr)
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
    """The result of a seat: "seat 1: place 2 of 3, 12 credits"."""
    score = next((one for one in outcome.scores if one.seat == seat), None)
    if score is None:
        return f"seat {seat}: no result"
    unit = f"{outcome.unit or 'point'}{'' if score.points == 1 else 's'}"
    return f"seat {seat}: place {score.place} of {len(outcome.scores)}, {score.points} {unit}"


def run_bot(bot: "Bot", arguments: Sequence[str] | None) -> int:
    """A bot's own command line."""
    parser = argparse.ArgumentParser(description="Plays Heliopause. It needs one of --game, --new, --serve and --work.")
    connection_options(parser)
    where = seat_options(parser)
    where.add_argument("--serve", action="store_true", help="play all games of the account, and go on for ever")
    where.add_argument(
        "--work",
        action="append",
        metavar="KIND[:PROFILE[:LEVEL]]",
        help="play automated seats as a worker; may be repeated. Needs a worker's token",
    )
    parser.add_argument(
        "--patience",
        type=_seconds,
        metavar="SECONDS",
        help="end when no engine has answered for so long [default: wait without limit]",
    )
    options = parser.parse_args(arguments)
    if not (options.game or options.new or options.serve or options.work):
        parser.error("say what to play: --game ID, --new KIND, --serve or --work KIND:PROFILE:LEVEL")
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
            # The event that ends a game has no places.
            show(_result((await table.refresh()).outcome, table.number))
