"""The command `heliopause`: a small client for playing and watching."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path

from heliopause import _program, aio
from heliopause._apply import event_name
from heliopause._engines import addresses
from heliopause.bot import Bot
from heliopause.levels import at_random
from heliopause.offers import FillError, Offer, Offers, Slot
from heliopause.refusals import CursorInvalid, PhaseClosed, Refusal, StaleRevision, WrongStatus
from heliopause.v1 import event_pb2, table_pb2
from heliopause.v1.offer_pb2 import OFFER_WEIGHT_GRAVE

_STATUS = {
    table_pb2.GAME_STATUS_FORMING: "waiting for players",
    table_pb2.GAME_STATUS_REVEALING: "about to start",
    table_pb2.GAME_STATUS_RUNNING: "running",
    table_pb2.GAME_STATUS_PAUSED: "paused",
    table_pb2.GAME_STATUS_ENDED: "over",
    table_pb2.GAME_STATUS_CANCELLED: "canceled",
}
_HELP = "NUMBER: choose an offer, r: ready, m: map, q: quit; anything else is an order in the game's notation"


class Quit(Exception):
    """The player quits while the game continues."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["random"]:
        return Bot(at_random).main(given[1:])
    parser = argparse.ArgumentParser(prog="heliopause", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, description in (("list", "list games"), ("play", "play a game"), ("watch", "print the events of a game")):
        command = commands.add_parser(name, help=description, description=description.capitalize() + ".")
        _program.connection_options(command)
        if name == "play":
            _program.seat_options(command)
        if name == "watch":
            game = os.environ.get("HELIOPAUSE_GAME")
            command.add_argument("--game", metavar="ID", default=game, required=game is None, help="id of the game")
    commands.add_parser("random", help="play at random; see heliopause random --help")
    options = parser.parse_args(given)
    _program.log_to_terminal(verbose=options.verbose)
    work = {"list": _list, "play": _play, "watch": _watch}[options.command]
    return _program.run(parser, lambda: work(options))


def _client(options: argparse.Namespace, patience: float | None) -> aio.Client:
    file = options.token_file or _account(options)
    return aio.Client(options.engine, token=options.token, token_file=file, patience=patience, tls_ca=options.tls_ca)


def _account(options: argparse.Namespace) -> Path:
    """Returns the file of the account's token. Each engine has its own file."""
    engine = addresses(options.engine)[0].target
    config = os.environ.get("HELIOPAUSE_CONFIG_DIR")
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "heliopause"
    return (Path(config) if config else home) / "python" / f"{engine.replace(':', '_').replace('/', '_')}.token"


async def _list(options: argparse.Namespace) -> None:
    async with _client(options, 10) as client:
        await _program.sign_in(client, options)
        _program.show("Kinds of games:")
        for kind in await client.kinds():
            _program.show(f"  {kind.kind}: {kind.name}, {kind.players_min} to {kind.players_max} players")
        _program.show("Games:")
        async for game in client.games():
            places = f", {game.open_seats} open" if game.open_seats else ""
            status = _STATUS.get(game.status, "unknown status")
            _program.show(f"  {game.game_id}  {game.kind}  {game.name} ({status}{places})")


async def _watch(options: argparse.Namespace) -> None:
    async with _client(options, None) as client:
        await _program.sign_in(client, options)
        table = await client.table(options.game)
        events = table.events(after=0)
        async with aclosing(events):
            async for event in events:
                _print_event(event)


async def _play(options: argparse.Namespace) -> None:
    async with _client(options, 60) as client:
        name = await _program.sign_in(client, options)
        if not (options.new or options.game):
            options.game = await _choose_game(client)
        table = await _program.take_seat(client, options)
        _program.show(f"You are {name} at seat {table.number} of game {table.game_id}.")
        try:
            await _follow(table)
        except (Quit, EOFError):
            _program.show(f"The game continues. To resume: heliopause play --game {table.game_id}")


async def _choose_game(client: aio.Client) -> str:
    found = [
        (game.game_id, f"{game.name} (yours, {game.progress})") async for game in client.my_games(running_only=True)
    ]
    mine = {game_id for game_id, _ in found}
    async for game in client.games(joinable=True):
        if game.game_id not in mine:
            found.append((game.game_id, f"{game.name} ({game.kind}, {game.open_seats} open)"))
    if not found:
        raise ValueError("no game to play was found; create one with --new KIND")
    for at, (_, description) in enumerate(found, 1):
        _program.show(f"{at:3}  {description}")
    return found[_number("Which game? ", len(found)) - 1][0]


async def _follow(table: aio.Table) -> None:
    after = 0 if table.game.status == table_pb2.GAME_STATUS_FORMING else None
    while True:
        try:
            return await _print_events(table, after)
        except CursorInvalid:
            print("The database was restored to an earlier state. Starting again from there.")
            table.start_over()
            after = None


async def _print_events(table: aio.Table, after: int | None) -> None:
    parts = table.parts(after)
    async with aclosing(parts):
        async for part in parts:
            if part.WhichOneof("part") == "event":
                _print_event(part.event)
            kind = event_name(part)
            if kind == "game_ended" or (kind == "caught_up" and table.over):
                _program.show(f"The game is over. {table.game.outcome.summary}")
                return
            if kind in ("caught_up", "decision_opened", "status_changed"):
                await _decide(table)


async def _decide(table: aio.Table) -> None:
    shown = None
    while True:
        try:
            offers = await table.offers()
            if offers.decision is None or offers.decision.ready:
                return
            if shown != offers.phase:
                _program.show(f"\n{await table.map_text()}")
                shown = offers.phase
            await _one_order(table, offers)
        except WrongStatus:
            return
        except (StaleRevision, PhaseClosed) as refusal:
            _program.show(f"Too late: {refusal.message}")
        except Refusal as refusal:
            _program.show(f"Rejected: {refusal.message}")


async def _one_order(table: aio.Table, offers: Offers) -> None:
    assert offers.decision is not None
    _program.show(f"\n{offers.decision.prompt}")
    heading = None
    for at, offer in enumerate(offers, 1):
        if offer.heading != heading:
            heading = offer.heading
            _program.show(f" {heading}")
        _program.show(f"{at:4}  {offer.label or offer.notation}")
    text = input("Your order (? for help): ").strip()
    if text in ("", "?"):
        _program.show(_HELP)
    elif text == "q":
        raise Quit
    elif text == "m":
        _program.show(await table.map_text())
    elif text == "r":
        await table.ready()
    elif text.isdecimal():
        if not 1 <= int(text) <= len(offers):
            _program.show(f"Choose a number from 1 to {len(offers)}.")
        elif order := _filled(offers[int(text) - 1]):
            await _give(table, order)
    else:
        await _give(table, text)


async def _give(table: aio.Table, order: str) -> None:
    _program.show(f"> {order}")
    answer = await table.order(order)
    if answer.HasField("refused"):
        _program.show(f"Rejected: {answer.refused.message}")


def _filled(offer: Offer) -> str | None:
    """Fills the slots of an offer with the player's input, or None if the player changes their mind."""
    chosen = {slot.name: _asked(slot) for slot in offer.slots}
    if offer.weight == OFFER_WEIGHT_GRAVE and input("This cannot be undone or is costly. Are you sure? [y/N] ") != "y":
        return None
    try:
        return offer.fill(chosen)
    except FillError as error:
        _program.show(error)
        return None


def _asked(slot: Slot) -> str | list[str] | None:
    """Reads the choice for a slot. None leaves an optional slot empty. Spaces separate several values."""
    values = slot.values
    for at, value in enumerate(values, 1):
        note = slot.note_of(value)
        _program.show(f"{at:6}  {slot.label_of(value)}{f' ({note})' if note else ''}")
    text = input(f"  {_program.visible(slot.label or slot.name)}{' (optional)' if slot.optional else ''}: ").strip()
    if not text and slot.optional:
        return None
    if slot.kind in ("number", "free"):
        return text
    return [
        values[int(word) - 1] if word.isdecimal() and 0 < int(word) <= len(values) else word for word in text.split()
    ]


def _number(question: str, most: int, ask: Callable[[str], str] = input) -> int:
    while True:
        text = ask(question).strip()
        if text.isdecimal() and 1 <= int(text) <= most:
            return int(text)
        _program.show(f"Choose a number from 1 to {most}.")


def _print_event(event: event_pb2.Event) -> None:
    _program.show(f"{event.number:5} {event.text}")
