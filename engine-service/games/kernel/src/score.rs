//! How far the seats have come, and what a result comes to in numbers.

use crate::{Seat, SeatSet};

/// The end of a game in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reckoning {
    /// Why the game ended, in numbers; empty unless its rules ended it.
    pub summary: String,
    /// The rulebook's own word for the victory: `"substantial victory"`. Empty where it has none.
    pub level: &'static str,
    /// What explains the points of each player's seat, in seat order.
    pub lines: Vec<Vec<ScoreLine>>,
}

/// A number that explains a seat's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreLine {
    /// What is counted: `"supply centers"`.
    pub label: &'static str,
    pub value: i64,
    /// The rule that counts it.
    pub rule: &'static str,
}

impl ScoreLine {
    /// So many of something.
    pub fn new(label: &'static str, value: i64, rule: &'static str) -> Self {
        Self { label, value, rule }
    }
}

/// What a seat, or the whole game, is on the way to, as one viewer knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Whose it is; `None` for the clock, which ends the game for all.
    pub seat: Option<Seat>,
    /// What is counted: `"supply centers"`.
    pub label: &'static str,
    /// How many there are.
    pub value: i64,
    /// How many reach the goal; `None` where only the others' numbers decide.
    pub target: Option<i64>,
    /// The rule that sets the goal.
    pub rule: &'static str,
    /// The same as a sentence, without the seat's name.
    pub sentence: String,
}

/// Seats in a sentence, by their names: "A, B and C", or "nobody".
pub fn named(seats: SeatSet, names: &dyn Fn(Seat) -> String) -> String {
    let names: Vec<String> = seats.iter().map(names).collect();
    if names.is_empty() { "nobody".to_owned() } else { listed(&names) }
}

/// Things in a sentence: "A, B and C"; nothing of none.
pub fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_people_list_them() {
        let told = |names: &str| listed(&names.chars().map(String::from).collect::<Vec<_>>());
        let told = ["", "A", "AB", "ABC"].map(told);
        assert_eq!(told, ["", "A", "A and B", "A, B and C"]);
        let seats: SeatSet = [Seat::at(0), Seat::at(2)].into_iter().collect();
        let name = |seat: Seat| seat.number().to_string();
        assert_eq!([named(seats, &name), named(SeatSet::default(), &name)], ["1 and 3", "nobody"]);
    }
}
