//! A table with its journal and clock, for tests.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, Event, Game, GameEvent, GameStatus, OpenSeat, Pace, PhasePace, event,
};
use heliopause_table::{Fault, Reader, Table, chain, registry, verify::Verifier};
use planned_seat::Plan;
use prost::Message as _;
use prost_types::Duration;
use step::Kind;

pub(crate) const SECRET: [u8; 32] = [8; 32];
pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const DAY: i64 = 24 * HOUR;
pub(crate) const WORKER: &str = "worker";

pub(crate) fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

pub(crate) fn planned(plan: Plan) -> PlannedSeat {
    PlannedSeat { plan: Some(plan) }
}

pub(crate) fn taken(id: &str) -> PlannedSeat {
    planned(Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() }))
}

pub(crate) fn open() -> PlannedSeat {
    planned(Plan::Open(OpenSeat {}))
}

pub(crate) fn automated() -> PlannedSeat {
    planned(Plan::Automated(AutomatedSeat::default()))
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
pub(crate) fn millis(millis: i64) -> Option<Duration> {
    Some(Duration {
        seconds: millis.div_euclid(1000),
        nanos: millis.rem_euclid(1000) as i32 * 1_000_000,
    })
}

pub(crate) fn paced(interval: i64) -> Pace {
    let standard = PhasePace { interval: millis(interval), ..PhasePace::default() };
    Pace { standard: Some(standard), ..Pace::default() }
}

pub(crate) fn daily() -> Pace {
    paced(DAY)
}

pub(crate) fn created(kind: &str, players: &[&str]) -> Created {
    Created {
        kind: kind.to_owned(),
        seats: players.iter().map(|id| taken(id)).collect(),
        pace: Some(daily()),
        game_master: Some(person("gm")),
        game_id: "table".to_owned(),
        start_when_full: true,
        ..Created::default()
    }
}

pub(crate) fn hosted(kind: &str, players: &[&str]) -> Created {
    Created { host: Some(person(players[0])), game_master: None, ..created(kind, players) }
}

/// Plans a sandbox of Ann in which she has all seats.
pub(crate) fn in_sandbox(kind: &str, seats: usize, sandbox: Sandbox) -> Created {
    let sandbox = Some(Sandbox { owner: Some(person("ann")), ..sandbox });
    Created { sandbox, game_master: None, ..created(kind, &vec!["ann"; seats]) }
}

pub(crate) fn message(from_seat: u32, to_seats: &[u32], text: &str) -> MessageSent {
    let (to_seats, text) = (to_seats.to_vec(), text.to_owned());
    MessageSent { from_seat, to_seats, text, ..MessageSent::default() }
}

pub(crate) fn reserved(id: &str) -> PlannedSeat {
    planned(Plan::ReservedFor(person(id)))
}

pub(crate) fn step(by: &str, kind: Kind) -> Step {
    Step { by: by.to_owned(), kind: Some(kind), ..Step::default() }
}

pub(crate) struct Scene {
    pub(crate) table: Table,
    pub(crate) now: i64,
    pub(crate) events: Vec<Event>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) ratings: Vec<(String, i32)>,
}

impl Scene {
    pub(crate) fn new(created: Created) -> Self {
        Self::with(SECRET, created).expect("a table")
    }

    pub(crate) fn with(secret: [u8; 32], created: Created) -> Result<Self, Fault> {
        let seed_commitment = chain::commitment(&secret).to_vec().into();
        let (table, taken) =
            Table::create(Created { seed_commitment, ..created }, secret, "gm", 0)?;
        let entries = vec![taken.entry];
        Ok(Self { table, now: 0, events: Vec::new(), entries, ratings: Vec::new() })
    }

    pub(crate) fn apply(&mut self, by: &str, kind: Kind) -> Result<(), Fault> {
        self.apply_step(step(by, kind))
    }

    pub(crate) fn apply_step(&mut self, step: Step) -> Result<(), Fault> {
        let taken = self.table.apply(step, self.now)?;
        self.ratings.extend(taken.ratings);
        self.entries.push(taken.entry.clone());
        self.events =
            taken.entry.events.into_iter().filter_map(|published| published.event).collect();
        Ok(())
    }

    pub(crate) fn does(&mut self, by: &str, kind: Kind) {
        self.apply(by, kind).unwrap_or_else(|fault| panic!("{by}: {fault}"));
    }

    /// Applies a step that must be refused. Checks that the step changed nothing.
    pub(crate) fn fault(&mut self, by: &str, kind: Kind) -> Fault {
        let before = self.table.snapshot();
        let fault = self.apply(by, kind).expect_err("it is refused");
        assert!(before == self.table.snapshot(), "a refused step has changed something: {fault}");
        fault
    }

    pub(crate) fn refused(&mut self, by: &str, kind: Kind) -> String {
        let fault = self.fault(by, kind);
        fault.field.unwrap_or_else(|| format!("{:?}", fault.reason))
    }

    pub(crate) fn wait(&mut self, millis: i64) {
        let until = self.now + millis;
        while let Some(due) = self.table.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.does("", Kind::Ticked(Ticked {}));
        }
        self.now = until;
    }

    pub(crate) fn given(&self, seat: u32, text: &str, ready: bool) -> OrdersGiven {
        let place = Seat::numbered(seat).expect("a seat");
        let decision_state = self.table.decision_state(place);
        let orders = match text {
            "" => Vec::new(),
            text => self.table.parse(Some(place), text).expect("orders"),
        };
        let (phase, revision) = (decision_state.phase, decision_state.revision);
        OrdersGiven { seat, phase, revision, orders, ready, ..OrdersGiven::default() }
    }

    pub(crate) fn orders(&mut self, by: &str, seat: u32, text: &str, ready: bool) {
        let given = self.given(seat, text, ready);
        self.does(by, Kind::OrdersGiven(given));
    }

    pub(crate) fn ready(&mut self, by: &str, seat: u32) {
        let phase = self.phase(seat);
        self.does(by, Kind::FlagSet(FlagSet { seat, phase, ready: Some(true), wait: None }));
    }

    pub(crate) fn start(&mut self, by: &str, fill: Option<AutomatedSeat>) {
        self.does(by, Kind::StartCalled(StartCalled { fill }));
    }

    pub(crate) fn bodies(&self) -> impl DoubleEndedIterator<Item = &event::Body> {
        let published = self.entries.iter().flat_map(|entry| &entry.events);
        published.filter_map(|published| published.event.as_ref()?.body.as_ref())
    }

    /// Returns a viewer's game events, without those of the first entry.
    pub(crate) fn game_events_of(&self, viewer: Viewer) -> Vec<GameEvent> {
        let events = self.entries[1..].iter().flat_map(|entry| Table::events_for(entry, viewer));
        let own = |event: Event| match event.body {
            Some(event::Body::Game(game)) => Some(game),
            _ => None,
        };
        events.filter_map(own).collect()
    }

    pub(crate) fn seen(&self, player_id: &str) -> Game {
        self.table.describe(Reader { player_id })
    }

    pub(crate) fn status(&self) -> GameStatus {
        self.table.status()
    }

    pub(crate) fn phase(&self, seat: u32) -> u64 {
        self.table.decision_state(Seat::numbered(seat).expect("a seat")).phase
    }

    pub(crate) fn asked(&self, seat: u32) -> Option<String> {
        self.table.decision_state(Seat::numbered(seat)?).decision.map(|decision| decision.kind)
    }

    pub(crate) fn left(&self) -> Option<i64> {
        let deadline = self.seen("").due_time?;
        Some(deadline.seconds * 1000 + i64::from(deadline.nanos / 1_000_000) - self.now)
    }

    pub(crate) fn on_turn(&self) -> Seat {
        let on_turn = self.table.game().and_then(registry::AnyGame::on_turn);
        on_turn.expect("somebody is on turn")
    }

    pub(crate) fn seat_of(&self, id: &str) -> u32 {
        self.table.seat_of(id).map(Seat::number).expect("a seat")
    }

    pub(crate) fn rated(&self, id: &str) -> i32 {
        self.ratings.iter().filter(|(player, _)| player == id).map(|(_, change)| change).sum()
    }

    pub(crate) fn reload(&mut self) {
        self.table = Table::load(&self.table.snapshot(), *self.table.secret()).expect("it loads");
    }

    /// Verifies the journal, and checks that the snapshot loads to the same table.
    pub(crate) fn verify(&self) {
        let mut verifier = Verifier::new(*self.table.secret());
        self.entries.iter().for_each(|entry| verifier.entry(&entry.encode_to_vec()));
        let report = verifier.finish();
        assert_eq!((&report.fault, report.replayed), (&None, self.entries.len() as u64));
        for viewer in Seat::first(self.seen("").seats.len()).map(Viewer::Seat) {
            let reader = self.table.subscriber(viewer);
            let mut verifier = Verifier::new(*self.table.secret());
            for entry in &self.entries {
                let export = reader.exported(entry.encode_to_vec().into(), false);
                verifier.entry(&export.expect("an entry"));
            }
            assert_eq!(verifier.finish(), report, "the export of {viewer:?}");
        }
        let again = Table::load(&self.table.snapshot(), *self.table.secret()).expect("it loads");
        assert_eq!(again.snapshot(), self.table.snapshot());
    }
}
