//! The contract suite with any number of players and random options, and tests of legal orders.

use std::collections::{BTreeSet, HashSet};

use heliopause_diplomacy::{
    Choices, Command, Conditional, Diplomacy, Kind, Leftover, Named, Node, Options, Order, Place,
    PressRule, Province, Site, Variant,
};
use heliopause_kernel::{Actor, CloseCause, Game, Seat, SeatSet, Setup, Viewer};
use heliopause_testing::player::{anyone, offered, play};
use heliopause_testing::{Player, Rng, Watched, cases};
use proptest::prelude::*;

/// Random play that prefers moves over other orders, with some conditional orders.
struct Powers;

impl Player for Powers {
    type Game = Diplomacy;
    const CASES: u32 = 4;
    const STEPS: usize = 70;

    fn setup(chance: &mut Rng) -> Setup<Options> {
        let variant = chance.pick(&[Variant::Standard, Variant::OuterSpace]);
        let options = Options {
            victory_centers: chance.pick(&[18, 18, 6, 10]),
            press: chance.pick(&[PressRule::Full, PressRule::Public, PressRule::None]),
            leftover: match variant {
                Variant::Standard => chance.pick(&[Leftover::CivilDisorder, Leftover::Automated]),
                Variant::OuterSpace => Leftover::CivilDisorder,
            },
            stalemate_years: chance.pick(&[0, 3]),
            last_year: 1912,
            ..Options::of(variant)
        };
        Setup { options, players: 2 + chance.below(6) }
    }

    fn order(watched: &Watched<Diplomacy>, seat: Seat, chance: &mut Rng) -> Option<Command> {
        let Choices { groups, conditionals, .. } = watched.game.choices(seat);
        if chance.one_in(4)
            && let Some(order) = chance.any(&conditionals)
        {
            return Some(Command::Conditional(some_of(order, chance)));
        }
        let group = chance.any(&groups)?;
        let moves = group.orders.iter().filter(|order| matches!(order, Order::Move { .. }));
        let moves: Vec<Order> = moves.copied().collect();
        let list = if moves.is_empty() || chance.one_in(2) { &group.orders } else { &moves };
        let command = Command::Order(chance.pick(list));
        // A legal choice can become illegal after an earlier one.
        let is_legal = watched.game.judge(Actor::Seat(seat), &command).is_ok();
        if is_legal { Some(command) } else { offered::<Self>(watched, seat, chance) }
    }

    /// Returns the command as a line, or nothing for an order in a form that offers do not use.
    fn lines(game: &Diplomacy, seat: Seat, command: &Command) -> Vec<String> {
        let is_other = |order| !all_orders(&game.choices(seat)).contains(order);
        let is_left_out = match command {
            Command::Order(order) => is_other(order),
            Command::Conditional(order) => {
                !game.choices(seat).conditionals.iter().any(|all| includes(all, order))
            }
            Command::Clear => false,
        };
        if is_left_out { Vec::new() } else { vec![command.to_string()] }
    }
}

heliopause_testing::contract!(Powers);

/// Returns a conditional order with some of its choices.
fn some_of(mut order: Conditional, chance: &mut Rng) -> Conditional {
    fn cut<T>(list: &mut Vec<T>, chance: &mut Rng) -> bool {
        let first = chance.below(list.len());
        list.rotate_left(first);
        list.truncate(chance.below(4));
        list.is_empty() || chance.one_in(2)
    }
    match &mut order {
        Conditional::Dislodged { retreats, disband, .. } => *disband = cut(retreats, chance),
        Conditional::Building { builds, waive } => *waive = cut(builds, chance),
        Conditional::Removing { removals } => {
            let first = chance.below(removals.len());
            removals.rotate_left(first);
            removals.truncate(10);
        }
    }
    order
}

/// Returns whether a conditional order has only choices of another one.
fn includes(all: &Conditional, order: &Conditional) -> bool {
    use Conditional::{Building, Dislodged, Removing};
    match (all, order) {
        (Dislodged { unit, retreats, .. }, Dislodged { unit: own, retreats: some, .. }) => {
            unit == own && some.iter().all(|to| retreats.contains(to))
        }
        (Building { builds, .. }, Building { builds: some, .. }) => {
            some.iter().all(|site| builds.contains(site))
        }
        (Removing { removals }, Removing { removals: some }) => {
            some.iter().all(|at| removals.contains(at))
        }
        _ => false,
    }
}

fn game(options: Options, players: usize) -> Watched<Diplomacy> {
    Watched::new(&Setup { options, players }, 3)
}

fn all_orders(choices: &Choices) -> Vec<Order> {
    choices.groups.iter().flat_map(|group| group.orders.iter().copied()).collect()
}

fn every_order(game: &Diplomacy) -> Vec<Order> {
    let position = &game.table().position;
    let mut named: Vec<Named> = position.units().map(Named::from).collect();
    named.extend(game.table().dislodged.iter().map(|one| Named::from(one.unit)));
    let places: Vec<Place> =
        Node::ALL.into_iter().map(Place::Earth).chain([Place::Orbit]).collect();
    let mut orders = vec![Order::Waive];
    for kind in [Kind::Army, Kind::Fleet] {
        orders.extend(
            Node::ALL
                .into_iter()
                .filter(|at| kind.can_stand(*at))
                .map(|at| Order::Build { unit: Site { kind: Some(kind), at } }),
        );
    }
    for &unit in named.iter().chain([&Named::ORBITING]) {
        orders.extend([Order::Hold { unit }, Order::Disband { unit }, Order::Remove { unit }]);
        orders.push(Order::Colonize { unit, target: None });
        let elsewhere = Province::ALL.into_iter().filter(|to| unit.at.province() != Some(*to));
        orders.extend(elsewhere.map(|target| Order::Colonize { unit, target: Some(target) }));
        for &to in &places {
            let fits = |unit: Named| match to {
                Place::Earth(node) => unit.kind.is_some_and(|kind| kind.can_stand(node)),
                Place::Orbit => true,
            };
            if fits(unit) {
                orders.push(Order::Move { unit, to, via_convoy: false });
                orders.push(Order::Retreat { unit, to });
                if unit.kind == Some(Kind::Army) && unit.at != Place::Orbit && to != Place::Orbit {
                    orders.push(Order::Move { unit, to, via_convoy: true });
                }
            }
            for &other in named.iter().filter(|other| other.at != unit.at) {
                if other.kind == Some(Kind::Fleet) || fits(other) {
                    orders.push(Order::SupportMove { unit, other, of: None, to });
                }
                if let Place::Earth(to) = to
                    && to.coast().is_none()
                {
                    orders.push(Order::Convoy { unit, army: other, to });
                }
            }
            if to.province().is_none_or(|province| to == Place::Earth(province.node())) {
                for of in position.powers.iter().map(|power| Some(power.code)).chain([None]) {
                    orders.push(Order::SupportMove { unit, other: Named::ORBITING, of, to });
                }
            }
        }
        orders.extend(named.iter().map(|&other| Order::SupportHold { unit, other }));
    }
    orders
}

proptest! {
    #![proptest_config(cases(2))]

    #[test]
    fn choices_and_offers_are_exactly_the_legal_orders(number in any::<u64>()) {
        let mut looks = 0;
        play::<Powers>(Rng::new(number), |watched, chance| {
            looks += 1;
            if watched.game.outcome().is_some() || looks > 30 {
                return;
            }
            let (seat, game) = (anyone(watched, chance), &watched.game);
            let choices = game.choices(seat);
            assert_eq!(Diplomacy::choices_of(watched.own(seat)), choices);
            let chosen: HashSet<Order> = all_orders(&choices).into_iter().collect();
            let mut wanted: BTreeSet<String> = chosen.iter().map(ToString::to_string).collect();
            if !game.sheets()[seat.index()].is_empty() {
                wanted.insert(Command::Clear.to_string());
            }
            assert_eq!(game.offers(seat).lines(u64::MAX).collect::<BTreeSet<String>>(), wanted);
            let own = game.table().position.powers[seat.index()].code;
            // The code of the seat's own empire is omitted.
            let plain = |order: &Order| !matches!(order, Order::SupportMove { of: Some(code), .. } if *code == own);
            let legal = |order: &Order| game.judge(Actor::Seat(seat), &Command::Order(*order)).is_ok();
            let legal: HashSet<Order> =
                every_order(game).into_iter().filter(plain).filter(legal).collect();
            let differing: Vec<String> = legal.symmetric_difference(&chosen).map(ToString::to_string).collect();
            assert!(differing.is_empty(), "{} {seat}: {differing:?}", game.progress());
        });
    }
}

proptest! {
    #![proptest_config(cases(2))]

    #[test]
    fn d3_8_others_see_nothing_of_conditional_orders(number in any::<u64>()) {
        play::<Powers>(Rng::new(number), |watched, chance| {
            if watched.game.outcome().is_some() {
                return;
            }
            let mut plain = watched.clone();
            for seat in plain.asked() {
                for _ in 0..Powers::ORDERS {
                    if let Some(order) = Powers::order(&plain, seat, chance) {
                        plain.submit(Actor::Seat(seat), &order).expect("a legal order");
                    }
                }
            }
            let (seat, mut other) = (anyone(watched, chance), plain.clone());
            for order in watched.game.choices(seat).conditionals {
                let order = Command::Conditional(some_of(order, chance));
                other.submit(Actor::Seat(seat), &order).expect("a legal order");
            }
            for watched in [&mut plain, &mut other] {
                watched.close(CloseCause::Deadline);
            }
            assert_eq!(plain.game.pending(), other.game.pending());
            for ((viewer, view), (_, with)) in plain.views().zip(other.views()) {
                let knows = [Viewer::Seat(seat), Viewer::GameMaster].contains(&viewer);
                assert!(knows || view == with, "{viewer:?} learns of orders of {seat}");
            }
        });
    }
}

struct Crowd;

impl Player for Crowd {
    type Game = Diplomacy;
    const CASES: u32 = 1;
    const STEPS: usize = 100;

    fn setup(_chance: &mut Rng) -> Setup<Options> {
        Setup {
            options: Options { last_year: 1904, ..Options::of(Variant::OuterSpace) },
            players: 30,
        }
    }
}

#[test]
fn thirty_empires_play_to_the_end() {
    let watched = play::<Crowd>(Rng::new(17), |_, _| ());
    assert!(watched.game.outcome().is_some());
}

#[test]
fn d9_press_is_as_agreed() {
    let game = |press, anonymous_press| {
        let options = Options { press, anonymous_press, ..Options::default() };
        game(options, 3).game
    };
    let (one, two) = (Seat::at(0), Seat::at(1));
    assert!(game(PressRule::Full, false).press(one, two, false).is_ok());
    assert!(game(PressRule::Full, false).press(one, two, true).is_err());
    assert!(game(PressRule::Full, true).press(one, two, true).is_ok());
    for anonymous_press in [false, true] {
        let options = Options { anonymous_press, ..Options::default() };
        assert_eq!(Diplomacy::anonymous_press(&options), anonymous_press);
    }
    assert_eq!(game(PressRule::None, false).press(one, two, false).unwrap_err().rule, "D9");
    assert!(
        game(PressRule::Public, false).only_public_press()
            && !game(PressRule::Full, false).only_public_press()
    );
}

#[test]
fn r21_a_draw_is_shared() {
    let game = game(Options::default(), 7).game;
    let all: SeatSet = Seat::first(3).collect();
    assert_eq!(game.declared(all).points, [33, 33, 33, 0, 0, 0, 0]);
}

#[test]
fn d8_6_powers_without_a_player_hold() {
    let mut watched = game(Options::default(), 2);
    assert_eq!(watched.game.pending().len(), 2);
    assert_eq!(Diplomacy::cast(&Options::default(), 2).roles.len(), 2);
    let automated = Options { leftover: Leftover::Automated, ..Options::default() };
    let roles = Diplomacy::cast(&automated, 2).roles;
    assert_eq!(roles.iter().filter(|role| role.always_automated).count(), 5);
    let before = watched.game.table().position.clone();
    watched.close(CloseCause::Deadline);
    assert_eq!(watched.game.table().position, before);
    assert_eq!(watched.game.progress(), "Fall 1901, movement");
}

#[test]
fn d2_orders_are_read_in_the_usual_notation_and_resolved_at_once() {
    let mut watched = game(Options::default(), 7);
    let seat = Seat::at(2);
    let view = watched.game.view(Viewer::Seat(seat));
    for command in
        Diplomacy::parse(&view, "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO\n").unwrap()
    {
        watched.submit(Actor::Seat(seat), &command).unwrap();
    }
    watched.submit(Actor::Seat(seat), &Command::Clear).unwrap();
    assert!(watched.game.sheets()[2].is_empty());
    for command in Diplomacy::parse(&view, "F Bre - MAO\nF Bre - ENG").unwrap() {
        watched.submit(Actor::Seat(seat), &command).unwrap();
    }
    assert_eq!(watched.game.sheets()[2].orders.len(), 1, "4.D.1: the later order counts");
    watched.close(CloseCause::Deadline);
    let units: Vec<String> =
        watched.game.table().position.units_of(seat).map(|unit| unit.to_string()).collect();
    assert_eq!(units, ["F ENG", "A Mar", "A Par"]);
}
