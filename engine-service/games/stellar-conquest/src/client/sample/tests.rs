//! A sample shows its viewer what the view shows, and is a state that holds together.

use heliopause_kernel::{Game, Seat, SeatSet, Viewer};

use crate::state::battle::{Battle, BattleStage, Condition, Subject, Unit};
use crate::state::event::{BattleEvent, Event, OwnEvent, TableEvent};
use crate::state::options::Options;
use crate::state::position::StellarConquest;
use crate::state::table::Stage;
use crate::tables::attack_table::Arm;
use crate::tables::cards::CardId;
use crate::tables::ships::{Fleet, ShipKind};
use crate::testing::{Scene, place, seat};

/// Numbers from a small generator.
fn numbers(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 16
    }
}

fn viewers(game: &StellarConquest) -> Vec<Viewer> {
    let seats = Seat::first(game.table().seats()).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

fn check(game: &StellarConquest) {
    for viewer in viewers(game) {
        let view = game.view(viewer);
        for seed in 0..20 {
            let sample = StellarConquest::sample(&view, &mut numbers(seed));
            assert_eq!(sample.check(), Ok(()), "{viewer:?}");
            assert_eq!(sample.view(viewer), view, "{viewer:?}");
        }
    }
}

#[test]
fn a_sample_shows_the_same_view() {
    check(&crate::wire::tests::rich());
    check(&Scene::fate().game);
}

#[test]
fn rule_3_1_a_sample_shuffles_what_is_unknown() {
    let view = crate::wire::tests::rich().view(Viewer::Seat(seat(1)));
    let decks =
        |seed| StellarConquest::sample(&view, &mut numbers(seed)).truth().secrets.decks.clone();
    assert_ne!(decks(1), decks(2));
    assert_eq!(decks(1), decks(1));
    // The card that the viewer knows is never in a deck.
    let known = CardId::numbered(24).unwrap();
    assert!((0..20).all(|seed| decks(seed).iter().flatten().all(|&card| card != known)));
}

#[test]
fn rule_10_ships_of_others_are_what_was_seen_last() {
    let view = crate::wire::tests::rich().view(Viewer::Seat(seat(1)));
    let sample = StellarConquest::sample(&view, &mut numbers(5));
    assert_eq!(sample.power(seat(2)).fleet_at(place("P18")), Fleet::new([1, 2, 3, 4, 5]));
    assert!(sample.power(seat(3)).fleet_at(place("Q11")).total() >= 1);
}

fn fighting(hidden: bool) -> StellarConquest {
    let mut scene = Scene::new(Options { private_battles: hidden, ..Options::default() }, 3);
    scene.turn(1, seat(2));
    let attackers = scene.ships(seat(2), "Q11", &[(ShipKind::Corvette, 2), (ShipKind::Scout, 1)]);
    let defenders = scene.ships(seat(3), "Q11", &[(ShipKind::Fighter, 1)]);
    let unit = |of, kind| Unit {
        owner: seat(of),
        arm: Arm::Ship(kind),
        planet: None,
        condition: Condition::Fighting,
    };
    let scout = unit(2, ShipKind::Scout);
    let corvette = unit(2, ShipKind::Corvette);
    let battle = Battle {
        at: place("Q11"),
        attacker: seat(2),
        subject: Subject::Ships,
        rounds: 1,
        units: vec![scout, corvette, corvette, unit(3, ShipKind::Fighter)],
        shots: Vec::new(),
        refuges: [None; 2],
        leaving: Vec::new(),
        stage: BattleStage::DefendersAim { waiting: SeatSet::one(seat(3)) },
        pursuits: Vec::new(),
        shields: Vec::new(),
        limit: None,
    };
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Battle }));
    scene.happen(&Event::Battle(BattleEvent::BattleBegan { battle }));
    scene.happen(&Event::Own(OwnEvent::Engaged { seat: seat(2), ships: attackers }));
    scene.happen(&Event::Own(OwnEvent::Engaged { seat: seat(3), ships: defenders }));
    assert_eq!(scene.game.check(), Ok(()));
    scene.game
}

#[test]
fn rule_10_a_battle_is_sampled_whether_it_is_seen_or_hidden() {
    let hidden = fighting(true);
    assert!(hidden.view(Viewer::Seat(seat(1))).table.battle.is_none());
    assert!(hidden.view(Viewer::Seat(seat(3))).table.battle.is_some());
    check(&hidden);
    check(&fighting(false));
}

#[test]
fn fate_6_2_cards_are_dealt_so_that_every_world_that_is_known_fits() {
    let mut scene = Scene::fate();
    // Card 24 fits the colony at Alcor as well as cards 25 and 28 do; only card 24 fits both worlds
    // of Ceti.
    scene.explored(seat(1), "Alcor", 25);
    scene.explored(seat(1), "Ceti", 24);
    scene.colony(seat(3), "Alcor", 0, |colony| colony);
    scene.colony(seat(3), "Ceti", 0, |colony| colony);
    scene.colony(seat(3), "Ceti", 1, |colony| colony);
    check(&scene.game);
}
