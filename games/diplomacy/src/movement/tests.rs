//! Tests of cases that the recorded cases do not cover.

use heliopause_kernel::Seat;

use super::legality::Ground;
use super::resolve::Resolver;
use super::*;
use crate::board::standard_powers;
use crate::fault::Fault;
use crate::notation::read_orders;
use crate::position::Code;

fn position(variant: Variant, units: &[(u8, impl AsRef<str>)]) -> Position {
    let codes = standard_powers().map(|(name, _)| name[..3].parse::<Code>().expect("a code"));
    let mut position = Position::empty(variant, codes);
    for (seat, unit) in units {
        let owner = Seat::at(usize::from(*seat));
        position.put(Unit::read(owner, unit.as_ref()).expect("a unit"));
    }
    position
}

fn given(lines: &[(u8, impl AsRef<str>)]) -> Vec<Given> {
    lines
        .iter()
        .map(|(seat, line)| {
            let order = read_orders(line.as_ref()).expect("notation")[0];
            Given { seat: Seat::at(usize::from(*seat)), order }
        })
        .collect()
}

fn outcomes(position: &Position, lines: &[(u8, &str)]) -> Vec<Outcome> {
    let orders = given(lines);
    let movement = Movement::resolve(position, &orders);
    movement.reports(&orders).into_iter().map(|report| report.outcome).collect()
}

fn judged(position: &Position, line: &str) -> Result<Task, Fault> {
    Ground::new(position).judge(Seat::at(0), &given(&[(0, line)])[0].order)
}

#[test]
fn d3_6_repeated_orders_count_but_conflicting_ones_do_not() {
    let position = position(Variant::Standard, &[(0, "A Par"), (0, "A Mar")]);
    let lines = [
        (0, "A Par - Bur"),
        (0, "A Par - Bur"),
        (0, "A Mar - Pie"),
        (0, "A Mar - Spa"),
        (0, "A Mar - Pie"),
    ];
    let conflict = || Outcome::Illegal(Fault::Conflicting);
    assert_eq!(
        outcomes(&position, &lines),
        [
            Outcome::Succeeds { in_a_ring: false },
            Outcome::Succeeds { in_a_ring: false },
            conflict(),
            conflict(),
            conflict()
        ]
    );
}

#[test]
fn d3_2_convoy_faults_are_only_for_coastal_armies() {
    let position =
        position(Variant::Standard, &[(0, "A Mun"), (0, "A Bel"), (0, "A Lon"), (0, "A Boh")]);
    assert_eq!(judged(&position, "A Mun - Bel"), Err(Fault::NotAdjacent));
    assert_eq!(judged(&position, "A Bel - Mun"), Err(Fault::NotAdjacent));
    assert_eq!(judged(&position, "A Mun - Gal"), Err(Fault::NotAdjacent));
    assert_eq!(judged(&position, "A Lon - Bel"), Err(Fault::NoConvoyPossible));
}

#[test]
fn rule_2_the_standard_game_has_no_orbit_orders() {
    let units = [(0, "A Par"), (0, "A Gas"), (0, "F NTH")];
    let position = position(Variant::Standard, &units);
    for line in [
        "A Par - ORB",
        "A ORB - Par",
        "A ORB H",
        "A Par S A ORB",
        "A ORB S A Par",
        "A Gas S A ORB - Par",
        "A Gas S A Par - ORB",
        "F NTH C A ORB - Lon",
    ] {
        assert_eq!(judged(&position, line), Err(Fault::NotInThisGame), "{line}");
    }
}

#[test]
fn d3_7_support_of_a_missing_landing_names_no_other_order() {
    let mut position = position(Variant::OuterSpace, &[(0, "A Par"), (0, "A Gas")]);
    position.powers[0].orbit = 1;
    let found =
        outcomes(&position, &[(0, "A Gas S A ORB - Par"), (0, "A Par - Bur"), (0, "A ORB H")]);
    assert_eq!(found[0], Outcome::Void { instead: None });
}

#[test]
fn d4_7_foreign_attacks_cut_support_despite_own_attacks() {
    for own in [["A Boh", "A Ruh"], ["A Tyr", "A Kie"], ["A Bur", "A Boh"]] {
        let units = [(3, "A Mun"), (3, "A Ber"), (3, own[0]), (3, own[1]), (5, "A Sil")];
        let position = position(Variant::Standard, &units);
        let comes = own.map(|unit| format!("{unit} - Mun"));
        let found = outcomes(
            &position,
            &[
                (3, "A Mun S A Ber"),
                (3, &comes[0]),
                (3, &comes[1]),
                (5, "A Sil - Mun"),
                (3, "A Ber H"),
            ],
        );
        let by = Origin::Earth("Sil".parse().expect("a province"));
        assert_eq!(found[0], Outcome::Cut { by, dislodged: false });
    }
}

fn recorded() -> Vec<(Position, Vec<Given>)> {
    const POWERS: [&str; 7] =
        ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];
    let files = [
        include_str!("../../tests/data/paradox-100.jsonl"),
        include_str!("../../tests/data/phases-1000.jsonl"),
    ];
    let by_seat = |case: &serde_json::Value, what: &str| {
        let mut found = Vec::new();
        for (power, lines) in case[what].as_object().expect("an object") {
            let seat = POWERS.iter().position(|name| name == power).expect("a power") as u8;
            let lines = lines.as_array().expect("a list").iter();
            found.extend(lines.map(|line| (seat, line.as_str().expect("text").to_owned())));
        }
        found
    };
    let read = |line: &str| {
        let case = serde_json::from_str(line).expect("JSON");
        let (units, orders) = (by_seat(&case, "units"), by_seat(&case, "orders"));
        (position(Variant::Standard, &units), given(&orders))
    };
    files.iter().flat_map(|file| file.lines()).map(read).collect()
}

#[test]
fn d4_8_d4_9_cycle_search_equals_exhaustive_search() {
    let mut met = [0; 3];
    for (position, orders) in recorded() {
        let field = Field::new(&position, &orders);
        if let Some([found, all]) = Resolver::search_and_enumerate(&field) {
            let count = all.len().min(2);
            met[count] += 1;
            assert_eq!(found.len(), count);
            assert!(found.iter().all(|outcome| all.contains(outcome)));
        }
    }
    assert!(met[0] > 0 && met[2] > 0, "{met:?} circles with no, one and two outcomes");
}
