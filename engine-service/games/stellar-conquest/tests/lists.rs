//! Rules 27: lists of orders. What is refused in them follows from what their seat knows, what it
//! was told of the orders before included; and orders that may be given back resolve nothing.

use crate::play;

use heliopause_kernel::{Actor, Decision, Game, Seat, Viewer};
use heliopause_stellar_conquest::{Event, Order, StellarConquest};
use play::{Chance, Watched, any_order, play, random_order};
use proptest::prelude::*;

/// Mostly an order of sense, sometimes any.
fn some_order(game: &StellarConquest, seat: Seat, chance: &mut Chance) -> Order {
    let order = random_order(game, seat, chance).filter(|_| !chance.one_in(4));
    order.unwrap_or_else(|| any_order(chance))
}

/// What a seat is asked. How much it has answered before is its own knowledge and no part of a
/// sample.
fn asked(game: &StellarConquest, seat: Seat) -> Vec<Decision> {
    let own = game.pending().into_iter().filter(|decision| decision.seat == seat);
    own.map(|decision| Decision { number: 0, ..decision }).collect()
}

/// Gives a list to two states that its seat cannot tell apart: they judge alike until it is told
/// something that differs.
fn a_list_is_judged_by_knowledge(watched: &Watched, seat: Seat, chance: &mut Chance) {
    let (actor, viewer) = (Actor::Seat(seat), Viewer::Seat(seat));
    let mut one = watched.game.clone();
    let mut other = StellarConquest::sample(watched.view(viewer), &mut || chance.next());
    let (mut dice, mut same_dice) = (watched.dice.clone(), watched.dice.clone());
    for _ in 0..5 {
        let order = some_order(&one, seat, chance);
        let text = StellarConquest::notate(&order);
        assert_eq!(other.judge(actor, &order), one.judge(actor, &order), "{text}");
        assert_eq!(asked(&other, seat), asked(&one, seat), "before {text}");
        let told = one.submit(actor, order.clone(), &mut dice);
        let other_told = other.submit(actor, order, &mut same_dice);
        let (Ok(told), Ok(other_told)) = (told, other_told) else { continue };
        let told: Vec<&Event> = told.to(viewer).collect();
        if told != other_told.to(viewer).collect::<Vec<_>>() {
            return;
        }
    }
}

/// What is kept until the phase closes can be given back: no die was rolled for it, and nobody else
/// was told of it.
fn what_is_kept_resolves_nothing(watched: &Watched, seat: Seat, chance: &mut Chance) {
    let order = some_order(&watched.game, seat, chance);
    if !StellarConquest::is_revisable(&order) {
        return;
    }
    let (mut game, mut dice) = (watched.game.clone(), watched.dice.clone());
    dice.forget_rolled();
    let Ok(told) = game.submit(Actor::Seat(seat), order, &mut dice) else { return };
    assert!(dice.take_rolled().is_empty());
    for viewer in play::viewers(&game) {
        let is_own = matches!(viewer, Viewer::GameMaster) || viewer == Viewer::Seat(seat);
        assert!(is_own || told.to(viewer).next().is_none(), "{viewer:?} is told {told:?}");
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(12))]

    #[test]
    fn rules_27_lists_are_judged_by_knowledge_and_what_is_kept_resolves_nothing(number in any::<u64>()) {
        play(number, 150, |watched, chance| {
            let owing: Vec<Seat> = watched.game.pending().iter().map(|decision| decision.seat).collect();
            if owing.is_empty() {
                return;
            }
            let seat = chance.pick(&owing);
            a_list_is_judged_by_knowledge(watched, seat, chance);
            what_is_kept_resolves_nothing(watched, seat, chance);
        });
    }
}
