//! The `ai-client` program: see `ai-client --help`.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Parser as _;
use heliopause_ai::bot::Stop;
use heliopause_ai::cli::{BenchmarkArgs, Cli, Command, TournamentArgs, WorkArgs};
use heliopause_ai::tournament::{Progress, Sprt, benchmark};
use heliopause_ai::worker;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Some(Command::Tournament(args)) => tournament(args),
        Some(Command::Benchmark(args)) => print_benchmark(args),
        None => work(&cli.work),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ai-client: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn work(args: &WorkArgs) -> Result<()> {
    let filter = EnvFilter::try_new(&args.log).with_context(|| {
        format!("--log: {:?} is not a log filter; examples: info, heliopause_ai=debug", args.log)
    })?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_target(false);
    log.with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).init();
    let settings = args.settings()?;
    settings.check()?;
    let (stop, stopped) = watch::channel(false);
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stop.send_replace(true);
    });
    let plays: Vec<String> = settings.plays.iter().map(ToString::to_string).collect();
    tracing::info!(
        "{} working for {}; concurrent decisions: {}",
        settings.name,
        settings.engines,
        settings.concurrency
    );
    tracing::info!("playing {}", plays.join("; "));
    if let Some(address) = settings.engines.exposed() {
        tracing::warn!(
            "the connection to {address} is not encrypted: others on the network can read the \
             token; use https://"
        );
    }
    worker::run(&settings, stopped).await;
    Ok(())
}

fn tournament(args: &TournamentArgs) -> Result<()> {
    let stop = Stop::new();
    let (adapter, plan) = args.plan(progress, stop.clone())?;
    stop_at_signals(stop.clone())?;
    let report = adapter.tournament(&plan)?;
    clear_progress();
    let mut out = std::io::stdout();
    if args.json {
        writeln!(out, "{:#}", report.json())
    } else if args.each {
        writeln!(out, "{}\n\n{report}", report.each())
    } else {
        writeln!(out, "{report}")
    }
    .context("cannot print the report")?;
    ensure!(report.is_complete(), "interrupted after {} of {} sets", report.sets, report.planned);
    Ok(())
}

fn stop_at_signals(stop: Stop) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let entered = runtime.enter();
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    drop(entered);
    std::thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        });
        stop.stop();
    });
    Ok(())
}

fn print_benchmark(args: &BenchmarkArgs) -> Result<()> {
    let stop = Stop::new();
    let (adapters, plan) = (args.adapters()?, args.plan(progress, stop.clone()));
    stop_at_signals(stop.clone())?;
    for adapter in adapters {
        let table = benchmark::table(adapter, &plan)?;
        clear_progress();
        writeln!(std::io::stdout(), "{table}").context("cannot print the table")?;
        ensure!(!stop.stopped(), "interrupted");
    }
    Ok(())
}

fn progress(progress: &Progress) {
    let Progress { sets, planned, ratio } = *progress;
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[Kset {sets} of {planned}");
        if let Some(ratio) = ratio {
            eprint!(", log-likelihood ratio {ratio:.2} (decided at ±{:.2})", Sprt::BOUND);
        }
    }
}

fn clear_progress() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}
