//! What the table tells of every game beside its events, in play at random: goals, the end in
//! numbers, for whom the game waits, of what seats are warned; and that orders can be taken back.

use std::collections::BTreeMap;

use heliopause_games::{Enveloped, games};
use heliopause_kernel::offer::Offers;
use heliopause_kernel::warning::WARNINGS_MAX;
use heliopause_kernel::{
    Actor, Audience, Dice, Edition, Game, Goal, Reckoning, Seat, SeatSet, Setup, Viewer, Warning,
    Why,
};

/// How many phases of a game are played at most.
const PHASES: u32 = 60;
/// How many orders a seat gives in a phase at most.
const ORDERS: u64 = 6;

/// A game that is not over after so many phases does not end by itself.
const ENDLESS: u32 = 4_000;

/// Numbers at random, the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 8
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most.max(1)
    }
}

/// Plays a game of each edition at random, and looks at each phase of it.
fn play<G: Enveloped>(mut look: impl FnMut(&G, &mut Chance)) {
    for (number, edition) in G::editions().iter().enumerate() {
        for players in few::<G>(edition) {
            let mut chance = Chance(number as u64 * 64 + players as u64);
            let options = G::unattended(edition.options.clone());
            let setup = Setup { options, players };
            let mut dice = Dice::new([players as u8; 32]);
            let (mut game, _) = G::new(&setup, &mut dice).expect("a game as printed");
            for _ in 0..PHASES {
                look(&game, &mut chance);
                if game.outcome().is_some() {
                    break;
                }
                order(&mut game, &mut chance, &mut dice);
            }
        }
    }
}

/// The fewest players, and a few more.
fn few<G: Game>(edition: &Edition<G::Options>) -> impl Iterator<Item = usize> {
    let players = G::players(&edition.options);
    let more = (*players.end()).min(4);
    [*players.start(), more].into_iter().filter(move |&count| count <= more)
}

/// The seats that are asked order at random, and the phase closes.
fn order<G: Game>(game: &mut G, chance: &mut Chance, dice: &mut Dice) {
    for decision in game.pending() {
        give(game, decision.seat, |_| true, chance, dice);
    }
    if game.outcome().is_none() {
        game.close(Why::Deadline, dice);
    }
}

/// A seat gives such orders at random.
fn give<G: Game>(
    game: &mut G,
    seat: Seat,
    such: impl Fn(&G::Order) -> bool,
    chance: &mut Chance,
    dice: &mut Dice,
) {
    for _ in 0..=chance.below(ORDERS) {
        let offers = game.offers(seat);
        if offers.list.is_empty() {
            break;
        }
        let offer = &offers.list[chance.below(offers.list.len() as u64) as usize];
        let chosen = offers.at_random(offer, &mut || chance.next());
        let Ok(line) = offers.fill(offer, &chosen) else { continue };
        let view = game.view(Viewer::Seat(seat));
        for order in G::parse(&view, &line).into_iter().flatten().filter(&such) {
            let _ = game.submit(Actor::Seat(seat), order, dice);
        }
    }
}

fn viewers<G: Game>(game: &G) -> impl Iterator<Item = Viewer> {
    let Setup { options, players } = game.setup();
    let seats = G::cast(&options, players).roles.len();
    Seat::first(seats).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::GameMaster])
}

/// Whether the edition that a game plays has a rule.
fn rule_of<G: Enveloped>(game: &G, rule: &str) -> bool {
    G::rule_of(G::edition_of(&game.setup().options), rule).is_some()
}

fn name(seat: Seat) -> String {
    format!("<{}>", seat.number())
}

fn goals_hold<G: Enveloped>() {
    play::<G>(|game, _| {
        for viewer in viewers(game) {
            let view = game.view(viewer);
            let goals = G::goals(&view);
            assert!(goals.is_empty() || game.outcome().is_none(), "{}: {goals:?}", G::ID);
            for Goal { seat, label, rule, sentence, .. } in &goals {
                assert!(seat.is_none_or(|seat| game.alive().contains(seat)), "{}: {seat:?}", G::ID);
                assert!(!label.is_empty() && sentence.ends_with('.'), "{}: {sentence}", G::ID);
                assert!(rule_of(game, rule), "{}: there is no rule {rule}", G::ID);
            }
        }
    });
}

#[test]
fn goals_are_of_seats_in_the_game_and_name_rules_that_there_are() {
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(goals_hold::<$game>();)+ };
    }
    games!(each);
}

/// The seats that everybody knows to be asked.
fn awaited<G: Game>(game: &G) -> SeatSet {
    let pending = game.pending();
    pending.iter().filter(|one| game.is_public(one)).map(|one| one.seat).collect()
}

fn no_secret_is_waited_for<G: Enveloped>() {
    play::<G>(|game, chance| {
        for viewer in viewers(game) {
            if viewer == Viewer::GameMaster {
                continue;
            }
            let view = game.view(viewer);
            let other = G::sample(&view, &mut || chance.next());
            assert_eq!(
                other.view(viewer),
                view,
                "{} {viewer:?}: states that it cannot tell",
                G::ID
            );
            assert_eq!(awaited(game), awaited(&other), "{} {viewer:?}", G::ID);
        }
    });
}

#[test]
fn two_states_that_a_viewer_cannot_tell_apart_wait_for_the_same_seats() {
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(no_secret_is_waited_for::<$game>();)+ };
    }
    games!(each);
}

/// The orders that a seat could give next, some of them at random, and being ready.
fn next_orders<G: Game>(game: &G, seat: Seat, chance: &mut Chance) -> Vec<Option<G::Order>> {
    let offers = game.offers(seat);
    let view = game.view(Viewer::Seat(seat));
    let mut next = vec![None];
    let some = offers.list.iter().filter(|offer| offer.slots.is_empty() || offers.list.len() < 40);
    for offer in some {
        let chosen = offers.at_random(offer, &mut || chance.next());
        let line = offers.fill(offer, &chosen).expect("an offer can be filled");
        let orders = G::parse(&view, &line).expect("a filled offer is an order");
        next.extend(orders.into_iter().filter(|order| !G::is_revisable(order)).map(Some));
    }
    next
}

fn name_of<O>(offers: &Offers<O>) -> Vec<&str> {
    offers.list.iter().map(|offer| offer.key.as_ref()).collect()
}

/// Answers how often each kind of warning was told.
fn warnings_hold<G: Enveloped>(told: &mut BTreeMap<(&'static str, &'static str), u32>) {
    play::<G>(|game, chance| {
        for seat in viewers(game).filter_map(|viewer| match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::GameMaster => None,
        }) {
            let viewer = Viewer::Seat(seat);
            let view = game.view(viewer);
            let other = G::sample(&view, &mut || chance.next()).view(viewer);
            for next in next_orders(game, seat, chance) {
                let warnings = G::warnings(&view, next.as_ref());
                assert_eq!(warnings, G::warnings(&other, next.as_ref()), "{} {next:?}", G::ID);
                assert!(warnings.len() <= WARNINGS_MAX, "{}: {warnings:?}", G::ID);
                assert!(
                    game.outcome().is_none() || warnings.is_empty(),
                    "{}: it is over: {warnings:?}",
                    G::ID
                );
                for warning in &warnings {
                    *told.entry((G::ID, warning.code)).or_default() += 1;
                    warning_holds(game, seat, warning, chance);
                }
            }
        }
        for viewer in [Viewer::Spectator, Viewer::GameMaster] {
            assert_eq!(G::warnings(&game.view(viewer), None), [], "{}: {viewer:?}", G::ID);
        }
    });
}

fn warning_holds<G: Enveloped>(game: &G, seat: Seat, warning: &Warning, chance: &mut Chance) {
    let Warning { code, sentence, rule, mend } = warning;
    assert!(G::WARNINGS.contains(code), "{}: {code}", G::ID);
    let has_form = |sign: char| sign == '-' || sign.is_ascii_lowercase();
    assert!(code.chars().all(has_form), "{}: {code}", G::ID);
    assert!(rule_of(game, rule), "{} {code}: there is no rule {rule}", G::ID);
    assert!(sentence.ends_with('.') && sentence.len() < 500, "{} {code}: {sentence}", G::ID);
    let Some(mend) = mend else { return };
    let offers = game.offers(seat);
    let offer = offers.mending(mend).unwrap_or_else(|| {
        panic!("{} {sentence}: {mend:?} is none of {:?}", G::ID, name_of(&offers))
    });
    let alone = offers.alone(offer);
    assert_eq!(alone.check(), Ok(()), "{} {code}", G::ID);
    let view = game.view(Viewer::Seat(seat));
    let chosen = alone.at_random(&alone.list[0], &mut || chance.next());
    let line = alone.fill(&alone.list[0], &chosen).expect("an offer can be filled");
    for order in G::parse(&view, &line).expect("a filled offer is an order") {
        assert_eq!(game.judge(Actor::Seat(seat), &order), Ok(()), "{} {code}: {line}", G::ID);
    }
}

#[test]
fn warnings_tell_what_their_seat_knows_and_name_offers_and_rules_that_there_are() {
    let mut told = BTreeMap::new();
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(warnings_hold::<$game>(&mut told);)+ };
    }
    games!(each);
    println!("{told:#?}");
    assert!(told.len() >= 12, "play at random leaves many things undone: {told:?}");
}

/// The page of a game for its players, if it has one.
fn page<G: Game>() -> Option<String> {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs");
    std::fs::read_to_string(docs.join(format!("{}.md", G::ID))).ok()
}

#[test]
fn every_kind_of_warning_stands_on_the_page_of_its_game() {
    let mut pages = 0;
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => {$(
            if let Some(page) = page::<$game>() {
                pages += 1;
                for code in <$game>::WARNINGS {
                    assert!(page.contains(&format!("| `{code}` |")), "{}: {code}", <$game>::ID);
                }
            }
        )+};
    }
    games!(each);
    assert!(pages >= 4);
}

/// What everybody sees once the phase is closed, if this is done before.
fn after_close<G: Game>(game: &G, before: impl FnOnce(&mut G)) -> Vec<G::View> {
    let mut game = game.clone();
    before(&mut game);
    game.close(Why::Deadline, &mut Dice::new([9; 32]));
    viewers(&game).map(|viewer| game.view(viewer)).collect()
}

fn takes_back<G: Enveloped>() {
    play::<G>(|game, chance| {
        let Some(asked) = game.pending().first().cloned() else { return };
        if !asked.revisable {
            let refusal = game.clone().take_back(asked.seat).expect_err("it resolves at once");
            assert!(rule_of(game, &refusal.rule), "{}: {refusal}", G::ID);
            return;
        }
        let taken_back = after_close(game, |game| {
            let mut dice = Dice::new([9; 32]);
            give(game, asked.seat, G::is_revisable, chance, &mut dice);
            let told = game.take_back(asked.seat).expect("it is kept until its phase closes");
            for told in &told {
                assert_eq!(told.audience, Audience::seat(asked.seat), "{}", G::ID);
            }
        });
        assert!(taken_back == after_close(game, |_| ()), "{} {}", G::ID, asked.prompt);
    });
}

#[test]
fn a_phase_closes_as_if_orders_that_were_taken_back_had_never_been_given() {
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(takes_back::<$game>();)+ };
    }
    games!(each);
}

/// Nobody orders anything until the game is over; some games never are.
fn ends_add_up<G: Enveloped>() -> u32 {
    let mut ended = 0;
    for edition in G::editions() {
        let options = G::unattended(edition.options.clone());
        let players = *G::players(&options).start();
        let mut dice = Dice::new([3; 32]);
        let (mut game, _) = G::new(&Setup { options, players }, &mut dice).expect("a game");
        for _ in 0..ENDLESS {
            if game.outcome().is_none() {
                game.close(Why::Deadline, &mut dice);
            }
        }
        let Reckoning { summary, lines, .. } = game.reckon(&name);
        assert_eq!(lines.len(), players, "{}", G::ID);
        let rules = lines.iter().flatten().map(|line| line.rule);
        rules.for_each(|rule| assert!(rule_of(&game, rule), "{}: {rule}", G::ID));
        assert_eq!(summary.is_empty(), game.outcome().is_none(), "{}: {summary}", G::ID);
        if game.outcome().is_some() {
            assert!(summary.contains(|sign: char| sign.is_ascii_digit()), "{}: {summary}", G::ID);
            ended += 1;
        }
    }
    ended
}

#[test]
fn an_end_is_told_in_numbers() {
    let mut ended = 0;
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => { $(ended += ends_add_up::<$game>();)+ };
    }
    games!(each);
    assert!(ended >= 4, "most games end by themselves");
}
