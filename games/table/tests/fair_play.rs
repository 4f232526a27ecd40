//! Random tables of all kinds: no player misses a deadline while they cannot act, and ratings
//! change as documented.
//!
//! The expected results are computed independently, from open decisions and public events alone.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{GameStatus, MissedDeadline, Pace, PhasePace, SeatChange, event};
use heliopause_table::registry::KINDS;
use heliopause_table::{AppliedStep, Reader, Table};
use proptest::prelude::*;
use step::Kind;

use crate::promise;
use crate::scene::{self, Scene, millis, person};

const MINUTE: i64 = 60 * 1000;
const NAMES: [&str; 3] = ["ann", "bob", "cid"];

/// The key of a decision: seat, kind, number.
type Key = (usize, String, u64);

#[derive(Clone, Debug, Default)]
struct Plan {
    /// The index of a kind. The index after the last kind selects a sandbox with a promise.
    kind: usize,
    anonymous: bool,
    interval: i64,
    grace: i64,
    missed: i32,
    automate_after: u32,
    early: Option<bool>,
}

fn plans() -> impl Strategy<Value = Plan> {
    let pace = (1_i64..300, 0_i64..30, 0_i32..5, 0_u32..3, any::<Option<bool>>());
    (0..=KINDS.len(), any::<bool>(), pace).prop_map(|(kind, anonymous, pace)| {
        let (interval, grace, missed, automate_after, early) = pace;
        Plan { kind, anonymous, interval, grace, missed, automate_after, early }
    })
}

struct Watched {
    table: Table,
    plan: Plan,
    players: usize,
    main: &'static str,
    now: i64,
    /// The time that each decision has been open while the game was running.
    open: BTreeMap<Key, i64>,
    asked: BTreeSet<usize>,
    submitted: BTreeSet<usize>,
    missed: BTreeSet<usize>,
    turn: Option<(u64, Option<Seat>)>,
    due: BTreeMap<String, i32>,
    paid: BTreeMap<String, i32>,
    misses: usize,
}

impl Watched {
    fn create(plan: Plan) -> Self {
        let kind = KINDS.get(plan.kind).unwrap_or(&KINDS[0]);
        let sandbox = plan.kind == KINDS.len();
        let players = if sandbox { 3 } else { kind.describe().players_min.clamp(1, 3) as usize };
        let players = players.max(2).min(kind.describe().players_max as usize);
        let (interval, grace) = (
            millis(plan.interval * MINUTE),
            millis(plan.grace * MINUTE).filter(|_| plan.grace > 0),
        );
        let created = Created {
            pace: Some(Pace {
                standard: Some(PhasePace { interval, grace, ..PhasePace::default() }),
                close_early: plan.early,
                missed: plan.missed,
                automate_after_misses: (plan.automate_after > 0).then_some(plan.automate_after),
                ..Pace::default()
            }),
            game_master: (!sandbox).then(|| person("gm")),
            anonymous: plan.anonymous,
            sandbox: sandbox.then(|| Sandbox {
                owner: Some(person("gm")),
                position: Some(promise::position()),
                ..Sandbox::default()
            }),
            ..scene::created(kind.id, &NAMES[..players])
        };
        let table = Scene::new(created).table;
        let main = kind.rules.phase_kinds()[0];
        let mut watched = Self {
            table,
            plan,
            players,
            main,
            now: 0,
            open: BTreeMap::new(),
            asked: BTreeSet::new(),
            submitted: BTreeSet::new(),
            missed: BTreeSet::new(),
            turn: None,
            due: BTreeMap::new(),
            paid: BTreeMap::new(),
            misses: 0,
        };
        watched.look();
        if sandbox {
            for (seat, text) in [(0, "pledge keep-out (1,0) to C until 9"), (1, "end"), (2, "end")]
            {
                let orders = watched.table.parse(Some(Seat::at(seat)), text).expect("orders");
                watched.order(seat, orders, false);
            }
        }
        watched
    }

    fn is_sandbox(&self) -> bool {
        self.plan.kind == KINDS.len()
    }

    fn keys(&self) -> Vec<Key> {
        if self.table.status() != GameStatus::Running {
            return Vec::new();
        }
        let pending =
            self.table.game().map(heliopause_table::registry::AnyGame::pending).unwrap_or_default();
        pending.into_iter().map(|one| (one.seat.index(), one.kind.to_owned(), one.number)).collect()
    }

    /// Returns whether a seat has a stand-in. In this test, only deserters do.
    fn is_gone(&self, seat: usize) -> bool {
        self.table.describe(Reader { player_id: "gm" }).seats[seat].stand_in.is_some()
    }

    fn rate(&mut self, seat: usize, change: i32) {
        if !self.is_sandbox() {
            *self.due.entry(NAMES[seat].to_owned()).or_default() += change;
        }
    }

    fn look(&mut self) {
        let turn = self.table.game().map(|game| (game.round(), game.on_turn()));
        let over = self.table.status() == GameStatus::Ended;
        if self.turn != turn || over {
            for seat in std::mem::take(&mut self.asked) {
                let (missed, submitted) =
                    (self.missed.contains(&seat), self.submitted.contains(&seat));
                match (missed, self.is_gone(seat), submitted) {
                    (true, ..) | (false, false, false) => {}
                    (false, _, true) => self.rate(seat, 1),
                    (false, true, false) => self.rate(seat, -3),
                }
            }
            self.submitted.clear();
            self.missed.clear();
            self.turn = turn;
        }
        for (seat, kind, _) in self.keys() {
            if kind == self.main && seat < self.players {
                self.asked.insert(seat);
            }
        }
    }

    fn step(&mut self, by: &str, kind: Kind) -> Option<AppliedStep> {
        let before = self.keys();
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        let taken = self.table.apply(step, self.now).ok()?;
        for (player, change) in &taken.ratings {
            *self.paid.entry(player.clone()).or_default() += change;
        }
        let bodies = taken
            .entry
            .events
            .iter()
            .filter(|published| published.game_master)
            .filter_map(|published| published.event.as_ref());
        for body in bodies.filter_map(|event| event.body.as_ref()) {
            let event::Body::SeatChanged(changed) = body else { continue };
            if changed.change() != SeatChange::MissedDeadline {
                continue;
            }
            let seat = changed.seat.as_ref().expect("a seat").number as usize - 1;
            let own: Vec<&Key> = before.iter().filter(|key| key.0 == seat).collect();
            assert!(!own.is_empty(), "seat {seat} missed a deadline, and nothing was asked of it");
            for key in own {
                let had = self.open.get(key).copied().unwrap_or(0);
                let least = (self.plan.interval + self.plan.grace) * MINUTE;
                assert!(had >= least, "{key:?} was open for {had} of {least} ms: {:?}", self.plan);
            }
            self.misses += 1;
            if self.missed.insert(seat) {
                self.rate(seat, -3);
            }
        }
        self.look();
        if !self.plan.anonymous || self.table.status() == GameStatus::Ended {
            assert_eq!(self.paid, self.due, "{:?}", self.plan);
        } else {
            assert!(self.paid.is_empty(), "an anonymous game that is played rates nobody");
        }
        Some(taken)
    }

    fn wait(&mut self, millis: i64) {
        let until = self.now + millis;
        while let Some(due) = self.table.due().filter(|due| *due <= until) {
            self.pass(due.max(self.now));
            self.step("", Kind::Ticked(Ticked {})).expect("time passes");
        }
        self.pass(until);
    }

    fn pass(&mut self, until: i64) {
        for key in self.keys() {
            *self.open.entry(key).or_default() += until - self.now;
        }
        self.now = until;
    }

    fn order(&mut self, seat: usize, orders: Vec<heliopause_proto::v1::GameOrder>, ready: bool) {
        let decision_state = self.table.decision_state(Seat::at(seat));
        let main = self.keys().iter().any(|key| key.0 == seat && key.1 == self.main);
        let given = OrdersGiven {
            seat: seat as u32 + 1,
            phase: decision_state.phase,
            revision: decision_state.revision,
            orders,
            ready,
            ..OrdersGiven::default()
        };
        let turn = self.turn;
        let by = if self.is_sandbox() { "gm" } else { NAMES[seat] };
        // Orders count for the turn in which they are given, even if they end it.
        let submitted = main.then(|| self.submitted.insert(seat));
        if self.step(by, Kind::OrdersGiven(given)).is_none()
            && submitted == Some(true)
            && self.turn == turn
        {
            self.submitted.remove(&seat);
        }
    }

    fn act(&mut self, number: usize, ready: bool) {
        let asked: Vec<usize> =
            self.keys().iter().map(|key| key.0).filter(|seat| *seat < self.players).collect();
        let Some(&seat) = asked.get(number % asked.len().max(1)) else { return };
        let decision_state = self.table.decision_state(Seat::at(seat));
        let lines: Vec<String> =
            self.table.offers(Seat::at(seat)).iter().flat_map(|it| it.lines(100)).collect();
        let line = lines.get(number % lines.len().max(1));
        let order = line.map(|line| {
            self.table.parse(Some(Seat::at(seat)), line).expect("it is read").remove(0)
        });
        let revisable = decision_state.decision.is_some_and(|decision| decision.revisable);
        match order {
            _ if revisable => self.order(seat, Vec::new(), ready),
            Some(order) => self.order(seat, vec![order], false),
            None => {}
        }
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(40))]

    #[test]
    fn misses_and_ratings_match_the_documented_rules(
        plan in plans(),
        steps in prop::collection::vec((0_u8..16, 0_usize..10_000, 0_i64..200), 10..70),
    ) {
        let mut watched = Watched::create(plan);
        for (kind, number, minutes) in steps {
            match kind {
                0..=8 => watched.act(number, minutes % 4 != 0),
                9..=12 => watched.wait(minutes * MINUTE + number as i64),
                13 => drop(watched.step("gm", Kind::PhaseClosed(PhaseClosed {}))),
                14 => {
                    watched.step("gm", Kind::PauseSet(PauseSet { paused: true }));
                    watched.wait(minutes * MINUTE);
                    watched.step("gm", Kind::PauseSet(PauseSet { paused: false }));
                }
                _ => {
                    let by = number.is_multiple_of(2).then(Default::default);
                    let seat = (number % 3) as u32 + 1;
                    watched.step("gm", Kind::SeatAutomated(SeatAutomated { seat, by }));
                }
            }
            // A game that holds after a missed deadline has no deadline until the orders arrive.
            let holds = watched.plan.missed == i32::from(MissedDeadline::Hold);
            let asked = watched.keys().iter().any(|key| key.0 < watched.players);
            prop_assert!(holds || !asked || watched.table.due().is_some(), "a deadline got lost");
        }
        watched.step("gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    }
}

#[test]
fn random_tables_include_interrupted_turns_and_misses() {
    let plan = Plan { kind: KINDS.len(), interval: 60, ..Plan::default() };
    let mut watched = Watched::create(plan);
    watched.wait(50 * MINUTE);
    let orders = watched.table.parse(Some(Seat::at(0)), "move A1 to (1,0)").expect("orders");
    watched.order(0, orders, false);
    assert_eq!(watched.keys()[0].0, 2, "Cid is asked in Ann's turn");
    watched.wait(59 * MINUTE);
    assert_eq!((watched.keys()[0].0, watched.misses), (2, 0));
    watched.wait(MINUTE);
    assert_eq!(
        (watched.keys()[0].0, watched.misses),
        (0, 1),
        "Cid missed a deadline, and Ann goes on"
    );
    watched.wait(10 * MINUTE);
    assert_eq!((watched.keys()[0].0, watched.misses), (1, 2));
}
