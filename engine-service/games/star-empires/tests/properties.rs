//! What must hold in every game: random play by some empires and a restless game master.

use crate::play;

use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, Viewer, Wire};
use heliopause_star_empires::{Event, Order, StarEmpires};
use play::{Chance, Watched, name, options, seed, sheet, viewers};
use proptest::prelude::*;

const TURNS: usize = 8;

/// Plays some turns and looks at every one of them.
fn play(
    number: u64,
    empires: usize,
    mut look: impl FnMut(&mut Watched, &mut Chance, &Emitted<Event>),
) {
    let mut chance = Chance(number);
    let options = options(&mut chance);
    let mut watched = Watched::new(number, empires, options);
    look(&mut watched, &mut chance, &Emitted::new());
    for _ in 0..TURNS {
        if watched.game.outcome().is_none() {
            let told = watched.turn(&mut chance);
            look(&mut watched, &mut chance, &told);
        }
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    /// Nothing panics, every state holds together, every view follows from its events, refused
    /// orders change nothing: all of that is looked at in every step of [`Watched`].
    #[test]
    fn random_play_holds_together(number in any::<u64>(), empires in 2_usize..=5) {
        play(number, empires, |_, _, _| ());
    }

    #[test]
    fn the_same_orders_and_dice_give_the_same_game(number in any::<u64>(), empires in 2_usize..=4) {
        let end = || {
            let mut last = None;
            play(number, empires, |watched, _, told| last = Some((watched.game.clone(), told.clone())));
            last
        };
        prop_assert!(end() == end());
    }

    /// Dice are asked by name, so a turn can be run again from its own position.
    #[test]
    fn a_turn_runs_the_same_from_a_position_that_was_read_back(number in any::<u64>(), empires in 2_usize..=4) {
        play(number, empires, |watched, chance, _| {
            let read = StarEmpires::read_position(&watched.game.write_position()).expect("an own \
                position reads back");
            assert!(read == watched.game);
            let (mut one, mut other) = (Chance(chance.0), Chance(chance.0));
            let mut here = Watched::of(watched.game.clone(), Dice::new(seed(number)));
            let mut there = Watched::of(read, Dice::new(seed(number)));
            if here.game.outcome().is_none() {
                assert!(here.turn(&mut one) == there.turn(&mut other) && here.game == there.game);
            }
        });
    }

    #[test]
    fn what_is_told_and_shown_survives_the_wire_and_has_sentences(number in any::<u64>(), empires in 2_usize..=4) {
        play(number, empires, |watched, chance, told| {
            for told in told {
                let message = StarEmpires::write_event(&told.event);
                assert!(StarEmpires::read_event(&message).as_ref() == Ok(&told.event), "{:?}", told.event);
                let (sentence, rule) = StarEmpires::describe(&told.event, &|seat| format!("empire \
                    {}", seat.number()));
                assert!(sentence.len() > 8 && sentence.ends_with('.'), "{sentence}");
                assert!(StarEmpires::rule(rule).is_some(), "{sentence} has rule {rule}");
            }
            let viewer = chance.any(&viewers(watched.empires())).unwrap();
            let view = watched.view(viewer);
            assert!(StarEmpires::read_view(&StarEmpires::write_view(view)).as_ref() == Ok(view), "{view:?}");
        });
    }

    #[test]
    fn orders_survive_notation_and_wire(number in any::<u64>(), empires in 2_usize..=4) {
        play(number, empires, |watched, chance, _| {
            let seat = Seat::at(chance.below(watched.empires()));
            let orders = [
                (Viewer::Seat(seat), Order::Sheet(sheet(chance, watched.own(seat)))),
                (Viewer::GameMaster, Order::Master(play::master_order(chance, watched.game.galaxy()))),
            ];
            for (viewer, order) in orders {
                let text = StarEmpires::notate(&order);
                assert_eq!(StarEmpires::parse(watched.view(viewer), &text), Ok(vec![order.clone()]), "{text}");
                assert_eq!(StarEmpires::read_order(&StarEmpires::write_order(&order)), Ok(order));
            }
        });
    }

    #[test]
    fn a_sample_shows_the_same_view(number in any::<u64>(), empires in 2_usize..=5) {
        play(number, empires, |watched, chance, _| {
            let viewer = chance.any(&viewers(watched.empires())).unwrap();
            let view = watched.view(viewer).clone();
            let sample = StarEmpires::sample(&view, &mut || chance.next());
            assert_eq!(sample.check(), Ok(()), "sampled for {viewer:?}");
            let shown = sample.view(viewer);
            assert!(shown == view, "{viewer:?} of\n{view:?}\nbecame\n{shown:?}");
            let mut again = Watched::of(sample, Dice::new(seed(number)));
            if again.game.outcome().is_none() {
                again.turn(chance);
            }
        });
    }

    /// Two states that an empire cannot tell apart answer it alike: offers, checks, refusals,
    /// press.
    #[test]
    fn equal_knowledge_gives_equal_answers(number in any::<u64>(), empires in 2_usize..=5) {
        play(number, empires, |watched, chance, _| {
            let seat = Seat::at(chance.below(watched.empires()));
            let view = watched.view(Viewer::Seat(seat)).clone();
            let other = StarEmpires::sample(&view, &mut || chance.next());
            assert_eq!(other.offers(seat), watched.game.offers(seat));
            for to in Seat::first(watched.empires()).chain([Seat::at(63)]) {
                assert_eq!(other.press(seat, to, false), watched.game.press(seat, to, false));
            }
            let actor = Actor::Seat(seat);
            for _ in 0..4 {
                let sheet = sheet(chance, watched.own(seat));
                let singles = sheet.lines.iter().map(|line| heliopause_star_empires::Sheet::of(vec![line.clone()]));
                for sheet in singles.chain([sheet.clone()]) {
                    let order = Order::Sheet(sheet);
                    assert_eq!(other.judge(actor, &order), watched.game.judge(actor, &order), "{order:?}");
                }
                let told = |game: &StarEmpires| {
                    let order = Order::Sheet(sheet.clone());
                    game.clone().submit(actor, order, &mut Dice::new(seed(1))).map(|told| told.to(Viewer::Seat(seat)).cloned().collect::<Vec<_>>())
                };
                assert_eq!(told(&other), told(&watched.game), "the checks of a stored sheet tell \
                    no more than is known");
            }
        });
    }

    /// Rules 27: of a list of sheets, what is refused follows from what the empire knows; and as
    /// such a list may be given back, taking a sheet rolls no die and tells nobody else. The game
    /// master's orders are resolved at once.
    #[test]
    fn rules_27_lists_are_judged_by_knowledge_and_resolve_nothing(number in any::<u64>(), empires in 2_usize..=5) {
        play(number, empires, |watched, chance, _| {
            let seat = Seat::at(chance.below(watched.empires()));
            let actor = Actor::Seat(seat);
            let mut one = watched.game.clone();
            let mut other = StarEmpires::sample(watched.view(Viewer::Seat(seat)), &mut || chance.next());
            let mut dice = Dice::new(seed(1));
            for _ in 0..4 {
                let mut sheet = sheet(chance, watched.own(seat));
                // Single lines are refused as a whole more often.
                sheet.lines.truncate(1 + chance.below(4));
                let order = Order::Sheet(sheet);
                assert!(StarEmpires::is_revisable(&order));
                let told = one.submit(actor, order.clone(), &mut dice);
                let other_told = other.submit(actor, order, &mut dice);
                let own = |told: &Emitted<Event>| told.to(Viewer::Seat(seat)).cloned().collect::<Vec<_>>();
                assert_eq!(told.as_ref().map(own), other_told.as_ref().map(own));
                let Ok(told) = told else { continue };
                let others = Seat::first(watched.empires()).filter(|&other| other != seat).map(Viewer::Seat);
                for viewer in others.chain([Viewer::Spectator]) {
                    assert!(told.to(viewer).next().is_none(), "{viewer:?} is told {told:?}");
                }
            }
            assert!(dice.take_rolled().is_empty());
            let order = Order::Master(play::master_order(chance, watched.game.galaxy()));
            assert!(!StarEmpires::is_revisable(&order));
        });
    }
}

#[test]
fn an_order_of_one_empire_reaches_nobody_else() {
    let mut watched = Watched::new(5, 4, options(&mut Chance(5)));
    let secret = heliopause_star_empires::Line::Unload { ships: vec![name("Hush")] };
    let build = sheet(&mut Chance(9), watched.own(Seat::at(0)));
    for lines in [vec![secret], build.lines, Vec::new()] {
        let order = Order::Sheet(heliopause_star_empires::Sheet::of(lines));
        let mut game = watched.game.clone();
        if let Ok(told) = game.submit(Actor::Seat(Seat::at(0)), order, &mut watched.dice) {
            for viewer in
                viewers(4).into_iter().filter(|&viewer| viewer != Viewer::Seat(Seat::at(0)))
            {
                assert!(game.view(viewer) == watched.game.view(viewer), "{viewer:?}");
                let told: Vec<_> = told.to(viewer).collect();
                assert!(
                    told.is_empty() || viewer == Viewer::GameMaster,
                    "{viewer:?} was told {told:?}"
                );
            }
        }
    }
}
