"""The state, the orders and the events of a game as visible to one viewer."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TypeVar

from heliopause import _apply
from heliopause._calls import Calls, within
from heliopause.aio.seat import Seat
from heliopause.answers import orders_of
from heliopause.methods import ChatService, GameService
from heliopause.offers import Offers
from heliopause.proof import Export
from heliopause.v1 import chat_pb2, event_pb2, game_pb2, offer_pb2, scene_pb2, table_pb2
from heliopause.v1.envelope_pb2 import GameView

T = TypeVar("T")


class Table(Seat):
    """A seat in a game, or a spectator.

    While the program reads `events`, `game`, `decision` and `cursor` follow the events. Views cannot be
    derived from events without the rules, so `view` reloads after each change. Events do not contain the
    progress and the seat on turn, which `refresh` loads.
    """

    def __init__(self, calls: Calls, game: table_pb2.Game, *, seat: int | None = None, spectator: bool = False) -> None:
        """Use `Client.join`, `Client.table`, `Client.new_game` or `Sandbox.seat` to create a table."""
        super().__init__(game.game_id, game.kind, 0 if spectator else seat or game.your_seat)
        self.game = game
        """The game as visible to this seat."""
        self.phase: int | None = None
        """The phase for the next order, from the last response or event with a decision."""
        self.revision: int | None = None
        """The revision for the next order."""
        self._calls = calls
        self._seat, self._spectator = seat, spectator
        self._cursor: event_pb2.Cursor | None = None
        self._following = False
        # The last event that `game` and `decision` include.
        self._known = 0
        # The phase of the last decision whose opening was read.
        self._opened: int | None = None
        self._view: game_pb2.GetViewResponse | None = None

    @property
    def cursor(self) -> int | None:
        """The number of the last event read, or None before the first stream."""
        return None if self._cursor is None else self._cursor.number

    @property
    def over(self) -> bool:
        """Whether the game has ended or was canceled."""
        return self.game.status in _apply.OVER

    def _apply_game(self, game: table_pb2.Game) -> None:
        """Applies a game from a response. A draw of lots may have moved the player to another seat."""
        self.game = game
        if self._seat is None and not self._spectator:
            self.number = game.your_seat

    async def refresh(self) -> table_pb2.Game:
        """Reloads the game and the pending decision."""
        answer = await self._calls.call(GameService.GetGame, game_pb2.GetGameRequest(game_id=self.game_id))
        self._apply_game(answer.game)
        if not self._spectator and self._seat in (None, answer.game.your_seat):
            self.decision = answer.decision if answer.HasField("decision") else None
        return self.game

    async def view(self, *, at_phase: int | None = None, revealed: bool = False) -> GameView:
        """Returns the view: now, at the end of an earlier phase, or of everything once the game is over.

        The current view is cached until an event is read or an order is submitted.
        """
        if at_phase is not None or revealed:
            return (await self._get_view(at_phase, revealed)).view
        if self._view is None or not self._following or self._view.cursor.number < (self.cursor or 0):
            view = await self._get_view(None, revealed=False)
            self._view = view
            self._apply_decision(view.decision if view.HasField("decision") else None, view.phase, view.revision)
        return self._view.view

    async def board(self, *, distances: bool = False) -> scene_pb2.Board:
        """Returns what is fixed of the board, as far as the viewer sees it: places, and the steps between them."""
        request = game_pb2.GetBoardRequest(
            game_id=self.game_id, seat=self._seat, as_spectator=self._spectator, distances=distances
        )
        return (await self._calls.call(GameService.GetBoard, request)).board

    async def goals(self) -> Sequence[table_pb2.Goal]:
        """Returns the goals and the progress of each seat."""
        return (await self._get_view(None, revealed=False)).goals

    async def offers(self) -> Offers:
        """Returns all possible orders with their decision, phase and revision."""
        request = game_pb2.GetOffersRequest(game_id=self.game_id, seat=self._seat)
        answer = await self._calls.call(GameService.GetOffers, request)
        offers = Offers.answered(answer)
        self._apply_decision(offers.decision, offers.phase, offers.revision)
        return offers

    async def validate(self, orders: str | Sequence[str] | game_pb2.Orders) -> Sequence[game_pb2.Verdict]:
        """Validates orders without submitting them. Returns a verdict on each order by itself."""
        request = game_pb2.ValidateOrdersRequest(game_id=self.game_id, seat=self._seat, orders=orders_of(orders))
        return (await self._calls.call(GameService.ValidateOrders, request)).verdicts

    async def order(
        self,
        orders: str | Sequence[str] | game_pb2.Orders,
        *,
        ready: bool = False,
        phase: int | None = None,
        revision: int | None = None,
        request_id: str = "",
    ) -> game_pb2.SubmitOrdersResponse:
        """Submits orders, which are durable when this returns.

        The orders are for the decision last received from `offers`, `view`, `order` or an event, unless
        `phase` and `revision` name another decision. The engine accepts orders that resolve immediately
        one by one: check `accepted_count` and `refused` of the response.
        """
        if phase is None or revision is None:
            if self.phase is None or self.revision is None:
                await self.offers()
            phase, revision = self.phase if phase is None else phase, self.revision if revision is None else revision
        request = game_pb2.SubmitOrdersRequest(
            game_id=self.game_id,
            seat=self._seat,
            phase=phase,
            revision=revision,
            orders=orders_of(orders),
            ready=ready,
            request_id=request_id,
        )
        self._view = None
        answer = await self._calls.call(GameService.SubmitOrders, request)
        self._apply_decision(answer.decision if answer.HasField("decision") else None, answer.phase, answer.revision)
        return answer

    async def ready(self, ready: bool = True) -> None:
        """Marks the seat as ready or not ready. A phase closes early when all seats are ready."""
        request = game_pb2.SetReadyRequest(
            game_id=self.game_id, seat=self._seat, phase=await self._phase(), ready=ready
        )
        await self._calls.call(GameService.SetReady, request)

    async def warnings(self) -> list[offer_pb2.Warning]:
        """Returns warnings about what the seat would leave undone if it were ready. Changes nothing."""
        request = game_pb2.SetReadyRequest(
            game_id=self.game_id, seat=self._seat, phase=await self._phase(), ready=True, dry_run=True
        )
        answer = await self._calls.call(GameService.SetReady, request)
        return list(answer.warnings)

    async def wait(self, wait: bool = True) -> None:
        """Keeps the phase open until its deadline. With False, the phase may close when all seats are ready."""
        request = game_pb2.SetWaitRequest(game_id=self.game_id, seat=self._seat, phase=await self._phase(), wait=wait)
        await self._calls.call(GameService.SetWait, request)

    async def take_back(self) -> game_pb2.WithdrawOrdersResponse:
        """Withdraws all orders of the open phase that have not been executed."""
        request = game_pb2.WithdrawOrdersRequest(game_id=self.game_id, seat=self._seat, phase=await self._phase())
        self._view = None
        answer = await self._calls.call(GameService.WithdrawOrders, request)
        self._apply_decision(answer.decision if answer.HasField("decision") else None, answer.phase, answer.revision)
        return answer

    async def write(
        self,
        text: str,
        to: Sequence[int] = (),
        *,
        to_all: bool = False,
        to_game_master: bool = False,
        anonymous: bool = False,
    ) -> table_pb2.Message:
        """Sends a message to seats, to all seats that the rules allow, or to the game master.

        `anonymous` hides the sender. It is allowed if `game.anonymous_messages` is set.
        """
        request = game_pb2.SendMessageRequest(
            game_id=self.game_id,
            seat=self._seat,
            to_seats=to,
            to_all=to_all,
            to_game_master=to_game_master,
            anonymous=anonymous,
            text=text,
        )
        return (await self._calls.call(GameService.SendMessage, request)).message

    async def messages(self) -> AsyncGenerator[table_pb2.Message, None]:
        """Lists the messages that the seat sent and received, oldest first."""
        request = game_pb2.ListMessagesRequest(game_id=self.game_id, seat=self._seat)
        async for page in self._calls.pages(GameService.ListMessages, request):
            for message in page.messages:
                yield message

    async def chat(
        self, text: str, *, channel: chat_pb2.ChatChannel.ValueType = chat_pb2.CHAT_CHANNEL_UNSPECIFIED
    ) -> chat_pb2.ChatLine:
        """Writes a chat line: to the table if the account plays, otherwise to the spectators."""
        request = chat_pb2.WriteChatRequest(game_id=self.game_id, channel=channel or self._channel(), text=text)
        return (await self._calls.call(ChatService.WriteChat, request)).line

    async def chat_lines(
        self, *, channel: chat_pb2.ChatChannel.ValueType = chat_pb2.CHAT_CHANNEL_UNSPECIFIED
    ) -> AsyncGenerator[chat_pb2.ChatLine, None]:
        """Lists the chat lines that the account can read, newest first."""
        request = chat_pb2.ListChatRequest(game_id=self.game_id, channel=channel or self._channel())
        async for page in self._calls.pages(ChatService.ListChat, request):
            for line in page.lines:
                yield line

    def _channel(self) -> chat_pb2.ChatChannel.ValueType:
        at_table = self.game.HasField("your_seat") or self.game.you_are_game_master
        return chat_pb2.CHAT_CHANNEL_TABLE if at_table else chat_pb2.CHAT_CHANNEL_SPECTATORS

    async def vote(self, number: int, yes: bool) -> table_pb2.Vote:
        """Votes yes or no. The choice may be changed while the vote is open."""
        request = game_pb2.CastVoteRequest(game_id=self.game_id, seat=self._seat, vote=number, yes=yes)
        return (await self._calls.call(GameService.CastVote, request)).vote

    async def phases(self) -> AsyncGenerator[game_pb2.Phase, None]:
        """Lists the phases so far, oldest first."""
        request = game_pb2.ListPhasesRequest(game_id=self.game_id)
        async for page in self._calls.pages(GameService.ListPhases, request):
            for phase in page.phases:
                yield phase

    async def history(
        self, *, at_phase: int | None = None, revealed: bool = False
    ) -> AsyncGenerator[event_pb2.Event, None]:
        """Lists the events so far, oldest first: all, or those of one phase."""
        request = game_pb2.GetHistoryRequest(
            game_id=self.game_id,
            seat=self._seat,
            as_spectator=self._spectator,
            at_phase=at_phase,
            revealed=revealed,
            page_size=200,
        )
        async for page in self._calls.pages(GameService.GetHistory, request):
            for event in page.events:
                yield event

    async def map_text(
        self,
        *,
        around: str = "",
        layer: str = "",
        width: int = 80,
        colors: bool = False,
        symbols: bool = False,
        at_phase: int | None = None,
        revealed: bool = False,
    ) -> str:
        """Returns the map as text."""
        request = game_pb2.DrawMapRequest(
            format=game_pb2.MAP_FORMAT_TEXT, around=around, layer=layer, width=width, colors=colors, symbols=symbols
        )
        return await self._draw(request, at_phase, revealed)

    async def map_svg(
        self, *, around: str = "", layer: str = "", at_phase: int | None = None, revealed: bool = False
    ) -> str:
        """Returns the map as SVG."""
        request = game_pb2.DrawMapRequest(format=game_pb2.MAP_FORMAT_SVG, around=around, layer=layer)
        return await self._draw(request, at_phase, revealed)

    async def scene(self, *, layer: str = "", at_phase: int | None = None, revealed: bool = False) -> scene_pb2.Scene:
        """Returns the board and the tables beside the board as data for drawing."""
        request = game_pb2.GetSceneRequest(
            game_id=self.game_id,
            seat=self._seat,
            as_spectator=self._spectator,
            at_phase=at_phase,
            revealed=revealed,
            layer=layer,
        )
        return (await self._calls.call(GameService.GetScene, request)).scene

    async def report(self, *, html: bool = False, width: int = 80, at_phase: int | None = None) -> str:
        """Returns the report of a turn as text or HTML, in games with reports."""
        request = game_pb2.GetReportRequest(
            game_id=self.game_id,
            seat=self._seat,
            as_spectator=self._spectator,
            at_phase=at_phase,
            format=game_pb2.REPORT_FORMAT_HTML if html else game_pb2.REPORT_FORMAT_TEXT,
            width=width,
        )
        return (await self._calls.call(GameService.GetReport, request)).report

    async def explain(self, event: int) -> game_pb2.ExplainResponse:
        """Returns the rule that decided an event, and the other events of the same step."""
        request = game_pb2.ExplainRequest(game_id=self.game_id, seat=self._seat, event=event)
        return await self._calls.call(GameService.Explain, request)

    async def rule(self, number: str) -> game_pb2.RuleText:
        """Returns the text of a rule by number."""
        request = game_pb2.GetRuleRequest(kind=self.kind, rule=number)
        return (await self._calls.call(GameService.GetRule, request)).rule

    async def rules(self) -> Sequence[game_pb2.RuleHeading]:
        """Lists the rules of the game with their chapters, headings and texts."""
        request = game_pb2.ListRulesRequest(kind=self.kind)
        return (await self._calls.call(GameService.ListRules, request)).rules

    async def terms(self) -> Sequence[game_pb2.Term]:
        """Lists the terms and abbreviations of the game with their meanings."""
        return (await self._primer()).terms

    async def guides(self) -> Sequence[game_pb2.Guide]:
        """Lists what beginners can do in each kind of decision."""
        return (await self._primer()).guides

    async def _primer(self) -> game_pb2.ListRulesResponse:
        request = game_pb2.ListRulesRequest(kind=self.kind, without_rules=True)
        return await self._calls.call(GameService.ListRules, request)

    async def export(self, *, full: bool = False) -> Export:
        """Exports the journal of a finished game, or the caller's events of a running game."""
        exported = Export()
        request = game_pb2.ExportGameRequest(game_id=self.game_id, full=full)
        parts = self._calls.read(GameService.ExportGame, request)
        async with aclosing(parts):
            async for part in parts:
                match part.WhichOneof("part"):
                    case "header":
                        exported.header = part.header
                    case "entry":
                        exported.entries.append(part.entry)
                    case "event":
                        exported.events.append(part.event)
                    case _:
                        pass
        return exported

    async def start(self, *, fill: str | None = None) -> None:
        """Starts the game as its host. `fill` is the level of automation for open seats."""
        automated = None if fill is None else table_pb2.AutomatedSeat(level=fill)
        request = game_pb2.StartGameRequest(game_id=self.game_id, fill=automated)
        self.game = (await self._calls.call(GameService.StartGame, request)).game

    async def resign(self) -> None:
        """Gives up the seat for good. Before the start, the seat becomes open again."""
        if self.game.status == table_pb2.GAME_STATUS_FORMING:
            await self._calls.call(GameService.LeaveGame, game_pb2.LeaveGameRequest(game_id=self.game_id))
        else:
            request = game_pb2.ResignRequest(game_id=self.game_id, seat=self._seat)
            await self._calls.call(GameService.Resign, request)

    async def parts(self, after: int | None = None) -> AsyncGenerator[game_pb2.StreamEventsResponse, None]:
        """Streams all parts without an end and resumes after lost connections.

        Starts after event `after` (0 for the beginning). By default, starts after the last event that this
        table read, or now.
        """
        if after is not None:
            self._cursor = event_pb2.Cursor(number=after)
        stream = self._calls.listen(GameService.StreamEvents, self._stream_request)
        async with aclosing(stream):
            try:
                async for part in stream:
                    if self._read(part):
                        yield part
            finally:
                self._following = False

    def start_over(self) -> None:
        """Forgets which events were read, so that the next stream starts now."""
        self._cursor, self._view, self._known, self._opened = None, None, 0, None

    async def events(self, after: int | None = None) -> AsyncGenerator[event_pb2.Event, None]:
        """Streams the events, each once and in order, until the game is over."""
        parts = self.parts(after)
        async with aclosing(parts):
            async for part in parts:
                kind = part.WhichOneof("part")
                if kind == "event":
                    yield part.event
                    if part.event.WhichOneof("body") == "game_ended":
                        return
                # The game may have ended before the first requested event.
                if kind == "caught_up" and self.over:
                    return

    async def until(self, matches: Callable[[event_pb2.Event], bool], *, seconds: float = 30) -> event_pb2.Event:
        """Waits for the next matching event among those that this table has not read.

        Raises `TimeoutError`, which lists the events that arrived.
        """

        def matching(part: game_pb2.StreamEventsResponse) -> event_pb2.Event | None:
            return part.event if part.HasField("event") and matches(part.event) else None

        return await self._search(matching, seconds)

    async def _search(self, find: Callable[[game_pb2.StreamEventsResponse], T | None], seconds: float) -> T:
        """Returns what `find` finds in the first unread part in which it finds something."""
        texts: list[str] = []

        async def search() -> T:
            stream = self.parts(self.cursor or 0)
            async with aclosing(stream):
                async for part in stream:
                    found = find(part)
                    if found is not None:
                        return found
                    if part.HasField("event"):
                        texts.append(part.event.text)
            raise AssertionError("streams of events do not end")

        try:
            return await within(seconds, search())
        except asyncio.TimeoutError:
            lines = "\n  ".join([f"no event matched within {seconds} s; these events arrived:", *texts])
            raise TimeoutError(lines) from None

    async def until_asked(self, kind: str = "", *, seconds: float = 30) -> table_pb2.Decision:
        """Returns the open decision of the seat, or waits for the next one, optionally of a kind.

        A decision that the seat has marked ready is not returned. Reads the events up to the opening of the
        decision, unless they were read before.
        """

        def asked(part: game_pb2.StreamEventsResponse) -> table_pb2.Decision | None:
            decision = self.decision
            if decision is None or decision.ready or kind not in ("", decision.kind):
                return None
            match part.WhichOneof("part"):
                case "event":
                    is_found = part.event.number > self._known or self._opened == decision.phase
                case "snapshot":
                    is_found = self._opened == decision.phase
                case other:
                    is_found = other == "caught_up"
            return decision if is_found else None

        return await self._search(asked, seconds)

    async def until_over(self, *, seconds: float | None = None) -> table_pb2.Outcome:
        """Waits until the game is over. Returns the result."""

        async def read() -> None:
            stream = self.events()
            async with aclosing(stream):
                async for _ in stream:
                    pass

        try:
            await within(seconds, read())
        except asyncio.TimeoutError:
            raise TimeoutError(f"game {self.game_id} is not over after {seconds} s") from None
        return self.game.outcome

    def _apply_decision(self, decision: table_pb2.Decision | None, phase: int, revision: int) -> None:
        """Applies the decision of a response. A view of another revision is discarded."""
        if self._view is not None and (self._view.phase, self._view.revision) != (phase, revision):
            self._view = None
        self.decision, self.phase, self.revision = decision, phase, revision

    def _open_decision(self, decision: table_pb2.Decision | None) -> None:
        """Applies a decision of the stream. The next order is for this decision."""
        self.decision = decision
        if decision is not None:
            self.phase, self.revision = decision.phase, decision.revision

    async def _phase(self) -> int:
        if self.phase is None:
            await self.offers()
        assert self.phase is not None
        return self.phase

    async def _get_view(self, at_phase: int | None, revealed: bool) -> game_pb2.GetViewResponse:
        request = game_pb2.GetViewRequest(
            game_id=self.game_id,
            seat=self._seat,
            as_spectator=self._spectator,
            at_phase=at_phase,
            revealed=revealed,
        )
        return await self._calls.call(GameService.GetView, request)

    async def _draw(self, request: game_pb2.DrawMapRequest, at_phase: int | None, revealed: bool) -> str:
        request.game_id, request.as_spectator, request.revealed = self.game_id, self._spectator, revealed
        if self._seat is not None:
            request.seat = self._seat
        if at_phase is not None:
            request.at_phase = at_phase
        return (await self._calls.call(GameService.DrawMap, request)).map

    def _stream_request(self) -> game_pb2.StreamEventsRequest:
        return game_pb2.StreamEventsRequest(
            game_id=self.game_id, seat=self._seat, as_spectator=self._spectator, after=self._cursor
        )

    def _read(self, part: game_pb2.StreamEventsResponse) -> bool:
        """Applies a part. Returns whether to pass it on, which is false for events already read."""
        match part.WhichOneof("part"):
            case "snapshot":
                opening = part.snapshot
                self._following, self._view, self._known = True, None, opening.cursor.number
                self._apply_game(opening.game)
                self._open_decision(opening.decision if opening.HasField("decision") else None)
                if self._cursor is None:
                    self._cursor = opening.cursor
                elif not self._cursor.HasField("audience"):
                    # Add the audience, so that the engine rejects the cursor if the audience changes.
                    self._cursor.audience.CopyFrom(opening.cursor.audience)
            case "event":
                if self._cursor is not None:
                    if part.event.number <= self._cursor.number:
                        return False
                    self._cursor.number = part.event.number
                    self._cursor.time.CopyFrom(part.event.time)
                if part.event.HasField("decision_opened"):
                    self._opened = part.event.decision_opened.decision.phase
                if part.event.number > self._known:
                    _apply.apply_to_game(part.event, self.game)
                    self.decision = _apply.apply_to_decision(part.event, self.decision)
                    if part.event.HasField("decision_opened"):
                        self._open_decision(part.event.decision_opened.decision)
            case _:
                pass
        return True
