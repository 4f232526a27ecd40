//! The command line with several engines. The user does not notice when one of the engines stops.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use heliopause_proto::v1::StartGameRequest;
use heliopause_tests::{
    Engine, OfGame as _, Pair, Player, Postgres, Proxy, binary, certificate, until,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

fn inject_fault(pair: &mut Pair, round: usize) -> usize {
    let which = round % 2;
    let mut engine = pair.engines[which].take().expect("it runs");
    if (round / 2).is_multiple_of(2) {
        engine.kill();
    } else {
        assert!(engine.terminate().success());
    }
    which
}

fn cli(urls: &str, token: &str, home: &TempDir) -> Command {
    let mut command = Command::new(binary("cli-client"));
    command
        .args(["--engine", urls])
        .env("HELIOPAUSE_CONFIG_DIR", home.path())
        .env("HELIOPAUSE_TOKEN", token);
    command
}

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
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn numbers(lines: &[String]) -> Vec<u64> {
    let parts = lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let number = |part: Value| {
        let number = &part["event"]["number"];
        number.as_u64().or_else(|| number.as_str()?.parse().ok())
    };
    parts.filter_map(number).collect()
}

async fn alone(pair: &Pair) -> (Player, String) {
    let ada = pair.engine(0).player("Ada").await;
    let game_id = ada.create_with(0, |request| request.start_when_full = false).await.game_id;
    ada.does(StartGameRequest::of(&game_id)).await;
    (ada, game_id)
}

const MARK: &str = "mark (0,0)\ntake up (0,0)";

#[tokio::test(flavor = "multi_thread")]
async fn watch_continues_without_gaps_or_duplicates() {
    let Some(mut pair) = Pair::start(&[]) else { return };
    let (ada, game) = alone(&pair).await;
    let home = tempfile::tempdir().unwrap();
    let watch = Running::start(
        cli(&pair.urls(), &ada.token, &home).args(["--json", "watch", &game, "--from", "0"]),
    );
    for round in 0..4 {
        let harmed = inject_fault(&mut pair, round);
        let ada = ada.on(pair.engine(1 - harmed).channel().await);
        ada.order(&game, MARK, &format!("round {round}")).await.expect("the other engine takes it");
        let all: Vec<u64> = ada.all_events(&game).await.iter().map(|event| event.number).collect();
        until("all is heard", async || numbers(&watch.said()).len() >= all.len()).await;
        assert_eq!(numbers(&watch.said()), all);
        pair.start_engine(harmed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn play_continues_when_its_engine_stops() {
    let Some(mut pair) = Pair::start(&[]) else { return };
    let (ada, game) = alone(&pair).await;
    let home = tempfile::tempdir().unwrap();
    let mut play = Running::start(cli(&pair.urls(), &ada.token, &home).args(["play", &game]));
    until("it shows what there is to order", async || {
        play.said().iter().any(|line| line.contains("mark"))
    })
    .await;
    for round in 0..4 {
        // An event arrives while the engine that `play` is connected to is stopped.
        let there = ada.on(pair.engine((round + 1) % 2).channel().await);
        there.order(&game, MARK, &format!("round {round}")).await.expect("an engine takes it");
        let harmed = inject_fault(&mut pair, round);
        let before = there.all_events(&game).await.len();
        // Orders typed before `play` has received the event are rejected as outdated. Type them
        // again.
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
    let Some(mut pair) = Pair::start(&[]) else { return };
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
        let harmed = inject_fault(&mut pair, round);
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
async fn an_engine_without_its_database_is_skipped() {
    let Some(postgres) = Postgres::shared() else { return };
    let database = postgres.database("games");
    let line = Proxy::to(postgres.port()).await;
    let through = line.proxied(&database);
    let (well, ailing) = (Engine::on_database(&database, &[]), Engine::on_database(&through, &[]));
    let ada = well.player("Ada").await;
    line.cut();
    until("it says that it does not serve", async || !ailing.is_serving().await).await;
    let (home, urls) = (tempfile::tempdir().unwrap(), format!("{},{}", ailing.url(), well.url()));
    for _ in 0..6 {
        // Creating a game must not be repeated, so the first call must reach an available engine.
        let output = cli(&urls, &ada.token, &home)
            .args(["--json", "new", heliopause_tests::STARSHIPS])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_engine_presents_a_certificate_for_its_name() {
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
    let Some(mut pair) = Pair::start(&[]) else { return };
    let (ada, game) = alone(&pair).await;
    for (which, files) in [&one, &other].into_iter().enumerate() {
        pair.engines[which] = None;
        pair.arguments[which] = flags(files).to_vec();
        pair.start_engine(which);
    }
    let urls = format!("https://localhost:{},https://127.0.0.1:{}", pair.ports[0], pair.ports[1]);
    let home = tempfile::tempdir().unwrap();
    for round in 0..4 {
        let harmed = inject_fault(&mut pair, round);
        let mut command = cli(&urls, &ada.token, &home);
        let output =
            command.arg("--tls-ca").arg(&authorities).args(["show", &game]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        pair.start_engine(harmed);
    }
}
