//! Tests of ship combat (chapter 12).

use heliopause_kernel::SeatSet;

use super::*;
use crate::rules::deadline::apply_defaults;
use crate::state::Stage;
use crate::testing::seat;
use ShipKind::{Corvette, Scout};

fn at_sadir(attacker: &[(ShipKind, u32)], defender: &[(ShipKind, u32)], dice: &[u32]) -> Scene {
    let mut scene = Scene::conquest(3).script(dice.iter().copied());
    scene.explored(seat(1), "Sadir", 15);
    scene.ships(seat(1), "O16", attacker);
    scene.ships(seat(2), "O16", defender);
    scene.accepted_order(seat(1), Order::EndMovement);
    scene
}

#[test]
fn br_11_a_delayed_attack_still_takes_place() {
    let mut scene = Scene::conquest(3);
    scene.turn(1, seat(2));
    scene.explored(seat(2), "Draconis", 25);
    scene.ships(seat(2), "Q11", &[(Corvette, 1)]);
    scene.ships(seat(3), "Q11", &[(Scout, 1)]);
    scene.ships(seat(2), "P10", &[(Corvette, 1)]);
    scene.ships(seat(1), "P10", &[(Corvette, 1)]);
    let fought = |scene: &Scene| {
        let battle = scene.game.table().battle.as_ref().unwrap();
        (battle.at, battle.attacker, battle.participants())
    };
    let both = |one: u32, other: u32| SeatSet::one(seat(one)).with(seat(other));
    scene.accepted_order(seat(2), Order::EndMovement);
    scene.accepted_order(seat(2), Order::Fight { at: place("Q11") });
    scene.accepted_order(seat(2), aim(&[]));
    scene.accepted_order(seat(2), withdraw(&[], ""));
    scene.accepted_order(seat(3), withdraw(&[1], "Lupi"));
    // Seat 3 withdraws to Canopus, where seats 1 and 2 are. Seat 3 attacks one of them, then the
    // other.
    scene.accepted_order(seat(2), Order::SendTo { at: place("P10") });
    assert_eq!(fought(&scene), (place("P10"), seat(3), both(1, 3)));
    scene.accepted_order(seat(1), aim(&[]));
    scene.accepted_order(seat(3), withdraw(&[], ""));
    scene.accepted_order(seat(1), withdraw(&[1], "Lupi"));
    // Seat 1 withdraws to Draconis, and first attacks seat 2 there.
    scene.accepted_order(seat(3), Order::SendTo { at: place("Q11") });
    assert_eq!(fought(&scene), (place("Q11"), seat(1), both(1, 2)));
    scene.accepted_order(seat(1), aim(&[]));
    scene.accepted_order(seat(2), aim(&[]));
    scene.accepted_order(seat(1), withdraw(&[0], "Lupi"));
    scene.accepted_order(seat(2), Order::SendTo { at: place("R11") });
    assert_eq!(fought(&scene), (place("P10"), seat(3), both(2, 3)));
}

#[test]
fn rule_20_deadlines_end_every_battle() {
    let mut scene = at_sadir(&[(Corvette, 1)], &[(Corvette, 3)], &[6, 6, 6, 6]);
    for _ in 0..8 {
        if scene.game.table().stage != Stage::Battle {
            break;
        }
        apply_defaults(&mut Referee::new(&mut scene.game, &mut scene.dice));
    }
    // The attacker has fewer warships, so the attacker leaves after the first round.
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")).total(), 0);
    assert_eq!(scene.power(seat(1)).ships.len(), 1);
}
