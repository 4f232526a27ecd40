//! Sentences call empires by their names, and only by names that their reader knows.

use crate::play;

use heliopause_kernel::{Game, Seat, Viewer};
use heliopause_star_empires::StarEmpires;
use play::{Chance, Watched, options};
use proptest::prelude::*;

proptest! {
    #![proptest_config(heliopause_testing::cases(16))]

    /// Whoever is named in what an empire is told has a name for it, so no sentence has to fall
    /// back on the table's names of players; and that name is in the list of empires that it has
    /// come across.
    #[test]
    fn whoever_is_told_of_has_a_name_for_the_reader(number in any::<u64>(), empires in 2_usize..=5) {
        let mut chance = Chance(number);
        let options = options(&mut chance);
        let mut watched = Watched::new(number, empires, options);
        for _ in 0..6 {
            if watched.game.outcome().is_some() {
                break;
            }
            let told = watched.turn(&mut chance);
            for told in &told {
                let Some(reader) = told.audience.reader() else { continue };
                let called = |seat: Seat| {
                    let called = watched.game.called(seat, reader);
                    called.unwrap_or_else(|| panic!("{reader:?} is told of {seat}: {:?}", told.event))
                };
                StarEmpires::describe(&told.event, &called);
            }
            for seat in Seat::first(empires) {
                for other in Seat::first(empires) {
                    let known = watched.own(seat).empires.iter().find(|seen| seen.seat == other);
                    let known = known.map(|seen| seen.name.to_string().replace('_', " "));
                    prop_assert_eq!(watched.game.called(other, Viewer::Seat(seat)), known);
                    prop_assert_eq!(watched.game.called(other, Viewer::Spectator), None);
                }
            }
        }
    }
}
