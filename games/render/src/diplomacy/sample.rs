//! Sample positions for tests: one of the standard game, and one with empires.

use heliopause_diplomacy::{Command, Diplomacy, Event, read_orders};
use heliopause_kernel::{Actor, CloseCause, Dice, Game as _, Seat, Viewer, Wire as _};
use heliopause_proto::json;
use heliopause_proto::v1::Game;
use serde_json::{Value, json};

pub(super) fn standard() -> (Diplomacy, Vec<Event>) {
    play(
        &json!({ "table": { "options": { "variant": "VARIANT_STANDARD" }, "year": 1902, "powers": [
            power(1, "A Bud, A Vie, F Tri", "Bud Vie Tri Ser"), power(2, "F NTH, F ENG, A Lon, A \
                Nwy", "Lon Edi Lvp \
                Nwy"),
            power(3, "A Bur, A Mar, F Bre, F Spa/sc", "Par Mar Bre Spa Por"), power(4, "A Mun, A \
                Ruh, F Den, A Ber", "Mun Ber Kie Den Hol"),
            power(5, "A Ven, A Tyr, F ION", "Ven Rom Nap Tun"), power(6, "A Gal, A War, F Stp/sc, \
                F Sev, A Mos", "Mos \
                War Stp Sev Swe"),
            power(7, "A Bul, F BLA, F AEG", "Con Ank Smy Bul")] } }),
        &[
            "A Bud - Gal\nA Vie S A Bud - Gal\nF Tri H",
            "F ENG C A Lon - Bel\nA Lon - Bel\nF NTH S A Lon - Bel\nA Nwy - Stp",
            "A Bur - Mun\nA Mar S A Bur\nF Spa/sc - LYO\nF Bre - ENG",
            "A Ruh - Bel\nA Mun - Bur\nF Den - Swe\nA Ber S A Mun",
            "A Tyr - Tri\nA Ven S A Tyr - Tri\nF ION - AEG",
            "A Gal H\nA War S A Gal\nF Sev - BLA\nF Stp/sc - BOT",
            "A Bul - Rum\nF BLA S A Bul - Rum\nF AEG - Gre",
        ],
    )
}

pub(super) fn space() -> (Diplomacy, Vec<Event>) {
    let mut powers = [
        power(1, "A Par, A Mun, F NTH", "Par Mun Lon"),
        power(2, "A Bur, F Bre", "Bre Mar"),
        power(3, "A Vie", "Vie"),
    ];
    for (power, (orbit, colonies)) in
        powers.iter_mut().zip([(1, "Par Lon"), (2, "Bre Gas"), (3, "Vie Boh")])
    {
        power["orbit"] = json!(orbit);
        power["colonies"] = json!(colonies.split(' ').collect::<Vec<_>>());
    }
    play(
        &json!({ "table": { "options": { "variant": "VARIANT_OUTER_SPACE" }, "year": 1903, "players": 3, "powers": powers } }),
        &[
            "A Mun - Bur\nA Par S A Mun - Bur\nF NTH COL Nwy\nA ORB - Rom",
            "A Bur H\nF Bre - ENG\nA ORB - Rom\nA ORB - Mar",
            "A Vie COL\nA ORB - Tri\nA ORB H\nA ORB - Bud",
        ],
    )
}

fn power(seat: u32, units: &str, centers: &str) -> Value {
    let unit = |text: &str| {
        let (letter, at) = text.split_once(' ').expect("a unit");
        json!({ "kind": if letter == "A" { "UNIT_KIND_ARMY" } else { "UNIT_KIND_FLEET" }, "at": at })
    };
    let units: Vec<Value> = units.split(", ").map(unit).collect();
    json!({ "seat": seat, "units": units, "centers": centers.split(' ').collect::<Vec<_>>() })
}

fn play(position: &Value, orders: &[&str]) -> (Diplomacy, Vec<Event>) {
    let position = json::from_value(position).expect("the sample is well formed");
    let mut game = Diplomacy::read_position(&position).expect("the position is sound");
    for (index, text) in orders.iter().enumerate() {
        for order in read_orders(text).expect("notation") {
            let command = Command::Order(order);
            let given = game.submit(Actor::Seat(Seat::at(index)), command, &mut Dice::new([0; 32]));
            assert!(given.is_ok(), "{order}: {given:?}");
        }
    }
    let told = game.close(CloseCause::AllReady, &mut Dice::new([0; 32]));
    let events = told.to(Viewer::Spectator).cloned().collect();
    (game, events)
}

pub(super) fn game() -> Game {
    json::from_value(&json!({
        "name": "Friday <night>", "kind": "diplomacy", "seats": [
            { "number": 1, "role": "Austria", "player": "Ann" }, { "number": 2, "role": "England", "player": "Bob" },
            { "number": 3, "role": "France", "automated": { "profile": "power", "level": "strong" } }]
    }))
    .expect("the sample is well formed")
}
