//! Cuts the power at every write of the store.
//!
//! The store writes by itself, in a program of its own, while strace notes each of its calls. From
//! these a disk is put together as a power cut at any moment may leave it; the store opens it, and
//! all that was acknowledged until then must be there.
//!
//! | module | concern |
//! | --- | --- |
//! | `load` | what is written |
//! | `trace` | what strace saw of it |
//! | `disk` | what a cut leaves |
//! | `look` | what must be there |

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
use crate::look::Said;
use crate::trace::Event;

/// Cuts the power at every write of the store, and looks whether what was acknowledged is there.
///
/// Needs strace. Ends with an error if a cut lost something, and tells which.
#[derive(Parser)]
#[command(name = "powercut", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Task>,
    /// After how many cuts to end; they are spread over all that was written
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    states: u64,
    /// How many steps each of four games makes
    #[arg(long, default_value_t = 40, value_name = "N")]
    steps: u64,
    /// What a cut leaves is drawn from this
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// How many cuts are looked at together
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: u64,
    /// A disk that says it flushed and did not: losses must be found, and end the program well
    #[arg(long)]
    lying_disk: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Write as the recorded program (started by this program itself)
    #[command(hide = true)]
    Write { folder: PathBuf, steps: u64 },
}

/// A cut: what it left, and what must be in it.
struct State {
    nth: u64,
    /// After so many events.
    at: usize,
    cut: Cut,
    found: Found,
    said: Arc<Said>,
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

/// Looks at states in several threads while they are made. Answers how many, and how many were bad.
fn look_at_all(cli: &Cli, events: &[Event]) -> Result<(u64, u64)> {
    let (states, taken) = sync_channel(4);
    let (taken, losses) = (Mutex::new(taken), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let lookers = (0..cli.threads).map(|_| scope.spawn(|| look_on(&taken, &losses)));
        let lookers: Vec<_> = lookers.collect();
        let made = make(cli, events, &states);
        drop(states);
        for looker in lookers {
            looker.join().map_err(|_| anyhow::anyhow!("a look panicked"))??;
        }
        Ok((made?, losses.load(Ordering::Relaxed)))
    })
}

/// Makes the states, as many after each change.
fn make(cli: &Cli, events: &[Event], states: &SyncSender<State>) -> Result<u64> {
    let honesty = if cli.lying_disk { Honesty::Lying } else { Honesty::Honest };
    let (mut disk, mut said) = (Disk::new(honesty), Arc::new(Said::default()));
    let (mut made, mut chance) = (0, Pcg64::seed_from_u64(cli.seed));
    for (at, event) in events.iter().enumerate() {
        if let Event::Said(line) = event {
            Arc::make_mut(&mut said).hear(line)?;
        }
        disk.apply(event);
        let wanted = cli.states * (at as u64 + 1) / events.len() as u64;
        while made < wanted {
            let cut = Cut::ALL[(made % Cut::ALL.len() as u64) as usize];
            let found = disk.cut(cut, &mut chance);
            let state = State { nth: made, at, cut, found, said: Arc::clone(&said) };
            states.send(state).context("nobody looks any more")?;
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

/// Where folders are kept in memory, if there is such a place.
fn memory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}
