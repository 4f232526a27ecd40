//! A kit that tests whether a client follows the contract despite faults.
//!
//! The client connects through a proxy, which injects the faults of a case. A witness records
//! violations. A client that only watches gets a game whose seats the kit plays.

use std::pin::pin;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::net::TcpListener;
use tokio::process::Command;
use tonic::transport::Endpoint;

use crate::context::Context;
use crate::failure::Failure;
use crate::global::Global;
use crate::terminal::Out;
use crate::text::count;
use heliopause_scenario::engine::PrivateEngine;

pub mod cases;
pub mod frames;
mod game;
pub mod proxy;
pub mod witness;

use cases::{CASES, Case};
use game::Game;
use proxy::CaseState;

/// Interval for checking whether the client has opened a stream.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Test your own client.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/conformance.txt"),
    // The command starts its own engine and rejects this global option, so its help hides it.
    arg(clap::Arg::new("engine").long("engine").hide(true).value_parser(no_engine)))]
pub struct ConformanceArgs {
    /// Run only this case; repeat for more.
    #[arg(long = "case", value_name = "NAME")]
    pub cases: Vec<String>,
    /// List the cases.
    #[arg(long)]
    pub list: bool,
    /// Test a client that only watches; omits the cases about orders.
    #[arg(long)]
    pub watch: bool,
    /// Check that the client prints one line for each event, with its number and text: none
    /// missing, repeated or out of order.
    #[arg(long, requires = "watch")]
    pub printed: bool,
    /// Address of the proxy for the client under test; port 0 selects a free port.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub listen: String,
    /// Kind of game, as listed by `kinds`.
    #[arg(long, value_name = "KIND", default_value = "starships-at-large")]
    pub kind: String,
    /// Timeout of a case in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub patience: u64,
    /// The client under test and its arguments.
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "list")]
    pub command: Vec<String>,
}

fn no_engine(_: &str) -> Result<String, &'static str> {
    Err("this command starts its own engine")
}

struct Verdict {
    case: &'static Case,
    faults: Vec<String>,
    streams: usize,
    orders: usize,
    calls: usize,
    took: Duration,
}

/// Runs the cases. Returns an error if the client fails one.
pub async fn run(global: &Global, args: &ConformanceArgs) -> Result<(), Failure> {
    let context = Context::new(global)?;
    let all = if args.watch { &CASES.watch } else { &CASES.play };
    if args.list {
        for case in all {
            Out::Stdout.say(&format!("{:16} {}", case.name, case.wants))?;
        }
        return Ok(());
    }
    let cases = chosen(&args.cases, all)?;
    let mut own = PrivateEngine::start().await?;
    // Some games never end unless automation plays the game's own seats, such as the Death Star.
    own.automate()?;
    let mut failed = 0;
    for case in &cases {
        let verdict = one(&own.url, case, args).await?;
        failed += usize::from(!verdict.faults.is_empty());
        context.answer_value(&verdict.json(), |_| verdict.text())?;
    }
    if failed > 0 {
        let told = format!("The client failed {failed} of {}.", count(cases.len(), "case"));
        return Err(Failure::failed(told).because("NOT_CONFORMANT"));
    }
    let told = format!("The client passed {}.", count(cases.len(), "case"));
    if context.json { Ok(()) } else { Out::Stdout.say(&told) }
}

fn chosen(names: &[String], all: &'static [Case]) -> Result<Vec<&'static Case>, Failure> {
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let find = |name: &String| {
        all.iter().find(|case| case.name == *name).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|case| case.name.as_str()).collect();
            Failure::usage(format!("Unknown case `{name}`.")).advise(format!(
                "The cases are {}. Clients that only watch have other cases; use --watch for them.",
                known.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
}

async fn one(
    engine: &str,
    case: &'static Case,
    args: &ConformanceArgs,
) -> Result<Verdict, Failure> {
    let stage = Arc::new(CaseState::new(case));
    let listener = TcpListener::bind(&args.listen).await.map_err(|error| {
        Failure::failed(format!("Cannot listen on {}: {error}.", args.listen))
            .advise("Port 0 selects a free port.")
    })?;
    let address = listener.local_addr()?.to_string();
    let behind = Endpoint::from_shared(engine.to_owned())
        .map_err(|error| Failure::failed(format!("Cannot connect to {engine}: {error}.")))?;
    let begun = Instant::now();
    let serve = || tokio::spawn(proxy::serve(listener, behind.connect_lazy(), Arc::clone(&stage)));
    let mut faults = if args.watch {
        let game = Game::watched(engine, &args.kind).await?;
        let serving = serve();
        let faults = watch(args, &address, &game, &stage).await;
        serving.abort();
        faults?
    } else {
        let game = Game::of_client(engine, &args.kind).await?;
        let serving = serve();
        let client = client(args, &address, &game.id, &game.token).await;
        serving.abort();
        let mut faults: Vec<String> = client?.fault.into_iter().collect();
        if !game.is_over().await? {
            faults.push("the game did not end".to_owned());
        }
        faults
    };
    faults.splice(0..0, stage.witness.faults());
    let (streams, orders) = stage.witness.done();
    Ok(Verdict { case, faults, streams, orders, calls: stage.calls(), took: begun.elapsed() })
}

async fn watch(
    args: &ConformanceArgs,
    address: &str,
    game: &Game,
    stage: &CaseState,
) -> Result<Vec<String>, Failure> {
    let mut client = pin!(client(args, address, &game.id, &game.token));
    let playing = async {
        while stage.witness.done().0 == 0 {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        game.play().await
    };
    let client = tokio::select! {
        client = &mut client => client?,
        played = playing => {
            played?;
            client.await?
        }
    };
    if let Some(fault) = client.fault {
        return Ok(vec![fault]);
    }
    if !stage.witness.end_was_sent() {
        return Ok(vec!["the client exited before it received the end of the game".to_owned()]);
    }
    Ok(if args.printed { stage.witness.print_faults(&client.output) } else { Vec::new() })
}

struct ClientExit {
    fault: Option<String>,
    output: String,
}

impl ClientExit {
    fn wrong(fault: String) -> Self {
        Self { fault: Some(fault), output: String::new() }
    }
}

async fn client(
    args: &ConformanceArgs,
    address: &str,
    game_id: &str,
    token: &str,
) -> Result<ClientExit, Failure> {
    let url = format!("http://{address}");
    let fill = |word: &String| {
        word.replace("{engine}", &url)
            .replace("{address}", address)
            .replace("{game}", game_id)
            .replace("{token}", token)
    };
    let words: Vec<String> = args.command.iter().map(fill).collect();
    let Some((program, rest)) = words.split_first() else {
        return Ok(ClientExit::wrong("no command given".to_owned()));
    };
    let running = Command::new(program)
        .args(rest)
        .env("HELIOPAUSE_ENGINE", &url)
        .env("HELIOPAUSE_GAME", game_id)
        .env("HELIOPAUSE_TOKEN", token)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Failure::usage(format!("Cannot start `{program}`: {error}.")))?;
    let patience = Duration::from_secs(args.patience);
    let Ok(ended) = tokio::time::timeout(patience, running.wait_with_output()).await else {
        let fault = format!("the client was still running after {} s", args.patience);
        return Ok(ClientExit::wrong(fault));
    };
    let ended = ended?;
    let output = String::from_utf8_lossy(&ended.stdout).into_owned();
    if ended.status.success() {
        return Ok(ClientExit { fault: None, output });
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let last: Vec<&str> = said.lines().rev().take(3).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    let fault = format!("the client failed with {}: {}", ended.status, last.join(" / "));
    Ok(ClientExit { fault: Some(fault), output })
}

impl Verdict {
    fn text(&self) -> String {
        let Self { case, faults, streams, orders, took, .. } = self;
        let mark = if faults.is_empty() { "ok   " } else { "WRONG" };
        let (streams, orders) = (count(*streams, "stream"), count(*orders, "order"));
        let done = format!("{streams}, {orders}, {:.1} s", took.as_secs_f64());
        let text = format!("{mark} {:16} {} ({done})", case.name, case.wants);
        faults.iter().fold(text, |text, fault| format!("{text}\n        {fault}"))
    }

    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "case": self.case.name,
            "wants": self.case.wants,
            "passed": self.faults.is_empty(),
            "faults": self.faults,
            "streams": self.streams,
            "orders": self.orders,
            "calls": self.calls,
            "seconds": self.took.as_secs_f64(),
        })
    }
}
