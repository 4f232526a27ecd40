//! The load tool: measures the engine and baselines on the same machine, and prints ratios.

#![allow(clippy::cast_precision_loss, reason = "nothing that is counted here comes near 2^52")]

mod baseline;
mod figures;
mod games;
mod measure;
mod raw;
mod wire;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::measure::{Plan, Row};

/// Measure the engine service and baselines on this machine.
///
/// Starts the engine-service next to this program with data in a temporary directory, and calls it
/// over loopback. The baseline and the engine are measured in turns for several rounds. The table
/// shows the median of each, and the median of the rounds' ratios, to reduce the effect of other
/// load on the machine.
#[derive(Parser)]
#[command(name = "load", version, about, after_help = FIGURES, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The figures to measure [default: all].
    #[arg(value_enum, value_name = "FIGURE")]
    figures: Vec<Figure>,
    /// Duration of each measurement in seconds.
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// Number of rounds. Each round measures the baseline and the engine once.
    #[arg(long, default_value_t = 5, value_name = "N")]
    rounds: usize,
    /// Folder for temporary data directories; must be on a real disk [default: next to this
    /// program].
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// Exit with an error if a limit is missed.
    #[arg(long)]
    strict: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the baselines (started by this program).
    #[command(hide = true)]
    Baseline {
        /// Make entries durable: in SQLite in this directory, or in the database at this
        /// postgres:// address.
        #[arg(long)]
        keep_on: Option<String>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Figure {
    /// GetGame, 64 in flight, compared with a tonic echo.
    GetGame,
    /// SubmitOrders on a store in memory, 64 in flight, compared with a tonic echo.
    Submit,
    /// SubmitOrders on SQLite, 64 in flight, compared with raw SQLite appends.
    Durable,
    /// One game's events to 1,000 subscribers, compared with a tonic server stream.
    FanOut,
    /// Latency from a submit to its event at a subscriber, compared with one raw durable append.
    Latency,
    /// Start time with 10,000 games, and the memory of a loaded game.
    ColdStart,
    /// An early turn of a long game.
    Past,
    /// Several engines on PostgreSQL, compared with plain inserts.
    Database,
}

const FIGURES: &str = "\
Figures:
  get-game    64 calls in flight over 8 connections and 64 games. Baseline: a bare tonic server, in a
              process of its own, that answers messages of the same sizes. Limit: at least 60 %.
  submit      The same for SubmitOrders with one typed order, engine with --data :memory:, one call in
              flight in each of 64 games. Limit: at least 60 %.
  durable     The same with SQLite, synchronous=FULL. Baseline: one thread that group-commits entries of
              the same size into a bare SQLite table (WAL, FULL), 64 appends in flight, no network.
              Limit: at least 60 %. Also shown: a bare tonic server in front of that thread, which is
              the fastest possible service over SQLite here, without a limit.
  fan-out     One game's events to 1,000 spectators' streams over 10 connections, 60 orders per submit.
              Baseline: a bare tonic server stream of messages of the same size to as many readers, that
              waits only for its readers. Limit: at least 50 %.
  latency     p99 from sending a submit to its event at a subscriber, one at a time, SQLite FULL.
              Baseline: p99 of one raw durable append, alternating with it. Limit: below 3 times.
  cold-start  From starting the engine to its ready line, with 10,000 games in its journal. Limit: below
              1 s. Then the memory that each of 5,000 loaded games takes.
  past        A view of turn 40 of a game of Star Empires that 12 automated empires played to turn 42 on
              SQLite: everything, as visible to all once the game is over. Limit: below 20 ms.
  database    SubmitOrders as in durable, on a PostgreSQL that is started for this (it must be installed).
              Baseline: entries of the same size, all waiting ones in one INSERT, 64 in flight over
              two connections, no network. Limit: at least 50 %. Also shown: a bare tonic server in front of
              those inserts. Then one client's submits beside a second engine, which must not slow it
              down, and opening a game of 1,000 entries at another engine: below 20 ms.

This program does not decode the answers of the engine and the baselines, so that the figures measure
the servers. Servers and this program share the machine's cores.";

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("threads to run on");
    if let Some(Command::Baseline { keep_on }) = &cli.command {
        runtime.block_on(baseline::serve(keep_on.as_deref()));
        return ExitCode::SUCCESS;
    }
    let beside = || std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_owned()));
    let disk = cli.disk.clone().or_else(beside).expect("a program lies in a directory");
    let disk = disk.into_os_string().into_string().expect("a path in UTF-8");
    let plan = Plan { time: Duration::from_secs_f64(cli.seconds), rounds: cli.rounds, disk };
    let rows = runtime.block_on(run(&cli, &plan));
    println!();
    measure::print(&rows);
    if cli.strict && rows.iter().any(Row::is_missed) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

async fn run(cli: &Cli, plan: &Plan) -> Vec<Row> {
    let wanted = |figure: &&Figure| cli.figures.is_empty() || cli.figures.contains(figure);
    let mut rows = Vec::new();
    for figure in Figure::value_variants().iter().filter(wanted) {
        match figure {
            Figure::GetGame => rows.push(figures::get_game(plan).await),
            Figure::Submit => rows.push(figures::submit(plan).await),
            Figure::Durable => rows.extend(figures::durable(plan).await),
            Figure::FanOut => rows.push(figures::fan_out(plan).await),
            Figure::Latency => rows.push(figures::latency(plan).await),
            Figure::ColdStart => rows.extend(figures::cold_start(plan).await),
            Figure::Past => rows.push(figures::past(plan).await),
            Figure::Database => rows.extend(figures::database(plan).await),
        }
    }
    rows
}
