//! What must hold in every game: random legal play of both games, by any number of players with
//! random options.

use std::collections::HashSet;

use heliopause_diplomacy::{
    Choices, Command, Diplomacy, Event, Kind, Leftover, Named, Node, Options, Order, Place,
    PressRule, Province, Site, Variant, View,
};
use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, SeatSet, Setup, Viewer, Why, Wire};
use heliopause_testing::cases;
use proptest::prelude::*;

/// A small generator, so that play is decided by one seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A game and everybody's view of it, each kept up to date by its own events.
struct Watched {
    game: Diplomacy,
    dice: Dice,
    views: Vec<(Viewer, View)>,
}

impl Watched {
    fn new(options: Options, players: usize) -> Self {
        let mut dice = Dice::new([3; 32]);
        let (game, _) = Diplomacy::new(&Setup { options, players }, &mut dice).unwrap();
        let seats = Seat::first(game.sheets().len()).map(Viewer::Seat);
        let viewers = seats.chain([Viewer::Spectator, Viewer::GameMaster]);
        let views = viewers.map(|viewer| (viewer, game.view(viewer))).collect();
        Self { game, dice, views }
    }

    /// Folds what was told into the views, and compares them with the game's.
    fn follow(&mut self, told: &Emitted<Event>) {
        for (viewer, view) in &mut self.views {
            told.to(*viewer).for_each(|event| Diplomacy::update(view, event));
            assert_eq!(*view, self.game.view(*viewer), "{viewer:?}");
        }
        for event in told {
            let (text, rule) = Diplomacy::describe(&event.event, &|seat| seat.to_string());
            assert!(!text.is_empty() && Diplomacy::rule(rule).is_some(), "{rule}: {text}");
            let message = Diplomacy::write_event(&event.event);
            assert_eq!(Diplomacy::read_event(&message).as_ref(), Ok(&event.event));
        }
    }

    fn submit(&mut self, seat: Seat, command: Command) {
        assert_eq!(self.game.judge(Actor::Seat(seat), &command), Ok(()), "{seat}: {command}");
        let told = self.game.submit(Actor::Seat(seat), command, &mut self.dice).unwrap();
        self.follow(&told);
    }

    /// The state holds together, and reads back as written, with all views.
    fn read_back(&self) {
        assert_eq!(self.game.check(), Ok(()));
        assert_eq!(Diplomacy::read_position(&self.game.write_position()).as_ref(), Ok(&self.game));
        for (viewer, view) in &self.views {
            assert_eq!(
                Diplomacy::read_view(&Diplomacy::write_view(view)).as_ref(),
                Ok(view),
                "{viewer:?}"
            );
        }
    }

    fn close(&mut self) {
        self.read_back();
        let told = self.game.close(Why::Deadline, &mut self.dice);
        self.follow(&told);
        self.read_back();
    }
}

fn all_orders(choices: &Choices) -> Vec<Order> {
    choices.groups.iter().flat_map(|group| group.orders.iter().copied()).collect()
}

fn options(chance: &mut Chance, variant: Variant) -> Options {
    Options {
        victory_centers: chance.pick(&[18, 18, 6, 10]),
        press: chance.pick(&[PressRule::Full, PressRule::Public, PressRule::None]),
        leftover: match variant {
            Variant::Standard => chance.pick(&[Leftover::CivilDisorder, Leftover::Automated]),
            Variant::OuterSpace => Leftover::CivilDisorder,
        },
        stalemate_years: chance.pick(&[0, 3]),
        last_year: 1912,
        ..Options::of(variant)
    }
}

/// Gives each unit of a seat a random order, moves more often than others.
fn order_randomly(watched: &mut Watched, seat: Seat, chance: &mut Chance) {
    for group in watched.game.choices(seat).groups {
        for _ in 0..group.count.max(if group.unit.is_none() { 4 } else { 1 }) {
            let moves: Vec<Order> = group
                .orders
                .iter()
                .copied()
                .filter(|order| matches!(order, Order::Move { .. }))
                .collect();
            let list =
                if moves.is_empty() || chance.below(2) == 0 { &group.orders } else { &moves };
            let command = Command::Order(chance.pick(list));
            if watched.game.judge(Actor::Seat(seat), &command).is_ok() {
                watched.submit(seat, command);
            }
        }
    }
}

fn play(
    number: u64,
    variant: Variant,
    players: usize,
    mut each: impl FnMut(&mut Watched, &mut Chance),
) {
    let mut chance = Chance(number);
    let mut watched = Watched::new(options(&mut chance, variant), players);
    for _ in 0..100 {
        if watched.game.outcome().is_some() {
            assert!(watched.game.pending().is_empty());
            let told = watched.game.reckon(&|seat| seat.to_string()).summary;
            assert!(told.contains(|sign: char| sign.is_ascii_digit()), "{told}");
            return;
        }
        let pending = watched.game.pending();
        assert!(!pending.is_empty(), "{}", watched.game.progress());
        each(&mut watched, &mut chance);
        for decision in pending {
            assert!(Diplomacy::phase_kinds(&Options::default()).contains(&decision.kind));
            order_randomly(&mut watched, decision.seat, &mut chance);
        }
        watched.close();
    }
    panic!("the game did not end: {}", watched.game.progress());
}

/// Every order that can be written for a seat in one way, legal or not.
fn every_order(watched: &Watched) -> Vec<Order> {
    let position = &watched.game.table().position;
    let mut named: Vec<Named> = position.units().map(Named::from).collect();
    named.extend(watched.game.table().dislodged.iter().map(|one| Named::from(one.unit)));
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
    #![proptest_config(cases(6))]

    #[test]
    fn random_play_keeps_every_invariant_and_ends(number in any::<u64>()) {
        for players in [2, 5, 7] {
            play(number, Variant::Standard, players, |_, _| {});
        }
        for players in [2, 7] {
            play(number, Variant::OuterSpace, players, |_, _| {});
        }
    }
}

proptest! {
    #![proptest_config(cases(1))]

    #[test]
    fn the_same_orders_lead_to_the_same_state(number in any::<u64>()) {
        for variant in [Variant::Standard, Variant::OuterSpace] {
            let end = || {
                let mut last = None;
                play(number, variant, 4, |watched, _| last = Some(watched.game.clone()));
                last
            };
            assert_eq!(end(), end());
        }
    }

    #[test]
    fn every_choice_is_accepted_and_reads_back_as_written(number in any::<u64>()) {
        for variant in [Variant::Standard, Variant::OuterSpace] {
            play(number, variant, 3, |watched, chance| {
                let decision = chance.pick(&watched.game.pending().iter().map(|one| one.seat).collect::<Vec<_>>());
                let view = watched.game.view(Viewer::Seat(decision));
                let choices = watched.game.choices(decision);
                assert_eq!(Diplomacy::choices_of(&view), choices);
                for order in all_orders(&choices).into_iter().map(Command::Order) {
                    assert_eq!(watched.game.judge(Actor::Seat(decision), &order), Ok(()), "{order}");
                    assert_eq!(Diplomacy::judge_view(&view, &order), Ok(()));
                    let text = Diplomacy::notate(&order);
                    assert_eq!(Diplomacy::parse(&view, &text), Ok(vec![order]), "{text}");
                    assert_eq!(Diplomacy::read_order(&Diplomacy::write_order(&order)), Ok(order));
                }
            });
        }
    }

    #[test]
    fn choices_are_exactly_what_the_judge_accepts(number in any::<u64>()) {
        for (variant, players) in [(Variant::Standard, 7), (Variant::OuterSpace, 4)] {
            let mut rounds = 0;
            play(number, variant, players, |watched, chance| {
                rounds += 1;
                if rounds > 12 {
                    return;
                }
                let seats: Vec<Seat> = watched.game.pending().iter().map(|one| one.seat).collect();
                let seat = chance.pick(&seats);
                let own = watched.game.table().position.powers[seat.index()].code;
                // The own empire goes without its code.
                let plain = |order: &&Order| !matches!(order, Order::SupportMove { of: Some(code), .. } if *code == own);
                let accepted: HashSet<Order> = every_order(watched)
                    .iter()
                    .filter(plain)
                    .filter(|order| watched.game.judge(Actor::Seat(seat), &Command::Order(**order)).is_ok())
                    .copied()
                    .collect();
                let choices: HashSet<Order> = all_orders(&watched.game.choices(seat)).into_iter().collect();
                let differing: Vec<String> = accepted.symmetric_difference(&choices).map(ToString::to_string).collect();
                assert!(differing.is_empty(), "{} {seat}: {differing:?}", watched.game.progress());
            });
        }
    }

    /// Offers are the same orders as sentences: each filling is read as an order that is accepted,
    /// each order that is accepted is a filling, and filling at random leads to nothing else.
    #[test]
    fn offers_make_exactly_the_choices(number in any::<u64>()) {
        for (variant, players) in [(Variant::Standard, 7), (Variant::OuterSpace, 5)] {
            play(number, variant, players, |watched, chance| {
                let seats: Vec<Seat> = watched.game.pending().iter().map(|one| one.seat).collect();
                let seat = chance.pick(&seats);
                order_randomly(watched, chance.pick(&seats), chance);
                let view = watched.game.view(Viewer::Seat(seat));
                let offers = watched.game.offers(seat);
                assert_eq!(offers.check(), Ok(()));
                assert!(offers.complete && !offers.sheet);
                let read = |line: &str| Diplomacy::parse(&view, line).expect("notation").remove(0);
                let mut made: Vec<Command> = offers.lines(u64::MAX).map(|line| read(&line)).collect();
                let mut wanted: Vec<Command> =
                    all_orders(&watched.game.choices(seat)).into_iter().map(Command::Order).collect();
                if !watched.game.sheets()[seat.index()].is_empty() {
                    wanted.push(Command::Clear);
                }
                for command in &wanted {
                    assert!(offers.that_makes(&Diplomacy::notate(command)).is_some(), "{command} \
                        is not offered");
                }
                made.sort_by_key(Diplomacy::notate);
                wanted.sort_by_key(Diplomacy::notate);
                assert_eq!(made, wanted);
                for offer in &offers.list {
                    let mut next = || chance.next();
                    let fillings = [offers.at_random(offer, &mut next), offers.fullest(offer, &mut next)];
                    for chosen in fillings {
                        let line = offers.fill(offer, &chosen).expect("a filling at random fits");
                        assert!(offers.makes(offer, &line), "{line}");
                        let command = read(&line);
                        assert_eq!(watched.game.judge(Actor::Seat(seat), &command), Ok(()), "{line}");
                        assert_eq!(offer.order.unwrap_or(command), command);
                        assert!(Diplomacy::rule(&offer.rule).is_some(), "{}", offer.rule);
                        let said = offers.say(offer, &chosen).expect("it fits");
                        assert!(!said.is_empty() && !said.contains(['{', '}']), "{said}");
                    }
                }
            });
        }
    }

    #[test]
    fn refused_orders_change_nothing(number in any::<u64>()) {
        for variant in [Variant::Standard, Variant::OuterSpace] {
            play(number, variant, 4, |watched, chance| {
                for _ in 0..40 {
                    let unit = Named { kind: None, at: Place::Earth(chance.pick(&Node::ALL)) };
                    let to = chance.pick(&Node::ALL);
                    let order = chance.pick(&[
                        Order::Move { unit, to: Place::Earth(to), via_convoy: false },
                        Order::Retreat { unit, to: Place::Earth(to) },
                        Order::Build { unit: Site { kind: Some(Kind::Fleet), at: to } },
                        Order::Remove { unit },
                        Order::Move { unit: Named::ORBITING, to: Place::Earth(to), via_convoy: false },
                    ]);
                    let by = chance.pick(&[Actor::Seat(Seat::at(0)), Actor::Seat(Seat::at(63)), Actor::GameMaster]);
                    let before = watched.game.clone();
                    let judged = watched.game.judge(by, &Command::Order(order));
                    if let Err(refusal) = judged {
                        assert!(Diplomacy::rule(&refusal.rule).is_some(), "{refusal:?}");
                        assert!(watched.game.submit(by, Command::Order(order), &mut watched.dice).is_err());
                        assert_eq!(watched.game, before);
                    }
                }
            });
        }
    }

    #[test]
    fn samples_fit_the_view_they_are_drawn_from(number in any::<u64>()) {
        for variant in [Variant::Standard, Variant::OuterSpace] {
            play(number, variant, 3, |watched, chance| {
                for decision in watched.game.pending() {
                    order_randomly(watched, decision.seat, chance);
                }
                for (viewer, view) in &watched.views {
                    let sample = Diplomacy::sample(view, &mut || chance.next());
                    assert_eq!(sample.check(), Ok(()));
                    assert_eq!(sample.view(*viewer), *view);
                }
            });
        }
    }

    /// Whoever knows the same is shown, offered and refused the same, whatever the others have
    /// ordered.
    #[test]
    fn nobody_sees_the_orders_of_others(number in any::<u64>()) {
        for variant in [Variant::Standard, Variant::OuterSpace] {
            play(number, variant, 3, |watched, chance| {
                let view = watched.game.view(Viewer::Seat(Seat::at(0)));
                let other = Diplomacy::sample(&view, &mut || chance.next());
                assert_eq!(other.choices(Seat::at(0)), watched.game.choices(Seat::at(0)));
                assert_eq!(other.offers(Seat::at(0)), watched.game.offers(Seat::at(0)));
                assert_eq!(other.pending(), watched.game.pending());
                assert_eq!(other.view(Viewer::Spectator), watched.game.view(Viewer::Spectator));
            });
        }
    }

    #[test]
    fn thirty_empires_play_to_the_end(number in any::<u64>()) {
        play(number, Variant::OuterSpace, 30, |_, _| {});
    }
}

/// Rules 27: of a list, what is refused follows from what the seat knows; and as such a list may be
/// given back, taking its orders rolls no die and tells nobody else.
#[test]
fn rules_27_lists_are_judged_by_knowledge_and_resolve_nothing() {
    for variant in [Variant::Standard, Variant::OuterSpace] {
        play(17, variant, 3, |watched, chance| {
            let owing: Vec<Seat> =
                watched.game.pending().iter().map(|decision| decision.seat).collect();
            let seat = chance.pick(&owing);
            let actor = Actor::Seat(seat);
            let mut one = watched.game.clone();
            let mut other = Diplomacy::sample(&one.view(Viewer::Seat(seat)), &mut || chance.next());
            let mut list = all_orders(&one.choices(seat));
            // Orders for units of others, too.
            list.extend(
                owing.iter().flat_map(|&seat| all_orders(&one.choices(seat)).into_iter().take(3)),
            );
            let mut dice = Dice::new([3; 32]);
            for _ in 0..6 {
                let command = if chance.below(9) == 0 {
                    Command::Clear
                } else {
                    Command::Order(chance.pick(&list))
                };
                assert!(Diplomacy::is_revisable(&command));
                let told = one.submit(actor, command, &mut dice);
                assert_eq!(told, other.submit(actor, command, &mut dice), "{command}");
                let Ok(told) = told else { continue };
                let others = Seat::first(one.sheets().len())
                    .filter(|&other| other != seat)
                    .map(Viewer::Seat);
                for viewer in others.chain([Viewer::Spectator]) {
                    assert!(told.to(viewer).next().is_none(), "{viewer:?} is told of {command}");
                }
            }
            assert!(dice.take_rolled().is_empty());
        });
    }
}

#[test]
fn d9_press_is_as_agreed() {
    let game = |press, anonymous_press| {
        let options = Options { press, anonymous_press, ..Options::default() };
        Watched::new(options, 3).game
    };
    let (one, two) = (Seat::at(0), Seat::at(1));
    assert!(game(PressRule::Full, false).press(one, two, false).is_ok());
    assert!(game(PressRule::Full, false).press(one, two, true).is_err());
    assert!(game(PressRule::Full, true).press(one, two, true).is_ok());
    assert_eq!(game(PressRule::None, false).press(one, two, false).unwrap_err().rule, "D9");
    assert!(
        game(PressRule::Public, false).only_public_press()
            && !game(PressRule::Full, false).only_public_press()
    );
}

#[test]
fn r21_a_draw_is_shared() {
    let game = Watched::new(Options::default(), 7).game;
    let all: SeatSet = Seat::first(3).collect();
    assert_eq!(game.declared(all).points, [33, 33, 33, 0, 0, 0, 0]);
}

#[test]
fn d8_6_powers_without_a_player_hold_and_are_owed_nothing() {
    let mut watched = Watched::new(Options::default(), 2);
    assert_eq!(watched.game.pending().len(), 2);
    assert_eq!(Diplomacy::cast(&Options::default(), 2).roles.len(), 2);
    let automated = Options { leftover: Leftover::Automated, ..Options::default() };
    let roles = Diplomacy::cast(&automated, 2).roles;
    assert_eq!(roles.iter().filter(|role| role.automaton).count(), 5);
    let before = watched.game.table().position.clone();
    watched.close();
    assert_eq!(watched.game.table().position, before);
    assert_eq!(watched.game.progress(), "Fall 1901, movement");
}

#[test]
fn d2_orders_are_read_in_the_usual_notation_and_resolved_at_once() {
    let mut watched = Watched::new(Options::default(), 7);
    let seat = Seat::at(2);
    let view = watched.game.view(Viewer::Seat(seat));
    for command in
        Diplomacy::parse(&view, "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO\n").unwrap()
    {
        watched.submit(seat, command);
    }
    watched.submit(seat, Command::Clear);
    assert!(watched.game.sheets()[2].is_empty());
    for command in Diplomacy::parse(&view, "F Bre - MAO\nF Bre - ENG").unwrap() {
        watched.submit(seat, command);
    }
    assert_eq!(watched.game.sheets()[2].len(), 1, "4.D.1: the later order counts");
    watched.close();
    let units: Vec<String> =
        watched.game.table().position.units_of(seat).map(|unit| unit.to_string()).collect();
    assert_eq!(units, ["F ENG", "A Mar", "A Par"]);
}
