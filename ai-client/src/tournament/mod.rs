//! Tournaments of bots in one process. They show which level plays better, by how much, and with
//! what confidence.
//!
//! A **set** of games plays the same seed (board and dice) once for every rotation of the line-up
//! around the table, so that luck with the board and the advantage of a seat cancel out. The games
//! of a set are not independent, so the set is the unit of all statistics.
//!
//! **Invariant.** A bot gets its seat's view and nothing else of the game.
//!
//! **Invariant.** The same plan gives the same report, except for times, on any number of threads.

#![expect(
    clippy::cast_precision_loss,
    reason = "statistics count games and points, far below 2^52"
)]

mod match_up;
mod report;
mod statistics;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result, ensure};

use crate::bot::{Level, Stop};
use crate::games::{Playable, edition};
use match_up::Table;

pub use match_up::{GameReport, SeatScore};
pub use report::{
    AutomataReport, PairReport, PlaceReport, PlayerReport, Report, Rounds, SeatReport, Times,
};
pub use statistics::Estimate;

/// The parameters of a tournament.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The players fill the seats in turn, repeatedly if needed.
    pub players: Vec<Level>,
    pub seats: usize,
    /// The last set is always completed, so more games may be played.
    pub games: usize,
    pub automata: Level,
    pub seed: u64,
    /// Maximum number of turns, in games that need a limit.
    pub turns: Option<u32>,
    pub threads: usize,
    /// Called after each set with the number of completed sets and the number of all sets.
    pub progress: fn(usize, usize),
    /// Stops the tournament early. The report then covers the completed sets.
    pub stop: Stop,
}

impl Plan {
    /// Returns a plan on one thread, with the defaults of the command line.
    pub fn new(players: Vec<Level>, seats: usize, games: usize) -> Self {
        let (automata, seed, turns, threads) = (Level::Standard, 1, None, 1);
        let (progress, stop) = ((|_, _| {}) as fn(usize, usize), Stop::new());
        Self { players, seats, games, automata, seed, turns, threads, progress, stop }
    }

    fn line_up(&self) -> Vec<Level> {
        self.players.iter().copied().cycle().take(self.seats).collect()
    }

    fn rotations(&self) -> usize {
        let line_up = self.line_up();
        let repeats = |by: &usize| {
            (0..line_up.len()).all(|seat| line_up[seat] == line_up[(seat + by) % line_up.len()])
        };
        (1..line_up.len()).find(repeats).unwrap_or(line_up.len())
    }

    /// Returns every rotation of the line-up, or every level alone if there is one seat.
    fn line_ups(&self) -> Vec<Vec<Level>> {
        if self.seats == 1 {
            return self.levels().into_iter().map(|level| vec![level]).collect();
        }
        let rotated = |by| {
            let mut seats = self.line_up();
            seats.rotate_right(by);
            seats
        };
        (0..self.rotations()).map(rotated).collect()
    }

    fn levels(&self) -> Vec<Level> {
        let mut levels = Vec::new();
        for &level in &self.players {
            if !levels.contains(&level) {
                levels.push(level);
            }
        }
        levels
    }

    fn sets(&self) -> usize {
        self.games.div_ceil(self.line_ups().len())
    }
}

/// Plays a tournament of the edition with the id `kind`.
pub fn play<G: Playable>(kind: &str, plan: &Plan) -> Result<Report> {
    let edition =
        edition::<G>(kind).with_context(|| format!("{} has no edition {kind:?}", G::NAME))?;
    let options = G::tournament_options(&edition, plan.turns);
    let allowed = G::players(&options);
    let (fewest, most) = (allowed.start(), allowed.end());
    ensure!(
        allowed.contains(&plan.seats),
        "--seats: {} is not possible; {} takes {fewest}{}",
        plan.seats,
        edition.name,
        if fewest == most { String::new() } else { format!(" to {most}") }
    );
    ensure!(!plan.players.is_empty(), "--players: specify at least one level");
    ensure!(plan.games > 0, "--games: 0 is too small; the minimum is 1");
    let sets = play_sets::<G>(&options, plan)?;
    let names =
        G::cast(&options, plan.seats).roles.into_iter().filter(|role| !role.always_automated);
    let names: Vec<String> = names.map(|role| role.name).collect();
    Ok(Report::new(plan, &sets, &names, G::score(&edition)))
}

fn play_sets<G: Playable>(options: &G::Options, plan: &Plan) -> Result<Vec<Vec<GameReport>>> {
    let (count, next) = (plan.sets(), AtomicUsize::new(0));
    let done: Mutex<Vec<(usize, Result<Vec<GameReport>>)>> = Mutex::new(Vec::with_capacity(count));
    let work = || {
        loop {
            let set = next.fetch_add(1, Ordering::Relaxed);
            if set >= count {
                return;
            }
            let Some(records) = play_set::<G>(options, plan, set).transpose() else { return };
            let mut done = done.lock().expect("no thread panics while it holds the list");
            done.push((set, records));
            (plan.progress)(done.len(), count);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("no thread panics while it holds the list");
    done.sort_by_key(|(set, _)| *set);
    done.into_iter().map(|(_, records)| records).collect()
}

/// Plays the games of a set. Returns `None` if the tournament was stopped.
fn play_set<G: Playable>(
    options: &G::Options,
    plan: &Plan,
    set: usize,
) -> Result<Option<Vec<GameReport>>> {
    plan.line_ups().iter().map(|seats| Table::<G>::new(options, seats, plan, set)?.play()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(players: &[Level], seats: usize, games: usize) -> Plan {
        Plan::new(players.to_vec(), seats, games)
    }

    #[test]
    fn line_ups_include_every_distinct_rotation() {
        let (a, b) = (Level::Strong, Level::Random);
        assert_eq!(plan(&[a, b], 4, 5).line_up(), [a, b, a, b]);
        assert_eq!(plan(&[a, b], 4, 5).rotations(), 2);
        assert_eq!(plan(&[a, b], 4, 5).sets(), 3);
        assert_eq!(plan(&[a, b, b, b], 4, 8).rotations(), 4);
        assert_eq!(plan(&[a, b], 3, 8).rotations(), 3);
        assert_eq!(plan(&[a], 1, 8).line_ups(), [[a]]);
        assert_eq!(plan(&[a, b], 1, 8).line_ups(), [[a], [b]]);
        assert_eq!(plan(&[a, b, a], 1, 9).sets(), 5);
        assert_eq!(plan(&[a], 4, 8).rotations(), 1);
    }
}
