//! The edges of what is allowed at a table: the last value that is taken, and the first that is
//! refused.

mod absence;
mod lobby;
mod master;
mod pace;
mod play;
mod press;
mod sandbox;
mod votes;

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::starships_at_large::v1 as starships;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DeadlineReason, ErrorReason, Event, Exported, Game, GameEvent, GameOptions,
    GameStatus, MissedDeadline, OpenSeat, Pace, PhasePace, SandboxAutomation, VoteSubject, event,
    game_options, seat,
};
use heliopause_table::{Fault, Reader, Table, chain, invited, is_look, registry};
use planned_seat::Plan;
use prost_types::{Duration, Timestamp};
use step::Kind;

const SECRET: [u8; 32] = [8; 32];
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

fn planned(plan: Plan) -> PlannedSeat {
    PlannedSeat { plan: Some(plan) }
}

fn taken(id: &str) -> PlannedSeat {
    planned(Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() }))
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn millis(millis: i64) -> Option<Duration> {
    Some(Duration {
        seconds: millis.div_euclid(1000),
        nanos: millis.rem_euclid(1000) as i32 * 1_000_000,
    })
}

fn daily() -> Pace {
    let standard = PhasePace { interval: millis(DAY), ..PhasePace::default() };
    Pace { standard: Some(standard), ..Pace::default() }
}

fn created(kind: &str, players: &[&str]) -> Created {
    Created {
        kind: kind.to_owned(),
        seats: players.iter().map(|id| taken(id)).collect(),
        pace: Some(daily()),
        game_master: Some(person("gm")),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: true,
        ..Created::default()
    }
}

struct Scene {
    table: Table,
    now: i64,
    told: Vec<Event>,
    entries: Vec<Entry>,
    ratings: Vec<(String, i32)>,
}

impl Scene {
    fn new(created: Created) -> Self {
        let table = Table::lay(created, SECRET, "gm", 0).expect("a table").0;
        Self { table, now: 0, told: Vec::new(), entries: Vec::new(), ratings: Vec::new() }
    }

    fn take(&mut self, by: &str, kind: Kind) -> Result<(), Fault> {
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        let taken = self.table.take(step, self.now)?;
        self.ratings.extend(taken.ratings);
        self.entries.push(taken.entry.clone());
        self.told = taken.entry.events.into_iter().filter_map(|told| told.event).collect();
        Ok(())
    }

    fn does(&mut self, by: &str, kind: Kind) {
        self.take(by, kind).unwrap_or_else(|fault| panic!("{by}: {fault}"));
    }

    /// The game's own events that a viewer was told.
    fn told_to(&self, viewer: Viewer) -> Vec<GameEvent> {
        let events = self.entries.iter().flat_map(|entry| Table::events_for(entry, viewer));
        let own = |event: Event| match event.body {
            Some(event::Body::Game(game)) => Some(game),
            _ => None,
        };
        events.filter_map(own).collect()
    }

    fn refused(&mut self, by: &str, kind: Kind) -> String {
        let fault = self.take(by, kind).expect_err("it is refused");
        fault.field.unwrap_or_else(|| format!("{:?}", fault.reason))
    }

    /// Everything happens that has fallen due.
    fn wait(&mut self, millis: i64) {
        let until = self.now + millis;
        while let Some(due) = self.table.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.does("", Kind::Ticked(Ticked {}));
        }
        self.now = until;
    }

    fn seen(&self, player_id: &str) -> Game {
        self.table.describe(Reader { player_id })
    }

    fn status(&self) -> GameStatus {
        self.table.status()
    }

    fn phase(&self, seat: u32) -> u64 {
        self.table.standing(Seat::numbered(seat).expect("a seat")).phase
    }

    /// Whose turn it is.
    fn on_turn(&self) -> Seat {
        let on_turn = self.table.game().and_then(registry::AnyGame::on_turn);
        on_turn.expect("somebody is on turn")
    }

    fn ready(&mut self, by: &str, seat: u32) {
        let phase = self.phase(seat);
        self.does(by, Kind::FlagSet(FlagSet { seat, phase, ready: Some(true), wait: None }));
    }
}
