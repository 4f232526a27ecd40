"""A DAIDE client in a game: handles its sentences and sends events."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Protocol

from heliopause import PhaseClosed, Refusal, StaleRevision, methods
from heliopause.aio import Client, Table
from heliopause.diplomacy.v1 import event_pb2, map_pb2
from heliopause.diplomacy.v1 import table_pb2 as europe
from heliopause.v1 import event_pb2 as events_pb2
from heliopause.v1 import game_pb2, table_pb2

from heliopause_daide import orders
from heliopause_daide.board import CENTERS, POWERS, definition, word_of
from heliopause_daide.tokens import NUMBERS, WORDS, Sentence, SyntaxFault, head, integer, quoted, say, spoken, unquoted

_T = NUMBERS
MAP_NAME = "standard"
# The prefix of messages with press in DAIDE's words.
_MARK = "DAIDE "
# The maximum of an integer in DAIDE. Longer times and passcodes cannot be sent.
_LONGEST = 8191

_BEFORE = (table_pb2.GAME_STATUS_FORMING, table_pb2.GAME_STATUS_REVEALING)


class ClientConnection(Protocol):
    """A connection to a client."""

    address: str

    @property
    def live(self) -> bool:
        """Whether the connection is open."""
        ...

    async def say(self, sentence: Sentence) -> None:
        """Sends a sentence. Does nothing if the connection is closed."""


class Seat:
    """A seat played by a DAIDE client."""

    def __init__(
        self, client: Client, table: Table, connection: ClientConnection, *, level: int, name: str, version: str
    ) -> None:
        self.client, self.table, self.level = client, table, level
        self.name, self.version = name, version
        self.passcode = secrets.randbelow(_LONGEST) + 1
        """The passcode with which a client reconnects after losing its connection."""
        self.connection = connection
        self.powers: dict[int, str] = {}
        self._position = europe.Table()
        self._turn = (0, 0)
        self._results: dict[tuple[int, int], list[Sentence]] = {}
        self._last: list[Sentence] = []
        self._given: dict[str, game_pb2.Orders] = {}
        self._waits = False
        self._over = False
        self.seated = asyncio.Event()
        """Set when the client has received its seat."""

    @property
    def power(self) -> str:
        """DAIDE's word for the power."""
        return self.powers[self.table.number]

    async def send(self, sentence: Sentence) -> None:
        """Sends a sentence to the client."""
        await self.connection.say(sentence)

    async def play(self) -> None:
        """Waits for the map and the start of the game, then sends events until the game is over."""
        await self.seated.wait()
        # Events can lag behind, so orders use a separate table that is updated only by responses.
        heard = await self.client.table(self.table.game_id)
        waiting = heard.parts(after=0)
        async with aclosing(waiting):
            async for _ in waiting:
                if heard.game.status not in _BEFORE:
                    break
        await self.table.refresh()
        await self.begin()
        stream = heard.events()
        async with aclosing(stream):
            async for event in stream:
                await self._handle_event(event)

    async def begin(self) -> None:
        """Sends the power and the position."""
        await self._look()
        self._turn = self._when()
        for sentence in (self._hello(), self._centers(), self._now()):
            await self.send(sentence)

    async def receive(self, sentence: Sentence) -> None:
        """Answers a sentence of the client."""
        verb = head(sentence)
        answers: dict[str, Callable[[Sentence], Awaitable[None]]] = {
            "SUB": self._submit,
            "NOT": self._not,
            "GOF": self._go,
            "MIS": self._missing,
            "SND": self._press,
            "DRW": self._draw,
            "HST": self._history,
            "TME": self._time,
        }
        replies: dict[str, Callable[[], Sentence]] = {
            "HLO": self._hello,
            "NOW": self._now,
            "SCO": self._centers,
            "MDF": definition,
            "MAP": lambda: [_T["MAP"], quoted(MAP_NAME)],
        }
        if verb in replies and len(sentence) == 1:
            await self.send(replies[verb]())
        elif verb == "ORD" and len(sentence) == 1:
            for one in self._last:
                await self.send(one)
        elif verb in ("YES", "REJ", "PRN", "HUH", "THX", "ADM"):
            # Responses of the client need no answer.
            return
        elif verb in answers:
            try:
                await answers[verb](sentence)
            except Refusal:
                await self.send([_T["REJ"], sentence])
        else:
            await self.send([_T["HUH"], [_T["ERR"], *sentence]])

    async def _look(self) -> None:
        """Loads the position, and the powers the first time. Orders of an earlier turn are discarded."""
        before = self._when()
        self._position.CopyFrom((await self.table.view()).diplomacy.table)
        self.powers = {power.seat: POWERS[power.name] for power in self._position.powers}
        if self._when() != before:
            self._given.clear()

    def _when(self) -> tuple[int, int]:
        return self._position.year, self._position.phase

    def _hello(self) -> Sentence:
        variant: Sentence = [[_T["LVL"], integer(self.level)]]
        pace = self.table.game.pace
        for word, kind in (("MTL", "movement"), ("RTL", "retreat"), ("BTL", "adjustment")):
            phase = pace.by_kind.get(kind, pace.standard)
            if phase.HasField("interval"):
                variant.append([_T[word], integer(min(phase.interval.seconds, _LONGEST))])
        return [_T["HLO"], [_T[self.power]], [integer(self.passcode)], variant]

    def _now(self) -> Sentence:
        return orders.positions(self._position, self.powers)

    def _centers(self) -> Sentence:
        return orders.centers(self._position, self.powers, CENTERS)

    async def _handle_event(self, event: events_pb2.Event) -> None:
        match event.WhichOneof("body"):
            case "game":
                await self._send_event(event.game.diplomacy)
            case "message":
                await self._send_press(event.message)
            case "game_ended":
                await self._end(event.game_ended.outcome)
            case _:
                return

    async def _send_event(self, event: event_pb2.Event) -> None:
        reports: list[Sentence] = []
        match event.WhichOneof("kind"):
            case "moved":
                reports = list(orders.moved(event.moved, self.powers))
            case "retreated":
                reports = list(orders.retreated(event.retreated, self.powers))
            case "adjusted":
                reports = list(orders.adjusted(event.adjusted, self.powers))
            case "phase_began":
                await self._new_turn((event.phase_began.year, event.phase_began.phase))
            case _:
                pass
        if reports:
            self._last = [[_T["ORD"], orders.turn(*self._turn), *one] for one in reports]
            self._results[self._turn] = self._last
            for sentence in self._last:
                await self.send(sentence)

    async def _new_turn(self, turn: tuple[int, int]) -> None:
        """Sends the position of a turn, unless it was sent already or a later turn follows."""
        previous, self._turn = self._turn, turn
        await self._look()
        if turn != previous and turn == self._when():
            if turn[1] in (map_pb2.PHASE_WINTER, map_pb2.PHASE_SPRING_MOVEMENT):
                await self.send(self._centers())
            await self.send(self._now())

    async def _end(self, outcome: table_pb2.Outcome) -> None:
        if self._over:
            return
        self._over = True
        await self._look()
        await self.send(self._centers())
        winners = [self.powers[seat] for seat in outcome.winners if seat in self.powers]
        if len(winners) == 1 and not outcome.draw:
            await self.send([_T["SLO"], [_T[winners[0]]]])
        else:
            await self.send([_T["DRW"]])
        await self.send(await self._summary())

    async def _summary(self) -> Sentence:
        """Returns `SMR`: the players of the powers, and the centers of each power at the end."""
        game = await self.table.refresh()
        summary: Sentence = [_T["SMR"], orders.turn(self._position.year, self._position.phase)]
        names = {seat.number: seat.player or "automation" for seat in game.seats}
        for power in self._position.powers:
            name = names.get(power.seat, "nobody")
            summary.append([_T[self.powers[power.seat]], quoted(name), quoted(" "), integer(len(power.centers))])
        return summary

    async def _submit(self, sentence: Sentence) -> None:
        now = orders.turn(self._position.year, self._position.phase)
        given = sentence[1:]
        if given and isinstance(given[0], list) and len(given[0]) == 2 and given[0] != now and _is_turn(given[0]):
            for one in given[1:]:
                await self._send_thx(one, "NRS")
            return
        for one in given:
            if isinstance(one, list) and _is_turn(one):
                continue
            if not isinstance(one, list):
                await self.send([_T["HUH"], [_T["ERR"], *sentence]])
                return
            await self._submit_one(one)
        await self._ready_if_complete()

    async def _submit_one(self, words: Sentence) -> None:
        try:
            given = orders.read(words, self.power)
            await self._order(given)
        except orders.NotMine:
            await self._send_thx(words, "NYU")
        except orders.InvalidOrder:
            await self.send([_T["HUH"], [_T["SUB"], [_T["ERR"], *words]]])
        except Refusal as refusal:
            late = refusal.reason in ("PHASE_CLOSED", "STALE_REVISION", "WRONG_STATUS")
            await self._send_thx(words, "NRS" if late else orders.note(refusal.refusal))
        else:
            self._given[spoken(words[:1])] = given
            await self._send_thx(words, "MBV")

    async def _order(self, given: game_pb2.Orders) -> None:
        try:
            await self.table.order(given)
        except (PhaseClosed, StaleRevision):
            # A new phase started after the last order, and this order is for it.
            await self.table.offers()
            await self.table.order(given)

    async def _send_thx(self, order: "int | Sentence", note: str) -> None:
        await self.send([_T["THX"], order, [_T[note]]])

    async def _ready_if_complete(self) -> None:
        if not self._waits and self._given and not self._missing_units():
            await self._set_ready(ready=True)

    async def _set_ready(self, *, ready: bool) -> None:
        try:
            await self.table.offers()
            await self.table.ready(ready)
        except Refusal:
            # The phase has closed, or this power has no decision.
            return

    def _missing_units(self) -> Sentence:
        """Returns the missing orders: units, retreats, or the number of removals (negative for builds)."""
        me = next(power for power in self._position.powers if power.seat == self.table.number)
        if self._position.phase == map_pb2.PHASE_WINTER:
            difference = len(me.units) - len(me.centers)
            given = len(self._given)
            left = difference - given if difference > 0 else min(difference + given, 0)
            return [[integer(left)]] if left else []
        if any(one for one in self._position.dislodged):
            gone = [one for one in self._position.dislodged if one.unit.seat == self.table.number]
            missing: Sentence = []
            for one in gone:
                words = orders.unit(self.power, one.unit.unit)
                if spoken([words]) not in self._given:
                    missing.append([*words, _T["MRT"], [word_of(place) for place in one.retreats]])
            return missing
        return [words for one in me.units if spoken([words := orders.unit(self.power, one)]) not in self._given]

    async def _missing(self, sentence: Sentence) -> None:
        del sentence
        await self.send([_T["MIS"], *self._missing_units()])

    async def _go(self, sentence: Sentence) -> None:
        self._waits = False
        await self._set_ready(ready=True)
        await self.send([_T["YES"], sentence])

    async def _not(self, sentence: Sentence) -> None:
        inner = sentence[1] if len(sentence) == 2 and isinstance(sentence[1], list) else []
        match head(inner):
            case "GOF":
                self._waits = True
                await self._set_ready(ready=False)
            case "SUB":
                if not await self._take_back(inner[1:]):
                    await self.send([_T["REJ"], sentence])
                    return
            case "DRW":
                await self._vote(yes=False)
            case _:
                await self.send([_T["HUH"], [_T["NOT"], [_T["ERR"], *inner]]])
                return
        await self.send([_T["YES"], sentence])

    async def _take_back(self, these: Sentence) -> bool:
        """Withdraws `these` orders, or all if `these` is empty. Returns whether that succeeded."""
        await self._set_ready(ready=False)
        gone = {spoken(one[:1]) for one in these if isinstance(one, list)}
        kept = {} if not these else {key: given for key, given in self._given.items() if key not in gone}
        try:
            request = game_pb2.WithdrawOrdersRequest(game_id=self.table.game_id, phase=self.table.phase)
            answer = await self.client.call(methods.GameService.WithdrawOrders, request)
            self.table.revision = answer.revision
            for given in kept.values():
                await self.table.order(given)
        except Refusal:
            return False
        self._given = kept
        return True

    async def _draw(self, sentence: Sentence) -> None:
        done = len(sentence) == 1 and await self._vote(yes=True)
        await self.send([_T["YES" if done else "REJ"], sentence])

    async def _vote(self, *, yes: bool) -> bool:
        """Votes for or against a draw. A vote for a draw proposes one if no vote is open."""
        try:
            listed = game_pb2.ListVotesRequest(game_id=self.table.game_id)
            votes = (await self.client.call(methods.GameService.ListVotes, listed)).votes
            for vote in votes:
                if vote.subject == table_pb2.VOTE_SUBJECT_DRAW and vote.state == table_pb2.VOTE_STATE_OPEN:
                    await self.table.vote(vote.number, yes)
                    return True
            if yes:
                request = game_pb2.ProposeVoteRequest(game_id=self.table.game_id, subject=table_pb2.VOTE_SUBJECT_DRAW)
                await self.client.call(methods.GameService.ProposeVote, request)
        except Refusal:
            return False
        return True

    async def _history(self, sentence: Sentence) -> None:
        asked = sentence[1] if len(sentence) == 2 and isinstance(sentence[1], list) else []
        found = [reports for when, reports in self._results.items() if orders.turn(*when) == asked]
        if not found:
            await self.send([_T["REJ"], sentence])
        for reports in found:
            for one in reports:
                await self.send(one)

    async def _time(self, sentence: Sentence) -> None:
        await self.table.refresh()
        game = self.table.game
        if len(sentence) != 1 or not game.HasField("due_time"):
            await self.send([_T["REJ"], sentence])
            return
        left = game.due_time.seconds - time.time()
        await self.send([_T["TME"], [integer(max(0, min(int(left), _LONGEST)))]])

    async def _press(self, sentence: Sentence) -> None:
        parts = sentence[2:] if len(sentence) == 4 and _is_turn(sentence[1]) else sentence[1:]
        if self.level < 10 or len(parts) != 2 or not all(isinstance(part, list) for part in parts):
            await self.send([_T["REJ"], sentence] if self.level < 10 else [_T["HUH"], [_T["ERR"], *sentence]])
            return
        to, press = parts
        assert isinstance(to, list)
        assert isinstance(press, list)
        if (fault := orders.press_fault(press)) is not None:
            marked: Sentence = [*press[:fault], _T["ERR"], *press[fault:]]
            await self.send([_T["HUH"], [_T["SND"], to, marked]])
            return
        seats = {power: seat for seat, power in self.powers.items()}
        receivers = [seats.get(WORDS.get(one, ""), 0) for one in to if isinstance(one, int)]
        if not receivers or 0 in receivers or self.table.number in receivers:
            await self.send([_T["REJ"], sentence])
            return
        try:
            await self.table.write(_MARK + spoken(press), receivers)
        except Refusal:
            await self.send([_T["REJ"], sentence])
        else:
            await self.send([_T["YES"], sentence])

    async def _send_press(self, message: table_pb2.Message) -> None:
        """Sends press of other powers. Drops messages that are not in DAIDE's words."""
        mine = message.HasField("from_seat") and message.from_seat == self.table.number
        if self.level < 10 or mine or not message.HasField("from_seat") or not message.text.startswith(_MARK):
            return
        try:
            press = say(message.text.removeprefix(_MARK))
        except SyntaxFault:
            return
        if orders.press_fault(press) is None:
            to: Sentence = [_T[self.powers[seat]] for seat in message.to_seats if seat in self.powers]
            await self.send([_T["FRM"], [_T[self.powers[message.from_seat]]], to or [_T[self.power]], press])


def _is_turn(words: "int | Sentence") -> bool:
    return (
        isinstance(words, list)
        and len(words) == 2
        and head(words) in ("SPR", "SUM", "FAL", "AUT", "WIN")
        and isinstance(words[1], int)
    )


def texts_of(sentence: Sentence) -> tuple[str, str]:
    """Returns the name and version of a client from its `NME`."""
    texts = [unquoted(part) for part in sentence[1:] if isinstance(part, list)]
    name, version, *_ = [*texts, "", ""]
    return name, version
