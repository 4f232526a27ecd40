//! Games of all kinds on three engines, three AI workers and PostgreSQL, all with random faults.
//!
//! `HELIOPAUSE_CLUSTER_GAMES` sets the number of games (default 12), `HELIOPAUSE_CLUSTER_SECONDS`
//! the time with faults (default 20), `HELIOPAUSE_CLUSTER_SEED` the choice of faults (default 1).

use std::collections::{HashMap, HashSet};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heliopause_proto::store::v1::{Entry, step};
use heliopause_proto::v1::export_game_response::Part as Exported;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{
    AiClient, Call, Dice, Engine, EngineOptions, OfGame as _, Player, Postgres, Proxy, STARSHIPS,
    Sandbox, automated, orders_at, reason, short_options,
};
use prost::Message as _;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

const ARGUMENTS: &str = "--sandbox --evict-after 5s --games-limit 100000 --stream-limit 10000";
const ENGINES: usize = 3;
const WORKERS: usize = 3;
const HAMMERED: usize = 3;
const TIMEOUT: Duration = Duration::from_mins(30);
const DELIVERY_TIMEOUT: Duration = Duration::from_mins(2);

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

struct Cluster {
    postgres: Postgres,
    proxy: Proxy,
    engines: Vec<Option<Engine>>,
    options: Vec<EngineOptions>,
    directories: Vec<Arc<TempDir>>,
    workers: Vec<Option<AiClient>>,
}

impl Cluster {
    async fn start() -> Option<Self> {
        let postgres = Postgres::start()?;
        let direct = postgres.database("games");
        let proxy = Proxy::to(postgres.port()).await;
        // Only the last engine connects through the proxy, which can cut its connection.
        let cuttable = proxy.proxied(&direct);
        let options = |index: usize| EngineOptions {
            arguments: ARGUMENTS.split(' ').map(str::to_owned).collect(),
            database: Some(if index + 1 == ENGINES { cuttable.clone() } else { direct.clone() }),
            port: TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port(),
            ..EngineOptions::default()
        };
        let mut cluster = Self {
            postgres,
            proxy,
            engines: (0..ENGINES).map(|_| None).collect(),
            options: (0..ENGINES).map(options).collect(),
            directories: (0..ENGINES).map(|_| Engine::directory()).collect(),
            workers: (0..WORKERS).map(|_| None).collect(),
        };
        cluster.restore();
        Some(cluster)
    }

    /// Restarts stopped processes, as a supervisor would.
    fn restore(&mut self) {
        for index in 0..ENGINES {
            if self.engines[index].as_mut().is_none_or(|engine| !engine.runs()) {
                let started =
                    Engine::try_on(self.directories[index].clone(), self.options[index].clone());
                self.engines[index] =
                    started.map_err(|log| println!("engine {index} did not start: {log}")).ok();
            }
        }
        let urls: Vec<String> = self
            .options
            .iter()
            .map(|options| format!("http://127.0.0.1:{}", options.port))
            .collect();
        for worker in self.workers.iter_mut().filter(|worker| worker.is_none()) {
            *worker = Some(AiClient::at(&urls.join(","), self.directories[0].path()));
        }
    }

    fn inject_fault(&mut self, dice: &mut Dice) -> &'static str {
        match dice.below(7) {
            0 | 1 => {
                self.engines[dice.below(ENGINES as u64) as usize] = None;
                "an engine is killed"
            }
            2 => {
                self.workers[dice.below(WORKERS as u64) as usize] = None;
                "a worker is killed"
            }
            3 => {
                self.postgres.kill_server();
                std::thread::sleep(Duration::from_millis(dice.below(2_000)));
                self.postgres.restart();
                "the database was stopped hard and started again"
            }
            4 => {
                self.proxy.cut();
                "an engine is cut off from the database"
            }
            5 => {
                self.proxy.hold();
                "an engine's line to the database hangs"
            }
            _ => {
                if let Some(engine) = &mut self.engines[dice.below(ENGINES as u64) as usize] {
                    engine.terminate();
                }
                "an engine was drained"
            }
        }
    }

    fn channels(&self) -> Vec<Channel> {
        let channel = |options: &EngineOptions| {
            Endpoint::from_shared(format!("http://127.0.0.1:{}", options.port))
                .unwrap()
                .timeout(Duration::from_secs(20))
                .connect_lazy()
        };
        self.options.iter().map(channel).collect()
    }
}

#[derive(Clone)]
struct RoundRobin {
    players: Vec<Player>,
    next: usize,
}

impl RoundRobin {
    fn at_next(&mut self) -> Player {
        self.next = (self.next + 1) % self.players.len();
        self.players[self.next].clone()
    }

    async fn call<C: Call + Clone>(&mut self, request: C) -> Result<C::Answer, Status> {
        loop {
            match self.at_next().call(request.clone()).await {
                Err(status) if is_passing(&status) => sleep(Duration::from_millis(50)).await,
                done => return done,
            }
        }
    }
}

fn is_passing(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Unavailable | Code::Cancelled | Code::DeadlineExceeded | Code::Unknown
    ) || ["OVERLOADED", "DRAINING", "JOURNAL_UNAVAILABLE"].contains(&reason(status).as_str())
}

fn plan(index: usize) -> CreateGameRequest {
    let (kind, seats) = [
        (STARSHIPS, 2),
        ("stellar-conquest", 2),
        ("star-empires", 2),
        ("diplomacy", 7),
        ("it-came-from-outer-space", 3),
        ("alone-in-outer-space", 2),
        ("fate-of-empire", 1),
    ][index % 7];
    CreateGameRequest {
        kind: kind.to_owned(),
        seats: vec![automated("random"); seats],
        spectate: true,
        start_when_full: true,
        options: short_options(kind, 1902, 4),
        ..CreateGameRequest::default()
    }
}

struct Follower {
    game_id: String,
    seat: u32,
    heard: Arc<AtomicU64>,
    events: JoinHandle<Vec<Event>>,
}

impl Follower {
    fn start(at: &RoundRobin, game_id: &str, seat: u32, stop: &Arc<AtomicBool>) -> Self {
        let heard = Arc::new(AtomicU64::new(0));
        let events = follow(at.clone(), game_id.to_owned(), seat, stop.clone(), heard.clone());
        Self { game_id: game_id.to_owned(), seat, heard, events }
    }

    async fn wait_for_all_events(&self, at: &mut RoundRobin) {
        let count = history(at, &self.game_id, self.seat).await.len() as u64;
        let begun = Instant::now();
        while self.heard.load(Ordering::Relaxed) < count {
            let heard = self.heard.load(Ordering::Relaxed);
            assert!(
                begun.elapsed() < DELIVERY_TIMEOUT,
                "game {}: {heard} of {count} events are told",
                self.game_id
            );
            sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Follows a game from a seat, or as a spectator if the seat is 0.
fn follow(
    mut at: RoundRobin,
    game_id: String,
    seat: u32,
    stop: Arc<AtomicBool>,
    heard: Arc<AtomicU64>,
) -> JoinHandle<Vec<Event>> {
    tokio::spawn(async move {
        let kind = if seat == 0 {
            audience::Kind::Spectators(SpectatorAudience {})
        } else {
            audience::Kind::Seat(seat)
        };
        let audience = Some(Audience { kind: Some(kind) });
        let mut cursor = Cursor { audience, ..Cursor::default() };
        let mut events: Vec<Event> = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let request = StreamEventsRequest {
                game_id: game_id.clone(),
                seat: (seat > 0).then_some(seat),
                as_spectator: seat == 0,
                after: Some(cursor),
                chat: false,
            };
            let opened = at.at_next().call(request).await;
            let Ok(mut stream) = opened else {
                let status = opened.unwrap_err();
                assert!(is_passing(&status), "a stream cannot go on: {status:?}");
                sleep(Duration::from_millis(100)).await;
                continue;
            };
            while !stop.load(Ordering::Relaxed) {
                let part =
                    match tokio::time::timeout(Duration::from_secs(1), stream.message()).await {
                        Ok(Ok(Some(part))) => part.part,
                        Ok(_) => break,
                        Err(_) => continue,
                    };
                if let Some(Part::Event(event)) = part {
                    assert_eq!(
                        event.number,
                        cursor.number + 1,
                        "game {game_id}: a gap or a duplicate"
                    );
                    cursor.number = event.number;
                    events.push(event);
                    heard.store(cursor.number, Ordering::Relaxed);
                }
            }
        }
        events
    })
}

fn hammer(
    mut at: RoundRobin,
    game_id: String,
    stop: Arc<AtomicBool>,
) -> JoinHandle<HashMap<String, u64>> {
    tokio::spawn(async move {
        let mut acknowledged = HashMap::new();
        for number in 0_u64.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let look = GetViewRequest { seat: Some(1), ..GetViewRequest::of(&game_id) };
            let view = at.call(look.clone()).await.expect("a view");
            let text = "mark (0,0)\ntake up (0,0)";
            let request = orders_at(&view, &game_id, Some(1), &number.to_string(), text);
            let answer = match at.call(request.clone()).await {
                Ok(answer) => answer,
                // An engine without a database connection serves views from memory. The order for
                // an outdated view was rejected, so the journal must not contain the order.
                Err(status) if reason(&status) == "STALE_REVISION" => continue,
                Err(status) => panic!("game {game_id}, order {number}: {status:?}"),
            };
            let cursor = answer.cursor.expect("an answer says where it stands");
            acknowledged.insert(request.request_id, cursor.number);
        }
        acknowledged
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[expect(clippy::too_many_lines, reason = "one story")]
async fn random_failures_lose_nothing_and_repeat_nothing() {
    let Some(mut cluster) = Cluster::start().await else { return };
    let is_thorough = std::env::var_os("HELIOPAUSE_TEST_ALL").is_some();
    let (games, seconds) = if is_thorough { (12, 20) } else { (6, 12) };
    let games = setting("HELIOPAUSE_CLUSTER_GAMES", games) as usize;
    let harmful = Duration::from_secs(setting("HELIOPAUSE_CLUSTER_SECONDS", seconds));
    let seed = setting("HELIOPAUSE_CLUSTER_SEED", 1);
    let mut dice = Dice(seed);
    let host = cluster.engines[0].as_ref().expect("it has started").player("Host").await;
    let mut everywhere = RoundRobin {
        players: cluster.channels().into_iter().map(|channel| host.on(channel)).collect(),
        next: 0,
    };

    let (stop, stop_hammers) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let mut followers = Vec::new();
    let mut played = Vec::new();
    for index in 0..games {
        let game = everywhere.call(plan(index)).await;
        let game =
            game.unwrap_or_else(|status| panic!("game {index}: {status:?}")).game.expect("a game");
        followers.push(Follower::start(&everywhere, &game.game_id, 0, &stop));
        played.push(game.game_id);
    }
    let mut hammers = Vec::new();
    for _ in 0..HAMMERED {
        let game_id = Sandbox::new(&host, 1, &[]).await.game_id;
        followers.push(Follower::start(&everywhere, &game_id, 1, &stop));
        hammers.push((game_id.clone(), hammer(everywhere.clone(), game_id, stop_hammers.clone())));
    }

    let begun = Instant::now();
    let mut harms = 0;
    while begun.elapsed() < harmful {
        sleep(Duration::from_millis(300 + dice.below(1_500))).await;
        let what = tokio::task::block_in_place(|| cluster.inject_fault(&mut dice));
        println!("{:6.1} s: {what}", begun.elapsed().as_secs_f64());
        sleep(Duration::from_millis(dice.below(2_000))).await;
        cluster.proxy.restore();
        tokio::task::block_in_place(|| cluster.restore());
        harms += 1;
    }
    stop_hammers.store(true, Ordering::Relaxed);
    let mut acknowledged = Vec::new();
    for (game_id, hammer) in hammers {
        acknowledged
            .push((game_id, hammer.await.expect("orders are taken or refused for a reason")));
    }
    wait_for_the_end(&mut everywhere, &played).await;
    for follower in &followers {
        follower.wait_for_all_events(&mut everywhere).await;
    }
    stop.store(true, Ordering::Relaxed);

    let mut heard = 0;
    for Follower { game_id, seat, events, .. } in followers {
        let events = events.await.expect("a stream goes on");
        let journal = history(&mut everywhere, &game_id, seat).await;
        assert!(events == journal, "game {game_id}: a stream told something else than the journal");
        heard += events.len();
    }
    let mut orders = 0;
    for (game_id, acknowledged) in &acknowledged {
        let journal = history(&mut everywhere, game_id, 1).await;
        let accepted: HashSet<u64> = journal.iter().filter_map(accepted).collect();
        for (request, number) in acknowledged {
            assert!(
                journal.len() as u64 >= *number,
                "game {game_id}: order {request} was acknowledged and is gone"
            );
        }
        assert_eq!(accepted.len(), acknowledged.len(), "game {game_id}: each order is there once");
        verify(&mut everywhere, game_id).await;
        orders += acknowledged.len();
    }
    let mut decisions = 0;
    for game_id in &played {
        verify(&mut everywhere, game_id).await;
        decisions += answered_once(&mut everywhere, game_id).await;
    }
    println!(
        "seed {seed}: {games} games, {harms} harms, {orders} orders, {decisions} decisions, \
         {heard} events received"
    );
    assert!(orders > 0 && decisions > 0);
}

fn accepted(event: &Event) -> Option<u64> {
    matches!(event.body, Some(event::Body::OrdersAccepted(_))).then_some(event.number)
}

async fn wait_for_the_end(at: &mut RoundRobin, games: &[String]) {
    let begun = Instant::now();
    for game_id in games {
        loop {
            let request = GetGameRequest::of(game_id);
            let game = at.call(request.clone()).await.expect("a game");
            let game = game.game.expect("a game");
            if game.status() == GameStatus::Ended {
                break;
            }
            assert!(begun.elapsed() < TIMEOUT, "a game does not end: {game:?}");
            sleep(Duration::from_millis(200)).await;
        }
    }
}

async fn history(at: &mut RoundRobin, game_id: &str, seat: u32) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let mut request = GetHistoryRequest {
        seat: (seat > 0).then_some(seat),
        as_spectator: seat == 0,
        page_size: 200,
        ..GetHistoryRequest::of(game_id)
    };
    loop {
        let page = at.call(request.clone()).await.expect("a page");
        events.extend(page.events);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            return events;
        }
    }
}

async fn verify(at: &mut RoundRobin, game_id: &str) {
    let request = VerifyGameRequest { game_id: game_id.to_owned() };
    let report = at.call(request.clone()).await.expect("a report");
    assert!(report.valid, "game {game_id}: {}", report.fault);
}

async fn answered_once(at: &mut RoundRobin, game_id: &str) -> usize {
    let request = ExportGameRequest::of(game_id);
    let mut stream = at.call(request).await.expect("an export");
    let mut answered = HashSet::new();
    while let Some(part) = stream.message().await.expect("a whole export") {
        let Some(Exported::Entry(entry)) = part.part else { continue };
        let entry = Entry::decode(entry).expect("an entry");
        if let Some(step::Kind::OrdersGiven(given)) = entry.step.and_then(|step| step.kind) {
            let decision = (given.seat, given.phase, given.revision);
            assert!(answered.insert(decision), "game {game_id}: {decision:?} was answered twice");
        }
    }
    answered.len()
}
