//! Random legal play: it never breaks the rules' own checks, leaks nothing, and replays to the same
//! state.

use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, Setup, Viewer, Why, Wire};
use heliopause_slingshot::{Event, Options, Slingshot, View};
use heliopause_testing::cases;
use proptest::prelude::*;

/// A game, and the view of each viewer as it grew by what they were told.
struct Watched {
    game: Slingshot,
    views: Vec<(Viewer, View)>,
}

impl Watched {
    fn hear(&mut self, told: &Emitted<Event>) {
        for (viewer, view) in &mut self.views {
            told.to(*viewer).for_each(|event| Slingshot::update(view, event));
            assert_eq!(
                *view,
                self.game.view(*viewer),
                "{viewer:?}: the view before and what was told make the view"
            );
        }
        self.game.check().expect("it holds together");
        let position = self.game.write_position();
        assert_eq!(Slingshot::read_position(&position).as_ref(), Ok(&self.game));
    }
}

/// Plays a game by offers; what is drawn decides it.
fn play(seed: u64, players: usize) -> Watched {
    let mut dice = Dice::new([seed as u8; 32]);
    let setup = Setup { options: Options::default(), players };
    let (game, _) = Slingshot::new(&setup, &mut dice).expect("it can be played");
    let viewers =
        Seat::first(players).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::GameMaster]);
    let views = viewers.map(|viewer| (viewer, game.view(viewer))).collect();
    let mut watched = Watched { game, views };
    let mut chance = seed;
    while let Some(open) = watched.game.pending().first().cloned() {
        for seat in watched.game.pending().iter().map(|open| open.seat) {
            let offers = watched.game.offers(seat);
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let offer = &offers.list[(chance >> 33) as usize % offers.list.len()];
            let chosen = offers.at_random(offer, &mut || chance >> 20);
            let text = offers.fill(offer, &chosen).expect("it fits");
            let view = watched.game.view(Viewer::Seat(seat));
            let order = Slingshot::parse(&view, &text).expect("it can be read")[0];
            assert_eq!(Slingshot::notate(&order), text);
            assert_eq!(Slingshot::read_order(&Slingshot::write_order(&order)), Ok(order));
            let told = watched
                .game
                .submit(Actor::Seat(seat), order, &mut dice)
                .expect("what is offered is accepted");
            watched.hear(&told);
        }
        if open.revisable {
            let told = watched.game.close(Why::AllReady, &mut dice);
            watched.hear(&told);
        }
    }
    watched
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn random_games_end_and_hold_together(seed in any::<u64>(), players in 2_usize..=6) {
        let watched = play(seed, players);
        prop_assert!(watched.game.outcome().is_some());
        prop_assert_eq!(watched.game, play(seed, players).game, "the same again");
    }

    #[test]
    fn a_sample_looks_the_same_to_its_viewer(seed in any::<u64>(), seat in 0_usize..3) {
        let (viewer, mut state) = (Viewer::Seat(Seat::at(seat)), seed);
        let view = play(seed, 3).game.view(viewer);
        let sample = Slingshot::sample(&view, &mut || { state = state.wrapping_mul(25).wrapping_add(7); state });
        prop_assert_eq!(sample.view(viewer), view);
    }
}

#[test]
fn rule_2_nobody_burns_more_than_3_or_than_they_have() {
    let mut dice = Dice::new([1; 32]);
    let setup = Setup { options: Options::default(), players: 2 };
    let (game, _) = Slingshot::new(&setup, &mut dice).expect("it can be played");
    let burn = |fuel| heliopause_slingshot::Order::Burn { fuel };
    assert_eq!(game.judge(Actor::Seat(Seat::at(0)), &burn(4)).unwrap_err().reason, "burn-too-long");
    let mut position = game.write_position();
    position.secrets[0].fuel = 2;
    let game = Slingshot::read_position(&position).expect("it holds together");
    assert_eq!(game.judge(Actor::Seat(Seat::at(0)), &burn(3)).unwrap_err().reason, "no-fuel");
    assert!(game.judge(Actor::Seat(Seat::at(0)), &burn(2)).is_ok());
}
