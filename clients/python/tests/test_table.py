"""Tables of a real engine, blocking and asynchronous."""

# pyright: reportPrivateUsage=false

import asyncio
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from proxy import Proxy
from test_refusals import KIND, POSITION

from heliopause import Client, Refusal, Sandbox, aio
from heliopause.methods import GameService, TournamentService
from heliopause.testing import Engine
from heliopause.v1 import chat_pb2, game_pb2, profile_pb2, table_pb2, tournament_pb2


@pytest.fixture
def duel(sandbox: Callable[..., Sandbox]) -> Sandbox:
    return sandbox(KIND, position=POSITION)


async def test_a_view_is_cached_until_an_event_arrives(engine: Engine, account: Client, duel: Sandbox) -> None:
    async with aio.Client(engine.address, token=account.token) as client:
        mine, other = await client.table(duel.game_id, seat=1), await client.table(duel.game_id, seat=1)
        parts = mine.parts(after=0)
        async for part in parts:
            if part.WhichOneof("part") == "caught_up":
                break
        first = await mine.view()
        assert await mine.view() is first
        await other.order("move A1 to (0,1)")
        async for part in parts:
            if part.event.HasField("orders_accepted"):
                break
        second = await mine.view()
        assert second is not first
        assert second.starships_at_large.known.players[0].starships[0].at.r == 1
        # The table's own orders change the view immediately, before their events are read.
        await mine.offers()
        await mine.order("end")
        assert (await mine.view()).starships_at_large != second.starships_at_large
        await parts.aclose()


def test_game_and_decision_follow_the_events(duel: Sandbox) -> None:
    table = duel.seat(1)
    parts = table.parts(after=0)
    next(part for part in parts if part.WhichOneof("part") == "caught_up")
    assert table.decision is not None
    assert (table.decision.phase, table.decision.revision) == (1, 0)
    duel.seat(1).order("move A1 to (0,1)")
    next(part for part in parts if part.event.HasField("orders_accepted"))
    assert table.decision is not None
    assert table.decision.revision == 1
    duel.seat(1).order("end")
    next(part for part in parts if part.event.HasField("decision_closed"))
    assert table.decision is None
    assert not table.over
    assert table.refresh().on_turn == 2


def test_events_arrive_once_and_in_order(duel: Sandbox) -> None:
    table = duel.seat(1)
    duel.seat(1).order("move A1 to (0,1)")
    numbers = [event.number for event in duel.seat(1).history()]
    assert numbers == list(range(1, len(numbers) + 1))
    first = [event.number for event in itertools.islice(table.events(after=0), 2)]
    assert (first, table.cursor) == ([1, 2], 2)
    assert next(table.events()).number == 3
    assert [event.number for event in itertools.islice(duel.seat(1).events(after=0), len(numbers))] == numbers


def test_waiting_has_a_timeout(duel: Sandbox) -> None:
    with pytest.raises(TimeoutError, match=r"these events arrived:\n  .+"):
        duel.seat(1).until(lambda _: False, seconds=0.5)
    with pytest.raises(TimeoutError, match="not over"):
        duel.seat(1).until_over(seconds=0.1)


def test_rules_have_their_texts(duel: Sandbox) -> None:
    table = duel.seat(1)
    assert not table.game.anonymous_messages
    first = table.rules()[0]
    assert (first.chapter, first.text) == ("Starships at Large", table.rule(first.number).text)
    assert {"warp", "Exile"} <= {term.term for term in table.terms()}
    assert table.guides()[0].decision == "turn"


def test_an_open_decision_is_not_missed(duel: Sandbox) -> None:
    table = duel.seat(1)
    opened = table.until_asked("turn", seconds=20)
    before = table.cursor
    # Its opening was read, and nothing happened since.
    assert table.until_asked("turn", seconds=20) == opened
    table.order("move A1 to (0,1)")
    assert table.until_asked(seconds=20).revision == 1
    # The events since the opening are still unread.
    assert table.cursor == before
    with pytest.raises(TimeoutError):
        table.until_asked("battle", seconds=0.5)
    # The decision closed, so its opening is no longer one to return.
    table.order("end")
    with pytest.raises(TimeoutError):
        duel.seat(1).until_asked(seconds=0.5)
    duel.seat(2).order("end")
    assert table.until_asked("turn", seconds=20).phase == duel.seat(1).offers().phase > opened.phase


def test_orders_are_validated_without_being_submitted(duel: Sandbox) -> None:
    verdicts = duel.seat(1).validate(["move A1 to (0,1)", "move A1 to (0,-3)"])
    assert [verdict.accepted for verdict in verdicts] == [True, False]
    assert verdicts[1].rule == "4"


def test_orders_are_accepted_one_by_one(duel: Sandbox) -> None:
    answer = duel.seat(1).order(["move A1 to (0,1)", "move A1 to (0,-3)"])
    assert answer.accepted_count == 1
    assert (answer.refused.accepted, answer.refused.rule) == (False, "R3")


def test_maps_and_past_phases(duel: Sandbox) -> None:
    table = duel.seat(1)
    before = table.map_text()
    table.order("move A1 to (0,1)")
    table.order("end")
    assert "Round 1" in before
    assert "<svg" in table.map_svg()
    phases = list(table.phases())
    assert [phase.number for phase in phases] == [1, 2]
    then, now = table.view(at_phase=0).starships_at_large, table.view().starships_at_large
    assert [view.known.players[0].starships[0].at.r for view in (then, now)] == [0, 1]
    assert table.map_text(at_phase=0) != table.map_text()
    of_the_turn = [event.text for event in table.history(at_phase=1)]
    assert "Ordered: end." in of_the_turn
    assert len(of_the_turn) < len(list(table.history()))


def test_messages_and_ready(sandbox: Callable[..., Sandbox]) -> None:
    game = sandbox("diplomacy", players=3)
    one, two, three = (game.seat(number) for number in (1, 2, 3))
    one.write("Alliance?", [2])
    assert [(message.from_seat, message.text) for message in two.messages()] == [(1, "Alliance?")]
    assert not list(three.messages())
    one.ready()
    assert one.offers().decision is not None
    assert one.offers().decision.ready  # type: ignore[union-attr]
    one.ready(False)
    one.wait()
    decision = one.offers().decision
    assert decision is not None
    assert (decision.ready, decision.wait) == (False, True)
    assert "Austria" in one.report() or "1901" in one.report()


def test_copies_of_a_sandbox_continue_independently(duel: Sandbox) -> None:
    one, other = duel.clone(2, seed=b"7" * 32)
    assert len({duel.game_id, one.game_id, other.game_id}) == 3
    position = duel.position().position
    assert one.position().position == position
    one.close_phase()
    assert one.position().position != position
    assert other.position().position == position


def test_a_board_has_places_and_steps(duel: Sandbox, account: Client) -> None:
    board = account.board("diplomacy", distances=True)
    index = {place.name: at for at, place in enumerate(board.places)}
    fleet = next(mover for mover in board.movers if mover.kind == "fleet")
    near = [board.places[at].name for at in fleet.steps[index["Spa/nc"]].places]
    assert near == ["Gas", "MAO", "Por"]
    assert board.places[index["Spa/nc"]].area == index["Spa"]
    assert fleet.distances[index["Por"] * len(index) + index["Spa"]] == 1
    assert len(duel.seat(1).board().places) == 37


def test_dice_clock_and_position_of_a_sandbox(sandbox: Callable[..., Sandbox]) -> None:
    pace = {"standard": {"interval": "3600s"}}
    game = sandbox(KIND, position=POSITION, pace=pace, dice=[5, 5])
    assert game.script_dice([2, 6]) == 4
    assert list(game.position().dice) == [5, 5, 2, 6]
    assert game.script_dice([1], replace=True) == 1
    one = game.seat(1)
    assert one.refresh().on_turn == 1
    began = one.game.due_time.ToDatetime()
    then = game.advance_clock(timedelta(hours=2))
    assert then.replace(tzinfo=None) > began
    assert one.refresh().on_turn == 2
    game.close_phase()
    assert one.refresh().on_turn == 1
    assert list(game.master_events())
    with pytest.raises(ValueError, match="seat 9 does not exist; the seats are 1 to"):
        game.seat(9)


def test_games_are_listed_and_joined(engine: Engine, account: Client, name: str) -> None:
    mine = account.new_game(KIND, open_seats=1, name=name, in_order=True)
    assert [game.game_id for game in account.games(search=name)] == [mine.game_id]
    player = account.me().name
    long_ago = datetime(2000, 1, 1, tzinfo=timezone.utc)
    found = account.games(player=player, rated=False, created=(long_ago, None), search=name)
    assert [game.game_id for game in found] == [mine.game_id]
    assert list(account.games(player=player, created=(None, long_ago))) == []
    assert list(account.games(player=player, search=name, ended=(long_ago, None))) == []
    with Client(engine.address) as other:
        other.register(name)
        table = other.join(mine.game_id)
        assert table.number == 2
        assert table.refresh().status == table_pb2.GAME_STATUS_RUNNING
        assert [game.game_id for game in other.my_games()] == [mine.game_id]
        owed = [*other.decisions(), *account.decisions()]
        assert [decision.game_id for decision in owed] == [mine.game_id]
        table.resign()


def test_lists_are_read_to_the_last_page(account: Client) -> None:
    made = {account.sandbox(KIND).game_id for _ in range(60)}
    assert made <= {game.game_id for game in account.my_games()}


def test_a_spectator_sees_only_public_state(engine: Engine, account: Client, name: str) -> None:
    table = account.new_game(KIND, opponents=1)
    with Client(engine.address) as other:
        other.register(name)
        beside = other.table(table.game_id, spectator=True)
        assert beside.number == 0
        assert beside.view().WhichOneof("game") == "starships_at_large"
        assert next(beside.events(after=0)).number == 1


def test_gzip_saves_bytes(engine: Engine, account: Client, duel: Sandbox) -> None:
    sizes: list[int] = []
    for gzip in (True, False):
        with Proxy(engine.address) as proxy, Client(proxy.address, token=account.token, gzip=gzip) as client:
            # Responses are always compressed. Compression of requests is optional.
            client.table(duel.game_id, seat=1).validate(["move A1 to (0,1)"] * 2000)
            sizes.append(proxy.bytes)
    assert sizes[0] * 2 < sizes[1]


async def test_a_blocking_client_raises_in_its_own_loop(engine: Engine, account: Client) -> None:
    # A blocking client may be used in another event loop, but would deadlock in its own loop.
    assert account.me().name

    async def within() -> None:
        account.me()

    future = asyncio.run_coroutine_threadsafe(within(), account._portal._loop)
    with pytest.raises(RuntimeError, match=r"heliopause\.aio"):
        await asyncio.wrap_future(future)


def test_orders_are_withdrawn(sandbox: Callable[..., Sandbox]) -> None:
    table = sandbox("diplomacy", players=2).seat(1)
    table.order("A Vie - Gal")
    assert table.revision == 1
    taken = table.take_back()
    assert taken.revision == table.revision == 2
    # The next order uses the new revision.
    table.order("A Vie - Tri")


def test_events_and_rules_are_explained(duel: Sandbox) -> None:
    table = duel.seat(1)
    table.order("move A1 to (0,1)")
    moved = [event for event in table.history() if event.HasField("game")][-1]
    explained = table.explain(moved.number)
    assert explained.rule.number
    assert table.rule(explained.rule.number) == explained.rule


def test_games_are_exported(duel: Sandbox) -> None:
    table = duel.seat(1)
    table.order("end")
    exported = duel.seat(1).export()
    assert exported.header.game.game_id == duel.game_id
    if exported.header.complete:
        assert exported.entries
    else:
        assert [event.number for event in exported.events] == list(range(1, len(exported.events) + 1))


def test_goals_list_the_victory_conditions(sandbox: Callable[..., Sandbox]) -> None:
    goals = sandbox("diplomacy", players=2).seat(1).goals()
    assert {goal.seat for goal in goals if goal.HasField("seat")} == {1, 2}
    assert all(goal.sentence for goal in goals)


def test_options_and_positions_need_no_envelope(account: Client) -> None:
    options = {"lastYear": 1902}
    for given in (options, {"diplomacy": options}, {"last_year": 1902}):
        for kind in ("diplomacy", "it-came-from-outer-space"):
            game = account.sandbox(kind, options=given).game
            assert game.options.diplomacy.last_year == 1902
    assert account.sandbox(KIND, position=POSITION["starshipsAtLarge"]).seat(1).view().HasField("starships_at_large")
    assert account.new_game("diplomacy", options=options, open_seats=6).game.options.diplomacy.last_year == 1902
    with pytest.raises(ValueError, match="lastWord"):
        account.sandbox("diplomacy", options={"lastWord": 1})
    with pytest.raises(Refusal, match="chess"):
        account.sandbox("chess", options={"rounds": 1})


def test_a_client_stores_its_token_in_a_file(engine: Engine, name: str, tmp_path: Path) -> None:
    file = tmp_path / "folder" / "ada.token"
    tokens: list[str | None] = []
    for _ in range(2):
        with Client(engine.address, token_file=file) as client:
            assert client.sign_in(name).name == name
            tokens.append(client.token)
    assert [f"{token}\n" for token in tokens] == [file.read_text()] * 2
    assert file.stat().st_mode & 0o777 == 0o600
    with Client(engine.address) as other, pytest.raises(Refusal, match="NAME_TAKEN"):
        other.sign_in(name)


async def test_tournaments_are_listed_entered_and_left(engine: Engine, account: Client) -> None:
    async with aio.Client(engine.address, token=account.token) as client:
        request = tournament_pb2.CreateTournamentRequest(
            name="Cup", kind=KIND, system=tournament_pb2.TOURNAMENT_SYSTEM_ROUND_ROBIN
        )
        made = await client.calls.call(TournamentService.CreateTournament, request)
        tournament_id = made.tournament.tournament_id
        await client.enter(tournament_id)
        found = await client.tournament(tournament_id)
        assert [standing.player.player_id for standing in found.standings] == [(await client.me()).player_id]
        status = tournament_pb2.TOURNAMENT_STATUS_OPEN
        listed = [one.tournament_id async for one in client.tournaments(kind=KIND, status=status)]
        assert tournament_id in listed
        await client.withdraw(tournament_id)
        assert not (await client.tournament(tournament_id)).standings
        start = tournament_pb2.StartTournamentRequest(tournament_id=tournament_id)
        with pytest.raises(Refusal, match="WRONG_STATUS"):
            await client.calls.call(TournamentService.StartTournament, start)


def test_profiles_leaderboards_and_rated_games(account: Client) -> None:
    profile = account.profile()
    assert profile.player == account.me()
    assert profile.HasField("privacy")
    assert account.profile(profile.player.name).player == profile.player
    assert list(account.leaderboard(KIND, size=profile_pb2.LADDER_SIZE_TWO)) == []
    with pytest.raises(Refusal, match="leaderboard"):
        list(account.leaderboard(KIND))
    assert account.new_game(KIND, open_seats=1, rated=True).game.rated
    with pytest.raises(Refusal, match="drawn by lot"):
        account.new_game(KIND, open_seats=1, rated=True, in_order=True)


def test_quick_play_and_rematch(engine: Engine, account: Client, name: str) -> None:
    with Client(engine.address) as other, ThreadPoolExecutor() as pool:
        other.register(f"{name}-2")
        waits = [pool.submit(one.quick_play, KIND, players=(2, 2), rated=True) for one in (account, other)]
        mine, theirs = (wait.result() for wait in waits)
        assert mine.game_id == theirs.game_id
        assert mine.game.rated
        with pytest.raises(Refusal, match="WRONG_STATUS"):
            account.rematch(mine.game_id)
        draw = game_pb2.ProposeVoteRequest(game_id=mine.game_id, subject=table_pb2.VOTE_SUBJECT_DRAW)
        theirs.vote(account.call(GameService.ProposeVote, draw).vote.number, True)
        rematch = account.rematch(mine.game_id)
        assert rematch.game.status == table_pb2.GAME_STATUS_FORMING
        again = other.rematch(mine.game_id)
        assert again.game_id == rematch.game_id
        assert again.game.your_seat == mine.game.your_seat
        account.leave_queue()
        with pytest.raises(Refusal) as refused:
            account.quick_play("chess")
        assert (refused.value.reason, refused.value.field) == ("INVALID_FIELD", "kind")


def test_branches_of_a_game(account: Client) -> None:
    game = account.new_game(KIND, opponents=1, in_order=True)
    branch = account.analyze(game.game_id, level="random", name="Attack")
    assert branch.game.analysis.game_id == game.game_id
    assert branch.game.analysis.seat == 1
    assert branch.game.seats[1].HasField("automated")
    assert branch.seat(1).view()
    assert [one.name for one in account.analyses(game.game_id)] == ["Attack"]
    assert account.rename_analysis(branch.game_id, "Defense").name == "Defense"
    with pytest.raises(Refusal, match="ROLE_CONFLICT"):
        account.analyze(game.game_id, revealed=True)
    account.delete_analysis(branch.game_id)
    assert account.analyses(game.game_id) == []
    assert account.new_game(KIND, open_seats=1, no_analysis=True).game.no_analysis


def test_chat_at_the_table_and_of_spectators(account: Client, engine: Engine, name: str) -> None:
    table = account.new_game(KIND, open_seats=1)
    line = table.chat("hello")
    assert (line.text, line.author, line.channel) == ("hello", account.me().name, chat_pb2.CHAT_CHANNEL_TABLE)
    assert [line.text for line in table.chat_lines()] == ["hello"]
    with Client(engine.address) as other:
        other.sign_in(name)
        watched = other.table(table.game_id)
        assert watched.chat("good luck").channel == chat_pb2.CHAT_CHANNEL_SPECTATORS
        assert [line.text for line in watched.chat_lines()] == ["good luck"]
        assert list(watched.chat_lines(channel=chat_pb2.CHAT_CHANNEL_TABLE)) == []
        with pytest.raises(Refusal, match="MESSAGE_REFUSED"):
            watched.chat("psst", channel=chat_pb2.CHAT_CHANNEL_TABLE)
    assert list(table.chat_lines(channel=chat_pb2.CHAT_CHANNEL_SPECTATORS)) == []
