//! Tests with recorded positions and results: 1,000 phases of random play, 100 convoy paradoxes.

use crate::common;

use common::{
    Recorded, dislodged, expected_dislodged, orders, position, read_lines, sorted, written,
};
use heliopause_diplomacy::{Aftermath, Movement};

fn differences(case: &Recorded, after: &Aftermath) -> Vec<String> {
    let mut differences = Vec::new();
    let units = written(&after.position);
    if units != sorted(case.expect.units.clone()) {
        differences
            .push(format!("{}: units {units:?} instead of {:?}", case.id, case.expect.units));
    }
    let (found, expected) = (dislodged(after), expected_dislodged(&case.expect.dislodged));
    if found != expected {
        differences.push(format!("{}: dislodged {found:?} instead of {expected:?}", case.id));
    }
    differences
}

fn compare(text: &str, count: usize) {
    let cases: Vec<Recorded> = read_lines(text);
    assert_eq!(cases.len(), count);
    let differences: Vec<String> = cases
        .iter()
        .flat_map(|case| {
            let (position, orders) = (position(&case.units), orders(&case.orders));
            differences(case, &Movement::resolve(&position, &orders).aftermath())
        })
        .collect();
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn d4_recorded_phases_give_the_recorded_results() {
    compare(include_str!("data/phases-1000.jsonl"), 1000);
}

#[test]
fn d4_recorded_paradoxes_give_the_recorded_results() {
    compare(include_str!("data/paradox-100.jsonl"), 100);
}

#[test]
fn d4_the_order_of_orders_does_not_matter() {
    let cases: Vec<Recorded> = read_lines(include_str!("data/phases-1000.jsonl"));
    for case in cases.iter().step_by(7) {
        let (position, mut orders) = (position(&case.units), orders(&case.orders));
        let before = Movement::resolve(&position, &orders).aftermath();
        orders.reverse();
        assert_eq!(Movement::resolve(&position, &orders).aftermath(), before, "{}", case.id);
        let third = orders.len() / 3;
        orders.rotate_left(third);
        assert_eq!(Movement::resolve(&position, &orders).aftermath(), before, "{}", case.id);
    }
}
