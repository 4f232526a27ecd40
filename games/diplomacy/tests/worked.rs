//! Tests of the worked situations of "...It Came From Outer Space!".

use crate::common;

use std::collections::BTreeMap;

use common::{Lines, read_lines, sorted, sorted_list, unit};
use heliopause_diplomacy::{
    Adjusted, Aftermath, Attempt, Code, ColonizeReport, Colonizing, Fate, Fault, Given, Movement,
    Outcome, Position, Province, Variant, adjust, colonize, free_colonies, read_orders,
    resolve_retreats, take_centers,
};
use heliopause_kernel::Seat;
use serde::Deserialize;

#[derive(Deserialize)]
struct Scenario {
    id: String,
    title: String,
    empires: Vec<String>,
    start: Start,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Start {
    season: String,
    #[serde(default)]
    units: Lines,
    #[serde(default)]
    orbit: BTreeMap<String, u8>,
    #[serde(default)]
    colonies: BTreeMap<String, String>,
    #[serde(default)]
    centers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Step {
    phase: String,
    #[serde(default)]
    orders: Lines,
    expect: Expected,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Expected {
    units: Lines,
    orbit: BTreeMap<String, u8>,
    dislodged: Vec<Driven>,
    results: Vec<Line>,
    disbanded: Vec<Gone>,
    colonize: Vec<Line>,
    colonies: BTreeMap<String, String>,
    centers: BTreeMap<String, String>,
    eliminated: Vec<String>,
}

#[derive(Deserialize)]
struct Driven {
    empire: String,
    unit: String,
    by: By,
    retreats: Vec<String>,
}

#[derive(Deserialize)]
struct By {
    empire: String,
    from: String,
}

#[derive(Deserialize)]
struct Gone {
    empire: String,
    unit: String,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Line {
    empire: String,
    order: String,
    result: String,
    reason: Option<String>,
}

struct Play<'s> {
    empires: &'s [String],
    position: Position,
    orders: Vec<Given>,
    attempts: Vec<Attempt>,
    after: Option<Aftermath>,
    alive: Vec<Seat>,
    title: String,
}

fn check(scenario: &Scenario) {
    let mut play = Play::new(scenario);
    for step in &scenario.steps {
        play.title = format!("{} {}: {}", scenario.id, scenario.title, step.phase);
        match step.phase.as_str() {
            "movement" => play.movement(step),
            "retreat" => play.retreat(step),
            "end_of_turn" => play.end_turn(step, scenario.start.season == "fall"),
            _ => play.adjustment(step),
        }
    }
}

impl<'s> Play<'s> {
    fn new(scenario: &'s Scenario) -> Self {
        let codes = scenario.empires.iter().map(|code| code.parse::<Code>().expect("a code"));
        let mut play = Self {
            empires: &scenario.empires,
            position: Position::empty(Variant::OuterSpace, codes),
            orders: Vec::new(),
            attempts: Vec::new(),
            after: None,
            alive: Vec::new(),
            title: String::new(),
        };
        for (empire, units) in &scenario.start.units {
            for text in units {
                play.position.put(unit(play.seat(empire), text));
            }
        }
        for (empire, &armies) in &scenario.start.orbit {
            let seat = play.seat(empire);
            *play.position.orbit_mut(seat) = armies;
        }
        for (province, empire) in &scenario.start.colonies {
            play.position.colonies[index(province)] = Some(play.seat(empire));
        }
        for (province, empire) in &scenario.start.centers {
            play.position.centers[index(province)] = Some(play.seat(empire));
        }
        play.alive =
            play.position.seats().filter(|&seat| !play.position.is_eliminated(seat)).collect();
        play
    }

    fn seat(&self, empire: &str) -> Seat {
        Seat::at(self.empires.iter().position(|code| code == empire).expect("an empire"))
    }

    fn code(&self, seat: Seat) -> String {
        self.empires[seat.index()].clone()
    }

    fn read(&self, lines: &Lines) -> Vec<Given> {
        let mut orders = Vec::new();
        for empire in self.empires {
            for line in lines.get(empire).into_iter().flatten() {
                orders.push(Given {
                    seat: self.seat(empire),
                    order: read_orders(line).expect("notation")[0],
                });
            }
        }
        orders
    }

    fn texts<'a>(&self, lines: &'a Lines) -> Vec<&'a String> {
        self.empires.iter().flat_map(|empire| lines.get(empire).into_iter().flatten()).collect()
    }

    fn compare_units(&self, expected: &Expected) {
        let mut found = Lines::new();
        for unit in self.position.units() {
            found.entry(self.code(unit.owner)).or_default().push(unit.to_string());
        }
        assert_eq!(sorted(found), sorted(expected.units.clone()), "{}", self.title);
        let orbit = self.position.seats().map(|seat| (self.code(seat), self.position.orbit(seat)));
        let orbit: BTreeMap<String, u8> = orbit.filter(|&(_, armies)| armies > 0).collect();
        assert_eq!(orbit, expected.orbit, "{}", self.title);
    }

    fn movement(&mut self, step: &Step) {
        self.orders = self.read(&step.orders);
        let before = self.position.clone();
        let movement = Movement::resolve(&before, &self.orders);
        let after = movement.aftermath();
        let reports = movement.reports(&self.orders);
        assert_eq!(reports.len(), step.expect.results.len(), "{}", self.title);
        for ((report, text), line) in
            reports.iter().zip(self.texts(&step.orders)).zip(&step.expect.results)
        {
            assert_eq!(
                (&self.code(report.given.seat), text),
                (&line.empire, &line.order),
                "{}",
                self.title
            );
            let (found, expected) = (report.outcome.name(), line.result.as_str());
            let alike = ["void", "illegal"];
            let same = found == expected
                || text.contains(" S ") && alike.contains(&found) && alike.contains(&expected);
            assert!(same, "{}: {text}: {:?} instead of {expected}", self.title, report.outcome);
            let jammed = report.outcome == Outcome::Illegal(Fault::Jammed);
            assert_eq!(jammed, line.reason.as_deref() == Some("jammed"), "{}: {text}", self.title);
        }
        self.compare_dislodged(&after, &step.expect);
        self.position = after.position.clone();
        self.attempts = movement.attempts(&self.orders);
        self.compare_units(&step.expect);
        self.after = Some(after);
    }

    fn compare_dislodged(&self, after: &Aftermath, expected: &Expected) {
        let mut found: Vec<_> = after
            .dislodged
            .iter()
            .map(|one| {
                let from = one.from.map_or_else(|| "ORB".to_owned(), |from| from.to_string());
                let retreats: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
                (
                    self.code(one.unit.owner),
                    one.unit.to_string(),
                    self.code(one.by),
                    from,
                    sorted_list(&retreats),
                )
            })
            .collect();
        let mut expected: Vec<_> = expected
            .dislodged
            .iter()
            .map(|one| {
                (
                    one.empire.clone(),
                    one.unit.clone(),
                    one.by.empire.clone(),
                    one.by.from.clone(),
                    sorted_list(&one.retreats),
                )
            })
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", self.title);
    }

    fn retreat(&mut self, step: &Step) {
        let after = self.after.take().expect("movement comes first");
        let orders = self.read(&step.orders);
        let fates = resolve_retreats(&mut self.position, &after.dislodged, &orders);
        let gone = after
            .dislodged
            .iter()
            .zip(&fates)
            .filter(|(_, fate)| !matches!(fate, Fate::Retreated(_)));
        let gone: Vec<String> =
            gone.map(|(one, _)| format!("{} {}", self.code(one.unit.owner), one.unit)).collect();
        let expected: Vec<String> = step
            .expect
            .disbanded
            .iter()
            .map(|one| format!("{} {}", one.empire, one.unit))
            .collect();
        assert_eq!(sorted_list(&gone), sorted_list(&expected), "{}", self.title);
        self.compare_units(&step.expect);
    }

    fn end_turn(&mut self, step: &Step, fall: bool) {
        let results = colonize(&mut self.position, &self.attempts);
        let found: Vec<Line> = results
            .iter()
            .map(|ColonizeReport { attempt, result }| Line {
                empire: self.code(attempt.seat),
                order: attempt.order.to_string(),
                result: if *result == Colonizing::Colonized { "colonized" } else { "fails" }
                    .to_owned(),
                reason: None,
            })
            .collect();
        assert_eq!(found, step.expect.colonize, "{}", self.title);
        if fall {
            take_centers(&mut self.position);
        }
        self.eliminate(&step.expect);
        assert_eq!(self.owners(&self.position.centers), step.expect.centers, "{}", self.title);
    }

    fn eliminate(&mut self, expected: &Expected) {
        let alive = std::mem::take(&mut self.alive);
        let out: Vec<Seat> =
            alive.iter().copied().filter(|&seat| self.position.is_eliminated(seat)).collect();
        self.alive = alive.into_iter().filter(|seat| !out.contains(seat)).collect();
        for &seat in &out {
            free_colonies(&mut self.position, seat);
        }
        let out: Vec<String> = out.into_iter().map(|seat| self.code(seat)).collect();
        assert_eq!(sorted_list(&out), sorted_list(&expected.eliminated), "{}", self.title);
        assert_eq!(self.owners(&self.position.colonies), expected.colonies, "{}", self.title);
    }

    fn owners(&self, of: &[Option<Seat>]) -> BTreeMap<String, String> {
        let owned = Province::ALL
            .into_iter()
            .filter_map(|province| Some((province, of[province.index()]?)));
        owned.map(|(province, seat)| (province.to_string(), self.code(seat))).collect()
    }

    fn adjustment(&mut self, step: &Step) {
        let mut lines = Vec::new();
        for empire in self.empires {
            let texts: Vec<String> = step.orders.get(empire).cloned().unwrap_or_default();
            let given = self.read(&Lines::from([(empire.clone(), texts.clone())]));
            let seat = self.seat(empire);
            let (results, automatic) = adjust(&mut self.position, seat, &given);
            let line = |order: &str, result: String| Line {
                empire: empire.clone(),
                order: order.to_owned(),
                result,
                reason: None,
            };
            lines.extend(
                texts
                    .iter()
                    .zip(&results)
                    .map(|(text, result)| line(text, common::adjusted(*result))),
            );
            lines.extend(automatic.iter().map(|result| match result {
                Adjusted::Removed(kind, at) => {
                    line("(civil disorder)", format!("removed {} {at}", kind.as_str()))
                }
                other => panic!("{}: {other:?}", self.title),
            }));
        }
        assert_eq!(lines, step.expect.results, "{}", self.title);
        self.compare_units(&step.expect);
        self.eliminate(&step.expect);
    }
}

fn index(province: &str) -> usize {
    province.parse::<Province>().expect("a province").index()
}

#[test]
fn situations_give_the_recorded_results() {
    let scenarios: Vec<Scenario> = read_lines(include_str!("data/worked.jsonl"));
    assert_eq!(scenarios.len(), 49);
    scenarios.iter().for_each(check);
}
