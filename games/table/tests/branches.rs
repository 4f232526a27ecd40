//! Branches of every kind of game: they follow from the view of a seat.

use heliopause_kernel::Viewer;
use heliopause_proto::v1::GamePosition;
use heliopause_table::registry::{AnyGame, KINDS};
use heliopause_testing::Rng;
use proptest::prelude::*;

use crate::lists::{asked, create, play_on, players_of, seats, twin};

proptest! {
    #![proptest_config(heliopause_testing::cases(12))]

    #[test]
    fn games_that_look_the_same_to_a_seat_give_the_same_branch(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Rng::new(number);
            let mut table = create(kind.id, players_of(kind), None, Vec::new());
            play_on(&mut table, 25, &mut chance);
            let Some(seat) = chance.any(&asked(&table)) else { continue };
            let viewer = Viewer::Seat(seat);
            let position = table.position().expect("it is played");
            let hidden = twin(&position, seat, &mut chance);
            let branch = |position: &GamePosition| -> Box<dyn AnyGame> {
                let game = kind.rules.read_position(position).expect("it is a position");
                let mut numbers = Rng::new(number);
                let drawn = kind.rules.sample(&game.view(viewer), viewer, &mut || numbers.number());
                drawn.expect("a view of this kind")
            };
            let [one, other] = [&position, &hidden].map(branch);
            assert!(one.position() == other.position(), "{}: {seat}", kind.id);
            assert!(Some(one.view(viewer)) == table.view(viewer), "{}: {seat}", kind.id);
            for hidden in seats(&table).into_iter().filter(|other| *other != seat) {
                assert_eq!(one.standing_orders(hidden), Vec::<String>::new(), "{}", kind.id);
            }
            let mut branch = create(kind.id, players_of(kind), Some(one.position()), Vec::new());
            play_on(&mut branch, 4, &mut chance);
        }
    }

    #[test]
    fn the_game_masters_branch_is_the_true_state(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Rng::new(number);
            let mut table = create(kind.id, players_of(kind), None, Vec::new());
            play_on(&mut table, 25, &mut chance);
            let view = table.view(Viewer::GameMaster).expect("it is played");
            let drawn = kind.rules.sample(&view, Viewer::GameMaster, &mut || chance.number());
            let drawn = drawn.expect("a view of this kind");
            assert!(drawn.view(Viewer::GameMaster) == view, "{}", kind.id);
            // The game master does not see what players of Star Empires remember of the map.
            for seat in seats(&table).into_iter().filter(|_| kind.id != "star-empires") {
                let viewer = Viewer::Seat(seat);
                assert!(Some(drawn.view(viewer)) == table.view(viewer), "{}: {seat}", kind.id);
            }
        }
    }
}
