//! The state of a table, and the application of steps to it.
//!
//! Each audience (spectators, game master, every seat) has its own count of events, without gaps,
//! so that no number reveals the events of other audiences. An entry stores the counts before it,
//! so that a binary search can find the entry with event *n* of an audience. Orders name the phase
//! and revision of their own seat, because common numbers would reveal the orders of other seats.
//!
//! An entry names the version of the rules under which it was made. A table loaded under another
//! version first applies `RulesChanged` with the complete state, so that a replay of later entries
//! needs no earlier entry.
//!
//! A table's time never decreases. Otherwise the deadlines set by a machine that boots in 1970
//! would all pass once its clock is set. A host or game master can repair a deadline that a wrong
//! clock caused.

use bytes::Bytes;
use heliopause_kernel::{Cast, Decision, Dice, Role, Roll, Seat, SeatSet, Viewer};
use heliopause_proto::store::v1::{
    self as store, Created, DecisionKey, Entry, Step, TableState, step,
};
use heliopause_proto::v1::{
    Cursor, ErrorReason, Event, GameMasterAudience, GameStatus, SpectatorAudience, VoteState,
    audience,
};
use prost::Message as _;

use crate::Fault;
use crate::chain::{self, Hash};
use crate::effects::{Effects, is_visible_to};
use crate::phases::Phases;
use crate::registry::{self, AnyGame, Kind};
use crate::requests::Requests;
use crate::time::{Millis, at, millis, stamp};
use crate::unhashed::{self, Texts};

/// The version of [`TableState`] that this code reads and writes.
pub const FORMAT: u32 = 2;

/// Number of entries between position hashes, which show where a replay diverges.
const HASHED_EVERY: u64 = 16;

/// The tolerated error of a game's own time. Setting a deadline corrects a larger error.
const SIGNIFICANT_CLOCK_ERROR: Millis = 60 * 1000;

/// A table in memory.
///
/// ```
/// use heliopause_proto::store::v1::{Created, PlannedSeat, Step, planned_seat::Plan};
/// use heliopause_proto::v1::OpenSeat;
/// use heliopause_table::Table;
///
/// let open = PlannedSeat { plan: Some(Plan::Open(OpenSeat {})) };
/// let created =
///     Created { kind: "star-empires".to_owned(), seats: vec![open; 2], ..Created::default() };
/// let (mut table, _) = Table::create(created, [7; 32], "ann", 0).unwrap();
///
/// // A refused step changes nothing.
/// assert!(table.apply(Step::default(), 1_000).is_err());
/// assert_eq!(table.entry(), 1);
///
/// let again = Table::load(&table.snapshot(), [7; 32]).unwrap();
/// assert_eq!(again.hash(), table.hash());
/// ```
#[derive(Clone)]
pub struct Table {
    pub(crate) secret: Hash,
    pub(crate) kind: &'static Kind,
    /// The state without the position, scripted dice, responses and phases, which have separate
    /// fields here.
    pub(crate) state: TableState,
    pub(crate) game: Option<Box<dyn AnyGame>>,
    pub(crate) dice: Dice,
    pub(crate) requests: Requests,
    pub(crate) phases: Phases,
    /// The role of each seat. Roles are derived from the options, so they are not stored.
    pub(crate) roles: Vec<Role>,
    pub(crate) alike: bool,
    pub(crate) anonymous_press: bool,
}

/// The result of an applied step.
#[derive(Clone, Debug)]
pub struct AppliedStep {
    pub entry: Entry,
    pub stored: Bytes,
    /// Changes of dedication ratings, by player id.
    pub ratings: Vec<(String, i32)>,
}

impl Table {
    /// Creates a table by applying its first step.
    pub fn create(
        created: Created,
        secret: Hash,
        by: &str,
        now: Millis,
    ) -> Result<(Self, AppliedStep), Fault> {
        Self::create_for(created, secret, Step { by: by.to_owned(), ..Step::default() }, now)
    }

    /// Creates a table. The first step names the requester and request of `asked`.
    pub fn create_for(
        created: Created,
        secret: Hash,
        asked: Step,
        now: Millis,
    ) -> Result<(Self, AppliedStep), Fault> {
        let kind = registry::kind_or_fault(&created.kind)?;
        let mut table = Self {
            secret,
            kind,
            state: TableState {
                format: FORMAT,
                rules_version: kind.rules_version(),
                now: Some(stamp(now)),
                created_at: Some(stamp(now)),
                ..TableState::default()
            },
            game: None,
            dice: Dice::new(secret),
            requests: Requests::default(),
            phases: Phases::default(),
            roles: Vec::new(),
            alike: true,
            anonymous_press: false,
        };
        let step = Step { kind: Some(step::Kind::Created(Box::new(created))), ..asked };
        let taken = table.apply(step, now)?;
        Ok((table, taken))
    }

    pub fn load(snapshot: &[u8], secret: Hash) -> Result<Self, String> {
        let state = TableState::decode(snapshot)
            .map_err(|error| format!("the snapshot cannot be read: {error}"))?;
        Self::from_state(state, secret)
    }

    pub(crate) fn from_state(mut state: TableState, secret: Hash) -> Result<Self, String> {
        if state.format != FORMAT {
            return Err(format!(
                "the snapshot has format {}; this version reads format {FORMAT}",
                state.format
            ));
        }
        let id = state.created.as_ref().map(|created| created.kind.clone()).unwrap_or_default();
        let kind =
            registry::kind(&id).ok_or_else(|| format!("the snapshot's game {id:?} is unknown"))?;
        let game = match state.position.take() {
            Some(position) => {
                Some(kind.rules.read_position(&position).map_err(|fault| fault.message)?)
            }
            None => None,
        };
        if state.dice_seed.is_empty() && game.is_some() {
            let entropy = state
                .seats
                .iter()
                .map(|seat| seat.entropy.as_ref())
                .filter(|entropy: &&[u8]| !entropy.is_empty());
            state.dice_seed = Bytes::copy_from_slice(&chain::dice_seed(&secret, entropy));
        }
        let seed = <Hash>::try_from(state.dice_seed.as_ref()).unwrap_or(secret);
        let dice = Dice::new(seed).scripted(std::mem::take(&mut state.dice));
        let requests = Requests::from_stored(std::mem::take(&mut state.requests));
        let phases = Phases::from_stored(std::mem::take(&mut state.phases));
        let created = state.created.clone().unwrap_or_default();
        let options = created.options.unwrap_or_default();
        let Cast { roles, alike } =
            kind.rules.cast(&options, created.seats.len()).map_err(|fault| fault.message)?;
        let anonymous_press =
            kind.rules.anonymous_press(&options).map_err(|fault| fault.message)?;
        if state.seats.len() != roles.len() || roles.len() > Seat::MAX {
            return Err(format!(
                "the snapshot has {} seats; its game has {}",
                state.seats.len(),
                roles.len()
            ));
        }
        if game.is_none() && matches!(state.status(), GameStatus::Running | GameStatus::Paused) {
            return Err("the snapshot's game is running, but has no position".to_owned());
        }
        Ok(Self {
            secret,
            kind,
            state,
            game,
            dice,
            requests,
            phases,
            roles,
            alike,
            anonymous_press,
        })
    }

    /// Merges this copy's responses into the shared ones to make the next copy cheaper. Call after
    /// the original is dropped.
    pub fn settle_copy(&mut self) {
        self.requests.settle();
    }

    pub fn snapshot(&self) -> Vec<u8> {
        self.full_state().encode_to_vec()
    }

    pub(crate) fn full_state(&self) -> TableState {
        TableState {
            position: self.game.as_ref().map(|game| game.position()),
            dice: self.dice.script().collect(),
            requests: self.requests.to_stored(),
            phases: self.phases.to_stored(),
            ..self.state.clone()
        }
    }

    /// Applies a step at time `now`, or refuses it and changes nothing. If a timer is due
    /// ([`Table::due`]), the caller must apply a `Ticked` step first.
    pub fn apply(&mut self, step: Step, now: Millis) -> Result<AppliedStep, Fault> {
        let now = self.time_of(&step, now);
        let mut effects = Effects::new(now, Texts::of(&step));
        // A step that fails halfway cannot be undone. Keep a copy if unfit scripted dice could make
        // it fail.
        let before = self.may_refuse_dice(&step.by).then(|| self.clone());
        let laying = matches!(step.kind, Some(step::Kind::Created(_)));
        let held = cfg!(debug_assertions).then(|| self.state.clone());
        if let Err(fault) = self.perform(&step, &mut effects) {
            debug_assert!(
                laying || held.as_ref() == Some(&self.state),
                "a refused step has changed nothing: {fault}"
            );
            return Err(fault);
        }
        self.settle(&mut effects);
        self.assert_settled();
        if let Err(fault) = self.check_dice(before.is_some() || laying, &mut effects) {
            if let Some(before) = before {
                *self = before;
            }
            return Err(fault);
        }
        self.remember_request(&step, now);
        self.record_phase(now);
        Ok(self.seal(step, effects))
    }

    fn clock_ahead(&self) -> Millis {
        self.state.clock_ahead_seconds.saturating_mul(1000)
    }

    /// Returns the game's own time, which includes a sandbox's offset and never decreases.
    pub fn game_time(&self, now: Millis) -> Millis {
        now.saturating_add(self.clock_ahead())
            .max(self.state.now.as_ref().map_or(Millis::MIN, millis))
    }

    /// Returns the game's time for a step. Only a step that sets a deadline may set the time back,
    /// if a wrong clock had moved it ahead.
    fn time_of(&self, step: &Step, now: Millis) -> Millis {
        let mends = matches!(step.kind, Some(step::Kind::DeadlineSet(_)));
        let right = now.saturating_add(self.clock_ahead());
        if mends && self.clock_error_at(right) > 0 { right } else { self.game_time(now) }
    }

    /// Returns how far the game's time is ahead of the clock, or 0 if the error is too small to
    /// correct.
    pub fn clock_error(&self, now: Millis) -> Millis {
        self.clock_error_at(now.saturating_add(self.clock_ahead()))
    }

    pub(crate) fn clock_error_at(&self, right: Millis) -> Millis {
        let ahead = at(self.state.now.as_ref()).map_or(0, |last| last.saturating_sub(right));
        if ahead > SIGNIFICANT_CLOCK_ERROR { ahead } else { 0 }
    }

    /// Sets all times of the state back, except the deadline, which the same step sets.
    pub(crate) fn set_clock_back(&mut self, ahead: Millis) {
        let state = &mut self.state;
        let seats = state.seats.iter_mut();
        let of_seats = seats.flat_map(|seat| {
            let until = seat.stand_in.as_mut().map(|by| &mut by.end_time);
            until.into_iter().chain([&mut seat.vacation_until, &mut seat.waited_for_since])
        });
        let of_votes = state
            .votes
            .iter_mut()
            .filter(|vote| vote.state() == VoteState::Open)
            .map(|vote| &mut vote.expire_time);
        let of_table =
            [&mut state.not_before, &mut state.next_pace_from, &mut state.automation_suspended_at];
        for time in of_seats.chain(of_votes).chain(of_table).filter_map(Option::as_mut) {
            *time = stamp(millis(time).saturating_sub(ahead));
        }
    }

    fn perform(&mut self, step: &Step, effects: &mut Effects) -> Result<(), Fault> {
        use step::Kind;
        let by = step.by.as_str();
        let kind = step.kind.as_ref().ok_or_else(|| Fault::field("step", "The step is empty."))?;
        match kind {
            Kind::Created(created) => self.create_table(created, effects),
            Kind::Joined(joined) => self.join(joined, effects),
            Kind::Left(_) => self.leave(by, effects),
            Kind::StartCalled(call) => self.call_start(by, call, effects),
            Kind::EntropyRevealed(revealed) => self.reveal(by, revealed, effects),
            Kind::OrdersGiven(given) => self.accept_orders(by, given, effects),
            Kind::OrdersWithdrawn(taken) => self.take_back(by, taken, effects),
            Kind::FlagSet(flag) => self.set_flag(by, flag, effects),
            Kind::Ticked(_) => {
                self.tick(effects);
                Ok(())
            }
            Kind::PhaseClosed(_) => self.close_manually(by, effects),
            Kind::MessageSent(message) => self.send(by, message, effects),
            Kind::VoteProposed(vote) => self.propose(by, vote, effects),
            Kind::VoteCast(cast) => self.cast_vote(by, cast, effects),
            Kind::PauseSet(pause) => self.set_pause(by, pause.paused, effects),
            Kind::DeadlineSet(set) => {
                self.set_deadline(by, set.deadline.as_ref().map(millis), effects)
            }
            Kind::PaceSet(set) => self.set_pace(by, set.pace.as_ref(), effects),
            Kind::SeatGiven(given) => self.give_seat(by, given, effects),
            Kind::SeatAutomated(automated) => self.automate(by, automated, effects),
            Kind::VacationSet(vacation) => self.set_vacation(by, vacation, effects),
            Kind::Resigned(resigned) => self.resign(by, resigned, effects),
            Kind::Delegated(delegated) => self.delegate(by, delegated, effects),
            Kind::MissExcused(excused) => self.excuse(by, excused, effects),
            Kind::OutcomeDeclared(declared) => self.declare(by, declared, effects),
            Kind::GameCancelled(_) => self.cancel_manually(by, effects),
            Kind::GameExported(exported) => self.note_export(by, exported, effects),
            Kind::OperatorActed(acted) => self.operate(acted, effects),
            Kind::HostBanned(banned) => self.host_banned(&banned.player_id, effects),
            Kind::InvitationDeclined(_) => self.decline(by, effects),
            Kind::AutomationSuspended(_) => self.fall_asleep(effects),
            Kind::AutomationResumed(_) => self.wake(effects),
            Kind::DecisionDefaulted(given) => self.default_decision(given, effects),
            Kind::PlayerErased(erased) => {
                self.erase(&erased.player_id, effects);
                Ok(())
            }
            Kind::DiceScripted(scripted) => self.script_dice(by, scripted, effects),
            Kind::ClockAdvanced(advanced) => self.advance_clock(by, advanced, effects),
            Kind::PositionKept(kept) => self.keep_position(kept),
            Kind::RulesChanged(_) => {
                self.state.rules_version = self.kind.rules_version();
                Ok(())
            }
        }
    }

    fn assert_settled(&self) {
        let status = self.status();
        assert!(
            self.game.is_some() || !matches!(status, GameStatus::Running | GameStatus::Paused),
            "a running game has a position"
        );
        assert_eq!(self.state.seats.len(), self.roles.len(), "every seat has a role");
        debug_assert!(
            self.state.seats.iter().enumerate().all(|(index, seat)| {
                let owed = self.pending();
                let owed = owed.iter().filter(|decision| decision.seat.index() == index);
                owed.map(decision_key).eq(seat.asked.iter().cloned())
            }),
            "every seat received its open decisions"
        );
    }

    fn seal(&mut self, mut step: Step, effects: Effects) -> AppliedStep {
        debug_assert!(
            matches!(step.kind, Some(step::Kind::DeadlineSet(_)))
                || at(self.state.now.as_ref()).is_none_or(|last| last <= effects.now),
            "only a step that sets a deadline may set the time back"
        );
        let number = self.state.entry + 1;
        let published_before = self.state.published.clone();
        for event in &effects.events {
            self.count(event);
        }
        debug_assert!(
            self.state.published.iter().zip(&published_before).all(|(now, before)| now >= before),
            "event counts never decrease"
        );
        let ended = self.status() == GameStatus::Ended;
        let hashed = number.is_multiple_of(HASHED_EVERY) || ended;
        let position_hash = match &self.game {
            Some(game) if hashed => chain::sha256(&[&game.position().encode_to_vec()]).to_vec(),
            _ => Vec::new(),
        };
        let (text_commitments, unhashed) = unhashed::extract_unhashed(&mut step, effects.texts);
        let mut entry = Entry {
            number,
            time: Some(stamp(effects.now)),
            step: Some(step),
            events: effects.events,
            rolls: self.dice.take_rolled().iter().map(stored_roll).collect(),
            rules_version: self.kind.rules_version(),
            position_hash: position_hash.into(),
            published_before,
            stopped: effects.stopped,
            text_commitments,
            hash: Bytes::new(),
            unhashed,
        };
        let stored = chain::seal(&self.secret, &self.state.hash, &mut entry);
        self.state.entry = number;
        self.state.hash = entry.hash.clone();
        self.state.now = Some(stamp(effects.now));
        AppliedStep { entry, stored, ratings: effects.ratings }
    }

    pub(crate) fn audience_index(viewer: Viewer) -> usize {
        match viewer {
            Viewer::Spectator => 0,
            Viewer::GameMaster => 1,
            Viewer::Seat(seat) => 2 + seat.index(),
        }
    }

    fn count(&mut self, event: &store::PublishedEvent) {
        let seats = self.state.seats.len();
        self.state.published.resize(2 + seats, 0);
        for viewer in viewers(seats).filter(|&viewer| is_visible_to(event, viewer)) {
            self.state.published[Self::audience_index(viewer)] += 1;
        }
    }

    pub fn event_count(&self, viewer: Viewer) -> u64 {
        self.state.published.get(Self::audience_index(viewer)).copied().unwrap_or(0)
    }

    pub fn event_count_before(entry: &Entry, viewer: Viewer) -> u64 {
        entry.published_before.get(Self::audience_index(viewer)).copied().unwrap_or(0)
    }

    /// Returns the events of an entry that a viewer receives, numbered for that viewer's audience.
    pub fn events_for(entry: &Entry, viewer: Viewer) -> impl Iterator<Item = Event> {
        let before = Self::event_count_before(entry, viewer);
        let visible = entry.events.iter().filter(move |event| is_visible_to(event, viewer));
        visible.zip(before + 1..).filter_map(|(event, number)| {
            Some(Event { number, ..unhashed::restored_event(entry, event)? })
        })
    }

    pub fn cursor(&self, viewer: Viewer) -> Cursor {
        Cursor { audience: Some(audience_of(viewer)), number: self.event_count(viewer), time: None }
    }

    /// Applies the step of a stored or exported entry again, and checks that the result is the
    /// same. Uses the unhashed part of the entry if present, but does not compare it.
    pub fn replay(&mut self, entry: &Entry) -> Result<(), String> {
        let missing = |part: &str| format!("entry {} has no {part}", entry.number);
        let step = unhashed::restored_step(entry).ok_or_else(|| missing("step"))?;
        let now = entry.time.as_ref().map(millis).ok_or_else(|| missing("time"))?;
        // The stored time already includes a sandbox's offset.
        let server_time = now.saturating_sub(self.clock_ahead());
        let taken = self
            .apply(step, server_time)
            .map_err(|fault| format!("entry {}: {fault}", entry.number))?;
        if is_same_entry(taken, entry) {
            return Ok(());
        }
        Err(format!("entry {} differs when it is replayed", entry.number))
    }

    pub fn replay_first(entry: &Entry, secret: Hash) -> Result<Self, String> {
        let Some(Step { kind: Some(step::Kind::Created(created)), by, request_id, request_digest }) =
            unhashed::restored_step(entry)
        else {
            return Err("the first entry does not create a table".to_owned());
        };
        let asked = Step { by, request_id, request_digest, kind: None };
        let now = entry.time.as_ref().map(millis).ok_or("the first entry has no time")?;
        let (table, taken) =
            Self::create_for(*created, secret, asked, now).map_err(|fault| fault.message)?;
        if is_same_entry(taken, entry) {
            return Ok(table);
        }
        Err("entry 1 differs when it is replayed".to_owned())
    }

    /// Returns the step that must be applied next if the state was made under another version of
    /// the rules, and otherwise `None`.
    pub fn rules_changed(&self) -> Option<Step> {
        if self.state.rules_version == self.kind.rules_version() {
            return None;
        }
        let mut state =
            TableState { dice_seed: Bytes::new(), requests: Vec::new(), ..self.full_state() };
        for seat in &mut state.seats {
            seat.memo.clear();
        }
        for held in &mut state.held {
            held.salt.clear();
            held.text.clear();
        }
        let kind = step::Kind::RulesChanged(Box::new(store::RulesChanged { state: Some(state) }));
        Some(Step { kind: Some(kind), ..Step::default() })
    }

    /// Returns when the next `Ticked` step must be applied in the server's time, or `None` if no
    /// timer is running.
    pub fn due(&self) -> Option<Millis> {
        Some(self.next_due()?.saturating_sub(self.clock_ahead()))
    }

    pub fn status(&self) -> GameStatus {
        self.state.status()
    }

    pub fn entry(&self) -> u64 {
        self.state.entry
    }

    pub fn hash(&self) -> &[u8] {
        &self.state.hash
    }

    pub fn secret(&self) -> &Hash {
        &self.secret
    }

    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    pub fn game(&self) -> Option<&dyn AnyGame> {
        self.game.as_deref()
    }

    pub(crate) fn created(&self) -> &Created {
        self.state.created.as_ref().expect("the first step of every table is its creation")
    }

    pub fn is_sandbox(&self) -> bool {
        self.created().sandbox.is_some()
    }

    /// Returns the number of seats for players. The seats that only automation plays follow them.
    pub(crate) fn players(&self) -> usize {
        self.created().seats.len()
    }

    /// Asserts that a seat exists. Callers get seats from [`Table::seat_numbered`] or from this
    /// table.
    #[track_caller]
    pub(crate) fn assert_seat(&self, seat: Seat) {
        let seats = self.state.seats.len();
        assert!(seat.index() < seats, "{seat} is not one of the {seats} seats of the table");
    }

    pub(crate) fn seat_numbered(&self, number: u32) -> Result<Seat, Fault> {
        Seat::numbered(number).filter(|seat| seat.index() < self.state.seats.len()).ok_or_else(
            || {
                Fault::field(
                    "seat",
                    format!(
                        "Seat {number} does not exist; choose 1 to {}.",
                        self.state.seats.len()
                    ),
                )
            },
        )
    }

    pub(crate) fn alive(&self) -> SeatSet {
        self.game.as_ref().map_or_else(|| SeatSet::first(self.players()), |game| game.alive())
    }

    pub(crate) fn require_status(&self, allowed: &[GameStatus], what: &str) -> Result<(), Fault> {
        if allowed.contains(&self.status()) {
            return Ok(());
        }
        self.check_operator_pause(what)?;
        let status = match self.status() {
            GameStatus::Unspecified | GameStatus::Forming => "has not started",
            GameStatus::Revealing => "is waiting for entropy",
            GameStatus::Running => "is running",
            GameStatus::Paused => "is paused",
            GameStatus::Ended => "has ended",
            GameStatus::Cancelled => "was canceled",
        };
        Err(self.wrong_status(format!("The game {status}: {what}.")))
    }

    pub fn wrong_status(&self, text: impl Into<String>) -> Fault {
        Fault::new(ErrorReason::WrongStatus, text).with("status", self.status().as_str_name())
    }
}

pub(crate) fn decision_key(decision: &Decision) -> DecisionKey {
    DecisionKey {
        kind: decision.kind.to_owned(),
        number: decision.number,
        prompt: decision.prompt.clone(),
    }
}

fn is_same_entry(applied: AppliedStep, entry: &Entry) -> bool {
    Entry { unhashed: entry.unhashed.clone(), ..applied.entry } == *entry
}

pub(crate) fn viewers(seats: usize) -> impl Iterator<Item = Viewer> {
    [Viewer::Spectator, Viewer::GameMaster].into_iter().chain(Seat::first(seats).map(Viewer::Seat))
}

/// Converts a viewer to the contract's message for an audience.
pub fn audience_of(viewer: Viewer) -> heliopause_proto::v1::Audience {
    let kind = match viewer {
        Viewer::Seat(seat) => audience::Kind::Seat(seat.number()),
        Viewer::Spectator => audience::Kind::Spectators(SpectatorAudience {}),
        Viewer::GameMaster => audience::Kind::GameMaster(GameMasterAudience {}),
    };
    heliopause_proto::v1::Audience { kind: Some(kind) }
}

fn stored_roll(roll: &Roll) -> store::Roll {
    store::Roll {
        draw: roll.draw.name(),
        sides: roll.sides,
        value: roll.value,
        scripted: roll.scripted,
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::seat_state::Occupant;

    use super::{FORMAT, Table, TableState, chain};
    use crate::sample::{SECRET, begun};

    #[test]
    fn only_playable_states_are_loaded() {
        let state = begun("star-empires", None).0.full_state();
        let read = |change: &dyn Fn(&mut TableState)| {
            let mut state = state.clone();
            change(&mut state);
            Table::from_state(state, SECRET).err().unwrap_or_default()
        };
        assert_eq!(read(&|_| {}), "");
        for other in [0, FORMAT - 1, FORMAT + 1] {
            assert!(read(&|state| state.format = other).contains(&format!("format {other}")));
        }
        assert!(read(&|state| state.position = None).contains("has no position"));
        assert!(read(&|state| drop(state.seats.pop())).contains("its game has"));
        assert!(read(&|state| state.created = None).contains("is unknown"));
        let occupant = |state: &mut TableState| {
            state.seats[0].occupant = Some(Occupant::Open(heliopause_proto::v1::OpenSeat {}));
        };
        assert_eq!(read(&occupant), "", "a seat may be open");
    }

    #[test]
    fn missing_dice_seeds_are_derived_from_revealed_entropy() {
        let mut state = begun("star-empires", None).0.full_state();
        assert!(!state.dice_seed.is_empty());
        let seed = |entropy: &[&[u8]]| chain::dice_seed(&SECRET, entropy.iter().copied());
        for (one, other, expected) in [
            (&b""[..], &b""[..], seed(&[])),
            (b"one", b"", seed(&[b"one"])),
            (b"one", b"two", seed(&[b"one", b"two"])),
        ] {
            state.dice_seed = bytes::Bytes::new();
            state.seats[0].entropy = one.to_vec().into();
            state.seats[1].entropy = other.to_vec().into();
            let read = Table::from_state(state.clone(), SECRET).expect("it is read");
            assert_eq!(read.state.dice_seed, expected.as_slice());
        }
    }
}
