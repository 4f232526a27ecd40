//! The contract of the `Game` trait, checked by random play of all variants.

use std::collections::BTreeSet;

use heliopause_kernel::{Actor, Emitted, Game, Seat, Viewer};
use heliopause_stellar_conquest::{
    Colony, ColonyPlan, Event, Item, Order, OwnEvent, Power, ProductionSheet, ShipNumber, Spending,
    StellarConquest, Tech,
};
use heliopause_testing::player::{anyone, play, step, wild};
use heliopause_testing::{Player, Rng, cases};
use proptest::prelude::*;

use crate::offer_lines::{offer_lines, shuffled};
use crate::play::{Conquerors, random_order, setup};

heliopause_testing::contract!(Conquerors);

#[test]
fn every_kind_of_offer_occurs() {
    let shapes = "aim aim-as-prescribed attack break-off commission complete decree \
                  decree-as-usual emigrate end-movement end-turn fight fire-by-standing-orders \
                  form grant hold kill land look move no-posts pass pay pay-alone place post \
                  posts produce produce-as-usual produce-nothing raid raze recall \
                  recall-weakest scuttle scuttle-none send setup setup-nothing standing stay \
                  unpost usual-start watch withdraw withdraw-apart"
        .split_whitespace();
    let mut seen = BTreeSet::new();
    for number in 0..200 {
        if shapes.clone().all(|shape| seen.contains(shape)) {
            break;
        }
        play::<Conquerors>(Rng::new(number * 7_919), |watched, _| {
            for seat in watched.asked() {
                let offers = watched.game.offers(seat);
                seen.extend(offers.list.iter().map(|offer| offer.key.to_string()));
            }
        });
    }
    let missing: Vec<&str> = shapes.filter(|shape| !seen.contains(*shape)).collect();
    assert!(missing.is_empty(), "{missing:?} never came up among {seen:?}");
}

#[test]
fn views_equal_the_fold_of_their_events() {
    for number in 0..12 {
        let setup = setup(&mut Rng::new(number));
        let mut dice = heliopause_kernel::Dice::new(heliopause_testing::seed(number));
        let (game, told) = StellarConquest::new(&setup, &mut dice).expect("it can be played");
        let seats = Seat::first(game.table().seats()).map(Viewer::Seat);
        for viewer in seats.chain([Viewer::Spectator]) {
            let mut view = StellarConquest::view_before(setup.options, setup.players, viewer);
            told.to(viewer).for_each(|event| StellarConquest::update(&mut view, event));
            assert!(view == game.view(viewer), "{viewer:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn every_choice_is_legal_and_labeled(number in any::<u64>()) {
        play::<Conquerors>(Rng::new(number), |watched, chance| {
            let seat = anyone(watched, chance);
            let view = watched.own(seat);
            let choices = StellarConquest::choices_of(view);
            assert_eq!(choices, watched.game.choices(seat));
            for listed in &choices.listed {
                let text = StellarConquest::notate(&listed.order);
                assert_eq!(StellarConquest::judge_view(view, &listed.order), Ok(()), "{text}");
                assert!(!listed.label.is_empty() && watched.has_rule(listed.rule), "{listed:?}");
            }
            for order in (0..8).filter_map(|_| wild::<Conquerors>(watched, chance)) {
                let judged = watched.game.judge(Actor::Seat(seat), &order);
                assert_eq!(judged, StellarConquest::judge_view(view, &order), "{order:?}");
            }
            // Prescribed shots may name identical targets in any order.
            let offers = watched.game.offers(seat);
            if let Some(shots) = choices.prescribed.filter(|_| offers.complete) {
                let order = shuffled(&shots, chance);
                let lines = offer_lines(&watched.game, seat, &order);
                let is_offered = lines.iter().all(|line| offers.that_makes(line).is_some());
                let is_legal = watched.game.judge(Actor::Seat(seat), &order).is_ok();
                assert!(!is_legal || (is_offered && !lines.is_empty()), "{lines:?}");
            }
        });
    }

    #[test]
    fn partial_movements_are_read_as_their_path(number in any::<u64>()) {
        play::<Conquerors>(Rng::new(number), |watched, chance| {
            let seat = anyone(watched, chance);
            let Some(Order::Move(voyage)) = random_order(&watched.game, seat, chance) else { return };
            let lines = offer_lines(&watched.game, seat, &Order::Move(voyage.clone()));
            let Some(line) = lines.first().filter(|line| line.contains(" stop ")) else { return };
            let read = StellarConquest::parse(watched.own(seat), line).expect("notation");
            let [Order::Move(read)] = &read[..] else { panic!("{line} is a movement") };
            let is_lost = read.path.is_empty() && voyage.accept_loss;
            assert!(read.path == voyage.path || is_lost, "{line}");
        });
    }

    #[test]
    fn ships_are_conserved(number in any::<u64>()) {
        let mut chance = Rng::new(number);
        let mut watched = Conquerors::begin(&mut chance);
        let numbers = |seat| watched.game.power(seat).ships.iter().map(|ship| ship.number).collect();
        let mut ships: Vec<BTreeSet<ShipNumber>> = Seat::first(watched.seats()).map(numbers).collect();
        for _ in 0..200 {
            if watched.game.outcome().is_some() {
                break;
            }
            let told = step::<Conquerors>(&mut watched, &mut chance);
            count_ships(&told, &mut ships);
            for (index, numbers) in ships.iter().enumerate() {
                let power = watched.game.power(Seat::at(index));
                assert!(power.ships.iter().map(|ship| ship.number).eq(numbers.iter().copied()), "seat {}", index + 1);
            }
        }
    }

    #[test]
    fn landings_keep_people_and_sheets_stay_within_output(number in any::<u64>()) {
        play::<Conquerors>(Rng::new(number), |watched, chance| {
            let Some(&seat) = watched.asked().first() else { return };
            let Some(order) = random_order(&watched.game, seat, chance) else { return };
            match &order {
                Order::Land { .. } => {
                    let before = people(watched.game.power(seat));
                    watched.submit(Actor::Seat(seat), &order).expect("a legal order");
                    assert_eq!(people(watched.game.power(seat)), before);
                }
                Order::Produce(sheet) => within_output(watched.game.power(seat), sheet),
                _ => {}
            }
        });
    }

    #[test]
    fn private_orders_publish_nothing_to_others(number in any::<u64>()) {
        play::<Conquerors>(Rng::new(number), |watched, chance| {
            let seat = anyone(watched, chance);
            let Some(order) = wild::<Conquerors>(watched, chance) else { return };
            let private = matches!(
                order,
                Order::Outfit(_) | Order::Standing(_) | Order::Watch { .. } | Order::Produce(_)
            );
            let holders = watched.game.power(seat).colonies.iter().filter_map(Colony::conqueror);
            let mut own: Vec<Viewer> = holders.map(Viewer::Seat).collect();
            own.extend([Viewer::Seat(seat), Viewer::GameMaster]);
            let told = if private { watched.submit(Actor::Seat(seat), &order).ok() } else { None };
            for told in told.iter().flatten() {
                for (viewer, _) in watched.views().filter(|(viewer, _)| !own.contains(viewer)) {
                    assert!(!told.audience.includes(viewer), "{viewer:?} is told {told:?}");
                }
            }
        });
    }
}

fn count_ships(told: &Emitted<Event>, ships: &mut [BTreeSet<ShipNumber>]) {
    for event in told.to(Viewer::GameMaster) {
        match event {
            Event::Own(OwnEvent::ShipsCame { seat, ships: came, .. }) => {
                for ship in came {
                    assert!(ships[seat.index()].insert(ship.number), "{} comes twice", ship.number);
                }
            }
            Event::Own(OwnEvent::ShipsLost { seat, ships: lost, .. }) => {
                for ship in lost {
                    assert!(ships[seat.index()].remove(ship), "{ship} was not there");
                }
            }
            _ => {}
        }
    }
}

fn people(power: &Power) -> u32 {
    let prizes = power.conquered_colonies.iter().map(|prize| &prize.colony);
    let colonies = power.colonies.iter().chain(prizes);
    let settled: u32 =
        colonies.map(|colony| u32::from(colony.population) + u32::from(colony.subjects)).sum();
    settled + power.ships.iter().filter(|ship| ship.load().is_some()).count() as u32
}

/// Returns the minimum cost of a plan, with the discounts of `cheap` technologies.
fn cost(plan: &ColonyPlan, cheap: &[Tech]) -> u32 {
    let owned = cheap.iter().copied().collect();
    let mut counts = [0_u32; Item::ALL.len()];
    let mut points = 0;
    for spending in &plan.spending {
        match spending {
            Spending::Build { item, count } => counts[*item as usize] += count,
            Spending::Research(payment) => points += payment.points,
        }
    }
    let items: u32 =
        Item::ALL.into_iter().zip(counts).map(|(item, count)| item.price(count, owned)).sum();
    items + points + u32::from(plan.emigrants) + u32::from(plan.bonus)
}

fn within_output(power: &Power, sheet: &ProductionSheet) {
    let paid =
        sheet.colonies.iter().flat_map(|plan| &plan.spending).filter_map(
            |spending| match spending {
                Spending::Research(payment) => Some(payment.tech),
                Spending::Build { .. } => None,
            },
        );
    let techs: Vec<Tech> = power.research.owned.iter().chain(paid).collect();
    for plan in sheet.colonies.iter().filter(|plan| !plan.evacuate) {
        let colony = power.commanded(plan.planet).expect("a plan is for a colony of one's own");
        assert!(cost(plan, &techs) <= colony.output(techs.iter().copied().collect()), "{plan:?}");
    }
}
