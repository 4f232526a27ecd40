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

const FIGURES: &str = include_str!("figures.txt");

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
