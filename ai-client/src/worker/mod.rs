//! The worker: one stream to an engine, leases in, answers out, for ever.
//!
//! | module | what it is |
//! | --- | --- |
//! | `connect` | the channel: address, TLS, token |
//! | `session` | one stream from Hello to its end |
//! | `desk` | the leases that are held: the protocol as a state machine without I/O |
//! | `correction` | what to answer after a refusal |
//! | `backoff` | how long to wait before the next attempt |
//!
//! **Invariant.** Nothing that an engine sends can end the process: a malformed message is ignored
//! or its lease given back, a panic in a bot gives one lease back, and a lost stream is opened
//! anew.

mod backoff;
mod connect;
mod correction;
mod desk;
mod session;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use heliopause_connect::Addresses;
use heliopause_connect::dial::Dial;
use heliopause_proto::v1::{Hello, WorkerProfile};
use tokio::sync::watch;

use crate::bot::Level;
use crate::games::Kit;
use backoff::Backoff;

pub use connect::Tls;

/// What a worker needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine, or several that share their games.
    pub engines: Addresses,
    /// The file that holds the worker's token. Read again before each attempt, so the token may
    /// change.
    pub token_file: PathBuf,
    /// Certificates, for engines that are named by https.
    pub tls: Tls,
    /// A name for the engine's logs.
    pub name: String,
    /// How many decisions it takes at once.
    pub concurrency: usize,
    pub plays: Vec<Plays>,
    /// How it connects.
    pub dial: Arc<dyn Dial>,
    pub thinks: Thinks,
}

/// Where a worker thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinks {
    /// On threads of their own.
    Apart,
    /// Where everything else is, and answers so much later: what is one thread stays one.
    Here(Duration),
}

/// A profile of one game that is played.
#[derive(Clone, Copy, Debug)]
pub struct Plays {
    /// The game.
    pub kit: &'static dyn Kit,
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
    /// The levels, weakest first.
    pub fn iter(self) -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(move |&level| self.0[level as usize])
    }
}

impl std::fmt::Display for Plays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let levels: Vec<&str> = self.levels.iter().map(Level::as_str).collect();
        write!(f, "{}/{} ({})", self.kit.kind(), self.profile, levels.join(", "))
    }
}

impl Settings {
    /// How such a worker says Hello.
    pub fn hello(&self) -> Hello {
        let profile = |plays: &Plays| WorkerProfile {
            kind: plays.kit.kind().to_owned(),
            profile: plays.profile.to_owned(),
            levels: plays.levels.iter().map(|level| level.to_string()).collect(),
        };
        Hello {
            worker: self.name.clone(),
            profiles: self.plays.iter().map(profile).collect(),
            capacity: u32::try_from(self.concurrency).unwrap_or(u32::MAX),
        }
    }

    /// Checks that the token and the certificates can be read: a program that is started without
    /// them ends at once.
    pub fn check(&self) -> Result<()> {
        connect::check(self)
    }

    fn find(&self) -> desk::Find {
        let plays = self.plays.clone();
        Arc::new(move |kind| plays.iter().map(|plays| plays.kit).find(|kit| kit.kind() == kind))
    }
}

/// How a session ended.
#[derive(Debug)]
enum End {
    /// It was asked to stop, and has given its leases back.
    Stopped,
    /// The stream was lost; whether it was welcomed before.
    Lost { welcomed: bool, why: String },
}

/// Works until told to stop. Whatever goes wrong is logged and tried again.
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

/// Resolves once the worker shall stop, also when nobody is left to say so.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
