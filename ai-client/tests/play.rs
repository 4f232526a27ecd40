//! Games among bots, and checks that apply to all bots.

use std::collections::BTreeMap;
use std::fmt::Debug;

use heliopause_ai::bot::{Answer, Bot, Level, Question, ReceivedMessage, Reply, Stop};
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

fn bot<G: Playable>(profile: &str) -> &'static dyn Bot<G> {
    G::bot(profile).expect("a bot plays the profile")
}

pub(crate) fn ask<G: Playable>(
    profile: &str,
    view: &G::View,
    level: Level,
    seed: &[u8],
) -> Answer<G> {
    let question = Question { view, level, seed, memo: &[], recent: &[], stop: &Stop::new() };
    bot::<G>(profile).decide(&question)
}

/// A decision of a bot in a [`Match`].
pub(crate) struct BotTurn<'a, G: Playable> {
    pub(crate) game: &'a G,
    pub(crate) seat: Seat,
    pub(crate) level: Level,
    profile: &'static str,
    seed: [u8; 32],
    memo: &'a [u8],
    incoming: &'a [ReceivedMessage],
}

impl<G: Playable> BotTurn<'_, G> {
    pub(crate) fn view(&self) -> G::View {
        self.game.view(Viewer::Seat(self.seat))
    }

    fn question<'q>(&'q self, view: &'q G::View, level: Level, stop: &'q Stop) -> Question<'q, G> {
        let Self { seed, memo, .. } = self;
        Question { view, level, seed, memo, recent: &[], stop }
    }

    pub(crate) fn answer(&self, view: &G::View, level: Level) -> Answer<G> {
        bot::<G>(self.profile).decide(&self.question(view, level, &Stop::new()))
    }

    pub(crate) fn correspond(&self) -> (Answer<G>, Vec<Reply>) {
        let (view, stop) = (self.view(), Stop::new());
        bot::<G>(self.profile).correspond(&self.question(&view, self.level, &stop), self.incoming)
    }
}

/// A game among bots.
pub(crate) struct Match<G: Playable> {
    pub(crate) game: G,
    dice: Dice,
    profile: fn(&G, Seat) -> &'static str,
    seeds: BTreeMap<String, Rng>,
    memos: BTreeMap<Seat, Vec<u8>>,
    incoming: BTreeMap<Seat, Vec<ReceivedMessage>>,
    pub(crate) written: u64,
}

impl<G: Playable> From<(G, Dice)> for Match<G> {
    fn from((game, dice): (G, Dice)) -> Self {
        Self {
            game,
            dice,
            profile,
            seeds: BTreeMap::new(),
            memos: BTreeMap::new(),
            incoming: BTreeMap::new(),
            written: 0,
        }
    }
}

impl<G: Playable> Match<G> {
    pub(crate) fn with_profiles(self, profile: fn(&G, Seat) -> &'static str) -> Self {
        Self { profile, ..self }
    }

    /// Delivers a message. Panics if the game does not allow it.
    pub(crate) fn write(&mut self, from: Seat, to: Seat, text: &str) {
        assert!(self.game.press(from, to, false).is_ok(), "{from} writes to {to}: {text}");
        self.game.message_delivered(from, to, false);
        self.written += 1;
        let (number, from, text) = (self.written, Some(from), text.to_owned());
        self.incoming.entry(to).or_default().push(ReceivedMessage { number, from, text });
    }

    /// Submits the orders that `decide` returns for each open decision, or for the first if orders
    /// are carried out at once. Panics if an order or a line of an order sheet is rejected.
    pub(crate) fn answer(
        &mut self,
        level: impl Fn(Seat) -> Level,
        mut decide: impl FnMut(&BotTurn<'_, G>) -> Option<Answer<G>>,
    ) {
        let mut pending = self.game.pending();
        if pending.first().is_some_and(|first| !first.revisable) {
            pending.truncate(1);
        }
        for seat in pending.into_iter().map(|decision| decision.seat) {
            let purpose = format!("{seat} in {}", self.game.progress());
            let seeds = self.seeds.entry(purpose);
            let seeds = seeds.or_insert_with_key(|purpose| Rng::new(&[0], purpose));
            let (level, profile) = (level(seat), (self.profile)(&self.game, seat));
            let asked = BotTurn {
                game: &self.game,
                seat,
                level,
                profile,
                seed: seeds.seed(),
                memo: self.memos.get(&seat).map_or(&[], Vec::as_slice),
                incoming: self.incoming.get(&seat).map_or(&[], Vec::as_slice),
            };
            let Some(answer) = decide(&asked) else { continue };
            assert!(!answer.orders.is_empty(), "{seat} answers every decision");
            if let Some(memo) = answer.memo {
                self.memos.insert(seat, memo);
            }
            for order in answer.orders {
                let (text, progress) = (G::notate(&order), self.game.progress());
                let done = self.game.submit(Actor::Seat(seat), order, &mut self.dice);
                let rejected = done.as_ref().map_or(1, G::rejected);
                assert_eq!(rejected, 0, "{text} of {seat}, {level}, in {progress}: {done:?}");
            }
        }
    }

    /// Closes a phase whose orders could be revised.
    pub(crate) fn close(&mut self) {
        if self.game.pending().first().is_some_and(|first| first.revisable) {
            self.game.close(CloseCause::AllReady, &mut self.dice);
        }
        self.dice.forget_rolled();
    }
}

/// Plays a game. Calls `look` before each answer is submitted.
pub(crate) fn play<G: Playable>(
    game: impl Into<Match<G>>,
    level: impl Fn(Seat) -> Level,
    mut look: impl FnMut(&BotTurn<'_, G>, &Answer<G>),
) -> G {
    let mut table = game.into();
    for _ in 0..MOST_DECISIONS {
        if table.game.pending().is_empty() {
            assert_eq!(table.game.check(), Ok(()));
            return table.game;
        }
        table.answer(&level, |asked| {
            let answer = asked.answer(&asked.view(), asked.level);
            look(asked, &answer);
            Some(answer)
        });
        table.close();
    }
    panic!("the game does not end: {}", table.game.progress());
}

pub(crate) fn unseen<G: Playable>(_: &BotTurn<'_, G>, _: &Answer<G>) {}

pub(crate) fn check_determinism<G: Playable>(
    game: impl Into<Match<G>>,
    level: impl Fn(Seat) -> Level,
) where
    Answer<G>: PartialEq + Debug,
{
    play(game, level, |asked, answer| {
        assert_eq!(asked.answer(&asked.view(), asked.level), *answer);
    });
}

/// Compares a bot's answers in two games with the same view, for one in `every` decisions.
pub(crate) fn check_hidden_information<G: Playable>(
    game: impl Into<Match<G>>,
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
