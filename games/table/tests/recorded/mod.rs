//! Recorded tables: the actions of people around a game, the responses, and the resulting events
//! and views. A change to how games are run shows up as a difference in the recorded files.
//!
//!     WRITE_PLAYTHROUGHS=1 cargo nextest run -p heliopause-table -E 'test(recorded::)'
//!
//! The actions are derived from a fixed seed. Each view is recorded as its additions (`+`) and
//! removals (`-`), below the names of its readers. Bytes are shown as the start of their hash.

mod actions;
mod shown;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use actions::commitment;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::json;
use heliopause_proto::starships_at_large::v1 as starships;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{DelegationRule, Event, GameOptions, Pace, PhasePace, game_options};
use heliopause_table::chain::{self, sha256};
use heliopause_table::{Table, verify::Verifier};
use heliopause_testing::Rng;
use planned_seat::Plan;
use prost::Message as _;
use step::Kind;

use crate::scene::{HOUR, automated, millis, open, person, planned, taken};

const SECRET: [u8; 32] = [6; 32];
const SEATS: usize = 4;
const STEPS: usize = 120;
/// Longer lines are cut and end with the start of their hash.
const LINE_MAX: usize = 260;

fn committed(id: &str) -> PlannedSeat {
    let entropy_commitment = commitment(id);
    planned(Plan::Taken(Taken { player: Some(person(id)), entropy_commitment, ..Taken::default() }))
}

fn daily() -> Pace {
    let standard =
        PhasePace { interval: millis(24 * HOUR), grace: millis(2 * HOUR), ..PhasePace::default() };
    Pace {
        standard: Some(standard),
        vacation_days: 5,
        automate_after_misses: Some(2),
        ..Pace::default()
    }
}

pub(crate) fn created(kind: &str, seats: Vec<PlannedSeat>) -> Created {
    Created {
        kind: kind.to_owned(),
        name: "Recorded".to_owned(),
        seats,
        pace: Some(daily()),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        delegation: DelegationRule::Free.into(),
        ..Created::default()
    }
}

fn short() -> GameOptions {
    let options = starships::Options {
        rounds: Some(1),
        last_round_with_death_star: Some(1),
        first_round_of_exile: Some(1),
        first_round_of_unprovoked_attacks: Some(1),
        ..starships::Options::default()
    };
    GameOptions { game: Some(game_options::Game::StarshipsAtLarge(options)) }
}

pub(crate) struct Record {
    pub(crate) table: Table,
    seats: usize,
    pub(crate) entries: Vec<Entry>,
    now: i64,
    chance: Rng,
    /// Whether events and views are recorded.
    is_shown: bool,
    page: String,
    shown: BTreeMap<String, Vec<String>>,
}

impl Record {
    pub(crate) fn begin(created: Created, by: &str, seed: u64, is_shown: bool) -> Self {
        let page = format!("# {}\n", cut(&json::to_line(&created)));
        let seats = created.seats.len();
        let (table, taken) = Table::create(created, SECRET, by, 0).expect("a table");
        let mut record = Self {
            table,
            seats,
            entries: Vec::new(),
            now: 0,
            chance: Rng::new(seed),
            is_shown,
            page,
            shown: BTreeMap::new(),
        };
        record.record_entry(&taken.entry, &taken.ratings);
        record
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.page, "{text}").expect("text grows");
    }

    pub(crate) fn viewers() -> impl Iterator<Item = (String, Viewer)> {
        let seats = Seat::first(SEATS).map(|seat| (seat.number().to_string(), Viewer::Seat(seat)));
        [("all".to_owned(), Viewer::Spectator), ("gm".to_owned(), Viewer::GameMaster)]
            .into_iter()
            .chain(seats)
    }

    fn record_entry(&mut self, entry: &Entry, ratings: &[(String, i32)]) {
        self.entries.push(entry.clone());
        if !self.is_shown {
            return;
        }
        let mut events: Vec<(String, Vec<String>)> = Vec::new();
        for (name, viewer) in Self::viewers() {
            for event in Table::events_for(entry, viewer) {
                // Each audience has its own numbers. Another test checks that they have no gaps.
                let text = cut(&json::to_line(&Event { number: 0, ..event }));
                match events.iter_mut().find(|(other, _)| *other == text) {
                    Some((_, whom)) => whom.push(name.clone()),
                    None => events.push((text, vec![name.clone()])),
                }
            }
        }
        for (text, whom) in events {
            self.line(format_args!("  {}: {text}", whom.join(" ")));
        }
        for (player, change) in ratings {
            self.line(format_args!("  rating of {player}: {change:+}"));
        }
        self.show();
    }

    fn show(&mut self) {
        let mut changes: Vec<(String, Vec<String>)> = Vec::new();
        for player_id in ["", "ann", "bob", "gm", "host", "eve"] {
            let lines = shown::description(&self.table, player_id);
            self.change(player_id, &lines, &mut changes);
        }
        let lines = shown::of_table(&self.table, self.seats, self.now);
        self.change("table", &lines, &mut changes);
        for (whom, lines) in changes {
            self.line(format_args!("  {whom}"));
            for line in lines {
                self.line(format_args!("    {line}"));
            }
        }
    }

    fn change(&mut self, whom: &str, lines: &[String], changes: &mut Vec<(String, Vec<String>)>) {
        let lines: Vec<String> = lines.iter().map(|line| cut(line)).collect();
        let old = self.shown.insert(whom.to_owned(), lines.clone()).unwrap_or_default();
        let is_named = |key: &str| lines.iter().any(|line| key_of(line) == key);
        let gone = old.iter().map(|line| key_of(line)).filter(|key| !is_named(key));
        let gone = gone.map(|key| format!("- {key}"));
        let new = lines.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
        let news: Vec<String> = gone.chain(new).collect();
        let whom = if whom.is_empty() { "nobody" } else { whom };
        match changes.iter_mut().find(|(_, other)| *other == news) {
            _ if news.is_empty() => {}
            Some((others, _)) => write!(others, " {whom}").expect("text grows"),
            None => changes.push((whom.to_owned(), news)),
        }
    }

    fn apply(&mut self, by: &str, kind: Kind, request_id: String) {
        let asked = Step { by: String::new(), kind: Some(kind), ..Step::default() };
        let hours = self.now / HOUR;
        let minutes = self.now % HOUR / 60_000;
        self.line(format_args!("{hours}:{minutes:02} {by} {}", cut(&json::to_line(&asked))));
        let step = Step { by: by.to_owned(), request_id, ..asked };
        let before = self.table.snapshot();
        match self.table.apply(step, self.now) {
            Ok(taken) => self.record_entry(&taken.entry, &taken.ratings),
            Err(fault) => {
                assert_eq!(self.table.snapshot(), before, "a refused step has changed nothing");
                let field = fault.field.map(|field| format!(" at {field}")).unwrap_or_default();
                let words: Vec<String> =
                    fault.metadata.iter().map(|(key, word)| format!(" {key}={word}")).collect();
                self.line(format_args!(
                    "  refused, {:?}{field}{}: {}",
                    fault.reason,
                    words.concat(),
                    fault.message
                ));
            }
        }
    }

    pub(crate) fn act_often(&mut self, steps: usize) {
        for number in 0..steps {
            self.act();
            // The engine stores the position whenever one is due. This test sometimes skips it.
            let keep = self.table.position_to_keep().filter(|_| !number.is_multiple_of(4));
            if let Some(kind) = keep.and_then(|step| step.kind) {
                self.apply("", kind, String::new());
            }
        }
    }

    pub(crate) fn verify(&self) {
        let mut verifier = Verifier::new(SECRET);
        for entry in &self.entries {
            verifier.entry(&entry.encode_to_vec());
        }
        let report = verifier.finish();
        assert_eq!((report.fault, report.replayed), (None, self.entries.len() as u64));
    }

    fn play(mut self, name: &str) {
        self.act_often(STEPS);
        self.verify();
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/recorded/tables")
            .join(format!("{name}.txt"));
        if std::env::var_os("WRITE_PLAYTHROUGHS").is_some() {
            std::fs::write(&path, &self.page).expect("the record is written");
            return;
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        let other = recorded.lines().zip(self.page.lines()).find(|(one, other)| one != other);
        assert!(
            other.is_none() && recorded == self.page,
            "{name} is not as recorded; first {other:?}"
        );
    }
}

fn cut(text: &str) -> String {
    if text.len() <= LINE_MAX {
        return text.to_owned();
    }
    let end = (0..=LINE_MAX).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}… {}", &text[..end], mark(text.as_bytes()))
}

/// Returns the key of a line. A changed value keeps its key, so its old line is not recorded.
fn key_of(line: &str) -> &str {
    let end = line.find(" = ").or_else(|| line.find(": "));
    end.map_or(line, |end| &line[..end])
}

fn mark(bytes: &[u8]) -> String {
    let [first, second, third, ..] = sha256(&[bytes]);
    format!("{first:02x}{second:02x}{third:02x}")
}

fn play(created: &Created, by: &str, name: &str) {
    for seed in 1..=2 {
        Record::begin(created.clone(), by, seed, true).play(&format!("{name}-{seed}"));
    }
}

#[test]
fn lobby_with_open_kept_and_automated_seats() {
    let seats =
        vec![committed("ann"), open(), planned(Plan::ReservedFor(person("cid"))), automated()];
    let lobby = Created {
        host: Some(person("host")),
        is_private: true,
        invite_code: "secret".to_owned(),
        ..created("starships-at-large", seats)
    };
    play(&lobby, "host", "lobby");
}

#[test]
fn running_game_with_a_game_master() {
    let seats = ["ann", "bob", "cid"].map(taken).into();
    let game = Created {
        game_master: Some(person("gm")),
        start_when_full: true,
        options: Some(short()),
        ..created("starships-at-large", seats)
    };
    play(&game, "gm", "game-master");
}

#[test]
fn anonymous_game_with_hidden_ready_marks() {
    let seats = ["ann", "bob", "cid", "dan"].map(taken).into();
    let game = Created {
        host: Some(person("ann")),
        anonymous: true,
        hide_ready: true,
        start_when_full: true,
        ..created("diplomacy", seats)
    };
    play(&game, "ann", "anonymous");
}

#[test]
fn game_with_open_messages_and_automation() {
    let seats = vec![taken("ann"), taken("bob"), automated(), automated()];
    let game = Created {
        host: Some(person("host")),
        open_messages: true,
        start_when_full: true,
        delegation: DelegationRule::Absence.into(),
        ..created("star-empires", seats)
    };
    play(&game, "host", "automation");
}

#[test]
fn sandbox_with_a_guest() {
    let seats = vec![PlannedSeat::default(); 3];
    let sandbox = Sandbox {
        owner: Some(person("ann")),
        dice: vec![3, 1, 6],
        guests: vec![SandboxGuest { seat: 2, player: Some(person("bob")) }],
        ..Sandbox::default()
    };
    let game = Created { sandbox: Some(sandbox), ..created("starships-at-large", seats) };
    play(&game, "ann", "sandbox");
}
