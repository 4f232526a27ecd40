//! Tests that every result has a reason and a rule.

use std::collections::BTreeMap;

use heliopause_diplomacy::{
    Aftermath, Barred, Given, Movement, Position, Province, Unit, Variant, explain, read_orders,
    standard_powers,
};
use heliopause_kernel::Seat;

type Lines = BTreeMap<String, Vec<String>>;

pub(crate) const POWERS: [&str; 7] =
    ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];

/// Adds the orders of a line such as `France: A Par - Bur, A Mar H`.
fn add(orders: &mut Lines, line: &str) {
    let (power, of_power) = line.split_once(": ").expect("a power");
    let list = of_power.split(", ").map(str::to_owned).collect();
    orders.insert(power.to_owned(), list);
}

/// Returns the result of each order, with its rule and reason, and the aftermath. Each unit is at
/// the place that its order names.
fn resolve(lines: &Lines) -> (Vec<(String, String)>, Aftermath) {
    let codes = standard_powers().map(|(name, _)| name[..3].parse().expect("a code"));
    let mut position = Position::empty(Variant::Standard, codes);
    let mut orders = Vec::new();
    for (power, lines) in lines {
        let seat = Seat::at(POWERS.iter().position(|name| name == power).expect("a power"));
        for line in lines {
            let unit = line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
            position.put(Unit::read(seat, &unit).expect("a unit where it can stand"));
            orders.push(Given { seat, order: read_orders(line).expect("notation")[0] });
        }
    }
    let movement = Movement::resolve(&position, &orders);
    let names = |seat: Seat| POWERS[seat.index()].to_owned();
    let results = movement.reports(&orders).into_iter().map(|report| {
        let text = explain(report.outcome, &report.helpers, &names);
        let dislodged = if report.dislodged { "; dislodged" } else { "" };
        let result = format!("{} {text}{dislodged}", report.outcome.rule());
        (report.given.order.to_string(), result)
    });
    (results.collect(), movement.aftermath())
}

#[test]
fn results_have_their_rules_and_reasons() {
    let mut lines = Lines::new();
    let mut results = Vec::new();
    let text = include_str!("data/explained.txt").lines();
    for line in text.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((order, expected)) = line.split_once(" => ") {
            if !lines.is_empty() {
                results = resolve(&std::mem::take(&mut lines)).0;
            }
            let found = results.iter().find(|(other, _)| other == order).expect("an order");
            assert!(found.1.starts_with(expected), "{line}: {}", found.1);
        } else {
            add(&mut lines, line);
        }
    }
}

#[test]
fn d7_barred_retreats_have_a_reason() {
    let mut lines = Lines::new();
    add(&mut lines, "Austria: A Vie H, A Bud H");
    add(&mut lines, "Germany: A Boh - Vie, A Tyr S A Boh - Vie");
    add(&mut lines, "Russia: A War - Gal, A Ukr - Gal");
    let (_, after) = resolve(&lines);
    let [dislodged] = &after.dislodged[..] else { panic!("one unit is dislodged") };
    let bar = |text: &str| after.bar(dislodged, text.parse::<Province>().unwrap());
    assert_eq!(bar("Bud"), Some(Barred::Occupied));
    assert_eq!(bar("Boh"), Some(Barred::AttackersOrigin));
    assert_eq!(bar("Gal"), Some(Barred::Contested));
    assert_eq!(bar("Tri"), None);
}
