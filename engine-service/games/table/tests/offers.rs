//! Offers over the wire: they read back as written, hold together in every kind of game, and are no
//! larger than they need be.

#[expect(dead_code, reason = "benchmarks and tests of the game itself use the rest")]
#[path = "../../stellar-conquest/tests/play/rough.rs"]
mod rough;
#[path = "../../star-empires/benches/war/mod.rs"]
mod war;

use heliopause_games::StarEmpires;
use heliopause_kernel::{Dice, Game, Seat, Wire};
use heliopause_proto::diplomacy::v1 as diplomacy;
use heliopause_proto::v1::{GamePosition, GetOffersResponse, game_position, slot};
use heliopause_stellar_conquest::{Options, StellarConquest, Variant};
use heliopause_table::registry::{AnyGame, KINDS, kind};
use heliopause_table::{Fault, offers};
use prost::Message;
use war::{Kind, War};

fn new_game(id: &str, players: usize) -> Box<dyn AnyGame> {
    let rules = &kind(id).expect("a kind").rules;
    let (options, _) = rules.options(None).expect("the default options");
    rules
        .set_up(&options, players, &mut Dice::new([5; 32]), &|seat| seat.to_string())
        .expect("it can be played")
        .0
}

/// What a client is sent.
fn size(game: &dyn AnyGame, seat: Seat) -> usize {
    let offers = Some(offers::write(game.offers(seat)));
    GetOffersResponse { offers, ..GetOffersResponse::default() }.encoded_len()
}

/// A phase of movement with these units of each power, and nothing else.
fn movement(line: &str) -> Result<Box<dyn AnyGame>, Fault> {
    const POWERS: [&str; 7] =
        ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];
    let units =
        line.split("\"units\":{").nth(1).and_then(|rest| rest.split("},").next()).expect("units");
    let power = |(index, name): (usize, &&str)| {
        let list =
            units.split(&format!("\"{name}\":[")).nth(1).and_then(|rest| rest.split(']').next());
        let unit = |text: &str| {
            let text = text.trim_matches('"');
            let kind = if text.starts_with('A') {
                diplomacy::UnitKind::Army
            } else {
                diplomacy::UnitKind::Fleet
            };
            diplomacy::Unit { kind: kind.into(), at: text[2..].to_owned() }
        };
        let units = list
            .into_iter()
            .flat_map(|list| list.split(','))
            .filter(|text| text.len() > 3)
            .map(unit)
            .collect();
        diplomacy::Power { seat: index as u32 + 1, units, ..diplomacy::Power::default() }
    };
    let powers = POWERS.iter().enumerate().map(power).collect();
    let options = diplomacy::Options {
        variant: diplomacy::Variant::Standard.into(),
        ..diplomacy::Options::default()
    };
    let table = diplomacy::Table { options: Some(options), powers, ..diplomacy::Table::default() };
    let position = diplomacy::Position { table: Some(table), sheets: Vec::new() };
    let position = GamePosition { game: Some(game_position::Game::Diplomacy(position)) };
    kind("diplomacy").expect("a kind").rules.read_position(&position)
}

#[test]
fn offers_read_back_as_written_in_every_kind_of_game() {
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

#[test]
fn offers_that_are_none_are_refused() {
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

/// What the same answers took for all seats at the beginning when every order was listed by itself:
/// 11 kB, nearly all of it for the player on turn. The others, who may only negotiate, are sent
/// more than before: their pledges as sentences.
#[test]
fn offers_of_starships_are_small() {
    let game = new_game("starships-at-large", 6);
    let on_turn = game.on_turn().expect("a player");
    assert!(size(game.as_ref(), on_turn) < 10_222 / 2, "{}", size(game.as_ref(), on_turn));
    let all: usize = Seat::first(6).map(|seat| size(game.as_ref(), seat)).sum();
    assert!(all < 11_292, "{all}");
}

/// What the same answers took when every order was listed by itself, typed and in words: 98 MB for
/// the seats of the recorded phases, 41 kB for those at the beginning. Half of that says that
/// something is sent twice again.
#[test]
fn offers_of_diplomacy_are_small() {
    let game = new_game("diplomacy", 7);
    let beginning: usize = Seat::first(7).map(|seat| size(game.as_ref(), seat)).sum();
    assert!(beginning < 40_585 / 2, "{beginning}");
    let phases = include_str!("../../diplomacy/tests/data/phases-1000.jsonl").lines();
    let games = phases.map(|line| movement(line).expect("a position"));
    let total: usize =
        games.map(|game| Seat::first(7).map(|seat| size(game.as_ref(), seat)).sum::<usize>()).sum();
    assert!(total < 98_393_572 / 2, "{total}");
}

/// What the choices of each seat took in the war of 12 empires, before there were offers: what each
/// ship and each world could do, which clients made orders of. Now the sentences are sent too, 5 kB
/// of them for any empire, and orders of which the choices said nothing.
const CHOICES_OF_THE_WAR: [usize; 12] =
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
    let largest = CHOICES_OF_THE_WAR.iter().max().expect("there are seats");
    assert!(sizes.iter().all(|size| size * 10 <= largest * 12), "{sizes:?}");
    let (now, before): (usize, usize) = (sizes.iter().sum(), CHOICES_OF_THE_WAR.iter().sum());
    assert!(now * 10 <= before * 12, "{now} for {before}: {sizes:?}");
}

/// What the typed message took in the same games, in which each way was told hex by hex: 8 MB for
/// all that owe a decision, at every step. In production turns it takes more than that did, since
/// what can be bought is told in words; in movement less.
#[test]
fn offers_of_stellar_conquest_are_small() {
    let mut total = 0;
    for (variant, players) in
        [(Variant::Conquest, 4), (Variant::FateOfEmpire, 1), (Variant::OuterSpace, 4)]
    {
        let rules =
            &kind(StellarConquest::edition_of(&Options::of(variant))).expect("a kind").rules;
        for seed in 1..=3 {
            let mut play = rough::Play::new(Options::of(variant), players, seed);
            loop {
                let position = game_position::Game::StellarConquest(play.game.write_position());
                let game = rules
                    .read_position(&GamePosition { game: Some(position) })
                    .expect("a position");
                total += play
                    .game
                    .pending()
                    .iter()
                    .map(|open| size(game.as_ref(), open.seat))
                    .sum::<usize>();
                if !play.step() {
                    break;
                }
            }
        }
    }
    assert!(total < 8_001_608 * 12 / 10, "{total}");
}
