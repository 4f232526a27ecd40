//! A kit that shows whether a client does what the contract asks of it, however the line or the
//! engine behaves.
//!
//! The client under test plays a game to its end, once for each case. It is connected with a proxy
//! that passes its calls to a real engine and makes go wrong what the case says; a witness takes
//! down what the client does that it must not. A client that only watches is shown a game whose
//! seats the kit plays itself.

use std::pin::pin;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{CreateGameRequest, GameStatus, GetGameRequest, OpenSeat, SeatPlan};
use tokio::net::TcpListener;
use tokio::process::Command;
use tonic::transport::Endpoint;

use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::global::Global;
use crate::terminal::Out;
use crate::text::count;
use heliopause_scenario::engine::OwnEngine;

pub mod cases;
pub mod frames;
pub mod proxy;
mod watched;
pub mod witness;

use cases::{CASES, Case, WATCHING};
use proxy::Stage;
use watched::Watched;

/// How often is looked whether the client listens.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Test a client of your own.
#[derive(Debug, Args)]
#[command(after_help = "\
The client under test is a command. It is started anew for each case, with an account and a game in
which that account has the only seat; it plays the game to its end and exits with 0. In the command
{engine}, {address}, {game} and {token} are replaced by the engine's URL, its host and port, the
game's id and the account's token; the environment has them as HELIOPAUSE_ENGINE, HELIOPAUSE_GAME
and HELIOPAUSE_TOKEN. What the client talks to is a proxy before a real engine that is started for
the run with an AI client beside it (HELIOPAUSE_ENGINE_BIN, HELIOPAUSE_AI_BIN). It makes go wrong
what the case says.

With --watch the kit plays all seats itself, from the moment at which the client listens. The
client's account has none: it follows the game by StreamEvents and exits with 0 once it is told
that the game has ended. It is judged by its calls, and with --printed by its output too.

Examples:
  cli-client conformance --list
  cli-client conformance -- python bot.py --engine {address} --token {token} --game {game}
  cli-client conformance --case answers-lost --patience 300 -- ./my-bot
  cli-client conformance --watch --printed -- node spectator.js --engine {address} --game {game}")]
pub struct ConformanceArgs {
    /// Only this case; may be repeated.
    #[arg(long = "case", value_name = "NAME")]
    pub cases: Vec<String>,
    /// Say what cases there are.
    #[arg(long)]
    pub list: bool,
    /// The client only watches: the kit plays the game. Cases of orders are left out.
    #[arg(long)]
    pub watch: bool,
    /// The client prints a line with number and text of each event: none is missing, comes twice or
    /// out of turn.
    #[arg(long, requires = "watch")]
    pub printed: bool,
    /// Where the client under test connects; port 0 takes a free one.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub listen: String,
    /// The kind of game that is played.
    #[arg(long, value_name = "KIND", default_value = "starships-at-large")]
    pub kind: String,
    /// How many seconds a case may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub patience: u64,
    /// The client under test, and its arguments.
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "list")]
    pub command: Vec<String>,
}

/// What came of a case.
struct Verdict {
    case: &'static Case,
    faults: Vec<String>,
    streams: usize,
    orders: usize,
    calls: usize,
    took: Duration,
}

/// Runs the cases. Fails if the client does.
pub async fn run(global: &Global, args: &ConformanceArgs) -> Result<(), Failure> {
    let context = Context::new(global)?;
    let all = if args.watch { WATCHING } else { CASES };
    if args.list {
        for case in all {
            Out::Answer.say(&format!("{:16} {}", case.name, case.wants))?;
        }
        return Ok(());
    }
    let cases = chosen(&args.cases, all)?;
    let mut own = OwnEngine::start().await?;
    // What the game plays itself, such as a Death Star that wakes, is answered too; otherwise some
    // games never end.
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
    if context.json {
        Ok(())
    } else {
        Out::Answer.say(&format!("The client passed {}.", count(cases.len(), "case")))
    }
}

fn chosen(names: &[String], all: &'static [Case]) -> Result<Vec<&'static Case>, Failure> {
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let find = |name: &String| {
        all.iter().find(|case| case.name == name).ok_or_else(|| {
            Failure::usage(format!("There is no case `{name}`.")).advise(
                "`cli-client conformance --list` shows them all, with --watch those of clients \
                 that only watch.",
            )
        })
    };
    names.iter().map(find).collect()
}

async fn one(
    engine: &str,
    case: &'static Case,
    args: &ConformanceArgs,
) -> Result<Verdict, Failure> {
    let stage = Arc::new(Stage::new(case.trouble));
    let listener = TcpListener::bind(&args.listen).await.map_err(|error| {
        Failure::failed(format!("--listen {}: {error}.", args.listen))
            .advise("Port 0 takes a free one.")
    })?;
    let address = listener.local_addr()?.to_string();
    let behind = Endpoint::from_shared(engine.to_owned())
        .map_err(|error| Failure::failed(format!("{error}.")))?;
    let begun = Instant::now();
    let serve = || tokio::spawn(proxy::serve(listener, behind.connect_lazy(), Arc::clone(&stage)));
    let mut faults = if args.watch {
        let game = Watched::set(engine, &args.kind).await?;
        let serving = serve();
        let faults = watch(args, &address, &game, &stage).await;
        serving.abort();
        faults?
    } else {
        let table = Table::set(engine, &args.kind).await?;
        let serving = serve();
        let client = client(args, &address, &table.game_id, &table.token).await;
        serving.abort();
        let mut faults: Vec<String> = client?.fault.into_iter().collect();
        if !table.is_over().await? {
            faults.push("the game is not over".to_owned());
        }
        faults
    };
    faults.splice(0..0, stage.witness.faults());
    let (streams, orders) = stage.witness.done();
    Ok(Verdict { case, faults, streams, orders, calls: stage.calls(), took: begun.elapsed() })
}

/// Lets the client watch while the kit plays, and says what is wrong.
async fn watch(
    args: &ConformanceArgs,
    address: &str,
    game: &Watched,
    stage: &Stage,
) -> Result<Vec<String>, Failure> {
    let mut client = pin!(client(args, address, &game.game_id, &game.token));
    let playing = async {
        while stage.witness.done().0 == 0 {
            tokio::time::sleep(LOOK_AGAIN).await;
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
    if !stage.witness.told_the_end() {
        return Ok(vec!["the client ended before it was told that the game is over".to_owned()]);
    }
    Ok(if args.printed { stage.witness.misprinted(&client.output) } else { Vec::new() })
}

/// A game and the account that plays it.
struct Table {
    engine: Engine,
    token: String,
    game_id: String,
}

impl Table {
    async fn set(engine: &str, kind: &str) -> Result<Self, Failure> {
        let (engine, token) = watched::account(engine).await?;
        let request = CreateGameRequest {
            kind: kind.to_owned(),
            name: "A client under test".to_owned(),
            seats: vec![SeatPlan { plan: Some(Plan::Open(OpenSeat {})), ..SeatPlan::default() }],
            start_when_full: true,
            ..CreateGameRequest::default()
        };
        let game = engine.games().create_game(request).await?.into_inner().game.unwrap_or_default();
        Ok(Self { engine, token, game_id: game.game_id })
    }

    async fn is_over(&self) -> Result<bool, Failure> {
        let request = GetGameRequest { game_id: self.game_id.clone(), ..GetGameRequest::default() };
        let game =
            self.engine.games().get_game(request).await?.into_inner().game.unwrap_or_default();
        Ok(game.status() == GameStatus::Ended)
    }
}

/// How a client under test ended.
struct Ended {
    /// What is wrong with that.
    fault: Option<String>,
    /// What it wrote to its standard output.
    output: String,
}

impl Ended {
    fn wrong(fault: String) -> Self {
        Self { fault: Some(fault), output: String::new() }
    }
}

/// Runs the client until it ends.
async fn client(
    args: &ConformanceArgs,
    address: &str,
    game_id: &str,
    token: &str,
) -> Result<Ended, Failure> {
    let url = format!("http://{address}");
    let fill = |word: &String| {
        word.replace("{engine}", &url)
            .replace("{address}", address)
            .replace("{game}", game_id)
            .replace("{token}", token)
    };
    let words: Vec<String> = args.command.iter().map(fill).collect();
    let Some((program, rest)) = words.split_first() else {
        return Ok(Ended::wrong("there is no command".to_owned()));
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
        .map_err(|error| Failure::usage(format!("`{program}` does not start: {error}.")))?;
    let Ok(output) =
        tokio::time::timeout(Duration::from_secs(args.patience), running.wait_with_output()).await
    else {
        return Ok(Ended::wrong(format!("the client had not ended after {} s", args.patience)));
    };
    let ended = output?;
    let output = String::from_utf8_lossy(&ended.stdout).into_owned();
    if ended.status.success() {
        return Ok(Ended { fault: None, output });
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let last: Vec<&str> = said.lines().rev().take(3).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Ok(Ended {
        fault: Some(format!("the client ended with {}: {}", ended.status, last.join(" / "))),
        output,
    })
}

impl Verdict {
    fn text(&self) -> String {
        let Self { case, faults, streams, orders, took, .. } = self;
        let mark = if faults.is_empty() { "ok   " } else { "WRONG" };
        let done = format!(
            "{}, {}, {:.1} s",
            count(*streams, "stream"),
            count(*orders, "order"),
            took.as_secs_f64()
        );
        let mut text = format!("{mark} {:16} {} ({done})", case.name, case.wants);
        for fault in faults {
            text.push_str("\n        ");
            text.push_str(fault);
        }
        text
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
