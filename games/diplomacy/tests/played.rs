//! Tests that play the worked situations in a game, from a handwritten position.

use crate::common;

use std::collections::BTreeMap;

use common::{Lines, read_lines, sorted_list};
use heliopause_diplomacy::{
    Command, Diplomacy, Event, Kind, Outcome, Phase, Province, Unit, read_orders,
};
use heliopause_kernel::{Actor, CloseCause, Dice, Game, Seat, SeatSet, Viewer, Wire};
use heliopause_proto::diplomacy::v1 as proto;
use serde::Deserialize;

#[derive(Deserialize)]
struct Scenario {
    id: String,
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

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Expected {
    units: Option<Lines>,
    results: Vec<Line>,
    colonies: BTreeMap<String, String>,
    centers: BTreeMap<String, String>,
    eliminated: Vec<String>,
    game_over: Option<GameOver>,
}

#[derive(Deserialize)]
struct Line {
    order: String,
    result: String,
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

    /// Encodes the initial position as a client would. The empires keep their default codes, which
    /// the situations also use.
    fn position(&self) -> Diplomacy {
        let power = |empire: &String| proto::Power {
            seat: self.seat(empire).number(),
            units: self
                .start
                .units
                .get(empire)
                .into_iter()
                .flatten()
                .map(|text| written_unit(text))
                .collect(),
            orbit: self.start.orbit.get(empire).copied().unwrap_or_default(),
            centers: owned(&self.start.centers, empire),
            colonies: owned(&self.start.colonies, empire),
            ..proto::Power::default()
        };
        let usual = ["ZOR", "VEL", "KRU"];
        assert!(self.empires.iter().zip(usual).all(|(code, usual)| code == usual), "{}", self.id);
        let options = proto::Options {
            variant: proto::Variant::OuterSpace.into(),
            ..proto::Options::default()
        };
        let phase = if self.start.season == "fall" {
            proto::Phase::FallMovement
        } else {
            proto::Phase::SpringMovement
        };
        let table = proto::Table {
            options: Some(options),
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
            .filter_map(|province| Some((province, of[province.index()]?)));
        owned
            .map(|(province, seat)| (province.to_string(), self.empires[seat.index()].clone()))
            .collect()
    }
}

fn owned(map: &BTreeMap<String, String>, empire: &str) -> Vec<String> {
    map.iter().filter(|(_, owner)| *owner == empire).map(|(province, _)| province.clone()).collect()
}

fn written_unit(text: &str) -> proto::Unit {
    let unit = Unit::read(Seat::at(0), text).expect("a unit");
    let kind = if unit.kind == Kind::Army { proto::UnitKind::Army } else { proto::UnitKind::Fleet };
    proto::Unit { kind: kind.into(), at: unit.at.to_string() }
}

/// Asserts that the game rejects exactly the orders that are recorded as illegal or failing.
fn give(game: &mut Diplomacy, scenario: &Scenario, step: &Step) {
    let mut results = step.expect.results.iter();
    for empire in &scenario.empires {
        for line in step.orders.get(empire).into_iter().flatten() {
            let result = results.next();
            let command = Command::Order(read_orders(line).expect("notation")[0]);
            let seat = scenario.seat(empire);
            let accepted = game.submit(Actor::Seat(seat), command, &mut Dice::new([0; 32])).is_ok();
            let Some(result) = result.filter(|_| step.phase != "retreat") else { continue };
            assert_eq!(result.order, *line);
            let good = !matches!(result.result.as_str(), "illegal" | "fails");
            assert_eq!(accepted, good, "{}: {line}: {}", scenario.id, result.result);
        }
    }
}

fn check_turn(game: &Diplomacy, scenario: &Scenario, expected: &Expected) {
    let table = game.table();
    assert_eq!(scenario.owners(&table.position.colonies), expected.colonies, "{}", scenario.id);
    assert_eq!(scenario.owners(&table.position.centers), expected.centers, "{}", scenario.id);
}

fn check_end(game: &Diplomacy, scenario: &Scenario, expected: &Expected) {
    let winners: Option<SeatSet> = expected.game_over.as_ref().map(|over| match over {
        GameOver::Winner(code) => SeatSet::one(scenario.seat(code)),
        GameOver::Draw(codes) => codes.iter().map(|code| scenario.seat(code)).collect(),
    });
    if let Some(winners) = winners {
        assert_eq!(game.outcome().map(|outcome| outcome.winners), Some(winners), "{}", scenario.id);
    }
    let out: Vec<String> = expected
        .eliminated
        .iter()
        .filter(|code| !game.table().eliminated.contains(scenario.seat(code)))
        .cloned()
        .collect();
    assert_eq!(sorted_list(&out), Vec::<String>::new(), "{}", scenario.id);
}

fn play(scenario: &Scenario) {
    let mut game = scenario.position();
    let mut dice = Dice::new([0; 32]);
    let mut last_units = None;
    for step in &scenario.steps {
        let resolves = match step.phase.as_str() {
            "movement" => true,
            "retreat" => matches!(game.table().phase, Phase::SpringRetreat | Phase::FallRetreat),
            "adjustment" => game.table().phase == Phase::Winter,
            _ => false,
        };
        if resolves {
            give(&mut game, scenario, step);
            let told = game.close(CloseCause::AllReady, &mut dice);
            for event in told.to(Viewer::Spectator) {
                if let Event::Moved { reports, .. } = event {
                    assert!(
                        reports.iter().all(|report| !matches!(report.outcome, Outcome::Illegal(_)))
                    );
                }
            }
        }
        match step.phase.as_str() {
            "end_of_turn" => {
                check_turn(&game, scenario, &step.expect);
                check_end(&game, scenario, &step.expect);
            }
            "adjustment" => check_end(&game, scenario, &step.expect),
            _ => {}
        }
        last_units = step.expect.units.clone().or(last_units);
    }
    let mut found = Lines::new();
    for unit in game.table().position.units() {
        found
            .entry(scenario.empires[unit.owner.index()].clone())
            .or_default()
            .push(unit.to_string());
    }
    assert_eq!(
        common::sorted(found),
        common::sorted(last_units.unwrap_or_default()),
        "{}",
        scenario.id
    );
    assert_eq!(game.check(), Ok(()), "{}", scenario.id);
}

#[test]
fn worked_situations_give_the_same_results_in_play() {
    let scenarios: Vec<Scenario> = read_lines(include_str!("data/worked.jsonl"));
    assert_eq!(scenarios.len(), 49);
    for scenario in &scenarios {
        play(scenario);
    }
}
