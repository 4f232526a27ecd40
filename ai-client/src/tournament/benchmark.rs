//! The benchmark of a game: one Markdown table, for `docs/BENCHMARKS.md`.

use std::fmt::Write as _;

use anyhow::Result;

use super::player::{Exploit, Player};
use super::{Plan, Report};
use crate::bot::Level;
use crate::games::GameAdapter;

/// Maximum number of seats, so that a benchmark ends in a reasonable time.
const SEATS_MAX: usize = 7;

/// Plays the line-ups of a game and returns their results as a table. `plan` has the number of
/// games of a line-up. If the plan is stopped, the table has the results so far.
pub fn table(adapter: &dyn GameAdapter, plan: &Plan) -> Result<String> {
    let mut table = String::new();
    writeln!(table, "### {}\n", adapter.kind())?;
    writeln!(table, "| seats | players | games | scores | difference | p99 of a decision |")?;
    writeln!(table, "| ---: | --- | ---: | --- | --- | ---: |")?;
    for (seats, players) in line_ups(adapter) {
        let report = adapter.tournament(&Plan { players, seats, ..plan.clone() })?;
        if report.sets > 0 {
            writeln!(table, "{}", row(&report))?;
        }
    }
    Ok(table)
}

/// Returns the numbers of seats with their line-ups: each level against the next one, and one
/// exploit against `strong` in all other seats.
fn line_ups(adapter: &dyn GameAdapter) -> Vec<(usize, Vec<Player>)> {
    let players = adapter.players();
    let most = (*players.end()).min(SEATS_MAX);
    let mut seats = vec![*players.start().max(&2).min(&most), 4.min(most), most];
    seats.dedup();
    let level = Player::Level;
    let pairs = [[Level::Strong, Level::Standard], [Level::Standard, Level::Random]];
    let levels = pairs.map(|pair| pair.map(level).to_vec());
    let mut line_ups: Vec<(usize, Vec<Player>)> = seats
        .iter()
        .flat_map(|&seats| levels.iter().map(move |pair| (seats, pair.clone())))
        .collect();
    for exploit in Exploit::ALL.into_iter().filter(|&exploit| most > 1 && adapter.has(exploit)) {
        let mut players = vec![level(Level::Strong); most];
        players[0] = Player::Exploit(exploit);
        line_ups.push((most, players));
    }
    line_ups
}

fn row(report: &Report) -> String {
    let scores = report.players.iter().map(|one| format!("{}: {}", one.player, one.score));
    let difference = report
        .pairs
        .iter()
        .map(|pair| format!("{:+.3} ± {:.3}", pair.difference.mean, pair.difference.margin));
    let slowest = report.players.iter().map(|one| one.times.p99).max().unwrap_or_default();
    let names = report.players.iter().map(|one| one.player.as_str());
    format!(
        "| {} | {} | {} | {} | {} | {:.1} ms |",
        report.seats,
        names.collect::<Vec<_>>().join(", "),
        report.games,
        scores.collect::<Vec<_>>().join("; "),
        difference.collect::<Vec<_>>().join("; "),
        slowest.as_secs_f64() * 1000.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    #[test]
    fn every_game_has_a_table() {
        let rows = |kind: &str| line_ups(games::find(kind).expect("a game"));
        let named = |kind: &str| {
            let row = |(seats, players): (usize, Vec<Player>)| format!("{seats} {}", players[0]);
            rows(kind).into_iter().map(row).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(named("fate-of-empire"), "1 strong, 1 standard");
        let diplomacy = "2 strong, 2 standard, 4 strong, 4 standard, 7 strong, 7 standard, \
            7 holder, 7 betrayer, 7 drawer, 7 rusher";
        assert_eq!(named("diplomacy"), diplomacy);
        assert!(games::all().all(|game| line_ups(game).len() > 1));
    }

    #[test]
    fn a_row_has_the_results_of_a_line_up() {
        let game = games::find("starships-at-large").expect("a game");
        let players = vec![Level::Standard, Level::Random];
        let report = game.tournament(&Plan::new(players, 2, 4)).expect("a tournament");
        let row = row(&report);
        assert!(row.starts_with("| 2 | standard, random | 4 | standard: "), "{row}");
        assert_eq!(row.matches(" ± ").count(), 3, "{row}");
    }
}
