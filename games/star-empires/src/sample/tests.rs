//! Tests that samples match their views in games with many ships, wide views and shared scans.

use heliopause_kernel::{CloseCause, Dice, Game, Seat, SeatSet, Setup, Viewer};

use crate::empire::{Grant, Granted};
use crate::geometry::Sector;
use crate::ids::{ClassId, Id, PortalId};
use crate::name::Name;
use crate::options::Options;
use crate::position::StarEmpires;
use crate::ship::Ship;

fn crowded(empires: usize, ships: usize, seed: u8) -> StarEmpires {
    let setup = Setup { options: Options::default(), players: empires };
    let mut game = crate::setup::set_up(&setup, &mut Dice::new([seed; 32])).unwrap();
    let mut number = u64::from(seed);
    let mut roll = move |limit: u64| {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % limit
    };
    let galaxy = &mut game.galaxy;
    for _ in 0..ships {
        let owner = Seat::at(roll(empires as u64) as usize);
        let class = ClassId::at(roll(8) as usize);
        let at = Sector::new(roll(15) as i16 - 7, roll(15) as i16 - 7);
        let full = galaxy.class(class).ratings.dp;
        let serial = galaxy.deal_serial(owner, |_| false);
        let mut ship =
            Ship::new(owner, serial, Name::NONE, class, 1 + roll(u64::from(full)) as u16, at);
        ship.public = roll(3) == 0;
        ship.identified = SeatSet::one(Seat::at(roll(empires as u64) as usize)).without(owner);
        galaxy.ships.push(ship);
    }
    for seat in Seat::first(empires) {
        let to = Seat::at((seat.index() + 1) % empires);
        galaxy.empire_mut(seat).grants = vec![Grant { to, scans: Granted::All }];
        galaxy.empire_mut(seat).classes.remove(ClassId::at(1 + seat.index() % 7));
        let held = (0..galaxy.portals.len()).map(PortalId::at);
        galaxy.empire_mut(seat).navigation =
            held.filter(|id| id.index() % 3 != seat.index() % 3).collect();
    }
    galaxy.compact_ships();
    game
}

fn viewers(empires: usize) -> impl Iterator<Item = Viewer> {
    Seat::first(empires).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::GameMaster])
}

#[test]
fn samples_look_the_same_and_views_follow_from_events_in_crowded_games() {
    for (empires, ships) in [(2, 0), (3, 60), (6, 300), (12, 300)] {
        let mut game = crowded(empires, ships, empires as u8);
        let (mut dice, mut next) = (Dice::new([3; 32]), 7_u64);
        let mut views: Vec<_> =
            viewers(empires).map(|viewer| (viewer, game.view(viewer))).collect();
        for _ in 0..3 {
            for (viewer, view) in &views {
                assert!(*view == game.view(*viewer), "{viewer:?}");
                let mut rng = || {
                    next = next.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(11);
                    next >> 8
                };
                let mut sample = StarEmpires::sample(view, &mut rng);
                assert_eq!(sample.check(), Ok(()), "{viewer:?}");
                let seen = sample.view(*viewer);
                assert!(seen == *view, "{viewer:?}: {view:?}\n{seen:?}");
                sample.close(CloseCause::Deadline, &mut dice);
                assert_eq!(sample.check(), Ok(()), "{viewer:?}");
            }
            let told = game.close(CloseCause::Deadline, &mut dice);
            assert_eq!(game.check(), Ok(()));
            for (viewer, view) in &mut views {
                told.to(*viewer).for_each(|event| StarEmpires::update(view, event));
            }
        }
    }
}
