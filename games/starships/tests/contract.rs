//! Tests of the kernel's contract for games, and of guarantees that this game adds.

use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Viewer};
use heliopause_starships::{Event, Mix, Options, Order, Starships, WordEvent};
use heliopause_testing::player::{anyone, play, wild};
use heliopause_testing::{Player, Rng, Watched, cases, seed};
use proptest::prelude::*;

struct OfferPlayers;

impl Player for OfferPlayers {
    type Game = Starships;
    const CASES: u32 = 20;
    const STEPS: usize = 300;

    fn setup(chance: &mut Rng) -> Setup<Options> {
        let mixes = [
            Mix::FULL,
            Mix { friendly: 3, unfriendly: 20, dead: 2, asteroids: 2, empty: 8 },
            Mix { friendly: 20, unfriendly: 2, dead: 6, asteroids: 2, empty: 5 },
            Mix { friendly: 6, unfriendly: 2, dead: 2, asteroids: 25, empty: 0 },
        ];
        let rounds = chance.pick(&[3, 6, 12]);
        let options = Options {
            mix: chance.pick(&mixes),
            rounds,
            live_planets_to_win: chance.pick(&[7, 4, 12, 37]),
            first_round_of_exile: chance.pick(&[5, 1, 2]),
            first_round_of_unprovoked_attacks: chance.pick(&[7, 1, 3]),
            last_round_with_death_star: rounds + chance.pick(&[0, 4, 12]),
            earth_can_be_destroyed: chance.one_in(2),
            edges_open: chance.one_in(2),
            bases_in_solitaire: 1 + chance.below(2) as u8,
        };
        Setup { options, players: 1 + chance.below(6) }
    }
}

heliopause_testing::contract!(OfferPlayers);

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn choices_and_offers_are_exactly_the_legal_orders(number in any::<u64>()) {
        play::<OfferPlayers>(Rng::new(number), |watched, chance| {
            let seat = anyone(watched, chance);
            let view = watched.own(seat);
            let choices = Starships::choices_of(view);
            assert_eq!(choices, watched.game.choices(seat));
            for order in &choices.list {
                assert_eq!(Starships::judge_view(view, order), Ok(()), "{order}");
            }
            let pledges: Vec<Order> =
                choices.pledges.iter().flat_map(|pledges| pledges.orders(pledges.last_round)).collect();
            let offers = watched.game.offers(seat);
            for order in &pledges {
                assert_eq!(Starships::judge_view(view, order), Ok(()), "{order}");
                assert!(offers.that_makes(&order.to_string()).is_some(), "{order} is not offered");
            }
            let mut offered: Vec<String> =
                offers.lines(u64::MAX).filter(|line| !line.starts_with("pledge")).collect();
            let mut listed: Vec<String> =
                choices.list.iter().map(ToString::to_string).collect();
            offered.sort();
            listed.sort();
            assert_eq!(offered, listed);
            let mut moves = Vec::new();
            watched.game.moves(seat, &mut moves);
            for order in (0..10).filter_map(|_| wild::<OfferPlayers>(watched, chance)) {
                let judged = watched.game.judge(Actor::Seat(seat), &order);
                assert_eq!(judged, Starships::judge_view(view, &order));
                let listed = moves.contains(&order) || matches!(order, Order::Pledge { .. });
                assert!(judged.is_err() || listed, "{seat}: {order} is legal and not listed");
                let text = format!("  {}  # why", Starships::notate(&order).to_uppercase());
                assert_eq!(Starships::parse(view, &text), Ok(vec![order]), "{text}");
            }
        });
    }

    #[test]
    fn negotiations_of_others_reveal_nothing_hidden(number in any::<u64>()) {
        play::<OfferPlayers>(Rng::new(number), |watched, chance| {
            let seat = anyone(watched, chance);
            let mut other = Starships::sample(watched.own(seat), &mut || chance.number());
            same_events_for(seat, watched, &mut other, chance);
        });
    }
}

/// Applies the same step with the same dice to two states that look the same to a seat. Checks that
/// the seat receives the same events. The result of the step must not depend on hidden information.
fn same_events_for(
    seat: Seat,
    watched: &Watched<Starships>,
    other: &mut Starships,
    chance: &mut Rng,
) {
    let mut game = watched.game.clone();
    let mover = Seat::at(chance.below(game.table().players()));
    let mut orders = Vec::new();
    game.moves(mover, &mut orders);
    let unnoticed = |order: &Order| {
        matches!(
            order,
            Order::Vote { .. } | Order::Offer { .. } | Order::Retract { .. } | Order::Unmark { .. }
        ) || matches!(order, Order::Mark { at } if !game.table().is_present(seat, *at))
    };
    orders.retain(|order| mover != seat && unnoticed(order));
    let Some(order) = chance.any(&orders) else { return };
    let actor = Actor::Seat(mover);
    if other.judge(actor, &order).is_err() {
        return;
    }
    let dice = Dice::new(seed(chance.number()));
    let told = game.submit(actor, order, &mut dice.clone()).unwrap();
    let told_other = other.submit(actor, order, &mut dice.clone()).unwrap();
    let over = game.outcome().is_some() || other.outcome().is_some();
    let told: Vec<Event> = told.to(Viewer::Seat(seat)).copied().collect();
    let told_other: Vec<Event> = told_other.to(Viewer::Seat(seat)).copied().collect();
    let broke_word = |told: &[Event]| {
        told.iter().any(|event| matches!(event, Event::Word(WordEvent::PledgeBroken { .. })))
    };
    if !over && !broke_word(&told) && !broke_word(&told_other) {
        assert_eq!(told, told_other, "{seat} is told apart what {mover} did by {order}");
    }
}
