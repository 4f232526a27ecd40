//! Tests of events other than results of orders, and of their rules.

use heliopause_diplomacy::{Command, Diplomacy, Event, Options, Phase, read_orders};
use heliopause_kernel::{Actor, CloseCause, Dice, Emitted, Game, Seat, Setup, Viewer, Wire};
use serde_json::{Value, json};

const FRANCE: usize = 3;
const GERMANY: usize = 4;
const ITALY: usize = 5;

fn game(powers: &[(usize, &str)]) -> Diplomacy {
    let unit = |text: &str| {
        let (letter, at) = text.split_once(' ').unwrap();
        json!({ "kind": if letter == "A" { "UNIT_KIND_ARMY" } else { "UNIT_KIND_FLEET" }, "at": at })
    };
    let power = |&(seat, units): &(usize, &str)| json!({ "seat": seat, "units": units.split(", ").map(unit).collect::<Vec<Value>>() });
    let powers: Vec<Value> = powers.iter().map(power).collect();
    let position = json!({ "table": { "options": { "variant": "VARIANT_STANDARD" }, "players": 7, "powers": powers } });
    Diplomacy::read_position(&heliopause_proto::json::from_value(&position).unwrap()).unwrap()
}

fn order(game: &mut Diplomacy, power: usize, text: &str) {
    for order in read_orders(text).unwrap() {
        game.submit(
            Actor::Seat(Seat::at(power - 1)),
            Command::Order(order),
            &mut Dice::new([0; 32]),
        )
        .unwrap();
    }
}

fn close(game: &mut Diplomacy) -> Emitted<Event> {
    game.close(CloseCause::Deadline, &mut Dice::new([0; 32]))
}

fn told(game: &Diplomacy, events: &Emitted<Event>, power: usize) -> String {
    let reader = Viewer::Seat(Seat::at(power - 1));
    let name = |seat| game.seat_name(seat, reader).unwrap();
    events
        .to(reader)
        .map(|event| Diplomacy::describe(event, &name).0)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn d7_units_without_a_retreat_are_reported_as_disbanded() {
    let mut game = game(&[(FRANCE, "A Por, A Par"), (ITALY, "A Spa, F MAO")]);
    order(&mut game, ITALY, "A Spa - Por\nF MAO S A Spa - Por");
    let text = told(&game, &close(&mut game.clone()), FRANCE);
    assert!(text.contains("France's A Por cannot retreat and is disbanded."), "{text}");
}

#[test]
fn d7_5_unordered_retreats_have_a_different_message() {
    let mut game = game(&[(FRANCE, "A Bur, A Por"), (GERMANY, "A Mun, A Ruh")]);
    order(&mut game, GERMANY, "A Mun - Bur\nA Ruh S A Mun - Bur");
    close(&mut game);
    assert_eq!(game.table().phase, Phase::SpringRetreat);
    let text = told(&game, &close(&mut game.clone()), FRANCE);
    assert!(text.contains("France's A Bur has no retreat order and is disbanded."), "{text}");
}

#[test]
fn r16_eliminated_seats_get_an_event() {
    let mut game = game(&[(FRANCE, "A Por"), (ITALY, "A Spa, F MAO"), (GERMANY, "A Mun")]);
    order(&mut game, ITALY, "A Spa - Por\nF MAO S A Spa - Por");
    let events = close(&mut game);
    let text = told(&game, &events, FRANCE);
    assert!(
        text.contains("You are eliminated: France has neither units nor supply centers left."),
        "{text}"
    );
    let seat = Seat::at(FRANCE - 1);
    assert!(events.to(Viewer::Seat(seat)).any(|event| *event == Event::Eliminated { seat }));
    assert!(!told(&game, &events, ITALY).contains("You are eliminated"));
}

#[test]
fn d2_spring_1901_starts_with_an_event() {
    let setup = Setup { options: Options::default(), players: 7 };
    let (game, events) = Diplomacy::new(&setup, &mut Dice::new([0; 32])).unwrap();
    let began: Vec<&Event> = events.to(Viewer::Spectator).collect();
    assert_eq!(began, [&Event::PhaseBegan { year: 1901, phase: Phase::SpringMovement }]);
    assert_eq!(game.table().number, 1);
}
