//! Final scores and progress towards goals.

use crate::{Seat, SeatSet};

/// The final result in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FinalScore {
    /// The reason for the end of the game. Empty unless the game ended by its rules.
    pub summary: String,
    /// The rulebook's term for the victory: `"substantial victory"`. Empty if there is none.
    pub level: &'static str,
    /// The lines that explain each player's points, in seat order.
    pub lines: Vec<Vec<ScoreLine>>,
    /// The unit of the points as shown: `"% of the production"`. Empty if it is the outcome's.
    pub unit: &'static str,
    /// The decimal places of the points in that unit.
    pub decimals: u32,
}

/// A number that explains a seat's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreLine {
    /// The name of the counted items: `"supply centers"`.
    pub label: &'static str,
    pub value: i64,
    pub rule: &'static str,
}

impl ScoreLine {
    pub fn new(label: &'static str, value: i64, rule: &'static str) -> Self {
        Self { label, value, rule }
    }
}

/// A goal of a seat or of the whole game, as visible to a viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The seat. `None` for a clock that ends the game for all.
    pub seat: Option<Seat>,
    /// The name of the counted items: `"supply centers"`.
    pub label: &'static str,
    pub value: i64,
    /// The number at which the goal is reached. `None` if the goal is only to have more than
    /// others.
    pub target: Option<i64>,
    pub rule: &'static str,
    /// The goal as a sentence, without the seat's name.
    pub sentence: String,
}

/// Joins the names of seats: "A, B and C". Returns "nobody" without seats.
pub fn named(seats: SeatSet, names: &dyn Fn(Seat) -> String) -> String {
    let names: Vec<String> = seats.iter().map(names).collect();
    if names.is_empty() { "nobody".to_owned() } else { listed(&names) }
}

/// Joins items: "A, B and C". Empty without items.
pub fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// Formats a count: "1 seat", "2 seats", "2 thousandths of the production".
pub fn count(number: usize, what: &str) -> String {
    if number == 1 {
        return format!("1 {what}");
    }
    let (one, rest) = what.split_at(what.find(" of ").unwrap_or(what.len()));
    format!("{number} {one}s{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_with_commas_and_and() {
        let join = |names: &str| listed(&names.chars().map(String::from).collect::<Vec<_>>());
        let joined = ["", "A", "AB", "ABC"].map(join);
        assert_eq!(joined, ["", "A", "A and B", "A, B and C"]);
        let seats: SeatSet = [Seat::at(0), Seat::at(2)].into_iter().collect();
        let name = |seat: Seat| seat.number().to_string();
        assert_eq!([named(seats, &name), named(SeatSet::default(), &name)], ["1 and 3", "nobody"]);
    }
}
