//! The table, and how a step is taken.

use bytes::Bytes;
use heliopause_kernel::{Cast, Dice, Role, Roll, Seat, SeatSet, Viewer};
use heliopause_proto::store::v1::{self as store, Created, Entry, Step, TableState, step};
use heliopause_proto::v1::{
    Cursor, ErrorReason, Event, GameMasterAudience, GameStatus, SpectatorAudience, VoteState,
    audience,
};
use prost::Message as _;

use crate::chain::{self, Hash};
use crate::history::Phases;
use crate::registry::{self, AnyGame, Kind};
use crate::rehearsal::{Planted, on};
use crate::requests::Requests;
use crate::telling::{Telling, told_to};
use crate::time::{Millis, millis, stamp};
use crate::unhashed::{self, Texts};
use crate::{Fault, play, upgrade};

/// The version of [`TableState`] that this code writes. It reads all before.
pub const FORMAT: u32 = 2;

/// A position is hashed into every so manieth entry, and into the last: often enough to find where
/// a replay goes wrong.
const HASHED_EVERY: u64 = 16;

/// Setting a deadline also sets the game's own time right if that is further ahead than this.
const NOTABLE_AHEAD: Millis = 60 * 1000;

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
/// let (mut table, _) = Table::lay(created, [7; 32], "ann", 0).unwrap();
///
/// // A step that is refused changes nothing.
/// assert!(table.take(Step::default(), 1_000).is_err());
/// assert_eq!(table.entry(), 1);
///
/// let again = Table::load(&table.snapshot(), [7; 32]).unwrap();
/// assert_eq!(again.hash(), table.hash());
/// ```
pub struct Table {
    pub(crate) secret: Hash,
    pub(crate) kind: &'static Kind,
    /// Everything but the game's position, the scripted dice and the answers to requests, which
    /// live beside it.
    pub(crate) state: TableState,
    pub(crate) game: Option<Box<dyn AnyGame>>,
    pub(crate) dice: Dice,
    /// The answers to requests. Like the position, they are in the state only while it is stored.
    pub(crate) requests: Requests,
    /// The phases so far. They too are in the state only while it is stored.
    pub(crate) phases: Phases,
    /// The role of each seat; follows from the options, so it is not stored.
    pub(crate) roles: Vec<Role>,
    /// Whether the players' seats differ only in their number.
    pub(crate) alike: bool,
}

impl Clone for Table {
    fn clone(&self) -> Self {
        Self {
            secret: self.secret,
            kind: self.kind,
            state: self.state.clone(),
            game: self.game.as_ref().map(|game| game.boxed_clone()),
            dice: self.dice.clone(),
            requests: self.requests.clone(),
            phases: self.phases.clone(),
            roles: self.roles.clone(),
            alike: self.alike,
        }
    }
}

/// A step that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The entry for the journal.
    pub entry: Entry,
    /// The same, encoded.
    pub stored: Bytes,
    /// Changes of dedication ratings, by player id.
    pub ratings: Vec<(String, i32)>,
}

impl Table {
    /// Lays a table: takes its first step.
    pub fn lay(
        created: Created,
        secret: Hash,
        by: &str,
        now: Millis,
    ) -> Result<(Self, Taken), Fault> {
        Self::lay_for(created, secret, Step { by: by.to_owned(), ..Step::default() }, now)
    }

    /// Lays a table for a request: takes its first step, which names the asker and the request.
    pub fn lay_for(
        created: Created,
        secret: Hash,
        asked: Step,
        now: Millis,
    ) -> Result<(Self, Taken), Fault> {
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
        };
        let step = Step { kind: Some(step::Kind::Created(Box::new(created))), ..asked };
        let taken = table.take(step, now)?;
        Ok((table, taken))
    }

    /// Loads a table from a snapshot.
    pub fn load(snapshot: &[u8], secret: Hash) -> Result<Self, String> {
        let state = TableState::decode(snapshot)
            .map_err(|error| format!("the snapshot cannot be read: {error}"))?;
        Self::from_state(state, secret)
    }

    pub(crate) fn from_state(mut state: TableState, secret: Hash) -> Result<Self, String> {
        if state.format == 0 || state.format > FORMAT {
            return Err(format!(
                "the snapshot has format {}; this version reads up to {FORMAT}",
                state.format
            ));
        }
        let id = state.created.as_ref().map(|created| created.kind.clone()).unwrap_or_default();
        let kind = registry::kind(&id)
            .ok_or_else(|| format!("the snapshot is of an unknown game {id:?}"))?;
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
        upgrade::to_current(&mut state, game.as_deref());
        let created = state.created.clone().unwrap_or_default();
        let Cast { roles, alike } = kind
            .rules
            .cast(&created.options.unwrap_or_default(), created.seats.len())
            .map_err(|fault| fault.message)?;
        if state.seats.len() != roles.len() || roles.len() > Seat::MAX {
            return Err("the snapshot has other seats than its game".to_owned());
        }
        if game.is_none() && matches!(state.status(), GameStatus::Running | GameStatus::Paused) {
            return Err("the snapshot is of a running game without a position".to_owned());
        }
        Ok(Self { secret, kind, state, game, dice, requests, phases, roles, alike })
    }

    /// Says that the table from which this one was copied is gone: so the next copy costs less.
    pub fn settle_copy(&mut self) {
        self.requests.settle();
    }

    /// A snapshot to load it from.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut state = self.full_state();
        if on(Planted::SnapshotWithoutRequests) {
            state.requests.clear();
        }
        if on(Planted::SnapshotWithoutCounts) {
            state.told.iter_mut().for_each(|count| *count = 0);
        }
        state.encode_to_vec()
    }

    /// Everything that it consists of, whatever fault is planted: two tables are the same if this is.
    #[cfg(feature = "rehearsal")]
    pub fn whole(&self) -> Vec<u8> {
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

    /// Takes a step at a time, or refuses it and changes nothing.
    ///
    /// A `Ticked` step must first do everything that fell due before; see [`Table::due`].
    pub fn take(&mut self, step: Step, now: Millis) -> Result<Taken, Fault> {
        let now = self.time_of(&step, now);
        let mut telling = Telling::new(now, Texts::of(&step));
        // No step can be taken back once it has begun, so what a script may spoil is taken on a
        // copy.
        let before = self.answers_for_dice(&step.by).then(|| self.clone());
        let laying = matches!(step.kind, Some(step::Kind::Created(_)));
        let held = cfg!(debug_assertions).then(|| self.state.clone());
        if let Err(fault) = self.perform(&step, &mut telling) {
            debug_assert!(
                laying || held.as_ref() == Some(&self.state),
                "a refused step has changed nothing: {fault}"
            );
            return Err(fault);
        }
        self.settle(&mut telling);
        self.assert_settled();
        if let Err(fault) = self.check_dice(before.is_some() || laying, &mut telling) {
            if let Some(before) = before {
                *self = before;
            }
            return Err(fault);
        }
        self.remember_request(&step, now);
        self.note_phase(now);
        Ok(self.seal(step, telling))
    }

    /// How far a sandbox says that its clock is ahead of the server's.
    fn clock_ahead(&self) -> Millis {
        self.state.clock_ahead_seconds.saturating_mul(1000)
    }

    /// The game's own time: never before its last entry, and ahead of the server's if a sandbox
    /// says so.
    pub fn game_time(&self, now: Millis) -> Millis {
        now.saturating_add(self.clock_ahead())
            .max(self.state.now.as_ref().map_or(Millis::MIN, millis))
    }

    /// The time of a step. Only the setting of a deadline brings back a game's own time that ran
    /// ahead with a wrong clock.
    fn time_of(&self, step: &Step, now: Millis) -> Millis {
        let mends = matches!(step.kind, Some(step::Kind::DeadlineSet(_)));
        let right = now.saturating_add(self.clock_ahead());
        if mends && self.clock_was_ahead(right) > 0 { right } else { self.game_time(now) }
    }

    /// How far a wrong clock has put the game's own time ahead; nothing if that is little.
    pub fn ahead_of(&self, now: Millis) -> Millis {
        self.clock_was_ahead(now.saturating_add(self.clock_ahead()))
    }

    /// How far ahead the clock was that gave the last step its time; nothing if too little to be
    /// worth mending.
    pub(crate) fn clock_was_ahead(&self, right: Millis) -> Millis {
        let ahead = at(self.state.now.as_ref()).map_or(0, |last| last.saturating_sub(right));
        if ahead > NOTABLE_AHEAD { ahead } else { 0 }
    }

    /// Sets every time back that was counted from the time of a clock that was ahead, but for the
    /// deadline: whoever mends that sets it anew, and whatever it becomes is news to all.
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
        let of_table = [&mut state.not_before, &mut state.next_pace_from, &mut state.asleep_since];
        for time in of_seats.chain(of_votes).chain(of_table).filter_map(Option::as_mut) {
            *time = stamp(millis(time).saturating_sub(ahead));
        }
    }

    fn perform(&mut self, step: &Step, telling: &mut Telling) -> Result<(), Fault> {
        use step::Kind;
        let by = step.by.as_str();
        let kind =
            step.kind.as_ref().ok_or_else(|| Fault::field("step", "The step says nothing."))?;
        match kind {
            Kind::Created(created) => self.lay_out(created, telling),
            Kind::Joined(joined) => self.join(joined, telling),
            Kind::Left(_) => self.leave(by, telling),
            Kind::StartCalled(call) => self.call_start(by, call, telling),
            Kind::EntropyRevealed(revealed) => self.reveal(by, revealed, telling),
            Kind::OrdersGiven(given) => self.take_orders(by, given, telling),
            Kind::OrdersTakenBack(taken) => self.take_back(by, taken, telling),
            Kind::FlagSet(flag) => self.set_flag(by, flag, telling),
            Kind::Ticked(_) => {
                self.tick(telling);
                Ok(())
            }
            Kind::PhaseClosed(_) => self.close_by_hand(by, telling),
            Kind::MessageSent(message) => self.send(by, message, telling),
            Kind::VoteProposed(vote) => self.propose(by, vote, telling),
            Kind::VoteCast(cast) => self.cast_vote(by, cast, telling),
            Kind::PauseSet(pause) => self.set_pause(by, pause.paused, telling),
            Kind::DeadlineSet(set) => {
                self.set_deadline(by, set.deadline.as_ref().map(millis), telling)
            }
            Kind::PaceSet(set) => self.set_pace(by, set.pace.as_ref(), telling),
            Kind::SeatGiven(given) => self.give_seat(by, given, telling),
            Kind::SeatAutomated(automated) => self.automate(by, automated, telling),
            Kind::VacationSet(vacation) => self.set_vacation(by, vacation, telling),
            Kind::Resigned(resigned) => self.resign(by, resigned, telling),
            Kind::Delegated(delegated) => self.delegate(by, delegated, telling),
            Kind::MissExcused(excused) => self.excuse(by, excused, telling),
            Kind::OutcomeDeclared(declared) => self.declare(by, declared, telling),
            Kind::GameCancelled(_) => self.cancel_by_hand(by, telling),
            Kind::GameExported(exported) => self.note_export(by, exported, telling),
            Kind::OperatorActed(acted) => self.operate(acted, telling),
            Kind::HostBanned(banned) => self.host_banned(&banned.player_id, telling),
            Kind::InvitationDeclined(_) => self.decline(by, telling),
            Kind::AutomationSlept(_) => self.fall_asleep(telling),
            Kind::AutomationWoken(_) => self.wake(telling),
            Kind::DecisionDefaulted(given) => self.default_decision(given, telling),
            Kind::PlayerErased(erased) => {
                self.erase(&erased.player_id, telling);
                Ok(())
            }
            Kind::DiceScripted(scripted) => self.script_dice(by, scripted, telling),
            Kind::ClockAdvanced(advanced) => self.advance_clock(by, advanced, telling),
            Kind::PositionKept(kept) => self.keep_position(kept),
            Kind::RulesChanged(_) => {
                self.state.rules_version = self.kind.rules_version();
                Ok(())
            }
        }
    }

    /// Asserts what holds between any two steps.
    fn assert_settled(&self) {
        let status = self.status();
        assert!(
            self.game.is_some() || !matches!(status, GameStatus::Running | GameStatus::Paused),
            "a running game has a state"
        );
        assert_eq!(self.state.seats.len(), self.roles.len(), "every seat has a role");
        debug_assert!(
            self.state.seats.iter().enumerate().all(|(index, seat)| {
                let owed = self.pending();
                let owed = owed.iter().filter(|decision| decision.seat.index() == index);
                owed.map(play::key).eq(seat.asked.iter().cloned())
            }),
            "every seat was told which decisions it owes"
        );
    }

    /// Makes the entry of a step that was taken, and counts it.
    fn seal(&mut self, mut step: Step, telling: Telling) -> Taken {
        debug_assert!(
            matches!(step.kind, Some(step::Kind::DeadlineSet(_)))
                || at(self.state.now.as_ref()).is_none_or(|last| last <= telling.now),
            "a game's own time goes back only where its deadline is set"
        );
        let number = self.state.entry + 1;
        let told_before = self.state.told.clone();
        for told in &telling.events {
            self.count(told);
        }
        debug_assert!(
            self.state.told.iter().zip(&told_before).all(|(now, before)| now >= before),
            "no audience forgets an event"
        );
        let ended = self.status() == GameStatus::Ended;
        let hashed = number.is_multiple_of(HASHED_EVERY) || ended;
        let position_hash = match &self.game {
            Some(game) if hashed => chain::sha256(&[&game.position().encode_to_vec()]).to_vec(),
            _ => Vec::new(),
        };
        let (text_commitments, unhashed) = unhashed::set_apart(&mut step, telling.texts);
        let mut entry = Entry {
            number,
            time: Some(stamp(telling.now)),
            step: Some(step),
            events: telling.events,
            rolls: self.dice.take_rolled().iter().map(stored_roll).collect(),
            rules_version: self.kind.rules_version(),
            position_hash: position_hash.into(),
            told_before,
            stopped: telling.stopped,
            text_commitments,
            hash: Bytes::new(),
            unhashed,
        };
        let stored = chain::seal(&self.secret, &self.state.hash, &mut entry);
        self.state.entry = number;
        self.state.hash = entry.hash.clone();
        self.state.now = Some(stamp(telling.now));
        Taken { entry, stored, ratings: telling.ratings }
    }

    /// The index of an audience in the counts of events told.
    pub(crate) fn audience_index(viewer: Viewer) -> usize {
        match viewer {
            Viewer::Spectator => 0,
            Viewer::GameMaster => 1,
            Viewer::Seat(seat) => 2 + seat.index(),
        }
    }

    fn count(&mut self, told: &store::ToldEvent) {
        let seats = self.state.seats.len();
        self.state.told.resize(2 + seats, 0);
        for viewer in viewers(seats).filter(|&viewer| told_to(told, viewer)) {
            self.state.told[Self::audience_index(viewer)] += 1;
        }
    }

    /// How many events an audience has been told.
    pub fn told(&self, viewer: Viewer) -> u64 {
        self.state.told.get(Self::audience_index(viewer)).copied().unwrap_or(0)
    }

    /// How many events an audience had been told before an entry.
    pub fn told_before(entry: &Entry, viewer: Viewer) -> u64 {
        entry.told_before.get(Self::audience_index(viewer)).copied().unwrap_or(0)
    }

    /// The events of an entry as an audience is told, with their numbers.
    pub fn events_for(entry: &Entry, viewer: Viewer) -> impl Iterator<Item = Event> {
        let before = Self::told_before(entry, viewer);
        let told = entry.events.iter().filter(move |told| told_to(told, viewer));
        told.zip(before + 1..).filter_map(|(told, number)| {
            Some(Event { number, ..unhashed::whole_event(entry, told)? })
        })
    }

    /// The place of an audience after its newest event.
    pub fn cursor(&self, viewer: Viewer) -> Cursor {
        Cursor { audience: Some(audience_of(viewer)), number: self.told(viewer), time: None }
    }

    /// Takes the step of a stored or exported entry again and checks that it comes out the same. The
    /// unhashed part is taken over as far as it is there.
    pub fn replay(&mut self, entry: &Entry) -> Result<(), String> {
        let step = unhashed::whole_step(entry).ok_or("an entry has no step")?;
        let now = entry.time.as_ref().map(millis).ok_or("an entry has no time")?;
        // The stored time is the game's own: what a sandbox clock runs ahead is in it already.
        let server_time = now.saturating_sub(self.clock_ahead());
        let taken = self
            .take(step, server_time)
            .map_err(|fault| format!("entry {}: {fault}", entry.number))?;
        if comes_out_the_same(taken, entry) {
            return Ok(());
        }
        Err(format!("entry {} comes out different when it is replayed", entry.number))
    }

    /// The table that a game's first entry lays.
    pub fn replay_first(entry: &Entry, secret: Hash) -> Result<Self, String> {
        let Some(Step { kind: Some(step::Kind::Created(created)), by, request_id, request_digest }) =
            unhashed::whole_step(entry)
        else {
            return Err("the first entry does not lay a table".to_owned());
        };
        let asked = Step { by, request_id, request_digest, kind: None };
        let now = entry.time.as_ref().map(millis).ok_or("the first entry has no time")?;
        let (table, taken) =
            Self::lay_for(*created, secret, asked, now).map_err(|fault| fault.message)?;
        if comes_out_the_same(taken, entry) {
            return Ok(table);
        }
        Err("entry 1 comes out different when it is replayed".to_owned())
    }

    /// Whether the state was made under other rules than this version's: then `RulesChanged` must
    /// be the next step.
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

    /// When something falls due next, in the server's time, and a `Ticked` step must be taken.
    pub fn due(&self) -> Option<Millis> {
        Some(self.next_due()?.saturating_sub(self.clock_ahead()))
    }

    /// The table's status.
    pub fn status(&self) -> GameStatus {
        self.state.status()
    }

    /// The number of the last entry.
    pub fn entry(&self) -> u64 {
        self.state.entry
    }

    /// The hash of the last entry.
    pub fn hash(&self) -> &[u8] {
        &self.state.hash
    }

    /// The secret seed.
    pub fn secret(&self) -> &Hash {
        &self.secret
    }

    /// The kind of game.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The game in play, once it has started.
    pub fn game(&self) -> Option<&dyn AnyGame> {
        self.game.as_deref()
    }

    /// How the table was laid.
    pub(crate) fn created(&self) -> &Created {
        self.state.created.as_ref().expect("the first step of every table is its creation")
    }

    /// Whether it is a sandbox game.
    pub fn is_sandbox(&self) -> bool {
        self.created().sandbox.is_some()
    }

    /// How many seats are players'. The seats after them are automation's alone.
    pub(crate) fn players(&self) -> usize {
        self.created().seats.len()
    }

    /// Asserts that a caller has read the seat with [`Table::seat_numbered`] or had it from here.
    #[track_caller]
    pub(crate) fn assert_seat(&self, seat: Seat) {
        let seats = self.state.seats.len();
        assert!(seat.index() < seats, "{seat} is not one of the {seats} seats of the table");
    }

    /// The seat with a number, if there is one.
    pub(crate) fn seat_numbered(&self, number: u32) -> Result<Seat, Fault> {
        Seat::numbered(number).filter(|seat| seat.index() < self.state.seats.len()).ok_or_else(
            || {
                Fault::field(
                    "seat",
                    format!(
                        "There is no seat {number}; seats are 1 to {}.",
                        self.state.seats.len()
                    ),
                )
            },
        )
    }

    /// The seats that are still in the game.
    pub(crate) fn alive(&self) -> SeatSet {
        self.game.as_ref().map_or_else(|| SeatSet::first(self.players()), |game| game.alive())
    }

    pub(crate) fn require_status(&self, allowed: &[GameStatus], what: &str) -> Result<(), Fault> {
        if allowed.contains(&self.status()) {
            return Ok(());
        }
        self.check_operator_pause(what)?;
        let status = self.status().as_str_name().trim_start_matches("GAME_STATUS_").to_lowercase();
        Err(self.wrong_status(format!("The game is {status}: {what}.")))
    }

    /// The request does not fit the state of the game.
    pub fn wrong_status(&self, text: impl Into<String>) -> Fault {
        Fault::new(ErrorReason::WrongStatus, text).with("status", self.status().as_str_name())
    }
}

/// Whether a step that was taken again made the entry that it made the first time.
fn comes_out_the_same(taken: Taken, entry: &Entry) -> bool {
    Entry { unhashed: entry.unhashed.clone(), ..taken.entry } == *entry
}

/// Every audience of a table with so many seats.
pub(crate) fn viewers(seats: usize) -> impl Iterator<Item = Viewer> {
    [Viewer::Spectator, Viewer::GameMaster].into_iter().chain(Seat::first(seats).map(Viewer::Seat))
}

/// An audience as the contract names it.
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

/// A time of the state.
pub(crate) fn at(time: Option<&prost_types::Timestamp>) -> Option<Millis> {
    time.map(millis)
}
