//! Tournaments: the steps on both stores, with several engines and after kills, and the calls.

use crate::support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use heliopause_engine::Time;
use heliopause_engine::accounts::{Accounts, Registration};
use heliopause_engine::caller::Caller;
use heliopause_engine::config::{Settings, TournamentHosts, TournamentSettings};
use heliopause_engine::host::{Host, HostSettings};
use heliopause_engine::ratings::Ratings;
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{GameQuery, Store};
use heliopause_engine::tournaments::Tournaments;
use heliopause_kernel::Seat;
use heliopause_proto::star_empires::v1::Options;
use heliopause_proto::store::v1::{
    DecisionDefaulted, FlagSet, Resigned, Step, StoredTournament, step,
};
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::tournament_service_client::TournamentServiceClient;
use heliopause_proto::v1::*;
use heliopause_test_database::Postgres;
use support::unreliable_store::UnreliableStore;
use support::{Authorized, TestServer, in_memory, refusal, start};
use tokio_stream::wrappers::ReceiverStream;

const KIND: &str = "star-empires";
const PLAYERS: [&str; 4] = ["ann", "bob", "cid", "dan"];

/// An engine without its network port and its background tasks.
struct Engine {
    host: Arc<Host>,
    tournaments: Arc<Tournaments>,
}

impl Engine {
    fn on(store: &Arc<dyn Store>) -> Self {
        Self::with_time(store, Time::default())
    }

    fn with_time(store: &Arc<dyn Store>, time: Time) -> Self {
        let settings = HostSettings { time: time.clone(), ..HostSettings::default() };
        let host = Host::new(Arc::clone(store), settings);
        let accounts = Accounts::new(Arc::clone(store), Registration::Open, 100, time.clone());
        let ratings = Ratings::new(Arc::clone(store), time);
        let settings = TournamentSettings::default();
        let tournaments = Tournaments::new(
            Arc::clone(store),
            Arc::new(accounts),
            Arc::new(ratings),
            &host,
            settings,
        );
        Self { host, tournaments: Arc::new(tournaments.without_delay()) }
    }

    /// Creates and starts a tournament with these players.
    async fn starts(&self, request: CreateTournamentRequest, players: &[&str]) -> String {
        let me = caller(players[0]);
        let id = self
            .tournaments
            .create_tournament(&me, request, bytes::Bytes::new())
            .await
            .expect("the request is good");
        for player in players {
            self.tournaments.join(&caller(player), &id, None).await.expect("it is open");
        }
        self.tournaments.start_now(&me, &id).await.expect("there are enough entries");
        id
    }

    async fn stored(&self, tournament_id: &str) -> StoredTournament {
        self.tournaments.tournament(tournament_id).await.unwrap()
    }

    /// Plays all running games to their ends.
    async fn plays(&self) {
        let query = GameQuery { limit: 100, running_only: true, ..GameQuery::default() };
        for row in self.host.store().games(query).await.unwrap() {
            play(&self.host, &row.game_id).await;
        }
    }
}

fn caller(player: &str) -> Caller {
    Caller {
        player_id: player.into(),
        name: player.into(),
        role: AccountRole::Player,
        token_id: "".into(),
    }
}

fn request(system: TournamentSystem) -> CreateTournamentRequest {
    let options = Options { last_turn: Some(1), ..Options::default() };
    let mut request = CreateTournamentRequest {
        name: "Cup".to_owned(),
        kind: KIND.to_owned(),
        options: Some(GameOptions { game: Some(game_options::Game::StarEmpires(options)) }),
        rated: true,
        ..CreateTournamentRequest::default()
    };
    request.set_system(system);
    request
}

async fn open_accounts(store: &dyn Store) {
    for (number, player) in (1..).zip(PLAYERS) {
        let account = support::account(player, 1);
        let token = support::token(&account, &format!("t-{player}"), [number; 32]);
        store.open_account(account, token).await.unwrap();
    }
}

async fn play(host: &Host, game_id: &str) {
    for _ in 0..100 {
        let (status, states, members) = host
            .read(game_id, |table| {
                (table.status(), table.decision_states(), table.listing().members)
            })
            .await
            .unwrap();
        if status != GameStatus::Running {
            return;
        }
        for (index, state) in states.iter().enumerate().filter(|(_, one)| one.decision.is_some()) {
            let (seat, phase) = (Seat::at(index).number(), state.phase);
            let of_seat = members.iter().find(|member| member.seat == seat);
            let kind = if of_seat.is_some() {
                step::Kind::FlagSet(FlagSet { seat, phase, ready: Some(true), wait: None })
            } else {
                let revision = state.revision;
                step::Kind::DecisionDefaulted(DecisionDefaulted { seat, phase, revision })
            };
            let by = of_seat.map_or_else(String::new, |member| member.player_id.clone());
            // The phase may have closed with the decision of another seat.
            drop(host.take(game_id, Step { by, kind: Some(kind), ..Step::default() }).await);
        }
    }
    panic!("{game_id} does not end");
}

/// Checks that every pair has played one game, and that each entrant has equally many byes.
async fn assert_all_have_met(store: &dyn Store, tournament: &StoredTournament, players: usize) {
    assert_eq!(tournament.status(), TournamentStatus::Ended);
    let games = players * (players - 1) / 2;
    let pairings: Vec<_> = tournament.rounds.iter().flat_map(|round| &round.pairings).collect();
    assert_eq!(pairings.len(), games);
    let met: BTreeSet<Vec<u32>> = pairings
        .iter()
        .map(|pairing| {
            let mut entries = pairing.entries.clone();
            entries.sort_unstable();
            entries
        })
        .collect();
    assert_eq!(met.len(), games, "{tournament:?}");
    for pairing in pairings {
        assert_eq!(pairing.state(), TournamentGameState::Ended);
        assert!(pairing.places.contains(&1), "{pairing:?}");
    }
    let query = GameQuery { limit: 100, ..GameQuery::default() };
    assert_eq!(store.games(query).await.unwrap().len(), games, "no game is created twice");
}

/// Runs the steps of engines, each of which plays its games, until a tournament is over.
async fn run(engines: &[Engine], tournament_id: &str) -> StoredTournament {
    for _ in 0..200 {
        let steps = engines.iter().map(|engine| engine.tournaments.step());
        for result in futures_util::future::join_all(steps).await {
            result.expect("the store is there");
        }
        engines[0].plays().await;
        let stored = engines[0].stored(tournament_id).await;
        if stored.ended != 0 {
            return stored;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the tournament does not end");
}

async fn engines_share_a_tournament(stores: [Arc<dyn Store>; 2]) {
    open_accounts(&*stores[0]).await;
    let engines = [Engine::on(&stores[0]), Engine::on(&stores[1])];
    let id = engines[0].starts(request(TournamentSystem::RoundRobin), &PLAYERS).await;
    let ended = run(&engines, &id).await;
    assert_all_have_met(&*stores[0], &ended, PLAYERS.len()).await;
    let row = stores[0].game(&ended.rounds[0].pairings[0].game_id).await.unwrap();
    assert!(!row.private && row.host.is_empty(), "{row:?}");
    let game = engines[0]
        .host
        .read(&row.game_id, |table| table.describe(heliopause_table::Reader { player_id: "" }));
    let game = game.await.unwrap();
    assert_eq!((game.tournament_id, game.rated), (id, true));
    for engine in &engines {
        engine.host.drain().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_share_a_tournament_in_the_embedded_store() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    engines_share_a_tournament([Arc::clone(&store), store]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_share_a_tournament_in_postgres() {
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("tournaments");
    let first = PostgresStore::open(&address, 8, None).await.unwrap();
    let second = PostgresStore::open(&address, 8, None).await.unwrap();
    engines_share_a_tournament([Arc::new(first), Arc::new(second)]).await;
}

/// Kills the engine before each of its writes, once. Another engine continues.
#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_survives_a_kill_before_every_write() {
    let mut kills = 0;
    for writes in 0.. {
        let unreliable = UnreliableStore::alone();
        let store: Arc<dyn Store> = unreliable.clone();
        open_accounts(&*store).await;
        let players = &PLAYERS[..3];
        let mut engine = Engine::on(&store);
        let me = caller(players[0]);
        let request = request(TournamentSystem::RoundRobin);
        let created = engine.tournaments.create_tournament(&me, request, bytes::Bytes::new());
        let id = created.await.unwrap();
        for player in players {
            engine.tournaments.join(&caller(player), &id, None).await.unwrap();
        }
        unreliable.writes_left.store(writes, Ordering::Relaxed);
        // The start is a write, too. A retry after a kill continues it.
        let started = engine.tournaments.start_now(&me, &id).await;
        let mut is_killed = started.is_err();
        for _ in 0..100 {
            if !is_killed {
                is_killed = unreliable.writes_left.load(Ordering::Relaxed) < 0;
            }
            if is_killed && unreliable.writes_left.load(Ordering::Relaxed) < 1_000 {
                kills += 1;
                unreliable.writes_left.store(i64::MAX / 2, Ordering::Relaxed);
                engine = Engine::on(&store);
                engine.tournaments.start_now(&me, &id).await.expect("it is started again");
            }
            // Playing is not a step of the tournament.
            let left = unreliable.writes_left.swap(i64::MAX / 2, Ordering::Relaxed);
            engine.plays().await;
            unreliable.writes_left.store(left, Ordering::Relaxed);
            // A failed step is repeated by the next engine.
            drop(engine.tournaments.step().await);
            if engine.stored(&id).await.ended != 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(120)).await;
        }
        unreliable.writes_left.store(i64::MAX / 2, Ordering::Relaxed);
        let stored = engine.stored(&id).await;
        assert_all_have_met(&*store, &stored, players.len()).await;
        let byes: Vec<u32> = stored.rounds.iter().flat_map(|round| round.byes.clone()).collect();
        assert_eq!(byes.iter().collect::<BTreeSet<_>>().len(), 3, "after {writes} writes");
        if !is_killed {
            break;
        }
    }
    assert!(kills >= 6, "start, three games, results: {kills}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entrant_who_resigns_forfeits_the_game() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    open_accounts(&*store).await;
    let engine = Engine::on(&store);
    let id = engine.starts(request(TournamentSystem::Swiss), &PLAYERS[..2]).await;
    let stored = engine.stored(&id).await;
    let pairing = stored.rounds[0].pairings[0].clone();
    let leaver = &stored.entries[pairing.entries[0] as usize].entity;
    let kind = Some(step::Kind::Resigned(Resigned { seat: 1 }));
    let step = Step { by: leaver.clone(), kind, ..Step::default() };
    engine.host.take(&pairing.game_id, step).await.unwrap();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        engine.tournaments.step().await.unwrap();
    }
    let ended = engine.stored(&id).await;
    let pairing = &ended.rounds[0].pairings[0];
    assert_eq!(pairing.state(), TournamentGameState::Forfeited);
    assert_eq!(pairing.places, [0, 1]);
    assert_eq!(ended.status(), TournamentStatus::Ended, "one round suffices for two");
    let row = store.game(&pairing.game_id).await.unwrap();
    assert_eq!(row.status, GameStatus::Running as i32, "the game itself continues");
}

#[tokio::test(flavor = "multi_thread")]
async fn late_games_are_shared_and_canceled() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    open_accounts(&*store).await;
    let clock = Arc::new(AtomicI64::new(1_000_000));
    let shows = Arc::clone(&clock);
    let engine = Engine::with_time(&store, Time::of(move || shows.load(Ordering::Relaxed)));
    let round_limit = Some(prost_types::Duration { seconds: 60, nanos: 0 });
    let request = CreateTournamentRequest { round_limit, ..request(TournamentSystem::Swiss) };
    let id = engine.starts(request, &PLAYERS).await;
    clock.fetch_add(59_000, Ordering::Relaxed);
    engine.tournaments.step().await.unwrap();
    assert_eq!(engine.stored(&id).await.rounds.len(), 1);
    clock.fetch_add(1_000, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(300)).await;
    engine.tournaments.step().await.unwrap();
    let stored = engine.stored(&id).await;
    assert_eq!(stored.rounds.len(), 2);
    for pairing in &stored.rounds[0].pairings {
        assert_eq!(pairing.state(), TournamentGameState::TimedOut);
        assert_eq!(pairing.places, [1, 1]);
        let row = store.game(&pairing.game_id).await.unwrap();
        assert_eq!(row.status, GameStatus::Cancelled as i32);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_starts_at_its_time_or_is_canceled() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    open_accounts(&*store).await;
    let clock = Arc::new(AtomicI64::new(1_000_000));
    let shows = Arc::clone(&clock);
    let engine = Engine::with_time(&store, Time::of(move || shows.load(Ordering::Relaxed)));
    let start_time = Some(prost_types::Timestamp { seconds: 1_060, nanos: 0 });
    let mut ids = Vec::new();
    for players in [&PLAYERS[..1], &PLAYERS[..]] {
        let request = request(TournamentSystem::RotatingTables);
        let request = CreateTournamentRequest { start_time, seats: 3, ..request };
        let me = caller("ann");
        let created = engine.tournaments.create_tournament(&me, request, bytes::Bytes::new());
        let id = created.await.unwrap();
        for player in players {
            engine.tournaments.join(&caller(player), &id, None).await.unwrap();
        }
        ids.push(id);
    }
    engine.tournaments.step().await.unwrap();
    assert_eq!(engine.stored(&ids[1]).await.status(), TournamentStatus::Open);
    clock.fetch_add(60_000, Ordering::Relaxed);
    engine.tournaments.step().await.unwrap();
    let few = engine.stored(&ids[0]).await;
    assert_eq!(few.status(), TournamentStatus::Cancelled);
    assert!(few.cancel_reason.contains("few"), "{}", few.cancel_reason);
    let many = engine.stored(&ids[1]).await;
    assert_eq!((many.status(), many.round_count), (TournamentStatus::Running, 3));
    assert_eq!((many.rounds[0].pairings.len(), many.rounds[0].byes.len()), (1, 1));
    store.game(&many.rounds[0].pairings[0].game_id).await.expect("the game is created");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_tournaments_are_canceled_without_their_host_and_after_30_days() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    open_accounts(&*store).await;
    let clock = Arc::new(AtomicI64::new(1_000_000));
    let shows = Arc::clone(&clock);
    let engine = Engine::with_time(&store, Time::of(move || shows.load(Ordering::Relaxed)));
    let accounts = Accounts::new(Arc::clone(&store), Registration::Open, 100, Time::default());
    let mut ids = Vec::new();
    for host in PLAYERS {
        let request = request(TournamentSystem::Swiss);
        let me = caller(host);
        let created = engine.tournaments.create_tournament(&me, request, bytes::Bytes::new());
        ids.push(created.await.unwrap());
    }
    let running = engine.starts(request(TournamentSystem::Swiss), &PLAYERS[..2]).await;
    accounts.erase("ann").await.unwrap();
    accounts.set_banned("bob", true).await.unwrap();
    engine.tournaments.step().await.unwrap();
    for (id, why) in ids.iter().zip(["The host's account was deleted.", "The host is banned."]) {
        let stored = engine.stored(id).await;
        assert_eq!(stored.status(), TournamentStatus::Cancelled);
        assert_eq!(stored.cancel_reason, why);
    }
    assert_eq!(engine.stored(&running).await.status(), TournamentStatus::Running);
    for (days, status) in [(29, TournamentStatus::Open), (1, TournamentStatus::Cancelled)] {
        clock.fetch_add(days * 24 * 60 * 60 * 1_000, Ordering::Relaxed);
        engine.tournaments.step().await.unwrap();
        assert_eq!(engine.stored(&ids[2]).await.status(), status);
    }
    assert!(engine.stored(&ids[3]).await.cancel_reason.contains("30 days"));
}

fn calls(server: &TestServer, token: &str) -> TournamentServiceClient<Authorized> {
    TournamentServiceClient::new(server.authorized(token))
}

fn join(tournament_id: &str) -> JoinTournamentRequest {
    let tournament_id = tournament_id.to_owned();
    JoinTournamentRequest { tournament_id, ..JoinTournamentRequest::default() }
}

fn bot(tournament_id: &str, level: &str) -> JoinTournamentRequest {
    let level = level.to_owned();
    let bot = Some(AutomatedSeat { level, ..AutomatedSeat::default() });
    JoinTournamentRequest { bot, ..join(tournament_id) }
}

#[tokio::test(flavor = "multi_thread")]
async fn players_enter_and_hosts_manage_a_tournament() {
    let server = start(in_memory()).await;
    let (host, guest) = (server.register("Host").await, server.register("").await);
    let player = server.register("Player").await;
    let mut by_host = calls(&server, &host);
    let create = CreateTournamentRequest {
        request_id: "once".to_owned(),
        bots_allowed: true,
        ..request(TournamentSystem::Swiss)
    };
    let created = by_host.create_tournament(create.clone()).await.unwrap().into_inner();
    let again = by_host.create_tournament(create.clone()).await.unwrap().into_inner();
    assert_eq!(created, again, "a retry gets the same tournament");
    let other = CreateTournamentRequest { name: "Other".to_owned(), ..create };
    let reused = by_host.create_tournament(other).await;
    assert_eq!(refusal(reused), ErrorReason::RequestIdReused);
    let tournament = created.tournament.unwrap();
    let id = tournament.tournament_id.clone();
    assert!(tournament.you_are_host && tournament.options.is_some());

    let mut by_guest = calls(&server, &guest);
    let made = by_guest.create_tournament(request(TournamentSystem::Swiss)).await;
    assert_eq!(refusal(made), ErrorReason::RoleRequired);
    assert_eq!(refusal(by_guest.join_tournament(join(&id)).await), ErrorReason::RoleRequired);
    let mut by_player = calls(&server, &player);
    for _ in 0..2 {
        let joined = by_player.join_tournament(join(&id)).await.unwrap().into_inner();
        let joined = joined.tournament.unwrap();
        assert_eq!((joined.entry_count, joined.your_entry), (1, 1), "once");
    }
    assert_eq!(refusal(by_player.join_tournament(join("none")).await), ErrorReason::NotFound);
    let start = StartTournamentRequest { tournament_id: id.clone() };
    let denied = by_player.start_tournament(start.clone()).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    let early = by_host.start_tournament(start.clone()).await;
    assert_eq!(refusal(early), ErrorReason::WrongStatus, "one entry is too few");

    let denied = by_player.join_tournament(bot(&id, "strong")).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    let unknown = by_host.join_tournament(bot(&id, "godlike")).await;
    assert_eq!(refusal(unknown), ErrorReason::InvalidField);
    assert_eq!(refusal(by_host.join_tournament(bot(&id, "@hal")).await), ErrorReason::NotFound);
    by_host.join_tournament(bot(&id, "strong")).await.unwrap();
    let get = GetTournamentRequest { tournament_id: id.clone() };
    let shown = by_player.get_tournament(get.clone()).await.unwrap().into_inner();
    assert_eq!(shown.standings.len(), 2);
    assert!(shown.standings.iter().all(|one| one.rank == 0) && shown.rounds.is_empty());
    let withdraw = |entry| WithdrawFromTournamentRequest { tournament_id: id.clone(), entry };
    let denied = by_player.withdraw_from_tournament(withdraw(2)).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    by_host.withdraw_from_tournament(withdraw(2)).await.unwrap();
    by_host.join_tournament(bot(&id, "random")).await.unwrap();

    let started = by_host.start_tournament(start).await.unwrap().into_inner();
    assert_eq!(started.tournament.unwrap().round, 1);
    let shown = by_player.get_tournament(get).await.unwrap().into_inner();
    let game = &shown.rounds[0].games[0];
    assert_eq!((game.state(), game.seats.len()), (TournamentGameState::Playing, 2));
    let late = by_host.join_tournament(join(&id)).await;
    assert_eq!(refusal(late), ErrorReason::WrongStatus);
    let withdrawn = by_player.withdraw_from_tournament(withdraw(0)).await.unwrap().into_inner();
    assert_eq!(withdrawn.tournament.unwrap().your_entry, 0);
    let cancel = CancelTournamentRequest { tournament_id: id.clone() };
    let denied = by_player.cancel_tournament(cancel.clone()).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    let mut by_admin = calls(&server, &server.token_file("admin.token"));
    let cancelled = by_admin.cancel_tournament(cancel).await.unwrap().into_inner();
    assert_eq!(cancelled.tournament.unwrap().cancel_reason, "Canceled by an admin.");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "one story")]
async fn tournaments_are_checked_limited_and_listed() {
    let server = start(in_memory()).await;
    let host = server.register("Host").await;
    let mut by_host = calls(&server, &host);
    let swiss = || request(TournamentSystem::Swiss);
    let tables = || request(TournamentSystem::RotatingTables);
    let pace = |missed: MissedDeadline, seconds| {
        let interval = Some(prost_types::Duration { seconds, nanos: 0 });
        let standard = Some(PhasePace { interval, ..PhasePace::default() });
        Some(Pace { standard, missed: missed.into(), ..Pace::default() })
    };
    let name = |name: &str| name.to_owned();
    for (field, wrong) in [
        ("name", CreateTournamentRequest { name: name(" "), ..swiss() }),
        ("system", CreateTournamentRequest { system: 0, ..swiss() }),
        ("system", CreateTournamentRequest { system: 9, ..swiss() }),
        ("kind", CreateTournamentRequest { kind: name("chess"), ..swiss() }),
        ("seats", CreateTournamentRequest { seats: 3, ..swiss() }),
        ("seats", CreateTournamentRequest { seats: 2, ..tables() }),
        ("seats", CreateTournamentRequest { seats: 13, ..tables() }),
        ("rounds", CreateTournamentRequest { rounds: 16, ..swiss() }),
        ("rounds", CreateTournamentRequest { rounds: 1, ..request(TournamentSystem::RoundRobin) }),
        ("twice", CreateTournamentRequest { twice: true, ..swiss() }),
        ("entries_max", CreateTournamentRequest { entries_max: 129, ..swiss() }),
        ("entries_max", CreateTournamentRequest { entries_max: 1, ..swiss() }),
        (
            "pace.standard.interval",
            CreateTournamentRequest { pace: Some(Pace::default()), ..swiss() },
        ),
        (
            "pace.standard.interval",
            CreateTournamentRequest { pace: pace(MissedDeadline::Defaults, 0), ..swiss() },
        ),
        (
            "pace.missed",
            CreateTournamentRequest { pace: pace(MissedDeadline::Hold, 60), ..swiss() },
        ),
        (
            "start_time",
            CreateTournamentRequest {
                start_time: Some(prost_types::Timestamp { seconds: 1, nanos: 0 }),
                ..swiss()
            },
        ),
        (
            "round_limit",
            CreateTournamentRequest {
                round_limit: Some(prost_types::Duration { seconds: 59, nanos: 0 }),
                ..swiss()
            },
        ),
    ] {
        let status = by_host.create_tournament(wrong).await.expect_err(field);
        assert_eq!(support::reason(&status), ErrorReason::InvalidField, "{field}");
        assert!(format!("{status:?}").contains(field), "{field}: {status:?}");
    }
    let mut ids = Vec::new();
    for _ in 0..4 {
        let created = by_host.create_tournament(swiss()).await.unwrap().into_inner();
        ids.push(created.tournament.unwrap().tournament_id);
    }
    assert_eq!(refusal(by_host.create_tournament(swiss()).await), ErrorReason::QuotaExceeded);
    let cancel = CancelTournamentRequest { tournament_id: ids.remove(0) };
    for _ in 0..2 {
        by_host.cancel_tournament(cancel.clone()).await.expect("it can be repeated");
    }
    by_host.create_tournament(tables()).await.expect("one was canceled");

    let mut listed = Vec::new();
    let mut list = ListTournamentsRequest { page_size: 2, ..ListTournamentsRequest::default() };
    loop {
        let page = by_host.list_tournaments(list.clone()).await.unwrap().into_inner();
        listed.extend(page.tournaments.into_iter().map(|one| (one.tournament_id, one.status)));
        if page.next_page_token.is_empty() {
            break;
        }
        list.page_token = page.next_page_token;
    }
    assert_eq!(listed.len(), 5);
    assert_eq!(listed[4], (cancel.tournament_id, TournamentStatus::Cancelled.into()));
    let mut only = ListTournamentsRequest::default();
    only.set_status(TournamentStatus::Open);
    let open = by_host.list_tournaments(only).await.unwrap().into_inner().tournaments;
    assert_eq!(open.len(), 4);
    server.stop().await;

    let settings = Settings { tournaments: Some(TournamentHosts::Admins), ..in_memory() };
    let server = start(settings).await;
    let player = server.register("Player").await;
    let denied = calls(&server, &player).create_tournament(swiss()).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    let mut by_admin = calls(&server, &server.token_file("admin.token"));
    by_admin.create_tournament(swiss()).await.expect("admins can");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn registered_bots_play_on_the_ladder() {
    let server = start(Settings { bot_ladder: Some(720), ..in_memory() }).await;
    let worker = server.token_file("worker.token");
    let mut by_worker = calls(&server, &worker);
    let register = |name: &str| RegisterBotRequest {
        name: name.to_owned(),
        kind: KIND.to_owned(),
        ..RegisterBotRequest::default()
    };
    let player = server.register("Player").await;
    let denied = calls(&server, &player).register_bot(register("hal")).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    let wrong = by_worker.register_bot(register("HAL 9000")).await;
    assert_eq!(refusal(wrong), ErrorReason::InvalidField);
    let mut bots = Vec::new();
    for name in ["hal", "eve"] {
        bots.push(by_worker.register_bot(register(name)).await.unwrap().into_inner().bot.unwrap());
    }
    assert_eq!(bots[0].level, "@hal");
    assert!(!bots[0].connected);

    let profile = |levels: &[&str]| WorkerProfile {
        kind: KIND.to_owned(),
        profile: bots[0].profile.clone(),
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
    };
    let work = |levels: &[&str]| {
        let (says, requests) = tokio::sync::mpsc::channel(8);
        let profiles = vec![profile(levels)];
        let hello = Hello { worker: "w".to_owned(), profiles, capacity: 4 };
        let message = Some(work_request::Message::Hello(hello));
        says.try_send(WorkRequest { message }).unwrap();
        let mut client = AutomationServiceClient::new(server.authorized(&worker));
        async move { (client.work(ReceiverStream::new(requests)).await, says) }
    };
    let (unknown, _says) = work(&["@nobody"]).await;
    assert_eq!(refusal(unknown), ErrorReason::InvalidField);
    let (leases, _says) = work(&["@hal", "@eve"]).await;
    let mut leases = leases.expect("the bots are registered").into_inner();
    let lease = tokio::time::timeout(support::PATIENCE, async {
        loop {
            let response = leases.message().await.unwrap().unwrap();
            if let Some(work_response::Message::Lease(lease)) = response.message {
                return lease;
            }
        }
    });
    let lease = lease.await.expect("the ladder creates a game");
    assert!(lease.level == "@hal" || lease.level == "@eve", "{}", lease.level);
    let listed = by_worker.list_bots(ListBotsRequest::default()).await.unwrap().into_inner();
    assert_eq!((listed.bots.len(), listed.games_per_hour), (2, 720));
    assert!(listed.bots.iter().all(|bot| bot.connected));
    assert!(listed.game_ids.contains(&lease.game_id), "{listed:?}");

    let unregister = UnregisterBotRequest { level: "@hal".to_owned() };
    let denied = calls(&server, &player).unregister_bot(unregister.clone()).await;
    assert_eq!(refusal(denied), ErrorReason::RoleRequired);
    by_worker.unregister_bot(unregister.clone()).await.unwrap();
    assert_eq!(refusal(by_worker.unregister_bot(unregister).await), ErrorReason::NotFound);
    server.stop().await;
}
