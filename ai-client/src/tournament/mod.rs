//! Tournaments of bots in one process. They show which level plays better, by how much, and with
//! what confidence.
//!
//! A **set** of games plays the same seed (board and dice) once for every rotation of the line-up
//! around the table, so that luck with the board and the advantage of a seat cancel out. The games
//! of a set are not independent, so the set is the unit of all statistics. A sequential test
//! ([`Sprt`]) ends the tournament as soon as the sets decide which player is better.
//!
//! **Invariant.** A bot gets its seat's view and nothing else of the game.
//!
//! **Invariant.** The same plan gives the same report, except for times, on any number of threads.

#![expect(
    clippy::cast_precision_loss,
    reason = "statistics count games and points, far below 2^52"
)]

pub mod benchmark;
mod mail;
mod match_up;
mod player;
mod rating;
mod report;
mod statistics;

use std::fs::File;
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::bot::{Level, Stop};
use crate::games::{Playable, edition};
use match_up::Table;

pub use match_up::{GameReport, SeatScore};
pub use player::{Exploit, NoSuchPlayer, Player};
pub use report::{
    AutomataReport, PairReport, PlaceReport, PlayerReport, Report, Rounds, SeatReport, SprtReport,
    Times,
};
pub use statistics::{Estimate, Sprt, Verdict};

/// The parameters of a tournament.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The players fill the seats in turn, repeatedly if needed.
    pub players: Vec<Player>,
    pub seats: usize,
    /// The last set is always completed, so more games may be played.
    pub games: usize,
    /// Number of the first set, from 0. The sets before it are not played.
    pub first_set: usize,
    /// Ends the tournament when this test of the first two players is decided.
    pub sprt: Option<Sprt>,
    pub automata: Level,
    pub seed: u64,
    /// Maximum number of turns, in games that need a limit.
    pub turns: Option<u32>,
    pub threads: usize,
    /// Called after each set.
    pub progress: fn(&Progress),
    /// Stops the tournament early. The report then covers the completed sets. A decided test sets
    /// it, too.
    pub stop: Stop,
    /// A file that gets a line of JSON for each game when the game ends, also for games of sets
    /// that are not completed.
    pub out: Option<Arc<Mutex<File>>>,
}

/// The progress of a tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub sets: usize,
    pub planned: usize,
    /// The logarithm of the ratio of likelihoods of the sequential test, if there is one.
    pub ratio: Option<f64>,
}

impl Plan {
    /// Returns a plan on one thread, with the defaults of the command line.
    pub fn new<P: Into<Player>>(players: Vec<P>, seats: usize, games: usize) -> Self {
        Self {
            players: players.into_iter().map(Into::into).collect(),
            seats,
            games,
            first_set: 0,
            sprt: None,
            automata: Level::Standard,
            seed: 1,
            turns: None,
            threads: 1,
            progress: |_| {},
            stop: Stop::new(),
            out: None,
        }
    }

    fn line_up(&self) -> Vec<Player> {
        self.players.iter().copied().cycle().take(self.seats).collect()
    }

    fn rotations(&self) -> usize {
        let line_up = self.line_up();
        let repeats = |by: &usize| {
            (0..line_up.len()).all(|seat| line_up[seat] == line_up[(seat + by) % line_up.len()])
        };
        (1..line_up.len()).find(repeats).unwrap_or(line_up.len())
    }

    /// Returns every rotation of the line-up, or every player alone if there is one seat.
    fn line_ups(&self) -> Vec<Vec<Player>> {
        if self.seats == 1 {
            return self.distinct_players().into_iter().map(|player| vec![player]).collect();
        }
        let rotated = |by| {
            let mut seats = self.line_up();
            seats.rotate_right(by);
            seats
        };
        (0..self.rotations()).map(rotated).collect()
    }

    fn distinct_players(&self) -> Vec<Player> {
        let mut players = Vec::new();
        for &player in &self.players {
            if !players.contains(&player) {
                players.push(player);
            }
        }
        players
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
    ensure!(
        plan.sprt.is_none() || plan.distinct_players().len() == 2,
        "--sprt: compares two players; specify two different ones with --players"
    );
    let sets = play_sets::<G>(kind, &options, plan)?;
    let names =
        G::cast(&options, plan.seats).roles.into_iter().filter(|role| !role.always_automated);
    let names: Vec<String> = names.map(|role| role.name).collect();
    Ok(Report::new(plan, &sets, &names, G::score(&edition)))
}

fn play_sets<G: Playable>(
    kind: &str,
    options: &G::Options,
    plan: &Plan,
) -> Result<Vec<Vec<GameReport>>> {
    let (count, next) = (plan.sets(), AtomicUsize::new(0));
    let done: Mutex<Vec<(usize, Result<Vec<GameReport>>)>> = Mutex::new(Vec::with_capacity(count));
    let work = || {
        loop {
            let set = next.fetch_add(1, Ordering::Relaxed);
            if set >= count {
                return;
            }
            let records = play_set::<G>(kind, options, plan, plan.first_set + set).transpose();
            let Some(records) = records else { return };
            let mut done = done.lock().expect("no thread panics while it holds the list");
            done.push((set, records));
            done.sort_by_key(|(set, _)| *set);
            let differences = differences(plan, &done);
            let ratio = plan.sprt.map(|sprt| sprt.ratio(&differences));
            (plan.progress)(&Progress { sets: done.len(), planned: count, ratio });
            if plan.sprt.is_some_and(|sprt| sprt.decided(&differences).is_some()) {
                plan.stop.stop();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("no thread panics while it holds the list");
    if let Some(count) = plan.sprt.and_then(|sprt| sprt.decided(&differences(plan, &done))) {
        // Other threads may have completed later sets.
        done.truncate(count);
    }
    done.into_iter().map(|(_, records)| records).collect()
}

/// Returns the differences of the first two players in the first sets, up to the first set that is
/// still being played. So the sequential test does not depend on the number of threads.
fn differences(plan: &Plan, done: &[(usize, Result<Vec<GameReport>>)]) -> Vec<f64> {
    let &[first, second] = &plan.distinct_players()[..] else { return Vec::new() };
    let sets = done.iter().enumerate().take_while(|&(at, &(set, _))| at == set);
    let records = sets.map_while(|(_, (_, records))| records.as_ref().ok());
    records.map(|records| report::difference(records, first, second)).collect()
}

/// Plays the games of a set. Returns `None` if the tournament was stopped.
fn play_set<G: Playable>(
    kind: &str,
    options: &G::Options,
    plan: &Plan,
    set: usize,
) -> Result<Option<Vec<GameReport>>> {
    let play = |seats: &Vec<Player>| {
        let record = Table::<G>::new(options, seats, plan, set)?.play()?;
        if let Some(record) = &record {
            write_line(kind, plan, record)?;
        }
        Ok(record)
    };
    plan.line_ups().iter().map(play).collect()
}

fn write_line(kind: &str, plan: &Plan, record: &GameReport) -> Result<()> {
    let Some(out) = &plan.out else { return Ok(()) };
    let mut line = json!(record);
    line["game"] = json!(kind);
    line["turns"] = json!(plan.turns);
    line["automata"] = json!(plan.automata);
    let mut file = out.lock().expect("no thread panics while it holds the file");
    writeln!(file, "{line}").context("--out: cannot write the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(players: &[Player], seats: usize, games: usize) -> Plan {
        Plan::new(players.to_vec(), seats, games)
    }

    #[test]
    fn line_ups_include_every_distinct_rotation() {
        let (a, b) = (Player::Level(Level::Strong), Player::Exploit(Exploit::Holder));
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
