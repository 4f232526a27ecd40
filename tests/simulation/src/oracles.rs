//! What must hold while a run goes on, and afterwards.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use heliopause_engine::store::{Append, Millis};
use heliopause_proto::store::v1::{Entry, ToldEvent, step};
use heliopause_proto::v1::event::Body;
use heliopause_proto::v1::{CloseReason, Event};
use heliopause_table::verify::Verifier;
use heliopause_table::{Table, rehearsal, unhashed};
use prost::Message as _;

use crate::ledger::{Audience, Came, Ledger, Notes};
use crate::plan::{Fault, Plan, What};
use crate::store::{World, at_once};

/// How much earlier than by the store's clock a deadline may pass: a rounding of milliseconds.
const EARLY: Millis = 5;
/// How late a deadline may pass while nothing goes wrong.
pub const LATE: Millis = 2_500;

/// Looks at every append as it is done.
pub fn on_append(ledger: &Ledger, append: &Append, now: Millis) {
    for encoded in &append.entries {
        let Ok(entry) = Entry::decode(encoded.clone()) else {
            ledger.violated(format!("an entry of {} cannot be read", append.row.game_id));
            continue;
        };
        let at = (append.row.game_id.clone(), entry.number);
        ledger.notes().appended.insert(at, Instant::now());
        let time = entry.time.as_ref().map_or(0, millis);
        if time > now + EARLY {
            ledger.violated(format!(
                "entry {} of {} is of a time that is {} ms ahead of the store's",
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

/// Whether an audience is told: the oracle's own reading of the masks.
fn is_told(told: &ToldEvent, audience: Audience) -> bool {
    match audience {
        Audience::Spectators => told.spectators,
        Audience::Seat(seat) => told.seats >> (seat - 1) & 1 == 1,
    }
}

/// Everything that an audience was told, by the journal.
fn events_of(entries: &[Entry], audience: Audience) -> Vec<Event> {
    let told = entries.iter().flat_map(|entry| entry.events.iter().map(move |told| (entry, told)));
    let mine = told
        .filter(|(_, told)| is_told(told, audience))
        .filter_map(|(entry, told)| unhashed::whole_event(entry, told));
    mine.zip(1..).map(|(event, number)| Event { number, ..event }).collect()
}

/// The games that are there.
pub fn games(world: &World) -> Vec<String> {
    at_once(world.data().game_ids("", usize::MAX)).unwrap_or_default()
}

/// How many events an audience was told of until now.
pub fn told_until_now(world: &World, game: &str, audience: Audience) -> u64 {
    events_of(&decoded(world, game), audience).len() as u64
}

fn decoded(world: &World, game: &str) -> Vec<Entry> {
    world.journal(game).into_iter().filter_map(|entry| Entry::decode(entry).ok()).collect()
}

/// Looks through everything when the run is over.
pub fn at_the_end(plan: &Plan, world: &World, ledger: &Ledger, tables: &Tables) {
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
    nothing_done_was_lost(world, ledger);
    refusals_were_of_their_time(ledger);
    going_back_was_said_once(plan, ledger);
    world.strange().into_iter().for_each(|what| ledger.violated(what));
}

fn journal_is_proved(world: &World, ledger: &Ledger, game: &str) {
    let Ok(loaded) = at_once(world.data().load(game)) else { return };
    let mut verifier = Verifier::new(loaded.secret);
    for entry in world.journal(game) {
        verifier.entry(&entry);
    }
    if let Some(fault) = verifier.finish().fault {
        ledger.violated(format!("the journal of {game} is not proved: {fault}"));
    }
}

/// A request is in the journal once if it was done, and not at all if it was refused.
fn requests_were_done_once(ledger: &Ledger, game: &str, entries: &[Entry]) {
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    let mut letters: BTreeMap<String, u32> = BTreeMap::new();
    for step in entries.iter().filter_map(unhashed::whole_step) {
        if !step.request_id.is_empty() {
            *found.entry(step.request_id).or_default() += 1;
        }
        if let Some(step::Kind::MessageSent(sent)) = step.kind {
            *letters.entry(sent.text).or_default() += 1;
        }
    }
    for (text, times) in letters.iter().filter(|(_, times)| **times > 1) {
        ledger.violated(format!("{text:?} was written {times} times in {game}"));
    }
    let requests: Vec<(String, Came)> = ledger
        .notes()
        .requests
        .iter()
        .filter(|((of, _), _)| of == game)
        .map(|((_, request), came)| (request.clone(), came.clone()))
        .collect();
    for (request, came) in requests {
        let times = found.get(&request).copied().unwrap_or(0);
        let right = match &came {
            Came::Asked | Came::Unknown => times <= 1,
            Came::Done => times == 1,
            Came::Refused(_) => times == 0,
        };
        if !right {
            ledger.violated(format!("{request} of {game} is {times} times in it: {came:?}"));
        }
    }
}

/// What was done in a game that is gone was lost.
fn nothing_done_was_lost(world: &World, ledger: &Ledger) {
    let there = games(world);
    let notes = ledger.notes();
    let lost: Vec<String> = notes
        .requests
        .iter()
        .filter(|((game, _), came)| **came == Came::Done && !there.contains(game))
        .map(|((game, request), _)| format!("{request} was done in {game}, which is gone"))
        .collect();
    drop(notes);
    for lost in lost {
        ledger.violated(lost);
    }
}

/// An engine says once of a game that its store went back, and only if it did.
fn going_back_was_said_once(plan: &Plan, ledger: &Ledger) {
    let mut said: BTreeMap<String, u8> = BTreeMap::new();
    for game in rehearsal::went_back_in() {
        *said.entry(game).or_default() += 1;
    }
    let went_back = ledger.notes().went_back.clone();
    let most = if went_back.is_some() { plan.engines } else { 0 };
    for (game, times) in said.iter().filter(|(_, times)| **times > most) {
        ledger.violated(format!("{times} times an engine said that the store of {game} went back"));
    }
    let must_be_said = went_back.map(|(_, games)| games).unwrap_or_default();
    for game in must_be_said.iter().filter(|game| !said.contains_key(*game)) {
        ledger.violated(format!("no engine said that the store of {game} went back"));
    }
}

/// No refusal was judged by what was old as judging began. Most calls look at the journal's end before
/// that, so only here it shows whether a refusal looks once more.
fn refusals_were_of_their_time(ledger: &Ledger) {
    for refused in rehearsal::refusals() {
        let next = (refused.game_id, refused.entry + 1);
        let appended = ledger.notes().appended.get(&next).copied();
        if appended.is_some_and(|appended| appended < refused.begun) {
            let (game, number) = next;
            ledger.violated(format!(
                "a refusal in {game} was judged as if entry {number} were not there"
            ));
        }
    }
}

/// Everybody was told what the journal says, in its order, without a gap, of nothing else.
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
                    "{node} as {audience:?} of {game} was told {:?}, where the journal has {:?}",
                    told.events[index], due[index]
                ));
            } else if told.events.len() > due.len() {
                wrong.push(format!(
                    "{node} as {audience:?} of {game} was told of {:?}, which is not in the journal",
                    told.events[due.len()]
                ));
            }
        }
    }
    for wrong in wrong {
        ledger.violated(wrong);
    }
}

/// No decision was closed by its deadline before that, and none twice.
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
                            ledger.violated(format!(
                                "phase {} of seat {seat} of {game} was closed {times} times",
                                over.phase
                            ));
                        }
                        let time = entry.time.as_ref().map_or(0, millis);
                        if over.reason() == CloseReason::Deadline
                            && let Some(Some(due)) = due.get(&over.phase)
                            && time < *due
                        {
                            ledger.violated(format!(
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

/// Of a seat's decision one answer of automation counts.
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
            ledger.violated(format!(
                "{at:?} of {game} was answered by automation in entries {before} and {}",
                entry.number
            ));
        }
    }
}

/// How often automation came to stand in for people, whose letters it may read then.
pub const STAND_INS: &str = "seats of people that automation took over";

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

/// While a game was paused, nobody ordered anything in it, and no deadline passed; afterwards the
/// deadline was put off by the length of the pause.
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
            ledger.violated(format!("entry {} moved {game} while it was paused", entry.number));
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
                ledger.violated(format!(
                    "{game} was paused for {} ms, and its deadline was put off from {before:?} to {due:?}",
                    now - since
                ));
            }
            paused = set.paused.then_some(now);
        }
    }
}

/// A table that is loaded from its snapshot is the same as one that is replayed: from the beginning,
/// or as it was followed, if the rules changed meanwhile.
fn replay_and_snapshot_agree(world: &World, ledger: &Ledger, game: &str, tables: &Tables) {
    let Ok(loaded) = at_once(world.data().load(game)) else { return };
    let entries = decoded(world, game);
    let Some((first, rest)) = entries.split_first() else { return };
    let followed = tables.0.get(game).filter(|table| table.entry() == loaded.last);
    let replayed = match followed {
        Some(table) if first.rules_version != table.kind().rules_version() => Ok(table.whole()),
        _ => Table::replay_first(first, loaded.secret).and_then(|mut table| {
            rest.iter().try_for_each(|entry| table.replay(entry))?;
            Ok(table.whole())
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
        (Err(why), _) => ledger.violated(format!("{game} is not replayed: {why}")),
        (_, Some(Err(why))) => ledger.violated(format!("{game} is not loaded: {why}")),
        (Ok(one), Some(Ok(other))) if one != other.whole() => {
            ledger.violated(format!("{game} differs when it is loaded from its snapshot"));
        }
        _ => {}
    }
}

/// Some code is there for what should not happen at all. If it is needed, the first defence failed.
pub fn second_defences_rested(plan: &Plan, ledger: &Ledger) {
    let met = rehearsal::met();
    if met.contains("a stream went back to the journal over a gap") {
        ledger.violated("an entry was told before the one ahead of it".to_owned());
    }
    if met.contains("a game was loaded beside its place") {
        ledger.violated("a game was in memory twice in one engine".to_owned());
    }
    // An engine that died may have had an append under way, which was done after its next start;
    // and one that gave up may have had one done.
    let dies = |fault: &Fault| matches!(fault.what, What::Crash { .. } | What::Drain { .. });
    let is_alone = plan.engines == 1
        && !plan.faults.iter().any(dies)
        && !met.contains("what came of an append stayed unknown");
    if is_alone && met.contains("an append lost to another engine") {
        ledger.violated("an engine lost an append to another, and there is none".to_owned());
    }
}

/// The games as their journals have them, each followed from where it was read last.
#[derive(Default)]
pub struct Tables(BTreeMap<String, Table>);

impl Tables {
    /// Reads on.
    pub fn follow(&mut self, world: &World, ledger: &Ledger) {
        for game in games(world) {
            if let Err(why) = self.follow_one(world, &game) {
                ledger.violated(format!("{game} is not replayed: {why}"));
            }
        }
    }

    fn follow_one(&mut self, world: &World, game: &str) -> Result<(), String> {
        let after = self.0.get(game).map_or(0, Table::entry);
        let entries = at_once(world.data().entries(game, after, usize::MAX, usize::MAX));
        for encoded in entries.unwrap_or_default() {
            let entry = Entry::decode(encoded).map_err(|error| error.to_string())?;
            if let Some(table) = self.0.get_mut(game) {
                table.replay(&entry)?;
            } else {
                let loaded = at_once(world.data().load(game)).map_err(|error| error.to_string())?;
                let table = Table::replay_first(&entry, loaded.secret)?;
                self.0.insert(game.to_owned(), table);
            }
        }
        Ok(())
    }

    /// What is late, though nothing went wrong for a while.
    pub fn late(&self, world: &World, now: Millis) -> Vec<String> {
        let by_directory = at_once(world.data().due(64)).unwrap_or_default();
        let by_tables =
            self.0.iter().filter_map(|(game, table)| Some((game.clone(), table.due()?)));
        let all = by_directory.into_iter().chain(by_tables);
        let late = all.filter(|(_, due)| now - due > LATE);
        late.map(|(game, due)| format!("{game} was due {} ms ago", now - due)).collect()
    }

    /// The decisions that automation owes, by game, seat, phase and revision.
    pub fn owed(&self) -> Vec<(String, u32, u64, u64)> {
        let mut owed = Vec::new();
        for (game, table) in &self.0 {
            for wanted in table.wanted() {
                let standing = table.standing(wanted.seat);
                let at = (standing.phase, standing.revision);
                owed.push((game.clone(), wanted.seat.number(), at.0, at.1));
            }
        }
        owed
    }
}

/// How long automation may owe a decision while nothing goes wrong.
pub const OWED_MAX: Duration = Duration::from_mins(1);
