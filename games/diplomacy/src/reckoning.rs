//! The goals of the powers, and the final score (D8, R17, R22).

use heliopause_kernel::{FinalScore, Goal, ScoreLine, Seat, SeatSet, listed, named};

use crate::board::centers;
use crate::describe::Names;
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
    FinalScore { summary, level: "", lines }
}

fn centers_of(table: &Table, seat: Seat) -> i64 {
    table.position.centers_of(seat).len() as i64
}

fn why(table: &Table, ending: Ending, names: Names<'_>) -> String {
    let all = centers().len();
    let year = table.year;
    let share = |seats: SeatSet| {
        let counted = |seat| format!("{} ({})", names(seat), centers_of(table, seat));
        let shares: Vec<String> = seats.iter().map(counted).collect();
        format!("a draw between {}, of {all} supply centers", listed(&shares))
    };
    match ending {
        Ending::Centers(seat) => format!(
            "{} owns {} of {all} supply centers; the goal is {}.",
            names(seat),
            centers_of(table, seat),
            table.options.victory_centers
        ),
        Ending::LastStanding(seat) => format!(
            "{} is the last power left, with {} of {all} supply centers.",
            names(seat),
            centers_of(table, seat)
        ),
        Ending::FellTogether(seats) => {
            format!(
                "The last powers were eliminated together in {year}: a draw between {}.",
                named(seats, names)
            )
        }
        Ending::Stalemate(seats) => format!(
            "No supply center has changed hands for {}: {}.",
            years(table.quiet_years),
            share(seats)
        ),
        Ending::LastYear(seats) => format!("{year} was the last year: {}.", share(seats)),
        Ending::NobodyCanAct(seats) => format!("No power can act any more: {}.", share(seats)),
    }
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
