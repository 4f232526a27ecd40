"""The client for programs that are not asynchronous. Generated from heliopause.aio: do not edit."""

# pyright: reportIncompatibleVariableOverride=false

from collections.abc import Callable
from collections.abc import Generator
from collections.abc import Mapping
from collections.abc import Sequence
from datetime import datetime
from datetime import timedelta
from heliopause import _portal, aio
from heliopause._method import A
from heliopause._method import Listening
from heliopause._method import Q
from heliopause._method import Unary
from heliopause.aio.client import Json
from heliopause.offers import Offers
from heliopause.proof import Export
from heliopause.v1 import envelope_pb2
from heliopause.v1 import event_pb2
from heliopause.v1 import game_pb2
from heliopause.v1 import offer_pb2
from heliopause.v1 import player_pb2
from heliopause.v1 import sandbox_pb2
from heliopause.v1 import table_pb2
from heliopause.v1.envelope_pb2 import GameView
from random import Random
import os


class Seat:
    """A seat at a game, with what its player may know. A `Table` is one, and so is what a worker is leased."""
    _aio: aio.Seat

    def __init__(self, inner: aio.Seat, portal: _portal.Portal) -> None:
        self._aio = inner
        self._portal = portal

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self._aio.game_id

    @property
    def kind(self) -> str:
        """Its kind: "diplomacy"."""
        return self._aio.kind

    @property
    def number(self) -> int:
        """The seat, from 1; 0 for a spectator."""
        return self._aio.number

    @property
    def decision(self) -> table_pb2.Decision | None:
        """The open decision; None if the seat owes none."""
        return self._aio.decision

    @property
    def level(self) -> str:
        """The level that a lease asks for; empty at a table."""
        return self._aio.level

    @property
    def random(self) -> Random:
        """Randomness for this decision. In a lease the same decision has the same."""
        return self._aio.random

    @property
    def memo(self) -> bytes:
        """The memo of the seat's last answer. At a table it lasts as long as the bot."""
        return self._aio.memo

    @property
    def attempt(self) -> int:
        """How many answers to this decision were refused."""
        return self._aio.attempt

    @property
    def refused(self) -> Sequence[game_pb2.Verdict]:
        """Why the last answer was refused; empty at the first attempt."""
        return self._aio.refused

    def view(self) -> GameView:
        """What the seat may know now."""
        return self._portal.run(self._aio.view())


class Table(Seat):
    """A seat at a game, or a place beside it.

    While its events are read (`events`), `game`, `decision` and `cursor` follow them. A view cannot be made from
    events without the rules, so `view` fetches it anew once something has happened. The progress of a game and whose
    turn it is are told by no event: `refresh` fetches them.
    """

    _aio: aio.Table

    def __init__(self, inner: aio.Table, portal: _portal.Portal) -> None:
        self._aio = inner
        self._portal = portal

    @property
    def game(self) -> table_pb2.Game:
        """The game as this seat may see it."""
        return self._aio.game

    @property
    def phase(self) -> int | None:
        """The phase that the next order names: of the decision that was last told, by an answer or an event."""
        return self._aio.phase

    @property
    def revision(self) -> int | None:
        """The revision that the next order names."""
        return self._aio.revision

    @property
    def cursor(self) -> int | None:
        """The number of the last event that was read; None before the first stream."""
        return self._aio.cursor

    @property
    def over(self) -> bool:
        """Whether the game has ended or was cancelled."""
        return self._aio.over

    def refresh(self) -> table_pb2.Game:
        """Fetches the game and the open decision anew."""
        return self._portal.run(self._aio.refresh())

    def view(self, *, at_phase: int | None=None, revealed: bool=False) -> GameView:
        """What the viewer may know: now, at the end of an earlier phase, or everything once the game is over.

        The present view is kept until an event is read or an order is given.
        """

        return self._portal.run(self._aio.view(at_phase=at_phase, revealed=revealed))

    def goals(self) -> Sequence[table_pb2.Goal]:
        """What wins, and how far each seat is now."""
        return self._portal.run(self._aio.goals())

    def offers(self) -> Offers:
        """All that the seat may order now, with the decision, phase and revision that belong to it."""
        return self._portal.run(self._aio.offers())

    def validate(self, orders: str | Sequence[str] | game_pb2.Orders) -> Sequence[game_pb2.Verdict]:
        """Judges orders without giving them: a verdict for each, as if it alone were given now."""
        return self._portal.run(self._aio.validate(orders))

    def order(self, orders: str | Sequence[str] | game_pb2.Orders, *, ready: bool=False, phase: int | None=None, revision: int | None=None, request_id: str='') -> game_pb2.SubmitOrdersResponse:
        """Gives orders; they are durable when this returns.

        They are for the decision that this table was last told of, by `offers`, `view`, the last `order` or an event
        that opened it, unless `phase` and `revision` name another. Orders that resolve at once are taken one by one:
        look at `taken` and `refused` of the answer.
        """

        return self._portal.run(self._aio.order(orders, ready=ready, phase=phase, revision=revision, request_id=request_id))

    def ready(self, ready: bool=True) -> None:
        """Marks the orders as ready, or not: a phase closes early when all are."""
        self._portal.run(self._aio.ready(ready))

    def warnings(self) -> list[offer_pb2.Warning]:
        """Of what the seat would be warned if it were ready now: what it leaves undone. Nothing changes."""
        return self._portal.run(self._aio.warnings())

    def wait(self, wait: bool=True) -> None:
        """Keeps the phase open until its deadline even if all are ready, or not."""
        self._portal.run(self._aio.wait(wait))

    def take_back(self) -> game_pb2.TakeBackResponse:
        """Takes back all orders of the open phase that are kept until it closes."""
        return self._portal.run(self._aio.take_back())

    def write(self, text: str, to: Sequence[int]=(), *, to_all: bool=False, to_game_master: bool=False, anonymous: bool=False) -> table_pb2.Message:
        """Sends a letter to seats, to all that the rules let it reach, or to the game master."""
        return self._portal.run(self._aio.write(text, to, to_all=to_all, to_game_master=to_game_master, anonymous=anonymous))

    def letters(self) -> Generator[(table_pb2.Message, None)]:
        """The letters that the seat sent and received, oldest first."""
        return self._portal.iterate(self._aio.letters())

    def vote(self, number: int, yes: bool) -> table_pb2.Vote:
        """Votes yes or no; this may be changed while the vote is open."""
        return self._portal.run(self._aio.vote(number, yes))

    def phases(self) -> Generator[(game_pb2.Phase, None)]:
        """The phases of the game so far, oldest first."""
        return self._portal.iterate(self._aio.phases())

    def history(self, *, at_phase: int | None=None, revealed: bool=False) -> Generator[(event_pb2.Event, None)]:
        """The events so far, oldest first: all of them, or those of one phase."""
        return self._portal.iterate(self._aio.history(at_phase=at_phase, revealed=revealed))

    def map_text(self, *, around: str='', layer: str='', width: int=80, colors: bool=False, symbols: bool=False, at_phase: int | None=None, revealed: bool=False) -> str:
        """The map as lines of text."""
        return self._portal.run(self._aio.map_text(around=around, layer=layer, width=width, colors=colors, symbols=symbols, at_phase=at_phase, revealed=revealed))

    def map_svg(self, *, around: str='', layer: str='', at_phase: int | None=None, revealed: bool=False) -> str:
        """The map as a picture in SVG."""
        return self._portal.run(self._aio.map_svg(around=around, layer=layer, at_phase=at_phase, revealed=revealed))

    def report(self, *, html: bool=False, width: int=80, at_phase: int | None=None) -> str:
        """The report of a turn as text or as a page of HTML, in games that have one."""
        return self._portal.run(self._aio.report(html=html, width=width, at_phase=at_phase))

    def explain(self, event: int) -> game_pb2.ExplainResponse:
        """Why an event came out as it did: its rule, and what else happened in the same step."""
        return self._portal.run(self._aio.explain(event))

    def rule(self, number: str) -> game_pb2.RuleText:
        """The text of a rule by its number."""
        return self._portal.run(self._aio.rule(number))

    def export(self, *, full: bool=False) -> Export:
        """The journal of a game that is over; of a running game the caller's events."""
        return self._portal.run(self._aio.export(full=full))

    def start(self, *, fill: str | None=None) -> None:
        """Starts the game, as its host. `fill` names the level of the automation that takes the open seats."""
        self._portal.run(self._aio.start(fill=fill))

    def resign(self) -> None:
        """Gives the seat up for good; before the start it is open again."""
        self._portal.run(self._aio.resign())

    def parts(self, after: int | None=None) -> Generator[(game_pb2.StreamEventsResponse, None)]:
        """All parts of the stream of events; it goes on where it was after any break, and never ends by itself.

        It begins after the event of that number: 0 is the beginning. Without a number it goes on after the last
        event that this table has read, or begins now.
        """

        return self._portal.iterate(self._aio.parts(after))

    def start_over(self) -> None:
        """Forgets which events were read: the next stream begins now."""
        self._aio.start_over()

    def events(self, after: int | None=None) -> Generator[(event_pb2.Event, None)]:
        """The events as they happen, each once and in order, until the game is over."""
        return self._portal.iterate(self._aio.events(after))

    def until(self, matches: Callable[[event_pb2.Event], bool], *, seconds: float=30) -> event_pb2.Event:
        """Waits for the next event that matches, from the first that this table has not read.

        Raises `TimeoutError`, which lists the events that came instead.
        """

        return self._portal.run(self._aio.until(matches, seconds=seconds))

    def until_asked(self, kind: str='', *, seconds: float=30) -> table_pb2.Decision:
        """Waits until the seat is asked something, of this kind if one is named."""
        return self._portal.run(self._aio.until_asked(kind, seconds=seconds))

    def until_over(self, *, seconds: float | None=None) -> table_pb2.Outcome:
        """Waits until the game is over."""
        return self._portal.run(self._aio.until_over(seconds=seconds))


class Sandbox:
    """A sandbox game. Its owner holds every seat that nobody else has."""
    _aio: aio.Sandbox

    def __init__(self, inner: aio.Sandbox, portal: _portal.Portal) -> None:
        self._aio = inner
        self._portal = portal

    @property
    def game(self) -> table_pb2.Game:
        """The game as it was when it last was answered."""
        return self._aio.game

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self._aio.game_id

    def seat(self, number: int) -> Table:
        """A seat, to look and to order for it."""
        return Table(self._aio.seat(number), self._portal)

    def script_dice(self, dice: Sequence[int], *, replace: bool=False) -> int:
        """Adds values for the next dice; answers how many wait now."""
        return self._portal.run(self._aio.script_dice(dice, replace=replace))

    def advance_clock(self, by: timedelta) -> datetime:
        """Sets the clock forward and carries out the deadlines that pass; answers the game's time."""
        return self._portal.run(self._aio.advance_clock(by))

    def close_phase(self) -> table_pb2.Game:
        """Closes the open phase; defaults stand in for missing orders."""
        return self._portal.run(self._aio.close_phase())

    def position(self) -> sandbox_pb2.GetPositionResponse:
        """Everything: the position, the dice that wait, and what automation is asked."""
        return self._portal.run(self._aio.position())

    def master_events(self) -> Generator[(event_pb2.Event, None)]:
        """The game master's events, oldest first."""
        return self._portal.iterate(self._aio.master_events())


class Client:
    """An account on an engine, or on several engines that share their games.

    Calls that may be made again are made again, with the same request id, as long as the patience lasts, and
    streams go on where they were. Whatever fails in the end raises a `Refusal`.
    """

    _aio: aio.Client

    def __init__(self, engines: str | Sequence[str] | None=None, *, token: str | None=None, token_file: str | os.PathLike[str] | None=None, timeout: float=30.0, patience: float | None=60.0, gzip: bool=True, tls_ca: str | os.PathLike[str] | None=None, tls_cert: str | os.PathLike[str] | None=None, tls_key: str | os.PathLike[str] | None=None) -> None:
        """Connects when the first call is made.

        `engines` are addresses, "host:port" or "https://host:port", as a list or with commas between them; without
        any HELIOPAUSE_ENGINE names them, else it is 127.0.0.1:50051. `token` is the account's, else HELIOPAUSE_TOKEN
        or `token_file` has it. `register` opens a new account, and writes its token to `token_file`. A call may take
        `timeout` seconds, all its attempts together `patience`; None is for ever. `tls_ca` is trusted instead of the
        system's authorities; `tls_cert` and `tls_key` show who the client is.
        """

        self._aio = aio.Client(engines, token=token, token_file=token_file, timeout=timeout, patience=patience, gzip=gzip, tls_ca=tls_ca, tls_cert=tls_cert, tls_key=tls_key)
        self._portal = _portal.portal()

    @property
    def token(self) -> str | None:
        """The account's token."""
        return self._aio.token

    @property
    def engine(self) -> str:
        """The address of the engine that is in use."""
        return self._aio.engine

    def close(self) -> None:
        """Closes all connections."""
        self._portal.run(self._aio.close())

    def register(self, name: str, *, invitation: str='') -> player_pb2.Player:
        """Opens an account, which this client is from now on.

        Without a `token_file` keep its `token`: it is not shown again.
        """

        return self._portal.run(self._aio.register(name, invitation=invitation))

    def sign_in(self, name: str, *, invitation: str='') -> player_pb2.Player:
        """Who this account is. Opens an account of this name if the client has no token yet."""
        return self._portal.run(self._aio.sign_in(name, invitation=invitation))

    def me(self) -> player_pb2.Player:
        """Who this account is."""
        return self._portal.run(self._aio.me())

    def kinds(self) -> Sequence[game_pb2.GameKind]:
        """The games that can be played."""
        return self._portal.run(self._aio.kinds())

    def games(self, *, kind: str='', joinable: bool=False, search: str='') -> Generator[(game_pb2.GameSummary, None)]:
        """The games that this account may see, newest first."""
        return self._portal.iterate(self._aio.games(kind=kind, joinable=joinable, search=search))

    def my_games(self, *, running_only: bool=False) -> Generator[(player_pb2.MyGame, None)]:
        """The games in which this account sits, is invited, or which it leads; newest first."""
        return self._portal.iterate(self._aio.my_games(running_only=running_only))

    def decisions(self) -> Generator[(game_pb2.OpenDecision, None)]:
        """The decisions that this account owes, in all its games and seats."""
        return self._portal.iterate(self._aio.decisions())

    def notices(self) -> Generator[(game_pb2.StreamMyGamesResponse, None)]:
        """What happens in all games of this account, as hints to look. It never ends by itself."""
        return self._portal.iterate(self._aio.notices())

    def new_game(self, kind: str, *, opponents: int=0, level: str='', open_seats: int=0, invited: Sequence[str]=(), options: envelope_pb2.GameOptions | Json | None=None, pace: table_pb2.Pace | Json | None=None, name: str='', private: bool=False, seat: int | None=None, in_order: bool=False) -> Table:
        """Makes a game, in which this account plays; it starts once no seat is open.

        Lots decide at the start who has which seat. `seat` chooses this account's own, and with `in_order` no lots are
        drawn: this account has the first seat. `opponents` are played by automation of a `level`, `open_seats` are for
        anybody, others for the players `invited`. Options and pace may be in proto3 JSON, options
        with or without the envelope: `{"rounds": 4}` or `{"starshipsAtLarge": {"rounds": 4}}`.
        """

        return Table(self._portal.run(self._aio.new_game(kind, opponents=opponents, level=level, open_seats=open_seats, invited=invited, options=options, pace=pace, name=name, private=private, seat=seat, in_order=in_order)), self._portal)

    def join(self, game_id: str, *, seat: int | None=None, invite_code: str='') -> Table:
        """Takes a seat: the one named, else one by lot, or the first that this account may take."""
        return Table(self._portal.run(self._aio.join(game_id, seat=seat, invite_code=invite_code)), self._portal)

    def table(self, game_id: str, *, seat: int | None=None, spectator: bool=False) -> Table:
        """The seat that this account has in a game, or a spectator's place if it has none.

        In a sandbox its owner may name any seat.
        """

        return Table(self._portal.run(self._aio.table(game_id, seat=seat, spectator=spectator)), self._portal)

    def sandbox(self, kind: str, *, players: int | None=None, position: envelope_pb2.GamePosition | Json | None=None, options: envelope_pb2.GameOptions | Json | None=None, pace: table_pb2.Pace | Json | None=None, seed: bytes=b'', dice: Sequence[int]=(), automated: Mapping[int, str] | None=None, guests: Mapping[int, str] | None=None, name: str='') -> Sandbox:
        """Makes a sandbox game, from a position or by its options.

        Both may be in proto3 JSON, with or without the envelope. `automated` names levels by seats, `guests` accounts
        by seats. All other seats are this account's.
        """

        return Sandbox(self._portal.run(self._aio.sandbox(kind, players=players, position=position, options=options, pace=pace, seed=seed, dice=dice, automated=automated, guests=guests, name=name)), self._portal)

    def call(self, method: Unary[Q, A], request: Q) -> A:
        """Makes any call of the contract, such as `methods.GameService.GetGame`."""
        return self._portal.run(self._aio.call(method, request))

    def read(self, method: Listening[Q, A], request: Q) -> Generator[(A, None)]:
        """Reads a stream that has an end, such as `methods.GameService.ExportGame`."""
        return self._portal.iterate(self._aio.read(method, request))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
