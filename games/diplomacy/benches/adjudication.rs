//! Benchmarks of adjudicating the recorded movement phases, and of listing the legal orders of a
//! power. Target for a list: 1 ms.

use std::collections::BTreeMap;

use heliopause_diplomacy::{
    Code, Diplomacy, Given, Kind, Movement, Node, Options, Position, Unit, Variant, read_orders,
    standard_powers,
};
use heliopause_kernel::{Dice, Game, Seat, Setup, Wire};
use heliopause_proto::diplomacy::v1 as proto;

fn main() {
    divan::main();
}

#[derive(serde::Deserialize)]
struct Recorded {
    units: BTreeMap<String, Vec<String>>,
    orders: BTreeMap<String, Vec<String>>,
}

fn phases() -> Vec<(Position, Vec<Given>)> {
    let names: Vec<&str> = standard_powers().map(|(name, _)| name).collect();
    let seat =
        |power: &str| Seat::at(names.iter().position(|name| *name == power).expect("a power"));
    let read = |line: &str| {
        let case: Recorded = serde_json::from_str(line).expect("a recorded phase");
        let codes = names.iter().map(|name| name[..3].parse::<Code>().expect("a code"));
        let mut position = Position::empty(Variant::Standard, codes);
        for (power, units) in &case.units {
            for text in units {
                let kind = text[..1].parse::<Kind>().expect("A or F");
                let at = text[2..].parse::<Node>().expect("a place");
                position.put(Unit { owner: seat(power), kind, at });
            }
        }
        let lines = case
            .orders
            .iter()
            .flat_map(|(power, lines)| lines.iter().map(move |line| (power, line)));
        let given = |(power, line): (&String, &String)| Given {
            seat: seat(power),
            order: read_orders(line).expect("notation")[0],
        };
        (position, lines.map(given).collect())
    };
    include_str!("../tests/data/phases-1000.jsonl").lines().map(read).collect()
}

#[divan::bench]
fn thousand_phases(bencher: divan::Bencher<'_, '_>) {
    let phases = phases();
    bencher.counter(phases.len()).bench_local(|| {
        for (position, orders) in &phases {
            divan::black_box(Movement::resolve(position, orders).aftermath());
        }
    });
}

#[divan::bench]
fn thousand_phases_explained(bencher: divan::Bencher<'_, '_>) {
    let phases = phases();
    bencher.counter(phases.len()).bench_local(|| {
        for (position, orders) in &phases {
            let movement = Movement::resolve(position, orders);
            divan::black_box((movement.aftermath(), movement.reports(orders)));
        }
    });
}

fn games() -> Vec<Diplomacy> {
    let setup = Setup { options: Options::default(), players: 7 };
    let (new, _) = Diplomacy::new(&setup, &mut Dice::new([1; 32])).expect("the usual game");
    let written = new.write_position();
    let game = |(position, _): (Position, Vec<Given>)| {
        let mut message = written.clone();
        for power in &mut message.table.as_mut().expect("it is written").powers {
            let seat = Seat::numbered(power.seat).expect("a seat");
            let unit = |unit: Unit| proto::Unit {
                kind: if unit.kind == Kind::Army {
                    proto::UnitKind::Army
                } else {
                    proto::UnitKind::Fleet
                }
                .into(),
                at: unit.at.to_string(),
            };
            power.units = position.units_of(seat).map(unit).collect();
            power.centers.clear();
        }
        Diplomacy::read_position(&message).expect("a position")
    };
    phases().into_iter().map(game).collect()
}

#[divan::bench]
fn offers_of_seven_hundred_seats(bencher: divan::Bencher<'_, '_>) {
    let games: Vec<Diplomacy> = games().into_iter().step_by(10).collect();
    bencher.counter(games.len() * 7).bench_local(|| {
        for game in &games {
            for seat in Seat::first(7) {
                divan::black_box(game.offers(seat));
            }
        }
    });
}
