//! Properties that must hold during a run and at its end.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use heliopause_engine::store::{Append, Millis, Store as _};
use heliopause_proto::store::v1::{Entry, PublishedEvent, step};
use heliopause_proto::v1::event::Body;
use heliopause_proto::v1::{CloseReason, Event};
use heliopause_table::verify::Verifier;
use heliopause_table::{Table, unhashed};
use prost::Message as _;

use crate::ledger::{Audience, Ledger, Notes, RequestState};
use crate::plan::{Fault, FaultKind, Plan};
use crate::rare;
use crate::store::{SimulatedStore, block_on};

/// The time by which a deadline may pass early by the store's clock, which rounds to milliseconds.
const EARLY: Millis = 5;
/// The maximum delay of a deadline while there is no fault.
pub const LATE: Millis = 2_500;

/// Checks the entries of an append to the store.
pub fn on_append(ledger: &Ledger, append: &Append, now: Millis) {
    for encoded in &append.entries {
        let Ok(entry) = Entry::decode(encoded.clone()) else {
            ledger.record_violation(format!("an entry of {} cannot be read", append.row.game_id));
            continue;
        };
        let at = (append.row.game_id.clone(), entry.number);
        ledger.notes().appended.insert(at, Instant::now());
        let time = entry.time.as_ref().map_or(0, millis);
        if time > now + EARLY {
            ledger.record_violation(format!(
                "entry {} of {} has a time {} ms ahead of the store's",
                entry.number,
                append.row.game_id,
                time - now
            ));
        }
    }
}

fn millis(time: &prost_types::Timestamp) -> Millis {
    time.seconds * 1_000 + Millis::from(time.nanos / 1_000_000)
}

/// Returns whether an audience receives an event, independently of the engine's code.
fn is_told(told: &PublishedEvent, audience: Audience) -> bool {
    match audience {
        Audience::Spectators => told.spectators,
        Audience::Seat(seat) => told.seats >> (seat - 1) & 1 == 1,
    }
}

fn events_of(entries: &[Entry], audience: Audience) -> Vec<Event> {
    let told = entries.iter().flat_map(|entry| entry.events.iter().map(move |told| (entry, told)));
    let mine = told
        .filter(|(_, told)| is_told(told, audience))
        .filter_map(|(entry, told)| unhashed::restored_event(entry, told));
    mine.zip(1..).map(|(event, number)| Event { number, ..event }).collect()
}

/// Returns the ids of all games.
pub fn games(world: &SimulatedStore) -> Vec<String> {
    block_on(world.data().game_ids("", usize::MAX)).unwrap_or_default()
}

/// Returns the number of events published to an audience so far.
pub fn published_events(world: &SimulatedStore, game: &str, audience: Audience) -> u64 {
    events_of(&decoded(world, game), audience).len() as u64
}

pub fn decoded(world: &SimulatedStore, game: &str) -> Vec<Entry> {
    world.journal(game).into_iter().filter_map(|entry| Entry::decode(entry).ok()).collect()
}

/// Checks all properties that must hold at the end of a run.
pub fn at_the_end(plan: &Plan, world: &SimulatedStore, ledger: &Ledger, tables: &Tables) {
    for game in games(world) {
        journal_is_proved(world, ledger, &game);
        let entries = decoded(world, &game);
        requests_were_done_once(ledger, &game, &entries);
        streams_were_exact(ledger, &game, &entries);
        deadlines_passed_in_time(ledger, &game, &entries);
        answers_counted_once(ledger, &game, &entries);
        nothing_moved_while_paused(ledger, &game, &entries);
        count_stand_ins(ledger, &entries);
        replay_and_snapshot_agree(world, ledger, &game, tables);
    }
    no_success_is_lost(world, ledger);
    rejections_are_current(ledger);
    rollbacks_are_logged_once(plan, world, ledger);
    world.fence_violations().into_iter().for_each(|what| ledger.record_violation(what));
}

fn journal_is_proved(world: &SimulatedStore, ledger: &Ledger, game: &str) {
    let Ok(loaded) = block_on(world.data().load(game)) else { return };
    let mut verifier = Verifier::new(loaded.secret);
    for entry in world.journal(game) {
        verifier.entry(&entry);
    }
    if let Some(fault) = verifier.finish().fault {
        ledger.record_violation(format!("the journal of {game} cannot be verified: {fault}"));
    }
}

fn requests_were_done_once(ledger: &Ledger, game: &str, entries: &[Entry]) {
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    let mut letters: BTreeMap<String, u32> = BTreeMap::new();
    for step in entries.iter().filter_map(unhashed::restored_step) {
        if !step.request_id.is_empty() {
            *found.entry(step.request_id).or_default() += 1;
        }
        if let Some(step::Kind::MessageSent(sent)) = step.kind {
            *letters.entry(sent.text).or_default() += 1;
        }
    }
    for (text, times) in letters.iter().filter(|(_, times)| **times > 1) {
        ledger.record_violation(format!("{text:?} was written {times} times in {game}"));
    }
    let requests: Vec<(String, RequestState)> = ledger
        .notes()
        .requests
        .iter()
        .filter(|((of, _), _)| of == game)
        .map(|((_, request), came)| (request.clone(), came.clone()))
        .collect();
    for (request, came) in requests {
        let times = found.get(&request).copied().unwrap_or(0);
        let right = match &came {
            RequestState::Asked | RequestState::Unknown => times <= 1,
            RequestState::Done => times == 1,
            RequestState::Refused(_) => times == 0,
        };
        if !right {
            ledger.record_violation(format!(
                "{request} is {times} times in the journal of {game}: {came:?}"
            ));
        }
    }
}

fn no_success_is_lost(world: &SimulatedStore, ledger: &Ledger) {
    let there = games(world);
    let notes = ledger.notes();
    let lost: Vec<String> = notes
        .requests
        .iter()
        .filter(|((game, _), came)| **came == RequestState::Done && !there.contains(game))
        .map(|((game, request), _)| {
            format!("{request} was applied in {game}, but its entry is lost")
        })
        .collect();
    drop(notes);
    for lost in lost {
        ledger.record_violation(lost);
    }
}

/// Checks that each engine logs a rollback at most once per game, and only after a rollback.
fn rollbacks_are_logged_once(plan: &Plan, world: &SimulatedStore, ledger: &Ledger) {
    let mut said: BTreeMap<String, u8> = BTreeMap::new();
    for game in rare::went_back_in() {
        *said.entry(game).or_default() += 1;
    }
    let rolled_back = ledger.notes().rolled_back.clone();
    let most = if rolled_back.is_some() { plan.engines } else { 0 };
    for (game, times) in said.iter().filter(|(_, times)| **times > most) {
        ledger.record_violation(format!(
            "engines reported {times} times that the store of {game} was rolled back"
        ));
    }
    let must_be_said = rolled_back.map(|(_, journals)| journals).unwrap_or_default();
    // Nothing is lost if an engine that got no answer before the rollback wrote its entries again.
    for (game, journal) in &must_be_said {
        if !said.contains_key(game) && !world.journal(game).starts_with(journal) {
            ledger.record_violation(format!(
                "no engine reported that the store of {game} was rolled back"
            ));
        }
    }
}

/// Checks that no rejection is based on an outdated state. Most calls read the end of the journal
/// beforehand, so only this check shows whether a rejection reads it again.
fn rejections_are_current(ledger: &Ledger) {
    for refused in rare::refusals() {
        let next = (refused.game_id, refused.entry + 1);
        let appended = ledger.notes().appended.get(&next).copied();
        if appended.is_some_and(|appended| appended < refused.begun) {
            let (game, number) = next;
            ledger.record_violation(format!(
                "an order in {game} was rejected without considering entry {number}"
            ));
        }
    }
}

fn streams_were_exact(ledger: &Ledger, game: &str, entries: &[Entry]) {
    let mut wrong = Vec::new();
    {
        let notes: &Notes = &ledger.notes();
        for ((of, audience, node), told) in &notes.told {
            let Some(after) = told.after.filter(|_| of == game) else { continue };
            let all = events_of(entries, *audience);
            let due = all.get(after as usize..).unwrap_or_default();
            let differs = told.events.iter().zip(due).position(|(heard, told)| heard != told);
            if let Some(index) = differs {
                wrong.push(format!(
                    "{node} as {audience:?} of {game} received {:?}, but the journal has {:?}",
                    told.events[index], due[index]
                ));
            } else if told.events.len() > due.len() {
                wrong.push(format!(
                    "{node} as {audience:?} of {game} received {:?}, which is not in the journal",
                    told.events[due.len()]
                ));
            }
        }
    }
    for wrong in wrong {
        ledger.record_violation(wrong);
    }
}

fn deadlines_passed_in_time(ledger: &Ledger, game: &str, entries: &[Entry]) {
    for seat in 1..=64u32 {
        let mut due: BTreeMap<u64, Option<Millis>> = BTreeMap::new();
        let mut closed: BTreeMap<u64, u32> = BTreeMap::new();
        let mut phase = None;
        for entry in entries {
            let told = entry.events.iter().filter(|told| is_told(told, Audience::Seat(seat)));
            for event in told.filter_map(|told| told.event.as_ref()) {
                match &event.body {
                    Some(Body::DecisionOpened(opened)) => {
                        let Some(decision) = &opened.decision else { continue };
                        phase = decision.phase;
                        let time = decision.due_time.as_ref().map(millis);
                        due.insert(decision.phase.unwrap_or(0), time);
                    }
                    Some(Body::DeadlineChanged(changed)) => {
                        if let Some(phase) = phase {
                            due.insert(phase, changed.due_time.as_ref().map(millis));
                        }
                    }
                    Some(Body::DecisionClosed(over)) => {
                        let times = closed.entry(over.phase).or_default();
                        *times += 1;
                        if *times > 1 {
                            ledger.record_violation(format!(
                                "phase {} of seat {seat} of {game} was closed {times} times",
                                over.phase
                            ));
                        }
                        let time = entry.time.as_ref().map_or(0, millis);
                        if over.reason() == CloseReason::Deadline
                            && let Some(Some(due)) = due.get(&over.phase)
                            && time < *due
                        {
                            ledger.record_violation(format!(
                                "phase {} of seat {seat} of {game} was closed {} ms early",
                                over.phase,
                                due - time
                            ));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

fn answers_counted_once(ledger: &Ledger, game: &str, entries: &[Entry]) {
    let mut answered: BTreeMap<(u32, u64, u64), u64> = BTreeMap::new();
    for entry in entries {
        let Some(step::Kind::OrdersGiven(given)) =
            entry.step.as_ref().and_then(|step| step.kind.as_ref())
        else {
            continue;
        };
        if given.automation.is_empty() {
            continue;
        }
        let at = (given.seat, given.phase, given.revision);
        if let Some(before) = answered.insert(at, entry.number) {
            ledger.record_violation(format!(
                "{at:?} of {game} was answered by automation in entries {before} and {}",
                entry.number
            ));
        }
    }
}

/// The name of a counter. Automation may read private messages of the seats that it counts.
pub const STAND_INS: &str = "seats of players that automation took over";

fn count_stand_ins(ledger: &Ledger, entries: &[Entry]) {
    let told = entries.iter().flat_map(|entry| &entry.events);
    let seats = told.filter_map(|told| match told.event.as_ref()?.body.as_ref()? {
        Body::SeatChanged(changed) => changed.seat.as_ref(),
        _ => None,
    });
    for _ in seats.filter(|seat| seat.stand_in.is_some()) {
        ledger.count(STAND_INS);
    }
}

/// Checks that no order or deadline is applied to a paused game, and that a pause moves the
/// deadline by its length.
fn nothing_moved_while_paused(ledger: &Ledger, game: &str, entries: &[Entry]) {
    let mut paused: Option<Millis> = None;
    let mut due: Option<Millis> = None;
    for entry in entries {
        let now = entry.time.as_ref().map_or(0, millis);
        let events: Vec<&Body> =
            entry.events.iter().filter_map(|told| told.event.as_ref()?.body.as_ref()).collect();
        let step = entry.step.as_ref().and_then(|step| step.kind.as_ref());
        let by_deadline = events.iter().any(|body| {
            matches!(body, Body::DecisionClosed(over) if over.reason() == CloseReason::Deadline)
        });
        if paused.is_some() && (by_deadline || matches!(step, Some(step::Kind::OrdersGiven(_)))) {
            ledger.record_violation(format!(
                "entry {} moved {game} while it was paused",
                entry.number
            ));
        }
        let before = due;
        for body in events {
            match body {
                Body::DecisionOpened(opened) => {
                    due =
                        opened.decision.as_ref().and_then(|one| one.due_time.as_ref()).map(millis);
                }
                Body::DeadlineChanged(changed) => due = changed.due_time.as_ref().map(millis),
                _ => {}
            }
        }
        if let Some(step::Kind::PauseSet(set)) = step {
            if let Some(since) = paused
                && !set.paused
                && due != before.map(|due| due + now - since)
            {
                ledger.record_violation(format!(
                    "{game} was paused for {} ms, and its deadline moved from {before:?} to \
                     {due:?}",
                    now - since
                ));
            }
            paused = set.paused.then_some(now);
        }
    }
}

/// Compares snapshots with a replay, or with the followed game if the rules changed meanwhile.
fn replay_and_snapshot_agree(world: &SimulatedStore, ledger: &Ledger, game: &str, tables: &Tables) {
    let Ok(loaded) = block_on(world.data().load(game)) else { return };
    let entries = decoded(world, game);
    let Some((first, rest)) = entries.split_first() else { return };
    let followed = tables.0.get(game).filter(|table| table.entry() == loaded.last);
    let replayed = match followed {
        Some(table) if first.rules_version != table.kind().rules_version() => Ok(table.snapshot()),
        _ => Table::replay_first(first, loaded.secret).and_then(|mut table| {
            rest.iter().try_for_each(|entry| table.replay(entry))?;
            Ok(table.snapshot())
        }),
    };
    let from_snapshot = loaded.snapshot.map(|(number, snapshot)| {
        let mut table = Table::load(&snapshot, loaded.secret)?;
        if table.entry() != number {
            return Err(format!("the snapshot of entry {number} is of {}", table.entry()));
        }
        entries[number as usize..].iter().try_for_each(|entry| table.replay(entry))?;
        Ok(table)
    });
    match (replayed, from_snapshot) {
        (Err(why), _) => ledger.record_violation(format!("{game} cannot be replayed: {why}")),
        (_, Some(Err(why))) => ledger.record_violation(format!("{game} cannot be loaded: {why}")),
        (Ok(one), Some(Ok(other))) if one != other.snapshot() => {
            ledger.record_violation(format!("{game} differs when it is loaded from its snapshot"));
        }
        _ => {}
    }
}

/// Checks that the product used no fallback for a situation that should be impossible.
pub fn fallbacks_are_unused(plan: &Plan, ledger: &Ledger) {
    let met = rare::met();
    if met.contains("a stream went back to the journal over a gap") {
        ledger.record_violation("an entry was published before its predecessor".to_owned());
    }
    if met.contains("a game was loaded outside its slot") {
        ledger.record_violation("a game was in memory twice in one engine".to_owned());
    }
    // A crashed engine or an abandoned call may have left an append that was applied later.
    let dies =
        |fault: &Fault| matches!(fault.what, FaultKind::Crash { .. } | FaultKind::Drain { .. });
    let is_alone = plan.engines == 1
        && !plan.faults.iter().any(dies)
        && !met.contains("the result of an append stayed unknown");
    if is_alone && met.contains("an append lost to another engine") {
        ledger.record_violation(
            "an engine lost an append to another, but there is no other".to_owned(),
        );
    }
}

/// The games, replayed from their journals. Each game continues from the last entry that was read.
#[derive(Default)]
pub struct Tables(BTreeMap<String, Table>);

impl Tables {
    pub fn table(&self, game: &str) -> Option<&Table> {
        self.0.get(game)
    }

    pub fn follow(&mut self, world: &SimulatedStore, ledger: &Ledger) {
        for game in games(world) {
            if let Err(why) = self.follow_one(world, &game) {
                ledger.record_violation(format!("{game} cannot be replayed: {why}"));
            }
        }
    }

    fn follow_one(&mut self, world: &SimulatedStore, game: &str) -> Result<(), String> {
        let after = self.0.get(game).map_or(0, Table::entry);
        let entries = block_on(world.data().entries(game, after, usize::MAX, usize::MAX));
        for encoded in entries.unwrap_or_default() {
            let entry = Entry::decode(encoded).map_err(|error| error.to_string())?;
            if let Some(table) = self.0.get_mut(game) {
                table.replay(&entry)?;
            } else {
                let loaded =
                    block_on(world.data().load(game)).map_err(|error| error.to_string())?;
                let table = Table::replay_first(&entry, loaded.secret)?;
                self.0.insert(game.to_owned(), table);
            }
        }
        Ok(())
    }

    /// Describes the overdue deadlines. The result is valid only if there was no fault recently.
    pub fn late(&self, world: &SimulatedStore, now: Millis) -> Vec<String> {
        let by_directory = block_on(world.data().due(64)).unwrap_or_default();
        let by_tables =
            self.0.iter().filter_map(|(game, table)| Some((game.clone(), table.due()?)));
        let all = by_directory.into_iter().chain(by_tables);
        let late = all.filter(|(_, due)| now - due > LATE);
        late.map(|(game, due)| format!("{game} was due {} ms ago", now - due)).collect()
    }

    /// Returns the game, seat, phase and revision of each pending decision of automation.
    pub fn owed(&self) -> Vec<(String, u32, u64, u64)> {
        let mut owed = Vec::new();
        for (game, table) in &self.0 {
            for wanted in table.wanted() {
                let decision_state = table.decision_state(wanted.seat);
                let at = (decision_state.phase, decision_state.revision);
                owed.push((game.clone(), wanted.seat.number(), at.0, at.1));
            }
        }
        owed
    }
}

/// The longest time that automation may need for a decision while there is no fault.
pub const OWED_MAX: Duration = Duration::from_mins(1);
