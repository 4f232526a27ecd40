//! Tests of the empire names in sentences.

use crate::play;

use heliopause_kernel::{Game, Seat, Viewer};
use heliopause_star_empires::StarEmpires;
use heliopause_testing::Rng;
use play::{begin, options, own, turn};
use proptest::prelude::*;

proptest! {
    #![proptest_config(heliopause_testing::cases(16))]

    /// Without a name, sentences would fall back to the player's name.
    #[test]
    fn every_empire_in_an_event_has_a_name_for_its_reader(number in any::<u64>(), empires in 2_usize..=5) {
        let mut chance = Rng::new(number);
        let options = options(&mut chance);
        let mut watched = begin(number, empires, options);
        for _ in 0..6 {
            if watched.game.outcome().is_some() {
                break;
            }
            let told = turn(&mut watched, &mut chance);
            for told in &told {
                let Some(reader) = told.audience.reader() else { continue };
                let called = |seat: Seat| {
                    let called = watched.game.seat_name(seat, reader);
                    called.unwrap_or_else(|| panic!("{reader:?} is told of {seat}: {:?}", told.event))
                };
                StarEmpires::describe(&told.event, &called);
            }
            for seat in Seat::first(empires) {
                for other in Seat::first(empires) {
                    let known = own(&watched, seat).empires.iter().find(|seen| seen.seat == other);
                    let known = known.map(|seen| seen.name.to_string().replace('_', " "));
                    prop_assert_eq!(watched.game.seat_name(other, Viewer::Seat(seat)), known);
                    prop_assert_eq!(watched.game.seat_name(other, Viewer::Spectator), None);
                }
            }
        }
    }
}
