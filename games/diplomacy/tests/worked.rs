//! Tests that play the worked situations of "...It Came From Outer Space!", from a handwritten
//! position.

use crate::common;

use std::collections::BTreeMap;

use common::{Lines, read_lines, sorted, sorted_list, unit};
use heliopause_diplomacy::{
    Adjusted, AdjustedLine, ColonizeReport, Colonizing, Command, Diplomacy, Dislodged, Event, Fate,
    Kind, Named, Phase, Province, Report, RetreatReport, read_orders,
};
use heliopause_kernel::{Actor, CloseCause, Dice, Game, Seat, SeatSet, Viewer, Wire};
use heliopause_proto::diplomacy::v1 as proto;
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
    year: u32,
    season: String,
    #[serde(default)]
    units: Lines,
    #[serde(default)]
    orbit: BTreeMap<String, u32>,
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
    game_over: Option<GameOver>,
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

#[derive(Deserialize, Clone, PartialEq, Debug)]
struct Line {
    empire: String,
    order: String,
    result: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GameOver {
    Winner(String),
    Draw(Vec<String>),
}

impl Scenario {
    fn seat(&self, empire: &str) -> Seat {
        Seat::at(self.empires.iter().position(|code| code == empire).expect("an empire"))
    }

    fn code(&self, seat: Seat) -> String {
        self.empires[seat.index()].clone()
    }

    /// Encodes the initial position as a client would. The empires keep their default codes, which
    /// the situations also use.
    fn position(&self) -> Diplomacy {
        let power = |empire: &String| {
            let units = self.start.units.get(empire).into_iter().flatten();
            proto::Power {
                seat: self.seat(empire).number(),
                units: units.map(|text| written_unit(text)).collect(),
                orbit: self.start.orbit.get(empire).copied().unwrap_or_default(),
                centers: owned(&self.start.centers, empire),
                colonies: owned(&self.start.colonies, empire),
                ..proto::Power::default()
            }
        };
        let usual = ["ZOR", "VEL", "KRU"];
        assert!(self.empires.iter().zip(usual).all(|(code, usual)| code == usual), "{}", self.id);
        let phase = if self.start.season == "fall" {
            proto::Phase::FallMovement
        } else {
            proto::Phase::SpringMovement
        };
        let table = proto::Table {
            options: Some(proto::Options {
                variant: proto::Variant::OuterSpace.into(),
                ..proto::Options::default()
            }),
            year: self.start.year,
            phase: phase.into(),
            powers: self.empires.iter().map(power).collect(),
            ..proto::Table::default()
        };
        let position = proto::Position { table: Some(table), sheets: Vec::new() };
        Diplomacy::read_position(&position).unwrap_or_else(|fault| panic!("{}: {fault}", self.id))
    }

    fn owners(&self, of: &[Option<Seat>]) -> BTreeMap<String, String> {
        let owned = Province::ALL
            .into_iter()
            .filter_map(|province| Some((province.to_string(), self.code(of[province.index()]?))));
        owned.collect()
    }
}

fn owned(map: &BTreeMap<String, String>, empire: &str) -> Vec<String> {
    map.iter().filter(|(_, owner)| *owner == empire).map(|(province, _)| province.clone()).collect()
}

fn written_unit(text: &str) -> proto::Unit {
    let unit = unit(Seat::at(0), text);
    let kind = if unit.kind == Kind::Army { proto::UnitKind::Army } else { proto::UnitKind::Fleet };
    proto::Unit { kind: kind.into(), at: unit.at.to_string() }
}

/// A situation that is being played.
struct Play<'s> {
    scenario: &'s Scenario,
    game: Diplomacy,
    /// The events that no step has compared yet.
    events: Vec<Event>,
    title: String,
}

impl Play<'_> {
    fn step(&mut self, step: &Step) {
        self.title = format!("{} {}: {}", self.scenario.id, self.scenario.title, step.phase);
        let phase = self.game.table().phase;
        let resolves = match step.phase.as_str() {
            "movement" => true,
            "retreat" => matches!(phase, Phase::SpringRetreat | Phase::FallRetreat),
            "adjustment" => phase == Phase::Winter,
            _ => false,
        };
        let mut accepted = Vec::new();
        if resolves {
            accepted = self.give(step);
            let told = self.game.close(CloseCause::AllReady, &mut Dice::new([0; 32]));
            self.events.extend(told.to(Viewer::Spectator).cloned());
        }
        let is_compared = |event: &Event| match event {
            Event::Moved { .. } => step.phase == "movement",
            Event::Retreated { .. } => step.phase == "retreat",
            Event::TurnEnded { .. } => step.phase == "end_of_turn",
            Event::Adjusted { .. } => step.phase == "adjustment",
            _ => false,
        };
        let event = self.events.iter().position(is_compared).map(|at| self.events.remove(at));
        match event {
            Some(Event::Moved { reports, dislodged, .. }) => {
                self.compare_results(&reports, &accepted);
                self.compare_dislodged(&dislodged, &step.expect);
            }
            Some(Event::Retreated { fates }) => self.compare_fates(&fates, &step.expect),
            Some(Event::TurnEnded { colonizing, eliminated, .. }) => {
                self.compare_colonizing(&colonizing, &step.expect);
                let centers = self.scenario.owners(&self.game.table().position.centers);
                assert_eq!(centers, step.expect.centers, "{}", self.title);
                self.compare_end(eliminated, &step.expect);
            }
            Some(Event::Adjusted { lines, eliminated }) => {
                self.compare_adjusted(&lines, &accepted, &step.expect);
                self.compare_end(eliminated, &step.expect);
            }
            _ => assert!(step.expect.disbanded.is_empty() && accepted.is_empty(), "{}", self.title),
        }
        if step.phase != "end_of_turn" {
            self.compare_units(&step.expect);
        }
    }

    /// Gives the orders. The game must reject those recorded as illegal or failing, and no others.
    /// Returns the results of the others.
    fn give(&mut self, step: &Step) -> Vec<Line> {
        let mut results = step.expect.results.iter();
        let mut accepted = Vec::new();
        for empire in &self.scenario.empires {
            for line in step.orders.get(empire).into_iter().flatten() {
                let command = Command::Order(read_orders(line).expect("notation")[0]);
                let by = Actor::Seat(self.scenario.seat(empire));
                let given = self.game.submit(by, command, &mut Dice::new([0; 32]));
                if step.phase == "retreat" {
                    continue;
                }
                let result = results.next().expect("a result of each order");
                assert_eq!((&result.empire, &result.order), (empire, line), "{}", self.title);
                let is_good = !matches!(result.result.as_str(), "illegal" | "fails");
                assert_eq!(given.is_ok(), is_good, "{}: {line}", self.title);
                let is_jammed = given.is_err_and(|refusal| refusal.reason == "jammed");
                let expected = result.reason.as_deref() == Some("jammed");
                assert_eq!(is_jammed, expected, "{}: {line}", self.title);
                if is_good {
                    accepted.push(result.clone());
                }
            }
        }
        accepted
    }

    fn compare_results(&self, reports: &[Report], accepted: &[Line]) {
        let found = reports.iter().map(|report| Line {
            empire: self.scenario.code(report.given.seat),
            order: report.given.order.to_string(),
            result: report.outcome.name().to_owned(),
            reason: None,
        });
        let written = |line: &Line| Line {
            order: read_orders(&line.order).expect("notation")[0].to_string(),
            reason: None,
            ..line.clone()
        };
        let expected: Vec<Line> = accepted.iter().map(written).collect();
        assert_eq!(found.collect::<Vec<_>>(), expected, "{}", self.title);
    }

    fn compare_dislodged(&self, dislodged: &[Dislodged], expected: &Expected) {
        let write = |owner: &str, unit: &str, by: &str, from: &str, retreats: &[String]| {
            format!("{owner} {unit} by {by} from {from} to {:?}", sorted_list(retreats))
        };
        let found = dislodged.iter().map(|one| {
            let from = one.from.map_or_else(|| "ORB".to_owned(), |from| from.to_string());
            let retreats: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
            let (owner, by) = (self.scenario.code(one.unit.owner), self.scenario.code(one.by));
            write(&owner, &one.unit.to_string(), &by, &from, &retreats)
        });
        let expected = expected
            .dislodged
            .iter()
            .map(|one| write(&one.empire, &one.unit, &one.by.empire, &one.by.from, &one.retreats));
        self.compare_lists(found, expected);
    }

    fn compare_lists(
        &self,
        found: impl Iterator<Item = String>,
        expected: impl Iterator<Item = String>,
    ) {
        let (found, expected): (Vec<_>, Vec<_>) = (found.collect(), expected.collect());
        assert_eq!(sorted_list(&found), sorted_list(&expected), "{}", self.title);
    }

    fn compare_fates(&self, fates: &[RetreatReport], expected: &Expected) {
        let gone = fates.iter().filter(|one| !matches!(one.fate, Fate::Retreated(_)));
        let gone = gone.map(|one| format!("{} {}", self.scenario.code(one.unit.owner), one.unit));
        let expected = expected.disbanded.iter();
        self.compare_lists(gone, expected.map(|one| format!("{} {}", one.empire, one.unit)));
    }

    fn compare_colonizing(&self, results: &[ColonizeReport], expected: &Expected) {
        let found = results.iter().map(|ColonizeReport { attempt, result }| Line {
            empire: self.scenario.code(attempt.seat),
            order: attempt.order.to_string(),
            result: if *result == Colonizing::Colonized { "colonized" } else { "fails" }.to_owned(),
            reason: None,
        });
        assert_eq!(found.collect::<Vec<_>>(), expected.colonize, "{}", self.title);
    }

    /// Compares the results of accepted winter orders and the removals by civil disorder.
    fn compare_adjusted(&self, lines: &[AdjustedLine], accepted: &[Line], expected: &Expected) {
        let write = |line: &AdjustedLine| {
            let empire = self.scenario.code(line.seat);
            match (line.order, line.result) {
                (None, Adjusted::Removed(kind, at)) => {
                    format!("{empire} removed {}", Named { kind: Some(kind), at })
                }
                (_, result) => format!("{empire} {}", common::adjusted(result)),
            }
        };
        let automatic = expected.results.iter().filter(|line| line.order == "(civil disorder)");
        let expected = accepted.iter().chain(automatic);
        self.compare_lists(
            lines.iter().map(write),
            expected.map(|line| format!("{} {}", line.empire, line.result)),
        );
    }

    fn compare_units(&self, expected: &Expected) {
        let position = &self.game.table().position;
        let mut found = Lines::new();
        for unit in position.units() {
            found.entry(self.scenario.code(unit.owner)).or_default().push(unit.to_string());
        }
        assert_eq!(sorted(found), sorted(expected.units.clone()), "{}", self.title);
        let orbit = position.seats().map(|seat| (self.scenario.code(seat), position.orbit(seat)));
        let orbit: BTreeMap<String, u8> = orbit.filter(|&(_, armies)| armies > 0).collect();
        assert_eq!(orbit, expected.orbit, "{}", self.title);
    }

    fn compare_end(&self, eliminated: SeatSet, expected: &Expected) {
        let out = eliminated.iter().map(|seat| self.scenario.code(seat));
        self.compare_lists(out, expected.eliminated.iter().cloned());
        let colonies = self.scenario.owners(&self.game.table().position.colonies);
        assert_eq!(colonies, expected.colonies, "{}", self.title);
        let winners: Option<SeatSet> = expected.game_over.as_ref().map(|over| match over {
            GameOver::Winner(code) => SeatSet::one(self.scenario.seat(code)),
            GameOver::Draw(codes) => codes.iter().map(|code| self.scenario.seat(code)).collect(),
        });
        if let Some(winners) = winners {
            let found = self.game.outcome().map(|outcome| outcome.winners);
            assert_eq!(found, Some(winners), "{}", self.title);
        }
    }
}

#[test]
fn situations_give_the_recorded_results() {
    let scenarios: Vec<Scenario> = read_lines(include_str!("data/worked.jsonl"));
    assert_eq!(scenarios.len(), 49);
    for scenario in &scenarios {
        let (game, events, title) = (scenario.position(), Vec::new(), String::new());
        let mut play = Play { scenario, game, events, title };
        for step in &scenario.steps {
            play.step(step);
        }
        assert_eq!(play.game.check(), Ok(()), "{}", scenario.id);
    }
}
