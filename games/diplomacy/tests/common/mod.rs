//! Recorded cases: positions, orders and results in the usual notation, and their conversion.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeMap;

use heliopause_diplomacy::{
    Adjusted, Aftermath, Code, Dislodged, Given, Position, Unit, Variant, read_orders,
    standard_powers,
};
use heliopause_kernel::Seat;
use serde::Deserialize;

pub(crate) type Lines = BTreeMap<String, Vec<String>>;

pub(crate) const POWERS: [&str; 7] =
    ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];

#[derive(Deserialize)]
pub(crate) struct Recorded {
    pub(crate) id: String,
    pub(crate) units: Lines,
    pub(crate) orders: Lines,
    pub(crate) expect: Expected,
}

#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) units: Lines,
    pub(crate) dislodged: Vec<Driven>,
}

#[derive(Deserialize)]
pub(crate) struct Driven {
    pub(crate) power: String,
    pub(crate) unit: String,
    pub(crate) by: String,
    pub(crate) retreats: Vec<String>,
}

pub(crate) fn read_lines<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{fault}: {line}")))
        .collect()
}

pub(crate) fn unit(owner: Seat, text: &str) -> Unit {
    Unit::read(owner, text).expect("a unit where it can stand")
}

pub(crate) fn seat(power: &str) -> Seat {
    Seat::at(POWERS.iter().position(|name| *name == power).expect("a power"))
}

pub(crate) fn standard() -> Position {
    let codes = standard_powers().map(|(name, _)| name[..3].parse::<Code>().expect("a code"));
    Position::empty(Variant::Standard, codes)
}

pub(crate) fn position(units: &Lines) -> Position {
    let mut position = standard();
    for (power, units) in units {
        for text in units {
            position.put(unit(seat(power), text));
        }
    }
    position
}

pub(crate) fn orders(lines: &Lines) -> Vec<Given> {
    let given = |(power, lines): (&String, &Vec<String>)| {
        let read = |line: &String| Given {
            seat: seat(power),
            order: read_orders(line).expect("notation")[0],
        };
        lines.iter().map(read).collect::<Vec<_>>()
    };
    lines.iter().flat_map(given).collect()
}

pub(crate) fn written(position: &Position) -> Lines {
    let mut lines = Lines::new();
    for unit in position.units() {
        lines.entry(POWERS[unit.owner.index()].to_owned()).or_default().push(unit.to_string());
    }
    sorted(lines)
}

/// Returns the dislodged units with their attackers and retreats, sorted.
pub(crate) fn dislodged(after: &Aftermath) -> Vec<String> {
    let write = |one: &Dislodged| {
        let retreats: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
        let by = one.from.map_or_else(|| "ORB".to_owned(), |from| from.to_string());
        let power = POWERS[one.unit.owner.index()];
        format!("{power} {} by {by} to {:?}", one.unit, sorted_list(&retreats))
    };
    sorted_list(&after.dislodged.iter().map(write).collect::<Vec<_>>())
}

/// Returns recorded dislodged units as [`dislodged`] does. The coasts of attackers are ignored.
pub(crate) fn expected_dislodged(expected: &[Driven]) -> Vec<String> {
    let write = |one: &Driven| {
        let by = one.by.split('/').next().unwrap_or_default();
        format!("{} {} by {by} to {:?}", one.power, one.unit, sorted_list(&one.retreats))
    };
    sorted_list(&expected.iter().map(write).collect::<Vec<_>>())
}

pub(crate) fn sorted(mut lines: Lines) -> Lines {
    for units in lines.values_mut() {
        units.sort();
    }
    lines.retain(|_, units| !units.is_empty());
    lines
}

pub(crate) fn sorted_list(list: &[String]) -> Vec<String> {
    let mut list = list.to_vec();
    list.sort();
    list
}

pub(crate) fn adjusted(result: Adjusted) -> String {
    match result {
        Adjusted::Built(_) => "built",
        Adjusted::Removed(..) => "removed",
        Adjusted::Waived => "waived",
        Adjusted::Fails(_) => "fails",
    }
    .to_owned()
}
