//! Tests of the Diplomacy Adjudicator Test Cases (DATC) and of a few additional cases.

use crate::common;

use std::collections::BTreeMap;

use common::{Lines, POWERS, orders, read_lines, seat, sorted, sorted_list, written};
use heliopause_diplomacy::{
    Adjusted, Aftermath, Fate, Given, Movement, Order, Outcome, Position, Province, adjust,
    resolve_retreats,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    title: String,
    units: Lines,
    centers: Option<Lines>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    phase: String,
    orders: Lines,
    expect: Expected,
}

#[derive(Deserialize)]
struct Expected {
    units: Lines,
    #[serde(default)]
    dislodged: Vec<common::Driven>,
    #[serde(default)]
    moves: BTreeMap<String, bool>,
    #[serde(default)]
    info: BTreeMap<String, String>,
    #[serde(default)]
    disbanded: Vec<String>,
    #[serde(default)]
    results: Vec<Line>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Line {
    power: String,
    order: String,
    result: String,
}

fn check(case: &Case) {
    let mut position = common::position(&case.units);
    for (power, centers) in case.centers.iter().flatten() {
        for center in centers {
            position.centers[center.parse::<Province>().expect("a center").index()] =
                Some(seat(power));
        }
    }
    let mut after = None;
    for step in &case.steps {
        let title = format!("{} {}: {}", case.id, case.title, step.phase);
        match step.phase.as_str() {
            "movement" => after = Some(movement(&mut position, step, &title)),
            "retreat" => {
                retreat(&mut position, &after.take().expect("movement comes first"), step, &title);
            }
            _ => adjustment(&mut position, step, &title),
        }
        assert_eq!(written(&position), sorted(step.expect.units.clone()), "{title}");
    }
}

fn movement(position: &mut Position, step: &Step, title: &str) -> Aftermath {
    let orders = orders(&step.orders);
    let before = position.clone();
    let movement = Movement::resolve(&before, &orders);
    let after = movement.aftermath();
    let texts: Vec<&String> = step.orders.values().flatten().collect();
    for (report, text) in movement.reports(&orders).iter().zip(texts) {
        if let Order::Move { .. } = report.given.order {
            let succeeds = matches!(report.outcome, Outcome::Succeeds { .. });
            assert_eq!(succeeds, step.expect.moves[text], "{title}: {text} {:?}", report.outcome);
        }
        let expected = step.expect.info[text].as_str();
        let found = report.outcome.name();
        // This test does not distinguish void supports and convoys from illegal ones.
        let alike = ["void", "illegal"];
        assert!(
            found == expected || alike.contains(&found) && alike.contains(&expected),
            "{title}: {text} {found}"
        );
    }
    let expected = common::expected_dislodged(&step.expect.dislodged);
    assert_eq!(common::dislodged(&after), expected, "{title}");
    *position = after.position.clone();
    after
}

fn retreat(position: &mut Position, after: &Aftermath, step: &Step, title: &str) {
    let fates = resolve_retreats(position, &after.dislodged, &orders(&step.orders));
    let gone =
        after.dislodged.iter().zip(&fates).filter(|(_, fate)| !matches!(fate, Fate::Retreated(_)));
    let gone: Vec<String> =
        gone.map(|(one, _)| format!("{} {}", POWERS[one.unit.owner.index()], one.unit)).collect();
    assert_eq!(sorted_list(&gone), sorted_list(&step.expect.disbanded), "{title}");
}

fn adjustment(position: &mut Position, step: &Step, title: &str) {
    let mut lines = Vec::new();
    let empty = Vec::new();
    for power in POWERS {
        let texts = step.orders.get(power).unwrap_or(&empty);
        let one = Lines::from([(power.to_owned(), texts.clone())]);
        let given: Vec<Given> = orders(&one);
        let (results, automatic) = adjust(position, seat(power), &given);
        let line = |order: &str, result: String| Line {
            power: power.to_owned(),
            order: order.to_owned(),
            result,
        };
        lines.extend(
            texts.iter().zip(&results).map(|(text, result)| line(text, common::adjusted(*result))),
        );
        lines.extend(automatic.iter().map(|result| match result {
            Adjusted::Removed(kind, at) => {
                line("(civil disorder)", format!("removed {} {at}", kind.as_str()))
            }
            other => panic!("{title}: {other:?}"),
        }));
    }
    assert_eq!(lines, step.expect.results, "{title}");
}

#[test]
fn cases_give_the_recorded_results() {
    let cases: Vec<Case> = read_lines(include_str!("data/cases.jsonl"));
    assert_eq!(cases.len(), 112);
    cases.iter().for_each(check);
}
