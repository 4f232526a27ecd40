//! The worker: answers leased decisions over one stream to an engine until stopped.
//!
//! **Invariant.** Nothing that an engine sends can end the process. The worker ignores malformed
//! messages or returns their leases. If a bot panics, the worker returns only the bot's lease. If
//! the stream is lost, the worker opens a new one.

mod backoff;
mod connect;
mod correction;
mod lease_table;
mod session;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use heliopause_client::connect::Addresses;
use heliopause_client::connect::dial::Dial;
use heliopause_proto::v1::{Hello, WorkerProfile};
use tokio::sync::watch;

use crate::bot::Level;
use crate::games::GameAdapter;
use backoff::Backoff;

pub use connect::Tls;

/// The configuration of a worker.
#[derive(Clone, Debug)]
pub struct Settings {
    pub engines: Addresses,
    /// The token's file. Read before each connection attempt, because the token may change.
    pub token_file: PathBuf,
    pub tls: Tls,
    pub name: String,
    pub concurrency: usize,
    pub plays: Vec<Plays>,
    pub dial: Arc<dyn Dial>,
    pub executor: BotExecutor,
}

/// The threads that run a worker's bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotExecutor {
    BlockingPool,
    /// The current runtime, with each answer delayed. For simulations, which have one thread.
    CurrentRuntime(Duration),
}

/// A profile of a game, with the levels to play.
#[derive(Clone, Copy, Debug)]
pub struct Plays {
    pub adapter: &'static dyn GameAdapter,
    pub profile: &'static str,
    pub levels: Levels,
}

/// A set of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels([bool; Level::ALL.len()]);

impl FromIterator<Level> for Levels {
    fn from_iter<I: IntoIterator<Item = Level>>(levels: I) -> Self {
        let mut set = [false; Level::ALL.len()];
        for level in levels {
            set[level as usize] = true;
        }
        Self(set)
    }
}

impl Levels {
    pub fn iter(self) -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(move |&level| self.0[level as usize])
    }
}

impl std::fmt::Display for Plays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let levels: Vec<&str> = self.levels.iter().map(Level::as_str).collect();
        write!(f, "{}/{} ({})", self.adapter.kind(), self.profile, levels.join(", "))
    }
}

impl Settings {
    pub fn hello(&self) -> Hello {
        let profile = |plays: &Plays| WorkerProfile {
            kind: plays.adapter.kind().to_owned(),
            profile: plays.profile.to_owned(),
            levels: plays.levels.iter().map(|level| level.to_string()).collect(),
        };
        Hello {
            worker: self.name.clone(),
            profiles: self.plays.iter().map(profile).collect(),
            capacity: u32::try_from(self.concurrency).unwrap_or(u32::MAX),
        }
    }

    /// Checks that the token and certificates can be read, so that the program can exit at once.
    pub fn check(&self) -> Result<()> {
        connect::check(self)
    }

    fn find(&self) -> lease_table::Find {
        let plays = self.plays.clone();
        Arc::new(move |kind| {
            plays.iter().map(|plays| plays.adapter).find(|adapter| adapter.kind() == kind)
        })
    }
}

#[derive(Debug)]
enum End {
    /// Stopped on request. The leases were returned.
    Stopped,
    /// `welcomed` is true if the engine had accepted the stream.
    Lost { welcomed: bool, why: String },
}

/// Runs the worker until stopped. Logs all failures and tries again.
pub async fn run(settings: &Settings, mut stop: watch::Receiver<bool>) {
    let mut backoff = Backoff::new();
    while !*stop.borrow() {
        match session::work(settings, &mut stop).await {
            End::Stopped => break,
            End::Lost { welcomed, why } => {
                if welcomed {
                    backoff.reset();
                }
                let wait = if settings.engines.are_several() {
                    backoff.next_elsewhere()
                } else {
                    backoff.next()
                };
                tracing::warn!("{why}; next attempt in {:.1} s", wait.as_secs_f64());
                tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = stopped(&mut stop) => break,
                }
            }
        }
    }
    tracing::info!("stopped");
}

/// Waits until a stop is requested or the sender is dropped.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
