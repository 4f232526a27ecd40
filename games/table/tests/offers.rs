//! Offers over the wire: they survive a round trip, are consistent in every kind of game, and have
//! a bounded size.

use std::collections::BTreeSet;

use heliopause_games::StarEmpires;
use heliopause_kernel::{Dice, Game, Seat, Wire};
use heliopause_proto::json;
use heliopause_proto::v1::{GamePosition, GetOffersResponse, game_position, slot};
use heliopause_samples::quick_play;
use heliopause_samples::war::{Kind, War};
use heliopause_stellar_conquest::{Options, StellarConquest, Variant};
use heliopause_table::offers;
use heliopause_table::registry::{AnyGame, KINDS, kind};
use prost::Message;
use serde_json::{Value, json};

fn new_game(id: &str, players: usize) -> Box<dyn AnyGame> {
    let rules = &kind(id).expect("a kind").rules;
    let (options, _) = rules.options(None).expect("the default options");
    let names: Vec<String> = Seat::first(Seat::MAX).map(|seat| seat.to_string()).collect();
    let set_up = rules.set_up(&options, players, &mut Dice::new([5; 32]), &names);
    set_up.expect("it can be played").0
}

fn size(game: &dyn AnyGame, seat: Seat) -> usize {
    let offers = Some(offers::write(game.offers(seat)));
    GetOffersResponse { offers, ..GetOffersResponse::default() }.encoded_len()
}

/// Returns the game of a recorded movement phase.
fn movement(line: &str) -> Box<dyn AnyGame> {
    const POWERS: [&str; 7] =
        ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];
    let case: Value = serde_json::from_str(line).expect("JSON");
    let unit = |unit: &Value| {
        let (letter, at) = unit.as_str().and_then(|unit| unit.split_once(' ')).expect("a unit");
        let kind = if letter == "A" { "UNIT_KIND_ARMY" } else { "UNIT_KIND_FLEET" };
        json!({ "kind": kind, "at": at })
    };
    let power = |(seat, name): (u32, &str)| {
        let units = case["units"][name].as_array().into_iter().flatten();
        json!({ "seat": seat, "units": units.map(unit).collect::<Vec<_>>() })
    };
    let powers: Vec<Value> = (1..).zip(POWERS).map(power).collect();
    diplomacy(&json!({ "options": { "variant": "VARIANT_STANDARD" }, "powers": powers }))
}

fn diplomacy(table: &Value) -> Box<dyn AnyGame> {
    let position = json!({ "diplomacy": { "table": table } });
    let position: GamePosition = json::from_value(&position).expect("a position");
    kind("diplomacy").expect("a kind").rules.read_position(&position).expect("a position")
}

#[test]
fn offers_survive_a_round_trip_in_every_kind() {
    for kind in KINDS.iter() {
        let (_, players) = kind.rules.options(None).expect("the default options");
        let game = new_game(kind.id, *players.end());
        for seat in Seat::first(*players.end()) {
            let own = game.offers(seat);
            assert_eq!(own.check(), Ok(()), "{} {seat}", kind.id);
            assert_eq!(
                offers::read(&offers::write(own.clone())).as_ref(),
                Ok(&own),
                "{} {seat}",
                kind.id
            );
        }
    }
}

/// Returns the stocks of the first seat with offers, and the costs of its orders: those of the
/// fullest filling of each offer that has prices.
fn spending(game: &dyn AnyGame) -> (Vec<String>, BTreeSet<i64>) {
    let mut offers = Seat::first(Seat::MAX).map(|seat| game.offers(seat));
    let offers = offers.find(|offers| !offers.list.is_empty()).expect("offers");
    let stocks = offers.stocks.iter().map(|stock| stock.available.to_string()).collect();
    let cost = |offer| Some(offers.cost(offer, &offers.fullest(offer, &mut || 0))?.amount);
    (stocks, offers.list.iter().filter_map(cost).collect())
}

#[test]
fn stocks_are_what_a_seat_can_spend() {
    let stocks = |game: Box<dyn AnyGame>| spending(game.as_ref());
    assert_eq!(stocks(new_game("diplomacy", 7)), (vec![], [].into()));
    assert_eq!(stocks(new_game("stellar-conquest", 4)), (vec!["25 i.p.".into()], [25].into()));
    let (worlds, costs) = stocks(new_game("star-empires", 4));
    assert_eq!(worlds, ["12 RU"]);
    assert!(costs.len() > 1, "{costs:?}");
    let capitals = ["Vie", "Lon", "Par", "Ber", "Rom", "Mos", "Con"];
    let power = |(seat, home): (u32, &str)| {
        let centers = if home == "Vie" { vec!["Vie", "Bud", "Tri"] } else { vec![home] };
        let unit = json!({ "kind": "UNIT_KIND_ARMY", "at": home });
        json!({ "seat": seat, "units": [unit], "centers": centers })
    };
    let powers: Vec<Value> = (1..).zip(capitals).map(power).collect();
    let winter = diplomacy(&json!({ "phase": "PHASE_WINTER", "powers": powers,
        "options": { "variant": "VARIANT_STANDARD" } }));
    assert_eq!(stocks(winter), (vec!["2 builds".into()], [1].into()));
}

#[test]
fn invalid_offers_are_rejected() {
    let good = offers::write(new_game("diplomacy", 7).offers(Seat::at(0)));
    assert!(offers::read(&good).is_ok());
    let mut unknown = good.clone();
    unknown.slots.iter_mut().for_each(|slot| slot.kind = None);
    assert_eq!(offers::read(&unknown).unwrap_err().field, "offers.slots.kind");
    let mut nowhere = good.clone();
    nowhere.offers[0].slots.push(4_000);
    assert_eq!(offers::read(&nowhere).unwrap_err().field, "offers.offers.slots");
    let mut stray = good;
    let picks = stray.slots.iter_mut().find_map(|slot| match &mut slot.kind {
        Some(slot::Kind::Places(picks)) => Some(picks),
        _ => None,
    });
    picks.expect("a place").list = 4_000;
    assert_eq!(offers::read(&stray).unwrap_err().field, "offers");
}

/// Separate orders would take 10 kB for the player on turn, and 11 kB for all seats. Offers may
/// take half as much for the player on turn, and as much for all seats, because pledges have
/// sentences.
#[test]
fn offers_of_starships_are_small() {
    let game = new_game("starships-at-large", 6);
    let on_turn = game.on_turn().expect("a player");
    assert!(size(game.as_ref(), on_turn) < 10_222 / 2, "{}", size(game.as_ref(), on_turn));
    let all: usize = Seat::first(6).map(|seat| size(game.as_ref(), seat)).sum();
    assert!(all < 11_292, "{all}");
}

/// Separate orders, each as notation and as a sentence, would take twice as much: 98 kB for the
/// seats of a recorded phase, 41 kB at the start. Larger offers would mean duplicated data. A
/// conditional order names all places of its unit again, in 150 bytes.
#[test]
fn offers_of_diplomacy_are_small() {
    let game = new_game("diplomacy", 7);
    let beginning: usize = Seat::first(7).map(|seat| size(game.as_ref(), seat)).sum();
    assert!(beginning < 40_585 / 2 + 22 * 150, "{beginning}");
    let phases = include_str!("../../diplomacy/tests/data/phases-1000.jsonl").lines();
    let games: Vec<_> = phases.step_by(25).map(movement).collect();
    let total: usize = games
        .iter()
        .map(|game| Seat::first(7).map(|seat| size(game.as_ref(), seat)).sum::<usize>())
        .sum();
    assert!(total < games.len() * 98_393 / 2, "{total} for {}", games.len());
}

/// The sizes of choices, which preceded offers, in the war of 12 empires. Offers add the sentences
/// and titles, 6 kB for any empire, the costs of all ratings of the hulls, 1 kB, and orders that the
/// choices did not cover.
const FORMER_CHOICE_SIZES: [usize; 12] =
    [9_514, 11_975, 10_107, 11_329, 8_298, 12_345, 9_231, 10_840, 8_572, 11_832, 8_696, 11_775];

#[test]
fn offers_of_the_war_of_12_empires_are_small() {
    let war = War::new(Kind::War, 12, 250);
    let position = StarEmpires::write_position(&war.game);
    let position = GamePosition { game: Some(game_position::Game::StarEmpires(position)) };
    let game = kind("star-empires")
        .expect("a kind")
        .rules
        .read_position(&position)
        .expect("an own position");
    let sizes: Vec<usize> = Seat::first(12).map(|seat| size(game.as_ref(), seat)).collect();
    let largest = FORMER_CHOICE_SIZES.iter().max().expect("there are seats");
    assert!(sizes.iter().all(|size| size * 2 <= largest * 3), "{sizes:?}");
    let (now, before): (usize, usize) = (sizes.iter().sum(), FORMER_CHOICE_SIZES.iter().sum());
    assert!(now * 20 <= before * 33, "{now} for {before}: {sizes:?}");
}

const STEPS: usize = 120;
const MEASURED_EVERY: usize = 12;

/// The limit is a tenth above the measured size.
#[test]
fn offers_of_stellar_conquest_are_small() {
    let mut total = 0;
    for (variant, players) in
        [(Variant::Conquest, 4), (Variant::FateOfEmpire, 1), (Variant::OuterSpace, 4)]
    {
        let rules =
            &kind(StellarConquest::edition_of(&Options::of(variant))).expect("a kind").rules;
        let mut play = quick_play::QuickGame::new(Options::of(variant), players, 1);
        for number in 0..STEPS {
            if number.is_multiple_of(MEASURED_EVERY) {
                let position = game_position::Game::StellarConquest(play.game.write_position());
                let position = GamePosition { game: Some(position) };
                let game = rules.read_position(&position).expect("a position");
                let pending = play.game.pending();
                total += pending.iter().map(|open| size(game.as_ref(), open.seat)).sum::<usize>();
            }
            if !play.step() {
                break;
            }
        }
    }
    assert!(total < 72_126 * 11 / 10, "{total}");
}
