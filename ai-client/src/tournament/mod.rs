//! Bots against bots in one process, with the rules alone: who plays better, by how much, and how
//! sure that is.
//!
//! Games come in **sets**: the same seed (board and dice), once for every way in which the line-up
//! can be rotated round the table, so that luck with the board and the advantage of a seat cancel
//! out. The games of a set hang together, so the set is the unit of all statistics.
//!
//! A player's **score** in a game is what [`Playable::score`] says: in Starships at Large points
//! and, to tell apart those with equal points, planets; in Star Empires the share of the galaxy's
//! production.
//!
//! **Invariant.** A bot gets its seat's view and nothing else of the game that is played.
//!
//! **Invariant.** The same plan gives the same report but for times, on any number of threads.

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
use match_up::{Record, Table};

pub use report::{GameReport, PairReport, PlaceReport, PlayerReport, Report, Spread, Times};
pub use statistics::Estimate;

/// What is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The players, filling the seats in turn as often as needed.
    pub players: Vec<Level>,
    /// How many players' seats the table has.
    pub seats: usize,
    /// How many games at least; a set is always played to its end.
    pub games: usize,
    /// How the seats are played that only automation plays.
    pub automata: Level,
    /// The seed of everything.
    pub seed: u64,
    /// How many turns a game lasts at most, in games that need a bound.
    pub turns: Option<u32>,
    /// How many games are played at once.
    pub threads: usize,
    /// Told after each set how many are done, of how many.
    pub progress: fn(usize, usize),
    /// Ends the tournament early: the report is then about the sets that are complete.
    pub stop: Stop,
}

impl Plan {
    /// The line-up at the table: who has which seat in the first game of a set.
    fn line_up(&self) -> Vec<Level> {
        self.players.iter().copied().cycle().take(self.seats).collect()
    }

    /// How often the line-up can be rotated until it repeats.
    fn rotations(&self) -> usize {
        let line_up = self.line_up();
        let repeats = |by: &usize| {
            (0..line_up.len()).all(|seat| line_up[seat] == line_up[(seat + by) % line_up.len()])
        };
        (1..line_up.len()).find(repeats).unwrap_or(line_up.len())
    }

    /// The line-ups of a set: every rotation; with one seat everybody alone.
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

    /// The players, each named once.
    fn levels(&self) -> Vec<Level> {
        let mut levels = Vec::new();
        for &level in &self.players {
            if !levels.contains(&level) {
                levels.push(level);
            }
        }
        levels
    }

    /// How many sets make up the games.
    fn sets(&self) -> usize {
        self.games.div_ceil(self.line_ups().len())
    }
}

/// Plays a tournament of the edition with an id.
pub fn play<G: Playable>(kind: &str, plan: &Plan) -> Result<Report> {
    let edition =
        edition::<G>(kind).with_context(|| format!("{} is not published as {kind:?}", G::NAME))?;
    let options = G::tournament_options(&edition, plan.turns);
    let allowed = G::players(&options);
    let (fewest, most) = (allowed.start(), allowed.end());
    ensure!(
        allowed.contains(&plan.seats),
        "{} has seats for {fewest}{}, not {}",
        edition.name,
        if fewest == most { String::new() } else { format!(" to {most}") },
        plan.seats
    );
    ensure!(!plan.players.is_empty(), "a tournament needs players");
    ensure!(plan.games > 0, "a tournament needs games");
    let sets = play_sets::<G>(&options, plan)?;
    let names = G::cast(&options, plan.seats).roles.into_iter().filter(|role| !role.automaton);
    let names: Vec<String> = names.map(|role| role.name).collect();
    Ok(Report::new(plan, &sets, &names, G::score(&edition)))
}

/// Plays all sets on so many threads, and puts them in order again. Sets that were stopped are left
/// out.
fn play_sets<G: Playable>(options: &G::Options, plan: &Plan) -> Result<Vec<Vec<Record>>> {
    let (count, next) = (plan.sets(), AtomicUsize::new(0));
    let done: Mutex<Vec<(usize, Result<Vec<Record>>)>> = Mutex::new(Vec::with_capacity(count));
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

/// One seed, played by every line-up; `None` if the tournament was stopped before the last one.
fn play_set<G: Playable>(
    options: &G::Options,
    plan: &Plan,
    set: usize,
) -> Result<Option<Vec<Record>>> {
    plan.line_ups().iter().map(|seats| Table::<G>::new(options, seats, plan, set)?.play()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(players: &[Level], seats: usize, games: usize) -> Plan {
        let players = players.to_vec();
        let automata = Level::Standard;
        Plan {
            players,
            seats,
            games,
            automata,
            seed: 1,
            turns: None,
            threads: 1,
            progress: |_, _| {},
            stop: Stop::new(),
        }
    }

    #[test]
    fn a_line_up_is_rotated_until_it_repeats() {
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
