//! Playing: orders, flags, and the consequences of every step.

use heliopause_kernel::{Actor, Decision, Outcome, Refusal, Seat, Why};
use heliopause_proto::store::v1::{
    DecisionKey, FlagSet, OrdersGiven, OrdersTakenBack, RequestRecord, SeatState, StandInReason,
    Step, seat_state, step,
};
use heliopause_proto::v1::{
    self as v1, CloseReason, DecisionClosed, DecisionOpened, ErrorReason, FlagsChanged, GameEnded,
    GameStatus, OrdersAccepted, SeatChange, event,
};
use prost::Message as _;

use crate::lists::Played;
use crate::rehearsal::{Planted, mark, on};
use crate::requests::Asker;
use crate::telling::Telling;
use crate::time::{Millis, stamp};
use crate::{Fault, Table, chain, unhashed};

/// How many orders one call may give. A big empire's whole turn fits well.
const ORDERS_MAX: usize = 5_000;
/// How large an automated seat's memo may be.
const MEMO_BYTES_MAX: usize = 64 * 1024;

/// The result of a request's order, kept so that a retry gets the first answer again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The entry that took the orders.
    pub entry: u64,
    /// The phase that the next order must name.
    pub phase: u64,
    /// The revision that the next order must name.
    pub revision: u64,
}

impl Table {
    /// The first answer to a request, if it was made before: then nothing must be done again.
    pub fn answered(&self, step: &Step) -> Result<Option<Answered>, Fault> {
        let Some(asker) = asker(step) else { return Ok(None) };
        if on(Planted::RetryIsNew) {
            return Ok(None);
        }
        let Some(record) = self.requests.find(&asker, &step.request_id) else { return Ok(None) };
        if record.digest != digest(step) {
            let text = "This request id was used for something else before; choose a fresh one.";
            return Err(Fault::new(ErrorReason::RequestIdReused, text));
        }
        mark("a retry got its first answer");
        Ok(Some(Answered { entry: record.entry, phase: record.phase, revision: record.revision }))
    }

    /// Whether a seat (or, without one, the game master) made a request with this id before.
    pub fn was_asked(&self, seat: Option<Seat>, request_id: &str) -> bool {
        self.requests.find(&Asker::seat(seat.map_or(0, Seat::number)), request_id).is_some()
    }

    /// Whether an account has already made a request with this id for no seat.
    pub fn was_asked_by(&self, player_id: &str, request_id: &str) -> bool {
        !request_id.is_empty()
            && self.requests.find(&Asker::account(player_id), request_id).is_some()
    }

    /// Keeps the answer to a request, for retries.
    pub(crate) fn remember_request(&mut self, step: &Step, now: Millis) {
        let Some(asker) = asker(step) else { return };
        let standing = ordering_seat(step)
            .and_then(Seat::numbered)
            .and_then(|seat| self.state.seats.get(seat.index()));
        let (phase, revision) = standing.map_or((0, 0), |state| (state.phase, state.revision));
        let record = RequestRecord {
            request_id: step.request_id.clone(),
            digest: digest(step),
            // The entry that is being made carries the number after the last.
            entry: self.state.entry + 1,
            time: Some(stamp(now)),
            phase,
            revision,
            ..asker.record()
        };
        self.requests.keep(record);
    }

    pub(crate) fn take_orders(
        &mut self,
        by: &str,
        given: &OrdersGiven,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "it takes no orders")?;
        check_size(given)?;
        let actor = self.actor(by, given)?;
        if let Actor::Seat(seat) = actor {
            self.require_current(seat, given.phase, Some(given.revision))?;
            if given.ready && !given.orders.is_empty() {
                self.require_revisable(seat)?;
            }
        }
        let letters = match actor {
            Actor::Seat(seat) => self.letters(seat, given)?,
            Actor::GameMaster => Vec::new(),
        };
        let Played { happenings, stopped } = self.play(actor, &given.orders)?;
        telling.stopped = stopped;
        let Actor::Seat(seat) = actor else {
            telling.game(happenings);
            return Ok(());
        };
        // If the list stopped, everything that belongs to it as a whole is dropped.
        let is_whole = telling.stopped.is_none();
        if given.automation.is_empty() {
            self.player_is_back(seat, telling);
        }
        let state = &mut self.state.seats[seat.index()];
        let phase = state.phase;
        state.revision += 1;
        state.ready = given.ready && is_whole;
        state.ordered = true;
        if let Some(memo) = given.memo.as_ref().filter(|_| is_whole) {
            state.memo = memo.clone();
        }
        if self.state.in_grace {
            self.state.late_orders = true;
        }
        self.tell_accepted(seat, phase, given, telling);
        telling.game(happenings);
        if is_whole {
            self.post_letters(seat, &letters, telling);
        }
        Ok(())
    }

    /// The giver of these orders: a player for their own seat, automation for its seat, or the game
    /// master.
    fn actor(&self, by: &str, given: &OrdersGiven) -> Result<Actor, Fault> {
        if given.seat == 0 {
            self.require_game_master(by, "give the game master's orders")?;
            return Ok(Actor::GameMaster);
        }
        let seat = self.seat_numbered(given.seat)?;
        if given.automation.is_empty() {
            return self.require_seat(by, seat).map(|()| Actor::Seat(seat));
        }
        self.require_worker(by)?;
        if self.automation_of(seat).is_none() {
            return Err(Fault::new(
                ErrorReason::LeaseLost,
                "Automation does not play this seat any more.",
            ));
        }
        Ok(Actor::Seat(seat))
    }

    /// Whether a seat is in this phase, with its orders at this revision.
    pub fn is_at(&self, seat: Seat, phase: u64, revision: u64) -> bool {
        self.assert_seat(seat);
        self.require_current(seat, phase, Some(revision)).is_ok()
    }

    /// Refuses any phase or revision but the seat's current one.
    pub(crate) fn require_current(
        &self,
        seat: Seat,
        phase: u64,
        revision: Option<u64>,
    ) -> Result<(), Fault> {
        let state = &self.state.seats[seat.index()];
        let fault = if phase != state.phase {
            let (named, now) = (phase, state.phase);
            let text = format!("Phase {named} of this seat is not open: it is in phase {now} now.");
            Fault::new(ErrorReason::PhaseClosed, text)
        } else if revision.is_some_and(|revision| revision != state.revision) {
            let now = state.revision;
            Fault::new(
                ErrorReason::StaleRevision,
                format!("This seat's orders are at revision {now} by now; look again."),
            )
        } else {
            return Ok(());
        };
        Err(fault.with("phase", state.phase).with("revision", state.revision))
    }

    /// Whether a seat has an open decision that it may answer again until its phase closes.
    pub fn may_revise(&self, seat: Seat) -> bool {
        self.assert_seat(seat);
        self.pending().iter().any(|decision| decision.seat == seat && decision.revisable)
    }

    fn require_revisable(&self, seat: Seat) -> Result<(), Fault> {
        if self.may_revise(seat) {
            return Ok(());
        }
        Err(Fault::field(
            "ready",
            "Only decisions that may be revised have a ready mark; this one is resolved at once.",
        ))
    }

    /// Takes back the orders of the open phase: they are kept, so nothing has come of them yet.
    pub(crate) fn take_back(
        &mut self,
        by: &str,
        taken: &OrdersTakenBack,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "no orders are taken back")?;
        let seat = self.seat_numbered(taken.seat)?;
        self.require_seat(by, seat)?;
        self.require_current(seat, taken.phase, None)?;
        if !self.pending().iter().any(|decision| decision.seat == seat) {
            return Err(Refusal::new(
                "not-asked",
                "",
                "Nothing is asked of this seat, so there is nothing to take back.",
            )
            .into());
        }
        let names = self.all_names();
        let game = self.game.as_mut().expect("a running game has a state");
        let happenings = game.take_back(seat, &|seat| names[seat.index()].clone())?;
        let state = &mut self.state.seats[seat.index()];
        state.revision += 1;
        (state.ready, state.submitted, state.ordered) = (false, false, false);
        let (phase, revision) = (state.phase, state.revision);
        let body = OrdersAccepted { phase, revision, ..OrdersAccepted::default() };
        let text = "Your orders of this phase are taken back.";
        telling.seat(seat, text, event::Body::OrdersAccepted(body));
        telling.game(happenings);
        Ok(())
    }

    pub(crate) fn set_flag(
        &mut self,
        by: &str,
        flag: &FlagSet,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        let seat = self.seat_numbered(flag.seat)?;
        self.require_seat(by, seat)?;
        self.require_flaggable(seat, flag.phase)?;
        let state = &mut self.state.seats[seat.index()];
        state.ready = flag.ready.unwrap_or(state.ready);
        if let Some(ready) = flag.ready {
            // Whoever is ready without orders has submitted an empty set of them.
            state.submitted = ready || (state.submitted && state.revision > 0);
        }
        state.wait = flag.wait.unwrap_or(state.wait);
        let body = FlagsChanged { ready: state.ready, wait: state.wait };
        let text = match (body.ready, body.wait) {
            (true, false) => "Your orders are ready.",
            (false, false) => "Your orders are not ready.",
            (true, true) => "Your orders are ready, but the phase waits for its deadline.",
            (false, true) => "The phase waits for its deadline.",
        };
        telling.seat(seat, text, event::Body::FlagsChanged(body));
        Ok(())
    }

    /// Refuses flags unless the seat has a decision of this phase that it may revise.
    pub(crate) fn require_flaggable(&self, seat: Seat, phase: u64) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "flags cannot be set")?;
        self.require_current(seat, phase, None)?;
        self.require_revisable(seat)
    }

    fn tell_accepted(&self, seat: Seat, phase: u64, given: &OrdersGiven, telling: &mut Telling) {
        let game = self.game.as_ref().expect("a running game has a state");
        let taken =
            telling.stopped.as_ref().map_or(given.orders.len(), |stopped| stopped.taken as usize);
        let untaken = (given.orders.len() - taken) as u32;
        let notation: Vec<String> =
            given.orders[..taken].iter().filter_map(|order| game.notate(order).ok()).collect();
        let mut text = match notation.as_slice() {
            [] => "No orders.".to_owned(),
            [one] => format!("Ordered: {one}."),
            more => format!("Ordered {} lines.", more.len()),
        };
        if let Some(refused) = telling.stopped.as_ref().and_then(|stopped| stopped.refused.as_ref())
        {
            let behind = if untaken > 1 {
                format!(", nor the {} behind it", untaken - 1)
            } else {
                String::new()
            };
            text = format!("{text} Not taken: {} ({}){behind}.", refused.notation, refused.message);
        }
        let revision = self.state.seats[seat.index()].revision;
        let body = OrdersAccepted {
            notation,
            phase,
            revision,
            automation: given.automation.clone(),
            untaken,
        };
        telling.seat(seat, text, event::Body::OrdersAccepted(body));
    }

    /// Brings everything up to date after a step: closes ready phases, opens and closes decisions,
    /// ends the game, delivers messages.
    pub(crate) fn settle(&mut self, telling: &mut Telling) {
        self.start_if_full(telling);
        self.sync_decisions(CloseReason::Answered, telling);
        while self.may_close_early(telling.now) {
            self.close_phase(Why::AllReady, CloseReason::AllReady, telling);
        }
        self.deliver_held(telling);
    }

    pub(crate) fn close_phase(&mut self, why: Why, reason: CloseReason, telling: &mut Telling) {
        assert_eq!(
            self.status(),
            GameStatus::Running,
            "no phase closes while the game stands still"
        );
        let names = self.all_names();
        let game = self.game.as_mut().expect("a running game has a state");
        telling.game(game.close(why, &mut self.dice, &|seat| names[seat.index()].clone()));
        self.sync_decisions(reason, telling);
    }

    /// The decisions that are open.
    pub(crate) fn pending(&self) -> Vec<Decision> {
        let running = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        self.game.as_ref().filter(|_| running).map(|game| game.pending()).unwrap_or_default()
    }

    /// Compares each seat's open decisions with the earlier ones, and tells it of the changes.
    fn sync_decisions(&mut self, reason: CloseReason, telling: &mut Telling) {
        self.end_if_over(reason, telling);
        let pending = self.pending();
        let mut opened = Vec::new();
        let mut changed = false;
        for index in 0..self.state.seats.len() {
            let seat = Seat::at(index);
            let asked: Vec<&Decision> =
                pending.iter().filter(|decision| decision.seat == seat).collect();
            let keys: Vec<DecisionKey> = asked.iter().copied().map(key).collect();
            if self.state.seats[index].asked == keys {
                continue;
            }
            changed = true;
            self.close_seat(seat, reason, telling);
            self.state.seats[index].asked = keys;
            opened.extend(asked.into_iter().cloned());
        }
        if changed {
            self.follow_turn(&pending, telling);
            self.follow_waiting(&pending, &opened, telling.now);
            self.open_deadline(&pending, &opened, telling);
        }
        for decision in &opened {
            let body = DecisionOpened { decision: Some(self.decision_message(decision)) };
            telling.seat(decision.seat, decision.prompt.clone(), event::Body::DecisionOpened(body));
        }
    }

    /// Ends a seat's phase: its questions are no longer open.
    fn close_seat(&mut self, seat: Seat, reason: CloseReason, telling: &mut Telling) {
        self.note_submitted(seat);
        let state = &mut self.state.seats[seat.index()];
        if !state.asked.is_empty() {
            let reason = if reason == CloseReason::Answered && state.revision == 0 {
                CloseReason::Overtaken
            } else {
                reason
            };
            let body = DecisionClosed { phase: state.phase, reason: reason.into() };
            telling.seat(seat, "The decision is closed.", event::Body::DecisionClosed(body));
        }
        state.phase += 1;
        state.revision = 0;
        state.ready = false;
        state.wait = false;
        state.submitted = false;
        state.ordered = false;
    }

    fn end_if_over(&mut self, reason: CloseReason, telling: &mut Telling) {
        if self.status() != GameStatus::Running {
            return;
        }
        if let Some(outcome) = self.game.as_ref().and_then(|game| game.outcome()) {
            self.end(outcome_message(&outcome), reason, telling);
        }
    }

    /// Closes all open questions: the game asks nothing more.
    pub(crate) fn close_all_seats(&mut self, reason: CloseReason, telling: &mut Telling) {
        for index in 0..self.state.seats.len() {
            if !self.state.seats[index].asked.is_empty() {
                self.close_seat(Seat::at(index), reason, telling);
                self.state.seats[index].asked.clear();
            }
        }
    }

    /// Ends the game. That is the last thing that anybody is told of it.
    pub(crate) fn end(&mut self, outcome: v1::Outcome, reason: CloseReason, telling: &mut Telling) {
        assert_ne!(self.status(), GameStatus::Ended, "a game ends once");
        self.close_all_seats(reason, telling);
        self.settle_turn(telling);
        self.drop_votes(telling);
        self.state.set_status(GameStatus::Ended);
        self.release_ratings(telling);
        self.state.ended_at = Some(stamp(telling.now));
        self.state.deadline = None;
        self.state.outcome = Some(outcome.clone());
        self.release_held(telling);
        self.reveal_game(telling);
        let text = format!("The game is over. {}", outcome.summary);
        let seed = bytes::Bytes::copy_from_slice(&self.secret);
        telling.everyone(text, event::Body::GameEnded(GameEnded { outcome: Some(outcome), seed }));
    }

    /// However it ended, nothing stays hidden.
    fn reveal_game(&mut self, telling: &mut Telling) {
        let names = self.all_names();
        if let Some(game) = self.game.as_mut() {
            telling.game(game.reveal(&|seat| names[seat.index()].clone()));
        }
    }

    pub(crate) fn game_seat_changed(
        &mut self,
        seat: Seat,
        change: heliopause_kernel::SeatChange,
        telling: &mut Telling,
    ) {
        let names = self.all_names();
        if let Some(game) = self.game.as_mut() {
            telling.game(game.seat_changed(seat, change, &|seat| names[seat.index()].clone()));
        }
    }

    /// The automation that plays a seat now.
    pub(crate) fn automation_of(&self, seat: Seat) -> Option<&v1::AutomatedSeat> {
        let state = &self.state.seats[seat.index()];
        match &state.occupant {
            Some(seat_state::Occupant::Automated(by)) => Some(by),
            _ => state.stand_in.as_ref(),
        }
    }

    /// A player who orders has submitted, and has their seat back, unless the game master took it
    /// from them.
    fn player_is_back(&mut self, seat: Seat, telling: &mut Telling) {
        let state = &mut self.state.seats[seat.index()];
        state.submitted = true;
        if state.stand_in.is_some() {
            clear_stand_in(state);
            self.tell_seat(seat, SeatChange::HandedBack, telling);
        }
    }
}

pub(crate) fn clear_stand_in(state: &mut SeatState) {
    state.stand_in = None;
    state.set_stand_in_reason(StandInReason::Unspecified);
}

pub(crate) fn key(decision: &Decision) -> DecisionKey {
    DecisionKey {
        kind: decision.kind.to_owned(),
        number: decision.number,
        prompt: decision.prompt.clone(),
    }
}

/// The asker of a step with a request id. A seat's orders and messages belong to the seat, whoever
/// holds it; the rest belongs to the caller.
fn asker(step: &Step) -> Option<Asker> {
    if step.request_id.is_empty() {
        return None;
    }
    Some(match step.kind.as_ref()? {
        step::Kind::MessageSent(sent) => Asker::seat(sent.from_seat),
        _ => ordering_seat(step).map_or_else(|| Asker::account(&step.by), Asker::seat),
    })
}

/// The seat (0 for the game master) that gives orders by a step.
fn ordering_seat(step: &Step) -> Option<u32> {
    match step.kind.as_ref()? {
        step::Kind::OrdersGiven(given) => Some(given.seat),
        step::Kind::OrdersTakenBack(taken) => Some(taken.seat),
        _ => None,
    }
}

/// The mark that tells a request from another under the same id.
fn digest(step: &Step) -> bytes::Bytes {
    if step.request_digest.is_empty() {
        let asked = unhashed::without_salts(step).encode_to_vec();
        return bytes::Bytes::copy_from_slice(&chain::sha256(&[&asked]));
    }
    step.request_digest.clone()
}

fn check_size(given: &OrdersGiven) -> Result<(), Fault> {
    if given.orders.len() > ORDERS_MAX {
        return Err(Fault::field("orders", format!("At most {ORDERS_MAX} orders in one call.")));
    }
    if given.memo.as_ref().is_some_and(|memo| memo.len() > MEMO_BYTES_MAX) {
        return Err(Fault::field("memo", format!("A memo has at most {MEMO_BYTES_MAX} bytes.")));
    }
    Ok(())
}

pub(crate) fn outcome_message(outcome: &Outcome) -> v1::Outcome {
    v1::Outcome {
        winners: outcome.winners.iter().map(Seat::number).collect(),
        draw: outcome.draw,
        points: outcome.points.clone(),
        unit: outcome.unit.to_owned(),
        summary: outcome.summary.clone(),
        rule: outcome.rule.to_owned(),
        ..v1::Outcome::default()
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::SeatSet;

    use super::*;

    #[test]
    fn an_outcome_is_told_as_the_game_says_it() {
        let outcome = Outcome {
            winners: SeatSet::first(2),
            draw: true,
            points: vec![3, -1],
            unit: "credit",
            summary: "A draw.".to_owned(),
            rule: "9",
        };
        let told = v1::Outcome {
            winners: vec![1, 2],
            draw: true,
            points: vec![3, -1],
            unit: "credit".to_owned(),
            summary: "A draw.".to_owned(),
            rule: "9".to_owned(),
            ..v1::Outcome::default()
        };
        assert_eq!(outcome_message(&outcome), told);
    }
}
