//! Properties of all games, each a function of a seed.

use std::collections::BTreeSet;

use heliopause_kernel::offer::{Offer, Offers, UNITS};
use heliopause_kernel::warning::WARNINGS_MAX;
use heliopause_kernel::{
    Actor, CloseCause, Decision, Dice, Emitted, FinalScore, Game, Goal, Press, Refusal, Seat,
    SeatSet, Viewer, Warning, Wire,
};

use crate::player::{EventOf, OrderOf, Tested, anyone, offered, play, step, viewer, wild};
use crate::{Player, Rng, Watched, damage, seed};

/// Maximum number of times that a game's decisions are closed before it ends.
const CLOSES_MAX: usize = 4_000;
/// Number of possibly illegal orders per check of a state.
const WILD_ORDERS: usize = 4;
/// Number of filled offers per check of a state.
const OFFERS: usize = 40;
/// Limit on the number of steps played from a damaged position.
const DAMAGED_STEPS: usize = 30;

/// A property of all games, checked with random numbers.
pub type Property = fn(Rng);

/// Defines a test for each property, using a [`Player`].
#[macro_export]
macro_rules! contract {
    ($player:ty) => {
        $crate::contract!(@each tests $player);
    };
    (@each $form:ident $player:ty) => {
        $crate::contract! { @$form $player;
            play_holds_together
            positions_read_back_and_play_on_the_same
            offers_are_legal_orders
            legal_orders_are_offered
            orders_read_back
            texts_are_read_or_refused
            events_and_views_read_back
            samples_look_the_same
            equal_knowledge_gives_equal_answers
            take_backs_leave_no_trace
            warnings_follow_from_the_view
            goals_follow_the_rules
            closing_ends_the_game
            damaged_positions_are_refused_or_playable
            damaged_messages_are_refused_or_read_back
            options_read_back
        }
    };
    (@tests $player:ty; $($property:ident)+) => {
        $(#[test]
        fn $property() {
            let cases = <$player as $crate::Player>::CASES;
            let test = concat!(module_path!(), "::", stringify!($property));
            $crate::explore(cases, file!(), test, $crate::contract::$property::<$player>);
        })+
    };
    (@list $player:ty; $($property:ident)+) => {
        vec![$($crate::contract::$property::<$player> as $crate::contract::Property),+]
    };
}

/// Returns all properties.
pub fn properties<P: Player>() -> Vec<Property> {
    crate::contract!(@each list P)
}

/// Checks random play, with the checks of [`Watched`] after each step.
pub fn play_holds_together<P: Player>(chance: Rng) {
    let mut watched = play::<P>(chance, |_, _| ());
    if watched.game.outcome().is_some() {
        let emitted = watched.game.reveal();
        watched.follow(&emitted);
    }
}

/// Checks that a position can be written and read, and that play then continues identically with
/// the same orders and dice.
pub fn positions_read_back_and_play_on_the_same<P: Player>(mut chance: Rng) {
    let mut watched = P::begin(&mut chance);
    for _ in 0..P::STEPS {
        if watched.game.outcome().is_some() {
            break;
        }
        let position = watched.game.write_position();
        let game = P::Game::read_position(&position).expect("an own position reads back");
        assert!(game == watched.game, "{}: another position reads back", P::Game::ID);
        let mut other = Watched::of(game, watched.dice.clone());
        let emitted = step::<P>(&mut other, &mut chance.clone());
        assert_eq!(step::<P>(&mut watched, &mut chance), emitted, "{}", P::Game::ID);
        assert!(watched.game == other.game, "{}: the same step leads elsewhere", P::Game::ID);
    }
}

/// Checks that every filling of an offer is a legal order, with a sentence and a rule, and that it
/// costs no more than is available. Checks that all units are known.
pub fn offers_are_legal_orders<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let seat = anyone(watched, chance);
        let offers = watched.game.offers(seat);
        assert_eq!(offers.check(), Ok(()), "{}", P::Game::ID);
        for unit in units(&offers) {
            assert!(UNITS.contains(&unit), "{}: unit {unit:?} is unknown", P::Game::ID);
        }
        let keys: BTreeSet<&str> = offers.list.iter().map(|offer| offer.key.as_ref()).collect();
        let few = offers.list.len().min(OFFERS);
        let mut some: Vec<&Offer<OrderOf<P>>> =
            (0..few).map(|_| &offers.list[chance.below(offers.list.len())]).collect();
        some.extend(keys.iter().filter_map(|key| offers.list.iter().find(|one| one.key == *key)));
        for offer in some {
            for full in [false, true] {
                filling_is_legal::<P>(watched, seat, (&offers, offer), full, chance);
            }
        }
    });
}

fn units<O>(offers: &Offers<O>) -> BTreeSet<&str> {
    let amounts = offers.values.iter().flat_map(|value| value.price.iter().chain(&value.size));
    let amounts = amounts.chain(offers.stocks.iter().map(|stock| &stock.available));
    amounts.map(|amount| amount.unit.as_ref()).collect()
}

fn filling_is_legal<P: Player>(
    watched: &Watched<P::Game>,
    seat: Seat,
    (offers, offer): (&Offers<OrderOf<P>>, &Offer<OrderOf<P>>),
    full: bool,
    chance: &mut Rng,
) {
    let mut next = || chance.number();
    let chosen =
        if full { offers.fullest(offer, &mut next) } else { offers.at_random(offer, &mut next) };
    let line = offers.fill(offer, &chosen).expect("a filling at random fits");
    let orders = P::Game::parse(watched.own(seat), &line).expect("a filled offer is an order");
    let [order] = &orders[..] else { panic!("{}: {line} is several orders", P::Game::ID) };
    let judged = watched.game.judge(Actor::Seat(seat), order);
    assert_eq!(judged, Ok(()), "{}: {seat}: {line}", P::Game::ID);
    assert!(offers.makes(offer, &line), "{}: {line}", P::Game::ID);
    assert!(offer.order.as_ref().is_none_or(|own| own == order), "{}: {line}", P::Game::ID);
    assert!(watched.has_rule(&offer.rule), "{}: rule {}", P::Game::ID, offer.rule);
    let said = offers.say(offer, &chosen).expect("it fits");
    assert!(!said.is_empty() && !said.contains(['{', '}']), "{}: {said}", P::Game::ID);
    if let Some(cost) = offers.cost(offer, &chosen) {
        let is_paid = cost.partial || (0..=cost.available).contains(&cost.amount);
        assert!(is_paid, "{}: {line} costs {cost:?}", P::Game::ID);
    }
}

/// Checks that every legal order matches an offer, if offers are complete.
pub fn legal_orders_are_offered<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let seat = anyone(watched, chance);
        let offers = watched.game.offers(seat);
        if !offers.complete {
            return;
        }
        for nth in 0..2 * WILD_ORDERS {
            let own = if nth % 2 == 0 { P::order(watched, seat, chance) } else { None };
            let Some(order) = own.or_else(|| wild::<P>(watched, chance)) else { continue };
            if watched.game.judge(Actor::Seat(seat), &order).is_err() {
                continue;
            }
            for line in P::lines(&watched.game, seat, &order) {
                let offer = offers.that_makes(&line);
                assert!(offer.is_some(), "{}: {seat}: {line} is not offered", P::Game::ID);
            }
        }
    });
}

/// Checks that orders, legal or not, can be read back from text and from messages.
pub fn orders_read_back<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let seat = anyone(watched, chance);
        let legal = P::order(watched, seat, chance);
        let by_master = P::master_order(watched, chance);
        // A wild order may be an order of the game master.
        let views = [watched.own(seat), watched.view(Viewer::GameMaster)];
        let orders = legal.into_iter().chain(by_master).chain(wild::<P>(watched, chance));
        for order in orders {
            let message = P::Game::write_order(&order);
            assert_eq!(P::Game::read_order(&message).as_ref(), Ok(&order), "{}", P::Game::ID);
            let text = P::Game::notate(&order);
            for text in [text.clone(), format!("  {text}  ")] {
                let read = views.map(|view| P::Game::parse(view, &text));
                let is_same = read.iter().any(|read| read.as_deref() == Ok(&[order.clone()][..]));
                assert!(is_same, "{}: {text} reads back as {read:?}", P::Game::ID);
            }
        }
    });
}

/// Checks that parsing orders never panics, and that errors have a position.
pub fn texts_are_read_or_refused<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let Some(order) = wild::<P>(watched, chance) else { return };
        let text = damage::text(&P::Game::notate(&order), chance);
        let view = watched.view(viewer(watched, chance));
        if let Err(malformed) = P::Game::parse(view, &text) {
            assert!(malformed.line >= 1 && malformed.column >= 1, "{}: {text}", P::Game::ID);
        }
    });
}

/// Checks that events and views can be read from their messages, and that events have sentences
/// and rules.
pub fn events_and_views_read_back<P: Player>(mut chance: Rng) {
    let mut watched = P::begin(&mut chance);
    for _ in 0..P::STEPS {
        for seat in Seat::first(watched.seats()) {
            view_reads_back::<P>(&watched.game.briefing(seat));
        }
        view_reads_back::<P>(watched.view(viewer(&watched, &mut chance)));
        if watched.game.outcome().is_some() {
            break;
        }
        for addressed in &step::<P>(&mut watched, &mut chance) {
            let event = P::Game::read_event(&P::Game::write_event(&addressed.event));
            assert_eq!(event.as_ref(), Ok(&addressed.event), "{}", P::Game::ID);
            let name = |seat: Seat| format!("<{}>", seat.number());
            let (sentence, rule) = P::Game::describe(&addressed.event, &name);
            let first = sentence.lines().next().unwrap_or_default();
            assert!(first.len() > 8 && first.ends_with(['.', ':']), "{}: {sentence}", P::Game::ID);
            assert!(watched.has_rule(rule), "{}: {sentence} has rule {rule}", P::Game::ID);
        }
    }
}

fn view_reads_back<P: Player>(view: &<P::Game as Game>::View) {
    let read = P::Game::read_view(&P::Game::write_view(view));
    assert!(read.as_ref() == Ok(view), "{}: {view:?} reads back as {read:?}", P::Game::ID);
}

/// Checks that a sampled state has an equal view, is consistent, and can be played on.
pub fn samples_look_the_same<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let viewer = viewer(watched, chance);
        let sample = sampled(watched, viewer, chance);
        assert_eq!(sample.check(), Ok(()), "{}: sampled for {viewer:?}", P::Game::ID);
        let mut sample = Watched::of(sample, Dice::new(seed(1)));
        if sample.game.outcome().is_none() && chance.one_in(4) {
            step::<P>(&mut sample, chance);
        }
    });
}

fn sampled<G: Tested>(watched: &Watched<G>, viewer: Viewer, chance: &mut Rng) -> G {
    let view = watched.view(viewer);
    let sample = G::sample(view, &mut || chance.number());
    let shown = sample.view(viewer);
    assert!(shown == *view, "{}: {viewer:?}: {view:?} became {shown:?}", G::ID);
    sample
}

/// Checks that a viewer gets the same answers in two states that the viewer cannot distinguish.
pub fn equal_knowledge_gives_equal_answers<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let any = viewer(watched, chance);
        if any != Viewer::GameMaster {
            let other = sampled(watched, any, chance);
            assert_eq!(awaited(&watched.game), awaited(&other), "{}: {any:?}", P::Game::ID);
        }
        let seat = anyone(watched, chance);
        let other = sampled(watched, Viewer::Seat(seat), chance);
        let game = &watched.game;
        assert!(other.offers(seat) == game.offers(seat), "{}: {seat}", P::Game::ID);
        assert_eq!(asked(&other, seat), asked(game, seat), "{}: {seat}", P::Game::ID);
        assert_eq!(other.progress(), game.progress(), "{}: {seat}", P::Game::ID);
        assert_eq!(other.standing_orders(seat), game.standing_orders(seat), "{}", P::Game::ID);
        assert_eq!(other.opens_ready(seat), game.opens_ready(seat), "{}", P::Game::ID);
        for to in Seat::first(watched.seats()).chain([Seat::at(Seat::MAX - 1)]) {
            let may = |game: &P::Game| -> Result<Press, Refusal> { game.press(seat, to, false) };
            assert_eq!(may(&other), may(game), "{}: {seat} to {to}", P::Game::ID);
            let is_allowed = P::Game::anonymous_press(&game.setup().options);
            let refused = game.press(seat, to, true).err();
            let is_named = refused.is_some_and(|refusal| refusal.reason == "not-anonymous");
            assert!(is_named != is_allowed || may(game).is_err(), "{}: {seat}", P::Game::ID);
        }
        let by = Actor::Seat(seat);
        for _ in 0..WILD_ORDERS {
            let Some(order) = wild::<P>(watched, chance) else { continue };
            assert_eq!(
                other.judge(by, &order),
                game.judge(by, &order),
                "{}: {order:?}",
                P::Game::ID
            );
            let predicted = [&other, game].map(|game| game.preview(by, &order));
            assert_eq!(predicted[0], predicted[1], "{}: {order:?}", P::Game::ID);
        }
        orders_are_answered_alike::<P>(watched, other, seat, chance);
    });
}

fn orders_are_answered_alike<P: Player>(
    watched: &Watched<P::Game>,
    mut other: P::Game,
    seat: Seat,
    chance: &mut Rng,
) {
    let mut one = Watched::of(watched.game.clone(), watched.dice.clone());
    let mut dice = watched.dice.clone();
    for _ in 0..WILD_ORDERS {
        let own = if chance.one_in(3) { None } else { P::order(&one, seat, chance) };
        let Some(order) = own.or_else(|| wild::<P>(&one, chance)) else { continue };
        let is_kept = P::Game::is_revisable(&order);
        let predicted = one.game.preview(Actor::Seat(seat), &order);
        let emitted = one.submit(Actor::Seat(seat), &order);
        let other_emitted = other.submit(Actor::Seat(seat), order.clone(), &mut dice);
        assert_eq!(
            emitted.as_ref().err(),
            other_emitted.as_ref().err(),
            "{}: {order:?}",
            P::Game::ID
        );
        let (Ok(emitted), Ok(other_emitted)) = (emitted, other_emitted) else { continue };
        let own = |emitted: &Emitted<EventOf<P>>| -> Vec<EventOf<P>> {
            emitted.to(Viewer::Seat(seat)).cloned().collect()
        };
        if let Some(predicted) = predicted {
            let own = own(&emitted);
            assert!(own == [predicted], "{}: {order:?} had another preview: {own:?}", P::Game::ID);
        }
        // An order that resolves immediately may reveal hidden facts.
        if own(&emitted) != own(&other_emitted) {
            assert!(!is_kept, "{}: {order:?} tells what is hidden", P::Game::ID);
            break;
        }
    }
}

fn awaited<G: Game>(game: &G) -> SeatSet {
    let pending = game.pending();
    pending.iter().filter(|one| game.is_public(one)).map(|one| one.seat).collect()
}

/// Returns a seat's decisions without their numbers. Numbers count earlier answers, which samples
/// do not know.
fn asked<G: Game>(game: &G, seat: Seat) -> Vec<(&'static str, String)> {
    let own = game.pending().into_iter().filter(|one| one.seat == seat);
    own.map(|Decision { kind, prompt, .. }| (kind, prompt)).collect()
}

/// Checks that a phase closes as if withdrawn orders had never been given.
pub fn take_backs_leave_no_trace<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let Some(open) = watched.game.pending().first().cloned() else { return };
        if !open.revisable {
            let mut other = watched.clone();
            other.take_back(open.seat);
            assert!(other.game == watched.game, "{}: it was resolved", P::Game::ID);
            return;
        }
        // The phase has just opened, because the step closed the previous one.
        let mut untouched = Watched::of(watched.game.clone(), Dice::new(seed(1)));
        let mut other = untouched.clone();
        if !untouched.game.standing_orders(open.seat).is_empty() {
            // The phase opened with orders, which are withdrawn too.
            untouched.take_back(open.seat);
        }
        for _ in 0..=chance.below(P::ORDERS) {
            let order = P::order(&other, open.seat, chance).filter(P::Game::is_revisable);
            if let Some(order) = order {
                other.submit(Actor::Seat(open.seat), &order).expect("a legal order");
            }
        }
        other.take_back(open.seat);
        assert_eq!(other.game.standing_orders(open.seat), [], "{}", P::Game::ID);
        for watched in [&mut untouched, &mut other] {
            watched.close(CloseCause::Deadline);
        }
        assert!(untouched.views().eq(other.views()), "{}: {}", P::Game::ID, open.prompt);
    });
}

/// Checks that warnings depend only on the view, and refer to existing offers and rules.
pub fn warnings_follow_from_the_view<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let seat = anyone(watched, chance);
        let view = watched.own(seat);
        let other = sampled(watched, Viewer::Seat(seat), chance).view(Viewer::Seat(seat));
        let orders = (0..WILD_ORDERS).filter_map(|_| offered::<P>(watched, seat, chance));
        let at_once = orders.filter(|order| !P::Game::is_revisable(order)).map(Some);
        for next in at_once.chain([None]).collect::<Vec<_>>() {
            let warnings = P::Game::warnings(view, next.as_ref());
            assert_eq!(warnings, P::Game::warnings(&other, next.as_ref()), "{}", P::Game::ID);
            assert!(warnings.len() <= WARNINGS_MAX, "{}: {warnings:?}", P::Game::ID);
            let is_over = watched.game.outcome().is_some();
            assert!(!is_over || warnings.is_empty(), "{}: over: {warnings:?}", P::Game::ID);
            for warning in &warnings {
                warning_holds::<P>(watched, seat, warning, chance);
            }
        }
        for viewer in [Viewer::Spectator, Viewer::GameMaster] {
            assert_eq!(P::Game::warnings(watched.view(viewer), None), [], "{}", P::Game::ID);
        }
    });
}

fn warning_holds<P: Player>(
    watched: &Watched<P::Game>,
    seat: Seat,
    Warning { code, sentence, rule, mend }: &Warning,
    chance: &mut Rng,
) {
    let id = P::Game::ID;
    assert!(P::Game::WARNINGS.contains(code), "{id}: {code}");
    let has_form = |sign: char| sign == '-' || sign.is_ascii_lowercase();
    assert!(code.chars().all(has_form), "{id}: {code}");
    assert!(watched.has_rule(rule), "{id} {code}: rule {rule}");
    assert!(sentence.ends_with('.') && sentence.len() < 500, "{id} {code}: {sentence}");
    let Some(mend) = mend else { return };
    let offers = watched.game.offers(seat);
    let offer = offers.mending(mend).unwrap_or_else(|| panic!("{id} {code}: {mend:?}"));
    let alone = offers.alone(offer);
    assert_eq!(alone.check(), Ok(()), "{id} {code}");
    filling_is_legal::<P>(watched, seat, (&alone, &alone.list[0]), false, chance);
}

/// Checks that goals belong to seats in the game, have sentences, and refer to existing rules.
pub fn goals_follow_the_rules<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, _| {
        for (_, view) in watched.views() {
            let goals = P::Game::goals(view);
            let is_over = watched.game.outcome().is_some();
            assert!(goals.is_empty() || !is_over, "{}: {goals:?}", P::Game::ID);
            for Goal { seat, label, rule, sentence, .. } in &goals {
                let alive = watched.game.alive();
                assert!(seat.is_none_or(|seat| alive.contains(seat)), "{}: {seat:?}", P::Game::ID);
                assert!(
                    !label.is_empty() && sentence.ends_with('.'),
                    "{}: {sentence}",
                    P::Game::ID
                );
                assert!(watched.has_rule(rule), "{}: rule {rule}", P::Game::ID);
            }
        }
    });
}

/// Checks that a game ends if its decisions are repeatedly closed, and that its scores refer to
/// rules.
pub fn closing_ends_the_game<P: Player>(chance: Rng) {
    let mut watched = play::<P>(chance, |_, _| ());
    let mut closes = 0;
    while P::ENDS && watched.game.outcome().is_none() && closes < CLOSES_MAX {
        let emitted = watched.close(CloseCause::Deadline);
        assert!(!emitted.is_empty(), "{}: a close without an event", P::Game::ID);
        closes += 1;
    }
    let is_over = watched.game.outcome().is_some();
    assert!(is_over || !P::ENDS, "{}: {}", P::Game::ID, watched.game.progress());
    if is_over {
        assert!(watched.close(CloseCause::Deadline).is_empty(), "{}: it is over", P::Game::ID);
        assert_eq!(watched.game.pending(), [], "{}", P::Game::ID);
    }
    let name = |seat: Seat| format!("<{}>", seat.number());
    let FinalScore { summary, lines, .. } = watched.game.final_score(&name);
    assert_eq!(lines.len(), watched.game.setup().players, "{}", P::Game::ID);
    for line in lines.iter().flatten() {
        assert!(watched.has_rule(line.rule), "{}: rule {}", P::Game::ID, line.rule);
    }
    assert_eq!(summary.is_empty(), !is_over, "{}: {summary}", P::Game::ID);
    let has_digit = summary.contains(|sign: char| sign.is_ascii_digit());
    assert!(has_digit || !is_over, "{}: {summary}", P::Game::ID);
}

/// Checks that a damaged position is rejected or can be played on.
pub fn damaged_positions_are_refused_or_playable<P: Player>(chance: Rng) {
    play::<P>(chance, |watched, chance| {
        let message = damage::message(&watched.game.write_position(), chance);
        let Ok(game) = P::Game::read_position(&message) else { return };
        let steps = if chance.one_in(8) { chance.below(DAMAGED_STEPS) } else { 0 };
        play_on::<P>(game, steps, chance);
    });
}

/// Checks that a position is consistent, is written back unchanged, and can be played on.
pub fn play_on<P: Player>(game: P::Game, steps: usize, chance: &mut Rng) {
    let written = game.write_position();
    let again = P::Game::read_position(&written).map(|again| again.write_position());
    assert!(again.as_ref() == Ok(&written), "{}: a position reads back as another", P::Game::ID);
    let mut on = Watched::of(game, Dice::new(seed(1)));
    assert_eq!(on.game.check(), Ok(()), "{}: a position that was read", P::Game::ID);
    for step_number in 0..=steps {
        let any = viewer(&on, chance);
        view_reads_back::<P>(on.view(any));
        if any != Viewer::GameMaster {
            sampled(&on, any, chance);
        }
        P::Game::goals(on.view(any));
        P::Game::warnings(on.view(any), None);
        assert_eq!(on.game.offers(anyone(&on, chance)).check(), Ok(()), "{}", P::Game::ID);
        if on.game.outcome().is_some() {
            on.game.final_score(&|seat| seat.to_string());
            break;
        }
        if step_number < steps {
            step::<P>(&mut on, chance);
        }
    }
}

/// Checks that damaged messages are rejected or read as valid values, and that a view of one game
/// can be updated with events of another.
pub fn damaged_messages_are_refused_or_read_back<P: Player>(mut chance: Rng) {
    let mut watched = P::begin(&mut chance);
    let mut foreign = P::begin(&mut chance.clone()).view(Viewer::Spectator).clone();
    for _ in 0..P::STEPS {
        if watched.game.outcome().is_some() {
            break;
        }
        let any = viewer(&watched, &mut chance);
        let message = damage::message(&P::Game::write_view(watched.view(any)), &mut chance);
        if let Ok(view) = P::Game::read_view(&message) {
            view_reads_back::<P>(&view);
            P::Game::goals(&view);
            P::Game::warnings(&view, None);
        }
        for addressed in &step::<P>(&mut watched, &mut chance) {
            P::Game::update(&mut foreign, &addressed.event);
            let message = damage::message(&P::Game::write_event(&addressed.event), &mut chance);
            let Ok(event) = P::Game::read_event(&message) else { continue };
            let again = P::Game::read_event(&P::Game::write_event(&event));
            assert_eq!(again.as_ref(), Ok(&event), "{}", P::Game::ID);
            P::Game::update(&mut foreign, &event);
            P::Game::describe(&event, &|seat| seat.to_string());
        }
    }
}

/// Checks that options can be read from their message, and that other editions reject them.
pub fn options_read_back<P: Player>(mut chance: Rng) {
    let played = P::begin(&mut chance).game.setup().options;
    for edition in P::Game::editions() {
        let (id, printed) = (edition.id, &edition.options);
        assert_eq!(P::Game::edition_of(printed), id);
        let players = P::Game::players(printed);
        assert!(players.contains(&P::Game::usual_players(printed)), "{id}");
        let absent = P::Game::read_options_of(&edition, &Default::default());
        assert!(absent.as_ref() == Ok(printed), "{id}: absent options");
        let given = if P::Game::edition_of(&played) == id { &played } else { printed };
        let message = P::Game::write_options(given);
        let read = P::Game::read_options_of(&edition, &message);
        assert!(read.as_ref() == Ok(given), "{id}: {message:?}");
        for other in P::Game::editions().iter().filter(|other| other.id != id) {
            let refused = P::Game::read_options_of(other, &message);
            assert!(refused.is_err(), "{id} passes for {}", other.id);
        }
        let damaged = damage::message(&message, &mut chance);
        if let Ok(options) = P::Game::read_options(&damaged) {
            let again = P::Game::read_options(&P::Game::write_options(&options));
            assert!(again.as_ref() == Ok(&options), "{id}: {damaged:?}");
        }
    }
}
