//! Cuts the power at every write of the store.
//!
//! The store runs in a separate program while strace records its calls. From these calls, this
//! program builds the disk that a power cut at any moment can leave. The store then opens that
//! disk, which must have everything that was acknowledged before the cut.

mod disk;
mod load;
mod look;
mod trace;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use crate::disk::{Cut, Disk, Found, Honesty};
use crate::look::Acknowledged;
use crate::trace::Event;

/// Cut the power at every write of the store, and check that everything acknowledged is there.
///
/// Needs strace. Prints the first ten losses, and exits with an error if there are any.
#[derive(Parser)]
#[command(name = "powercut", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Task>,
    /// Number of cuts, spread over everything that was written.
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    states: u64,
    /// Number of steps of each of the four games.
    #[arg(long, default_value_t = 40, value_name = "N")]
    steps: u64,
    /// Seed for choosing the data that a cut leaves.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of cuts checked in parallel.
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: u64,
    /// Use a disk that reports flushes without flushing. The run succeeds only if losses are found.
    #[arg(long)]
    lying_disk: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Run as the recorded program (started by this program).
    #[command(hide = true)]
    Write { folder: PathBuf, steps: u64 },
}

struct State {
    nth: u64,
    at: usize,
    cut: Cut,
    found: Found,
    said: Arc<Acknowledged>,
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    if let Some(Task::Write { folder, steps }) = cli.command {
        runtime()?.block_on(load::write(&folder, steps))?;
        return Ok(ExitCode::SUCCESS);
    }
    let events = record(cli.steps)?;
    let writes = events.iter().filter(|event| matches!(event, Event::Wrote { .. })).count();
    println!("{writes} writes in {} events are recorded", events.len());
    let (looked, losses) = look_at_all(&cli, &events)?;
    println!("{looked} states after a cut: {losses} lost something or could not be opened");
    Ok(if (losses > 0) == cli.lying_disk { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

fn record(steps: u64) -> Result<Vec<Event>> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let mut program = Command::new(std::env::current_exe()?);
    program.arg("write").arg(&root).arg(steps.to_string());
    trace::record(program, &root)
}

fn look_at_all(cli: &Cli, events: &[Event]) -> Result<(u64, u64)> {
    let (states, taken) = sync_channel(4);
    let (taken, losses) = (Mutex::new(taken), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let lookers = (0..cli.threads).map(|_| scope.spawn(|| look_on(&taken, &losses)));
        let lookers: Vec<_> = lookers.collect();
        let made = make(cli, events, &states);
        drop(states);
        for looker in lookers {
            looker.join().map_err(|_| anyhow::anyhow!("a check panicked"))??;
        }
        Ok((made?, losses.load(Ordering::Relaxed)))
    })
}

fn make(cli: &Cli, events: &[Event], states: &SyncSender<State>) -> Result<u64> {
    let honesty = if cli.lying_disk { Honesty::Lying } else { Honesty::Honest };
    let (mut disk, mut said) = (Disk::new(honesty), Arc::new(Acknowledged::default()));
    let (mut made, mut chance) = (0, Pcg64::seed_from_u64(cli.seed));
    for (at, event) in events.iter().enumerate() {
        if let Event::Acknowledged(line) = event {
            Arc::make_mut(&mut said).hear(line)?;
        }
        disk.apply(event);
        let wanted = cli.states * (at as u64 + 1) / events.len() as u64;
        while made < wanted {
            let cut = Cut::ALL[(made % Cut::ALL.len() as u64) as usize];
            let found = disk.cut(cut, &mut chance);
            let state = State { nth: made, at, cut, found, said: Arc::clone(&said) };
            states.send(state).context("all checks have stopped")?;
            made += 1;
        }
    }
    Ok(made)
}

fn look_on(states: &Mutex<Receiver<State>>, losses: &AtomicU64) -> Result<()> {
    let runtime = runtime()?;
    loop {
        let next = states.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(State { nth, at, cut, found, said }) = next else { return Ok(()) };
        let folder = tempfile::tempdir_in(memory())?;
        let looked = runtime.block_on(look::look(folder.path(), &found, &said, nth));
        if let Err(loss) = looked
            && losses.fetch_add(1, Ordering::Relaxed) < 10
        {
            println!("LOST after event {at}, cut {nth} ({cut:?}): {loss:#}");
        }
    }
}

fn memory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}
