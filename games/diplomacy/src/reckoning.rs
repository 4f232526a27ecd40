//! The goals of the powers, and the final score (D8, R17, R22).

use heliopause_kernel::sentence::{FactList, Names};
use heliopause_kernel::{FinalScore, Goal, ScoreLine, Seat, listed, named};

use crate::board::centers;
use crate::sentences::SENTENCES;
use crate::table::{Ending, Table};

const CENTERS: &str = "supply centers";

pub(crate) fn final_score(table: &Table, names: Names<'_>) -> FinalScore {
    let lines = |seat| {
        let units = table.position.strength(seat) as i64;
        vec![
            ScoreLine::new(CENTERS, centers_of(table, seat), "D8.7"),
            ScoreLine::new("units", units, "D8"),
        ]
    };
    let lines = Seat::first(table.players).map(lines).collect();
    let summary = table.ending.map_or_else(String::new, |ending| why(table, ending, names));
    FinalScore { summary, lines, ..FinalScore::default() }
}

fn centers_of(table: &Table, seat: Seat) -> i64 {
    table.position.centers_of(seat).len() as i64
}

fn why(table: &Table, ending: Ending, names: Names<'_>) -> String {
    let counted = |seat| format!("{} ({})", names(seat), centers_of(table, seat));
    let shares: Vec<String> = ending.winners.iter().map(counted).collect();
    let winner = ending.winners.iter().next();
    let mut facts = FactList::of(&ending.reason, names);
    facts.add_field("", "winners", &ending.winners);
    for (name, text) in [
        ("final", "true".to_owned()),
        ("centers", winner.map_or(0, |seat| centers_of(table, seat)).to_string()),
        ("all", centers().len().to_string()),
        ("goal", table.options.victory_centers.to_string()),
        ("year", table.year.to_string()),
        ("years", years(table.quiet_years)),
        ("listed", named(ending.winners, names)),
        ("shares", listed(&shares)),
    ] {
        facts.add(name, text);
    }
    SENTENCES.describe(&facts).0
}

fn years(count: u8) -> String {
    if count == 1 { "a year".to_owned() } else { format!("{count} years") }
}

/// Returns the public goals of all powers and the limits on the length of the game. Returns an
/// empty list after the game.
pub(crate) fn goals(table: &Table) -> Vec<Goal> {
    if table.ending.is_some() {
        return Vec::new();
    }
    let target = i64::from(table.options.victory_centers);
    let power = |seat| {
        let value = centers_of(table, seat);
        let sentence = format!("{value} of the {target} supply centers needed to win.");
        let (seat, target) = (Some(seat), Some(target));
        Goal { seat, label: CENTERS, value, target, rule: "D8.7", sentence }
    };
    table.alive().iter().map(power).chain(last_year(table)).chain(stalemate(table)).collect()
}

fn last_year(table: &Table) -> Option<Goal> {
    let (year, last) = (i64::from(table.year), i64::from(table.options.last_year));
    let sentence = format!("{year}; the game is drawn after the fall of {last}.");
    let (value, target) = (year, Some(last));
    let goal = Goal { seat: None, label: "years", value, target, rule: "R22", sentence };
    (last > 0).then_some(goal)
}

fn stalemate(table: &Table) -> Option<Goal> {
    let (quiet, limit) = (table.quiet_years, table.options.stalemate_years);
    let sentence = format!(
        "{quiet} of the {limit} years without a change of center ownership that make a draw."
    );
    let (value, target) = (i64::from(quiet), Some(i64::from(limit)));
    let goal = Goal { seat: None, label: "quiet years", value, target, rule: "R22", sentence };
    (limit > 0).then_some(goal)
}
