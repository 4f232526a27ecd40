//! The command line with several engines: whichever of them goes away, its user does not see it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use heliopause_proto::v1::StartGameRequest;
use heliopause_tests::{Engine, EngineOptions, Player, Postgres, Proxy, binary};
use rcgen::{CertificateParams, KeyPair};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

const PATIENCE: Duration = Duration::from_mins(1);

/// Two engines on one database, at addresses that stay theirs.
struct Pair {
    database: String,
    arguments: [Vec<String>; 2],
    ports: [u16; 2],
    engines: [Option<Engine>; 2],
    _postgres: Postgres,
}

impl Pair {
    fn start(arguments: [&[&str]; 2]) -> Option<Self> {
        let postgres = Postgres::start()?;
        let database = postgres.database("games");
        let arguments = arguments.map(|words| words.iter().map(|&word| word.to_owned()).collect());
        let ports = [(); 2]
            .map(|()| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let mut pair =
            Self { database, arguments, ports, engines: [None, None], _postgres: postgres };
        pair.start_engine(0);
        pair.start_engine(1);
        Some(pair)
    }

    fn start_engine(&mut self, which: usize) {
        let options = EngineOptions {
            arguments: self.arguments[which].clone(),
            database: Some(self.database.clone()),
            port: self.ports[which],
            ..EngineOptions::default()
        };
        self.engines[which] = Some(Engine::on(Engine::directory(), options));
    }

    fn engine(&self, which: usize) -> &Engine {
        self.engines[which].as_ref().expect("it runs")
    }

    /// Kills an engine in one round, stops it in the next.
    fn harm(&mut self, round: usize) -> usize {
        let which = round % 2;
        let mut engine = self.engines[which].take().expect("it runs");
        if (round / 2).is_multiple_of(2) {
            engine.kill();
        } else {
            assert!(engine.terminate().success());
        }
        which
    }

    fn urls(&self) -> String {
        self.ports.map(|port| format!("http://127.0.0.1:{port}")).join(",")
    }
}

/// The command line as a user with a token has it.
fn cli(urls: &str, token: &str, home: &TempDir) -> Command {
    let mut command = Command::new(binary("cli-client"));
    command
        .args(["--engine", urls])
        .env("HELIOPAUSE_CONFIG_DIR", home.path())
        .env("HELIOPAUSE_TOKEN", token);
    command
}

/// A command of the command line that goes on.
struct Running {
    child: Child,
    input: ChildStdin,
    said: Arc<Mutex<Vec<String>>>,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().expect("the program can be started");
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = said.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                heard.lock().unwrap().push(line);
            }
        });
        Self { child, input, said }
    }

    fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it still reads");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn until(what: &str, mut look: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !look().await {
        assert!(begun.elapsed() < PATIENCE, "it never happens that {what}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// The numbers of the events in what `watch --json` printed.
fn numbers(lines: &[String]) -> Vec<u64> {
    let parts = lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let number = |part: Value| {
        let number = &part["event"]["number"];
        number.as_u64().or_else(|| number.as_str()?.parse().ok())
    };
    parts.filter_map(number).collect()
}

/// Somebody who plays alone, and has the turn.
async fn alone(pair: &Pair) -> (Player, String) {
    let ada = pair.engine(0).player("Ada").await;
    let game_id = ada.create_with(0, |request| request.start_when_full = false).await.game_id;
    let start = StartGameRequest { game_id: game_id.clone(), ..StartGameRequest::default() };
    ada.games().start_game(start).await.expect("who made it starts it");
    (ada, game_id)
}

const MARK: &str = "mark (0,0)\ntake up (0,0)";

#[tokio::test(flavor = "multi_thread")]
async fn watching_goes_on_without_gap_or_duplicate() {
    let Some(mut pair) = Pair::start([&[], &[]]) else { return };
    let (ada, game) = alone(&pair).await;
    let home = tempfile::tempdir().unwrap();
    let watch = Running::start(
        cli(&pair.urls(), &ada.token, &home).args(["--json", "watch", &game, "--from", "0"]),
    );
    for round in 0..4 {
        let harmed = pair.harm(round);
        let ada = ada.on(pair.engine(1 - harmed).channel().await);
        ada.order(&game, MARK, &format!("round {round}")).await.expect("the other engine takes it");
        let all: Vec<u64> = ada.all_events(&game).await.iter().map(|event| event.number).collect();
        until("all is heard", async || numbers(&watch.said()).len() >= all.len()).await;
        assert_eq!(numbers(&watch.said()), all);
        pair.start_engine(harmed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn play_goes_on_when_an_engine_goes_away_under_it() {
    let Some(mut pair) = Pair::start([&[], &[]]) else { return };
    let (ada, game) = alone(&pair).await;
    let home = tempfile::tempdir().unwrap();
    let mut play = Running::start(cli(&pair.urls(), &ada.token, &home).args(["play", &game]));
    until("it shows what there is to order", async || {
        play.said().iter().any(|line| line.contains("mark"))
    })
    .await;
    for round in 0..4 {
        // Something to look at arrives, and the engine that would be asked is gone.
        let there = ada.on(pair.engine((round + 1) % 2).channel().await);
        there.order(&game, MARK, &format!("round {round}")).await.expect("an engine takes it");
        let harmed = pair.harm(round);
        let before = there.all_events(&game).await.len();
        // Until `play` has looked again, what is typed builds on an old revision and is refused:
        // then it is typed again.
        for (taken, order) in ["mark (0,0)", "take up (0,0)"].into_iter().enumerate() {
            until("an order that is typed is taken", async || {
                play.type_line(order);
                sleep(Duration::from_millis(500)).await;
                there.all_events(&game).await.len() > before + 2 * taken
            })
            .await;
        }
        assert!(play.child.try_wait().unwrap().is_none(), "it ended: {:?}", play.said());
        pair.start_engine(harmed);
    }
    play.type_line("quit");
    until("it ends", async || play.child.try_wait().unwrap().is_some()).await;
    assert!(play.child.wait().unwrap().success(), "{:?}", play.said());
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_work_while_engines_come_and_go() {
    let Some(mut pair) = Pair::start([&[], &[]]) else { return };
    let (ada, game) = alone(&pair).await;
    let (home, urls) = (tempfile::tempdir().unwrap(), pair.urls());
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let commands = {
        let (stop, token, game) = (stop.clone(), ada.token.clone(), game.clone());
        std::thread::spawn(move || {
            let mut done = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let text = ["mark (0,0)", "take up (0,0)"][done % 2];
                for words in [&["show", &game][..], &["orders", &game, text], &["history", &game]] {
                    let output =
                        cli(&urls, &token, &home).arg("--json").args(words).output().unwrap();
                    assert!(
                        output.status.success(),
                        "{words:?}: {}",
                        String::from_utf8_lossy(&output.stderr)
                    );
                }
                done += 1;
            }
            done
        })
    };
    for round in 0..4 {
        let harmed = pair.harm(round);
        sleep(Duration::from_millis(500)).await;
        pair.start_engine(harmed);
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let done = commands.join().expect("every command works");
    assert!(done > 0);
    let ada = ada.on(pair.engine(0).channel().await);
    let events = ada.all_events(&game).await;
    let given = events.iter().filter(|event| {
        matches!(event.body, Some(heliopause_proto::v1::event::Body::OrdersAccepted(_)))
    });
    assert_eq!(given.count(), done, "an order is missing, or was taken twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_cut_off_from_its_database_is_passed_over() {
    let Some(postgres) = Postgres::start() else { return };
    let database = postgres.database("games");
    let line = Proxy::to(postgres.port()).await;
    let through = line.on_the_way_to(&database);
    let (well, ailing) = (Engine::on_database(&database, &[]), Engine::on_database(&through, &[]));
    let ada = well.player("Ada").await;
    line.cut();
    let mut health = HealthClient::new(ailing.channel().await);
    until("it says that it does not serve", async || {
        let told =
            health.check(HealthCheckRequest::default()).await.expect("it tells of its health");
        told.get_ref().status() != ServingStatus::Serving
    })
    .await;
    let (home, urls) = (tempfile::tempdir().unwrap(), format!("{},{}", ailing.url(), well.url()));
    for _ in 0..6 {
        // Making a game must not be asked twice, so it must be asked at the right place.
        let output = cli(&urls, &ada.token, &home)
            .args(["--json", "new", heliopause_tests::STARSHIPS])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_engine_shows_a_certificate_of_its_own_name() {
    let files = tempfile::tempdir().unwrap();
    let (one, other) =
        (certificate(files.path(), "localhost"), certificate(files.path(), "127.0.0.1"));
    let authorities = files.path().join("ca.pem");
    let all = [&one, &other]
        .map(|[certificate, _]| std::fs::read_to_string(certificate).unwrap())
        .concat();
    std::fs::write(&authorities, all).unwrap();
    let flags = |[cert, key]: &[String; 2]| {
        ["--tls-cert".into(), cert.clone(), "--tls-key".into(), key.clone()]
    };
    let Some(mut pair) = Pair::start([&[], &[]]) else { return };
    let (ada, game) = alone(&pair).await;
    for (which, files) in [&one, &other].into_iter().enumerate() {
        pair.engines[which] = None;
        pair.arguments[which] = flags(files).to_vec();
        pair.start_engine(which);
    }
    let urls = format!("https://localhost:{},https://127.0.0.1:{}", pair.ports[0], pair.ports[1]);
    let home = tempfile::tempdir().unwrap();
    for round in 0..4 {
        let harmed = pair.harm(round);
        let mut command = cli(&urls, &ada.token, &home);
        let output =
            command.arg("--tls-ca").arg(&authorities).args(["show", &game]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        pair.start_engine(harmed);
    }
}

/// Makes a certificate for one name, and its key; answers the files.
fn certificate(folder: &Path, name: &str) -> [String; 2] {
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec![name.to_owned()]).unwrap().self_signed(&key).unwrap();
    [("cert", certificate.pem()), ("key", key.serialize_pem())].map(|(kind, pem)| {
        let path = folder.join(format!("{name}.{kind}"));
        std::fs::write(&path, pem).unwrap();
        path.display().to_string()
    })
}
