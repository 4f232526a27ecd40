//! Quick play and rematches: the queue on both stores, and the calls.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use heliopause_engine::Time;
use heliopause_engine::accounts::{Accounts, Registration};
use heliopause_engine::host::{Host, HostSettings};
use heliopause_engine::quick_play::QuickPlay;
use heliopause_engine::ratings::Ratings;
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{GameQuery, RecordChange, RecordQuery, Store};
use heliopause_kernel::{Dice, Draw, Seat};
use heliopause_proto::store::v1::{RatingPoint, StoredRating};
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::quick_play_service_client::QuickPlayServiceClient;
use heliopause_proto::v1::*;
use heliopause_table::{Reader, chain};
use heliopause_test_database::Postgres;
use prost::Message as _;
use support::{Authorized, PATIENCE, TestServer, in_memory, refusal, start};

const KIND: &str = "star-empires";
const SECOND: i64 = 1_000;

/// An engine without a network.
struct TestEngine {
    store: Arc<dyn Store>,
    host: Arc<Host>,
    accounts: Arc<Accounts>,
    queue: QuickPlay,
}

/// A clock that the test sets.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicI64>);

impl Clock {
    fn pass(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::Relaxed);
    }

    fn time(&self) -> Time {
        let clock = self.clone();
        Time::of(move || 1_700_000_000_000 + clock.0.load(Ordering::Relaxed))
    }
}

impl TestEngine {
    fn new(store: &Arc<dyn Store>, clock: &Clock) -> Self {
        let (store, time) = (Arc::clone(store), clock.time());
        let settings = HostSettings { time: time.clone(), ..HostSettings::default() };
        let host = Host::new(Arc::clone(&store), settings);
        let accounts = Accounts::new(Arc::clone(&store), Registration::Open, 2, time.clone());
        let accounts = Arc::new(accounts);
        let ratings = Arc::new(Ratings::new(Arc::clone(&store), time.clone()));
        let queue = QuickPlay::new(Arc::clone(&store), Arc::clone(&accounts), ratings, time);
        Self { store, host, accounts, queue }
    }

    fn in_memory(clock: &Clock) -> Self {
        Self::new(&(Arc::new(SqliteStore::in_memory()) as Arc<dyn Store>), clock)
    }

    async fn join(&self, player: &str, request: JoinQueueRequest) -> QueueEntry {
        self.queue.join(&self.host, player, request, Bytes::new()).await.unwrap().unwrap()
    }

    async fn open_accounts(&self, players: &[&str]) {
        for player in players {
            let account = support::account(player, AccountRole::Player as i32);
            let hash = chain::sha256(&[player.as_bytes()]);
            let token = support::token(&account, &format!("t-{player}"), hash);
            self.store.open_account(account, token).await.unwrap();
        }
    }

    async fn pass(&self) -> usize {
        self.queue.pass(&self.host).await.unwrap()
    }

    async fn entry(&self, player: &str) -> Option<QueueEntry> {
        self.queue.look(&self.host, player).await.unwrap()
    }

    /// Returns the game of a matched player, which must exist, or an empty id.
    async fn game_of(&self, player: &str) -> String {
        let Some(entry) = self.entry(player).await.filter(|one| !one.game_id.is_empty()) else {
            return String::new();
        };
        assert_eq!(entry.state(), QueueState::Ready, "{entry:?}");
        assert!(self.game(&entry.game_id).await.seats.iter().any(|seat| seat.player_id == player));
        entry.game_id
    }

    async fn game(&self, game_id: &str) -> Game {
        let describe = |table: &heliopause_table::Table| table.describe(Reader { player_id: "" });
        self.host.read(game_id, describe).await.unwrap()
    }

    async fn games(&self) -> usize {
        self.store.games(GameQuery { limit: 1_000, ..GameQuery::default() }).await.unwrap().len()
    }

    async fn rate(&self, player: &str, points: i64) {
        let ladder = format!("{KIND}/2");
        let stored = StoredRating {
            ladder: ladder.clone(),
            entity: player.to_owned(),
            current: Some(RatingPoint { time: 0, rating: points * 1_000, deviation: 80_000 }),
            ..StoredRating::default()
        };
        let id = format!("{ladder} {player}");
        let create = RecordChange::create("rating", &id, "", stored.encode_to_vec());
        self.store.change_records(vec![create]).await.unwrap();
    }
}

/// Asks for a live game of two.
fn two() -> JoinQueueRequest {
    JoinQueueRequest {
        kind: KIND.to_owned(),
        players_min: 2,
        players_max: 2,
        pace: QuickPace::Live.into(),
        ..JoinQueueRequest::default()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

async fn engines_share_the_queue(stores: [Arc<dyn Store>; 2]) {
    let clock = Clock::default();
    let engines = stores.map(|store| Arc::new(TestEngine::new(&store, &clock)));
    let names: Vec<String> = (0..20).map(|number| format!("p{number:02}")).collect();
    let players: Vec<&str> = names.iter().map(String::as_str).collect();
    engines[0].open_accounts(&players).await;
    for (index, player) in players.iter().enumerate() {
        engines[index % 2].join(player, two()).await;
    }
    let passes = engines.each_ref().map(|engine| {
        let engine = Arc::clone(engine);
        tokio::spawn(async move {
            for _ in 0..20 {
                engine.pass().await;
            }
        })
    });
    for pass in passes {
        pass.await.unwrap();
    }
    let mut games: BTreeMap<String, usize> = BTreeMap::new();
    for player in &players {
        *games.entry(engines[1].game_of(player).await).or_default() += 1;
    }
    assert_eq!(games.values().copied().collect::<Vec<_>>(), [2; 10], "{games:?}");
    assert_eq!(engines[0].games().await, 10, "no match makes two games");
    let left = RecordQuery { space: "match".to_owned(), limit: 9, ..RecordQuery::default() };
    assert!(stores_left(&engines[0], left).await.is_empty());
}

async fn stores_left(engine: &TestEngine, query: RecordQuery) -> Vec<String> {
    engine.store.records(query).await.unwrap().into_iter().map(|record| record.id).collect()
}

/// A match whose engine stops before it creates the game.
async fn a_match_survives_its_engine(stores: [Arc<dyn Store>; 2]) {
    let clock = Clock::default();
    let [first, second] = stores.map(|store| TestEngine::new(&store, &clock));
    first.open_accounts(&["ann", "bob"]).await;
    first.join("ann", two()).await;
    second.join("bob", two()).await;
    let (matches, _) = first.queue.match_players().await.unwrap();
    assert_eq!(matches.len(), 1);
    let entry = first.entry("ann").await.unwrap();
    assert_eq!((entry.state(), &entry.game_id), (QueueState::Matched, &matches[0]));
    assert_eq!(first.games().await, 0);
    let leaving = second.queue.leave("ann").await.unwrap_err();
    assert_eq!(leaving.reason(), ErrorReason::WrongStatus, "it is too late");
    let joining = second.queue.join(&second.host, "ann", two(), Bytes::new()).await.unwrap_err();
    assert_eq!(joining.reason(), ErrorReason::WrongStatus);
    second.pass().await;
    assert_eq!(second.games().await, 0, "the first engine may still be at work");

    let (one, other) = tokio::join!(
        second.queue.create_game(&second.host, &matches[0]),
        first.queue.create_game(&first.host, &matches[0])
    );
    one.and(other).unwrap();
    for engine in [&first, &second] {
        engine.queue.create_game(&engine.host, &matches[0]).await.unwrap();
        for player in ["ann", "bob"] {
            assert_eq!(engine.game_of(player).await, matches[0]);
        }
        assert_eq!(engine.games().await, 1);
    }
}

async fn on_both_stores<F: Future<Output = ()>>(
    name: &str,
    test: impl Fn([Arc<dyn Store>; 2]) -> F,
) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    test([Arc::clone(&store), store]).await;
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database(name);
    let first = PostgresStore::open(&address, 8, None).await.unwrap();
    let second = PostgresStore::open(&address, 8, None).await.unwrap();
    test([Arc::new(first), Arc::new(second)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_match_every_player_once() {
    on_both_stores("queueengines", engines_share_the_queue).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_engine_completes_a_match() {
    on_both_stores("queuematches", a_match_survives_its_engine).await;
}

#[tokio::test]
async fn any_engine_completes_an_old_match() {
    let clock = Clock::default();
    let engine = TestEngine::in_memory(&clock);
    engine.open_accounts(&["ann", "bob"]).await;
    engine.join("ann", two()).await;
    engine.join("bob", two()).await;
    engine.queue.match_players().await.unwrap();
    engine.pass().await;
    assert_eq!(engine.games().await, 0);
    clock.pass(10 * SECOND);
    engine.pass().await;
    assert_eq!(engine.game_of("ann").await, engine.game_of("bob").await);
    assert_eq!(engine.games().await, 1);
}

#[tokio::test]
async fn equal_ratings_are_matched_first_and_the_window_grows() {
    let clock = Clock::default();
    let engine = TestEngine::in_memory(&clock);
    engine.open_accounts(&["ann", "bob", "cid", "dan", "eve"]).await;
    for (player, points) in [("ann", 1500), ("bob", 1590), ("cid", 1500), ("dan", 1700)] {
        engine.rate(player, points).await;
        engine.join(player, two()).await;
    }
    assert_eq!(engine.pass().await, 2);
    assert_eq!(engine.game_of("ann").await, engine.game_of("cid").await, "equal ratings");
    let bob = engine.entry("bob").await.unwrap();
    assert_eq!((bob.state(), bob.waiting, bob.rating_difference), (QueueState::Waiting, 2, 100));
    clock.pass(SECOND / 2);
    assert_eq!((engine.pass().await, engine.game_of("bob").await.as_str()), (2, ""));
    clock.pass(SECOND);
    assert_eq!(engine.pass().await, 0, "the difference of 110 is now allowed");
    assert_eq!(engine.game_of("bob").await, engine.game_of("dan").await);

    engine.join("eve", two()).await;
    engine.open_accounts(&["far"]).await;
    engine.rate("far", 3_000).await;
    clock.pass(59 * SECOND);
    assert!(engine.entry("eve").await.is_some(), "the call shows that she is there");
    engine.join("far", two()).await;
    assert_eq!(engine.pass().await, 2);
    clock.pass(SECOND);
    assert_eq!(engine.pass().await, 0, "after a minute there is no limit");
}

#[tokio::test]
async fn automation_fills_the_seats_after_the_wait() {
    let clock = Clock::default();
    let engine = TestEngine::in_memory(&clock);
    engine.open_accounts(&["ann", "bob"]).await;
    let asked = |wait: Option<i64>| JoinQueueRequest {
        players_min: 3,
        players_max: 3,
        rated: true,
        bots_after: wait.and_then(seconds),
        ..two()
    };
    engine.join("ann", asked(Some(20))).await;
    engine.join("bob", asked(None)).await;
    clock.pass(19 * SECOND);
    assert_eq!(engine.pass().await, 2);
    clock.pass(SECOND);
    assert_eq!(engine.pass().await, 1, "Bob never plays against automation");
    let game = engine.game(&engine.game_of("ann").await).await;
    assert_eq!((game.status(), game.seats.len(), game.rated), (GameStatus::Running, 3, false));
    let automated = game
        .seats
        .iter()
        .filter(|seat| matches!(seat.occupant, Some(seat::Occupant::Automated(_))));
    assert_eq!(automated.count(), 2);
    assert_eq!(game.host, "", "nobody can change the pace");
}

#[tokio::test]
async fn a_game_is_rated_only_if_all_ask_for_it_and_nobody_is_automated() {
    let engine = TestEngine::in_memory(&Clock::default());
    engine.open_accounts(&["ann", "bob", "cid"]).await;
    let rated = || JoinQueueRequest { rated: true, ..two() };
    engine.join("ann", rated()).await;
    engine.join("bob", two()).await;
    assert_eq!(engine.pass().await, 2, "the two ask for different games");
    engine.join("cid", rated()).await;
    assert_eq!(engine.pass().await, 1);
    let game = engine.game(&engine.game_of("ann").await).await;
    assert!(game.rated);
    assert!(engine.game_of("cid").await == game.game_id && engine.game_of("bob").await.is_empty());
    let waits_for_another = JoinQueueRequest { pace: QuickPace::Daily.into(), ..rated() };
    engine.join("ann", waits_for_another).await;
    assert_eq!(engine.pass().await, 2);
}

#[tokio::test]
async fn preferences_are_served_and_lots_follow_from_the_seed() {
    let players = ["ann", "bob", "cid", "dan", "eve", "fay", "gus"];
    let engine = TestEngine::in_memory(&Clock::default());
    engine.open_accounts(&players).await;
    for player in players {
        let preferences = match player {
            "ann" | "bob" => vec![3, 6],
            "cid" => vec![1],
            _ => Vec::new(),
        };
        let request = JoinQueueRequest {
            kind: "diplomacy".to_owned(),
            players_min: 0,
            players_max: 0,
            preferences,
            ..two()
        };
        engine.join(player, request).await;
    }
    assert_eq!(engine.pass().await, 0);
    let game_id = engine.game_of("ann").await;
    let seats: BTreeMap<String, u32> = engine
        .game(&game_id)
        .await
        .seats
        .into_iter()
        .map(|seat| (seat.player_id, seat.number))
        .collect();
    assert_eq!(seats["cid"], 1);
    let secret = engine.store.load(&game_id).await.unwrap().secret;
    let seed = chain::dice_seed(&secret, std::iter::empty());
    let mut order = ["ann", "bob", "cid"];
    Dice::new(seed).shuffle(Draw::new("preferences"), &mut order);
    let french = order.into_iter().find(|player| *player != "cid").unwrap();
    let russian = if french == "ann" { "bob" } else { "ann" };
    assert_eq!((seats[french], seats[russian]), (3, 6));
    let mut free: Vec<u32> = (1..=7).collect();
    Dice::new(seed).shuffle(Draw::new("lots"), &mut free);
    free.retain(|seat| ![1, 3, 6].contains(seat));
    let others: Vec<u32> = players[3..].iter().map(|player| seats[*player]).collect();
    assert_eq!(others, free);
    assert_eq!(
        engine.host.read(&game_id, |table| table.seat_of("cid")).await,
        Ok(Seat::numbered(1))
    );
}

#[tokio::test]
async fn players_who_block_each_other_or_cannot_play_are_left_out() {
    let clock = Clock::default();
    let engine = TestEngine::in_memory(&clock);
    engine.open_accounts(&["ann", "bob", "cid", "dan"]).await;
    engine.accounts.set_blocked("bob", "ann", true).await.unwrap();
    engine.join("ann", two()).await;
    engine.join("bob", two()).await;
    assert_eq!(engine.pass().await, 2);
    engine.join("cid", two()).await;
    assert_eq!(engine.pass().await, 1);
    assert_eq!(engine.game_of("ann").await, engine.game_of("cid").await);
    engine.accounts.set_banned("bob", true).await.unwrap();
    engine.join("dan", two()).await;
    assert_eq!(engine.pass().await, 1);
    assert!(engine.entry("bob").await.is_none());

    // Two unfinished games are the limit of these accounts.
    engine.join("ann", two()).await;
    assert_eq!(engine.pass().await, 0);
    assert_eq!(engine.game_of("ann").await, engine.game_of("dan").await);
    let refused = engine.queue.join(&engine.host, "ann", two(), Bytes::new()).await.unwrap_err();
    assert_eq!(refused.reason(), ErrorReason::QuotaExceeded);
    engine.join("cid", two()).await;
    engine.accounts.set_games_limit("cid", 1).await.unwrap();
    engine.join("dan", two()).await;
    assert_eq!(engine.pass().await, 1, "Cid has reached the limit meanwhile");
    assert!(engine.entry("cid").await.is_none());
}

#[tokio::test]
async fn entries_end_with_the_presence_of_their_player() {
    let clock = Clock::default();
    let engine = TestEngine::in_memory(&clock);
    engine.open_accounts(&["ann", "bob", "cid"]).await;
    let daily = || JoinQueueRequest { pace: QuickPace::Daily.into(), ..two() };
    engine.join("ann", two()).await;
    engine.join("bob", daily()).await;
    for _ in 0..3 {
        clock.pass(90 * SECOND);
        assert!(engine.entry("ann").await.is_some(), "a call keeps the entry");
        assert_eq!(engine.pass().await, 2);
    }
    clock.pass(121 * SECOND);
    assert!(engine.entry("ann").await.is_none());
    assert_eq!(engine.pass().await, 1, "a game by days needs no presence");
    engine.join("cid", two()).await;
    assert_eq!(engine.pass().await, 2);
    clock.pass(7 * 24 * 3_600 * SECOND);
    assert_eq!(engine.pass().await, 0);
    for player in ["ann", "bob", "cid"] {
        assert!(engine.entry(player).await.is_none());
    }
    clock.pass(24 * 3_600 * SECOND + 1);
    engine.pass().await;
    let all = RecordQuery { space: "queue".to_owned(), limit: 9, ..RecordQuery::default() };
    assert!(stores_left(&engine, all).await.is_empty(), "old records are removed");
}

/// A player who leaves and returns gets a newer version, so an engine that has read the old entry
/// cannot match it.
#[tokio::test]
async fn an_entry_that_was_replaced_is_not_matched() {
    let engine = TestEngine::in_memory(&Clock::default());
    engine.open_accounts(&["ann"]).await;
    let mut versions = BTreeSet::new();
    for _ in 0..3 {
        engine.join("ann", two()).await;
        versions.insert(engine.store.record("queue", "ann").await.unwrap().unwrap().version);
        engine.queue.leave("ann").await.unwrap();
        assert!(engine.entry("ann").await.is_none());
    }
    assert_eq!(versions.len(), 3);
}

fn queue(server: &TestServer, token: &str) -> QuickPlayServiceClient<Authorized> {
    QuickPlayServiceClient::new(server.authorized(token))
}

fn games(server: &TestServer, token: &str) -> GameServiceClient<Authorized> {
    GameServiceClient::new(server.authorized(token))
}

async fn matched(server: &TestServer, token: &str) -> String {
    let looking = async {
        loop {
            let entry = queue(server, token).get_queue(GetQueueRequest {}).await.unwrap();
            let entry = entry.into_inner().entry.expect("an entry");
            if entry.state() == QueueState::Ready {
                return entry.game_id;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.expect("a match")
}

#[tokio::test]
async fn a_repeated_request_returns_the_same_entry() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let asked = |id: &str| JoinQueueRequest { request_id: id.to_owned(), ..two() };
    let join = |token: &str, request: JoinQueueRequest| {
        let mut queue = queue(&server, token);
        async move {
            let joined = queue.join_queue(request).await?;
            Ok::<QueueEntry, tonic::Status>(joined.into_inner().entry.unwrap())
        }
    };
    let first = join(&ann, asked("one")).await.unwrap();
    assert_eq!((first.state(), first.waiting), (QueueState::Waiting, 1));
    let again = join(&ann, asked("one")).await;
    assert_eq!(again.unwrap().join_time, first.join_time);
    let other = JoinQueueRequest { rated: true, ..asked("one") };
    let reused = join(&ann, other).await;
    assert_eq!(refusal(reused), ErrorReason::RequestIdReused);
    let entered = join(&bob, asked("")).await;
    entered.unwrap();
    let game_id = matched(&server, &ann).await;
    assert_eq!(matched(&server, &bob).await, game_id);
    let late = join(&ann, asked("one")).await;
    assert_eq!(late.unwrap().game_id, game_id, "a late retry does not enter the queue again");
    let next = join(&ann, asked("two")).await;
    assert_eq!(next.unwrap().state(), QueueState::Waiting);
    queue(&server, &ann).leave_queue(LeaveQueueRequest {}).await.unwrap();
    queue(&server, &ann).leave_queue(LeaveQueueRequest {}).await.unwrap();
    for late in ["one", "two"] {
        let repeated = queue(&server, &ann).join_queue(asked(late)).await.unwrap().into_inner();
        assert_eq!(repeated.entry, None, "a late retry does not enter the queue again");
    }
    let left = queue(&server, &ann).get_queue(GetQueueRequest {}).await.unwrap().into_inner();
    assert_eq!(left.entry, None);

    let admin = server.token_file("admin.token");
    let refused = join(&admin, two()).await;
    assert_eq!(refusal(refused), ErrorReason::RoleConflict);
    for wrong in [
        JoinQueueRequest { kind: "chess".to_owned(), ..two() },
        JoinQueueRequest { pace: 0, ..two() },
        JoinQueueRequest { players_max: 99, ..two() },
        JoinQueueRequest { bots_after: seconds(-1), ..two() },
        JoinQueueRequest { preferences: vec![1], ..two() },
        JoinQueueRequest { request_id: "x".repeat(65), ..two() },
    ] {
        let refused = join(&ann, wrong).await;
        assert_eq!(refusal(refused), ErrorReason::InvalidField);
    }
    server.stop().await;
}

/// Ends a game of two by a draw.
async fn draw(server: &TestServer, tokens: [&str; 2], game_id: &str) {
    let game_id = game_id.to_owned();
    let propose = ProposeVoteRequest {
        game_id: game_id.clone(),
        subject: VoteSubject::Draw.into(),
        ..ProposeVoteRequest::default()
    };
    games(server, tokens[0]).propose_vote(propose).await.unwrap();
    let cast = CastVoteRequest { game_id, vote: 1, yes: true, ..CastVoteRequest::default() };
    games(server, tokens[1]).cast_vote(cast).await.unwrap();
}

#[tokio::test]
async fn two_players_who_ask_for_a_rematch_get_one_game() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let cid = server.register("Cid").await;
    for token in [&ann, &bob] {
        queue(&server, token).join_queue(JoinQueueRequest { rated: true, ..two() }).await.unwrap();
    }
    let game_id = matched(&server, &ann).await;
    let rematch = |token: &str, game_id: &str| {
        let (mut queue, game_id) = (queue(&server, token), game_id.to_owned());
        async move {
            let request = RematchGameRequest { game_id };
            Ok::<_, tonic::Status>(queue.rematch_game(request).await?.into_inner().game.unwrap())
        }
    };
    assert_eq!(refusal(rematch(&ann, &game_id).await), ErrorReason::WrongStatus);
    assert_eq!(refusal(rematch(&ann, "nowhere").await), ErrorReason::GameNotFound);
    draw(&server, [&ann, &bob], &game_id).await;
    assert_eq!(refusal(rematch(&cid, &game_id).await), ErrorReason::NotYourSeat);
    let seat = |token: &str, game_id: &str| {
        let request = GetGameRequest { game_id: game_id.to_owned(), ..GetGameRequest::default() };
        let mut games = games(&server, token);
        async move { games.get_game(request).await.unwrap().into_inner().game.unwrap().your_seat }
    };
    let before = [seat(&ann, &game_id).await, seat(&bob, &game_id).await];
    let (one, other) = tokio::join!(rematch(&ann, &game_id), rematch(&bob, &game_id));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one.game_id, other.game_id);
    let next = one.game_id;
    let after = [seat(&ann, &next).await, seat(&bob, &next).await];
    assert_eq!(after, [before[1], before[0]], "the seats rotate");
    let again = rematch(&ann, &game_id).await.unwrap();
    assert_eq!((again.game_id.as_str(), again.status()), (next.as_str(), GameStatus::Running));
    assert!(again.rated);
    let list = ListGamesRequest::default();
    let all = games(&server, &ann).list_games(list).await.unwrap().into_inner().games;
    assert_eq!(all.len(), 2);
    draw(&server, [&ann, &bob], &next).await;
    let third = rematch(&bob, &next).await.unwrap();
    assert_eq!(third.status(), GameStatus::Forming, "it waits for Ann");
    let invited = third.seats.iter().any(
        |seat| matches!(&seat.occupant, Some(seat::Occupant::ReservedFor(name)) if name == "Ann"),
    );
    assert!(invited, "{third:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_does_not_invite_a_player_who_blocks_the_caller() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    for token in [&ann, &bob] {
        queue(&server, token).join_queue(two()).await.unwrap();
    }
    let game_id = matched(&server, &ann).await;
    draw(&server, [&ann, &bob], &game_id).await;
    let block = BlockPlayerRequest { player: "Bob".to_owned() };
    server.player(&ann).block_player(block).await.unwrap();
    let asked = || RematchGameRequest { game_id: game_id.clone() };
    let refused = queue(&server, &bob).rematch_game(asked()).await;
    assert_eq!(refusal(refused), ErrorReason::QuotaExceeded, "the block stays hidden");
    queue(&server, &ann).rematch_game(asked()).await.unwrap();
    let joined = queue(&server, &bob).rematch_game(asked()).await.unwrap().into_inner();
    assert_eq!(joined.game.unwrap().status(), GameStatus::Running, "Ann asked for it");
    server.stop().await;
}

#[tokio::test]
async fn automation_takes_the_seats_of_deleted_accounts_in_a_rematch() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    for token in [&ann, &bob] {
        queue(&server, token).join_queue(two()).await.unwrap();
    }
    let game_id = matched(&server, &ann).await;
    draw(&server, [&ann, &bob], &game_id).await;
    queue(&server, &bob).join_queue(two()).await.unwrap();
    let delete = DeleteMeRequest { name: "Bob".to_owned() };
    server.profiles(&bob).delete_me(delete).await.unwrap();
    let entered = queue(&server, &ann).join_queue(two()).await.unwrap().into_inner();
    assert_eq!(entered.entry.unwrap().waiting, 1, "Bob no longer waits");
    let request = RematchGameRequest { game_id };
    let game = queue(&server, &ann).rematch_game(request).await.unwrap().into_inner().game.unwrap();
    assert_eq!(game.status(), GameStatus::Running);
    server.stop().await;
}
