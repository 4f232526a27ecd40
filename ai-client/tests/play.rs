//! Games among bots, and checks that apply to all bots.

use std::fmt::Debug;

use heliopause_ai::bot::{Answer, Level, Question, Stop};
use heliopause_ai::chance::Rng;
use heliopause_ai::games::{GameAdapter, Playable};
use heliopause_ai::tournament::{self, Plan, Report};
use heliopause_kernel::{Actor, CloseCause, Dice, Game, Seat, Setup, Viewer};
use heliopause_proto::v1::Lease;

/// Maximum number of decisions. Even random bots need fewer.
const MOST_DECISIONS: usize = 40_000;

pub(crate) fn new_game<G: Game>(options: G::Options, players: usize, seed: u8) -> (G, Dice) {
    let mut dice = Dice::new([seed; 32]);
    let (game, _) = G::new(&Setup { options, players }, &mut dice).expect("a game");
    (game, dice)
}

pub(crate) fn profile<G: Game>(game: &G, seat: Seat) -> &'static str {
    let Setup { options, players } = game.setup();
    G::cast(&options, players).roles[seat.index()].profile
}

pub(crate) fn ask<G: Playable>(
    profile: &str,
    view: &G::View,
    level: Level,
    seed: &[u8],
) -> Answer<G> {
    let question = Question { view, level, seed, memo: &[], recent: &[], stop: &Stop::new() };
    G::bot(profile).expect("a bot plays the profile").decide(&question)
}

pub(crate) struct BotTurn<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) seat: Seat,
    pub(crate) level: Level,
    pub(crate) seed: &'a [u8],
}

impl<G: Playable> BotTurn<'_, G> {
    pub(crate) fn view(&self) -> G::View {
        self.game.view(Viewer::Seat(self.seat))
    }

    pub(crate) fn answer(&self, view: &G::View, level: Level) -> Answer<G> {
        ask(profile(self.game, self.seat), view, level, self.seed)
    }
}

/// Plays a game. Calls `look` before each answer is submitted. Panics if an order is rejected.
pub(crate) fn play<G: Playable>(
    (mut game, mut dice): (G, Dice),
    level: impl Fn(Seat) -> Level,
    mut look: impl FnMut(&BotTurn<'_, G>, &Answer<G>),
) -> G {
    let mut seeds = Rng::new(b"seeds", "test");
    for _ in 0..MOST_DECISIONS {
        let pending = game.pending();
        let Some(first) = pending.first() else {
            assert_eq!(game.check(), Ok(()));
            return game;
        };
        let revisable = first.revisable;
        let owing: Vec<Seat> = pending.iter().map(|decision| decision.seat).collect();
        for &seat in if revisable { &owing[..] } else { &owing[..1] } {
            let (seed, level) = (seeds.seed(), level(seat));
            let asked = BotTurn { game: &game, seat, level, seed: &seed };
            let answer = asked.answer(&asked.view(), level);
            look(&asked, &answer);
            assert!(!answer.orders.is_empty(), "{seat} answers every decision");
            for order in answer.orders {
                let text = G::notate(&order);
                let done = game.submit(Actor::Seat(seat), order, &mut dice);
                assert!(
                    done.is_ok(),
                    "{text} of {seat}, {level}, in {}: {done:?}",
                    game.progress()
                );
            }
        }
        if revisable {
            game.close(CloseCause::AllReady, &mut dice);
        }
        dice.forget_rolled();
    }
    panic!("the game does not end: {}", game.progress());
}

pub(crate) fn unseen<G>(_: &BotTurn<'_, G>, _: &Answer<G>)
where
    G: Game,
{
}

pub(crate) fn check_determinism<G: Playable>(game: (G, Dice), level: impl Fn(Seat) -> Level)
where
    Answer<G>: PartialEq + Debug,
{
    play(game, level, |asked, answer| {
        assert_eq!(asked.answer(&asked.view(), asked.level), *answer);
    });
}

/// Compares a bot's answers in two games with the same view, for one in `every` decisions.
pub(crate) fn check_hidden_information<G: Playable>(
    game: (G, Dice),
    level: impl Fn(Seat) -> Level,
    every: usize,
) where
    Answer<G>: PartialEq + Debug,
{
    let (mut others, mut count) = (Rng::new(b"other worlds", "test"), 0);
    play(game, level, |asked, answer| {
        count += 1;
        if count % every == 0 {
            let other = G::sample(&asked.view(), &mut || others.number());
            let view = other.view(Viewer::Seat(asked.seat));
            assert_eq!(asked.answer(&view, asked.level), *answer);
        }
    });
}

pub(crate) fn is_accepted<G: Game + Clone>(game: &G, seat: Seat, orders: &[G::Order]) -> bool {
    let (mut game, mut dice) = (game.clone(), Dice::new([9; 32]));
    !orders.is_empty()
        && orders
            .iter()
            .all(|order| game.submit(Actor::Seat(seat), order.clone(), &mut dice).is_ok())
}

pub(crate) fn plan(players: &[Level], seats: usize, games: usize, threads: usize) -> Plan {
    Plan { seed: 3, threads, ..Plan::new(players.to_vec(), seats, games) }
}

/// Checks that a tournament has no rejected orders, on any number of threads.
pub(crate) fn tournaments_agree<G: Playable>(
    kind: &str,
    plan: impl Fn(usize) -> Plan,
    look: impl Fn(&Report),
) {
    let run = |threads| {
        let plan = plan(threads);
        let report = tournament::play::<G>(kind, &plan).expect("a tournament");
        assert_eq!((report.games, report.sets), (plan.games, 2), "{kind}");
        assert!(report.players.iter().all(|player| player.refused == 0), "{kind}");
        look(&report);
        let mut report = report.json();
        for player in report["players"].as_array_mut().expect("players") {
            player["times_us"].take();
        }
        report
    };
    assert_eq!(run(1), run(2), "{kind}");
}

pub(crate) fn lease<G: Playable>(game: &G, seat: Seat, profile: &str) -> Lease {
    let view = G::write_view(&game.view(Viewer::Seat(seat)));
    Lease {
        profile: profile.to_owned(),
        seat: seat.number(),
        view: Some(G::seal_view(view)),
        seed: vec![1; 32].into(),
        ..Lease::default()
    }
}

pub(crate) fn check_malformed_leases(adapter: &dyn GameAdapter, lease: &Lease) {
    let fault = |lease: &Lease| {
        adapter.think(lease, Level::Standard, &Stop::new()).unwrap_err().field.into_owned()
    };
    assert_eq!(fault(&Lease { view: None, ..lease.clone() }), "view");
    assert_eq!(fault(&Lease { profile: "nobody".to_owned(), ..lease.clone() }), "profile");
    assert_eq!(
        adapter.fallbacks(&Lease { view: None, ..lease.clone() }).unwrap_err().field,
        "view"
    );
}
