//! Orders and flags of players, and the consequences of every step.

use heliopause_kernel::{Actor, CloseCause, Decision, Outcome, Refusal, Seat};
use heliopause_proto::store::v1::{
    DecisionKey, FlagSet, OrdersGiven, OrdersWithdrawn, RequestRecord, SeatState, StandInReason,
    Step, seat_state, step,
};
use heliopause_proto::v1::{
    self as v1, CloseReason, DecisionClosed, DecisionOpened, ErrorReason, FlagsChanged, GameEnded,
    GameStatus, OrdersAccepted, SeatChange, event,
};
use prost::Message as _;

use crate::effects::Effects;
use crate::lists::AppliedOrders;
use crate::requests::Requester;
use crate::table::decision_key;
use crate::time::{Millis, stamp};
use crate::{Fault, Table, chain, unhashed};

/// Maximum number of orders in a call. The whole turn of a large empire needs fewer.
const ORDERS_MAX: usize = 5_000;
const MEMO_BYTES_MAX: usize = 64 * 1024;

/// The result of a request, stored so that a retry gets the same response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    pub entry: u64,
    /// The phase that the seat's next orders must name.
    pub phase: u64,
    pub revision: u64,
}

impl Table {
    /// Returns the first response if the step retries a request, and `None` otherwise. Fails if the
    /// request id was used for another request.
    pub fn answered(&self, step: &Step) -> Result<Option<Answered>, Fault> {
        let Some(requester) = requester(step) else { return Ok(None) };
        let Some(record) = self.requests.find(&requester, &step.request_id) else {
            return Ok(None);
        };
        if record.digest != digest(step) {
            let text = "This request id was used for another request; choose a new one.";
            return Err(Fault::new(ErrorReason::RequestIdReused, text));
        }
        Ok(Some(Answered { entry: record.entry, phase: record.phase, revision: record.revision }))
    }

    /// Returns whether the seat (`None`: the game master) already made a request with this id.
    pub fn was_requested(&self, seat: Option<Seat>, request_id: &str) -> bool {
        self.requests.find(&Requester::seat(seat.map_or(0, Seat::number)), request_id).is_some()
    }

    /// Returns whether an account already made a request with this id for itself, not for a seat.
    pub fn was_requested_by(&self, player_id: &str, request_id: &str) -> bool {
        !request_id.is_empty()
            && self.requests.find(&Requester::account(player_id), request_id).is_some()
    }

    pub(crate) fn remember_request(&mut self, step: &Step, now: Millis) {
        let Some(requester) = requester(step) else { return };
        let seat_state = ordering_seat(step)
            .and_then(Seat::numbered)
            .and_then(|seat| self.state.seats.get(seat.index()));
        let (phase, revision) = seat_state.map_or((0, 0), |state| (state.phase, state.revision));
        let record = RequestRecord {
            request_id: step.request_id.clone(),
            digest: digest(step),
            // The state does not count the entry of this step yet.
            entry: self.state.entry + 1,
            time: Some(stamp(now)),
            phase,
            revision,
            ..requester.record()
        };
        self.requests.keep(record);
    }

    pub(crate) fn accept_orders(
        &mut self,
        by: &str,
        given: &OrdersGiven,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "it accepts no orders")?;
        check_size(given)?;
        let actor = self.actor(by, given)?;
        if let Actor::Seat(seat) = actor {
            self.require_current(seat, given.phase, Some(given.revision))?;
            if given.ready && !given.orders.is_empty() {
                self.require_revisable(seat)?;
            }
        }
        let checked_messages = match actor {
            Actor::Seat(seat) => self.checked_messages(seat, given)?,
            Actor::GameMaster => Vec::new(),
        };
        let AppliedOrders { happenings, stopped } = self.play(actor, &given.orders)?;
        effects.stopped = stopped;
        let Actor::Seat(seat) = actor else {
            effects.game(happenings);
            return Ok(());
        };
        // If the list stopped, ignore the parts of the request that apply only to the whole list.
        let is_whole = effects.stopped.is_none();
        if given.automation.is_empty() {
            self.player_is_back(seat, effects);
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
        self.publish_accepted(seat, phase, given, effects);
        effects.game(happenings);
        if is_whole {
            self.post_messages(seat, &checked_messages, effects);
        }
        Ok(())
    }

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
            let text = format!("Automation no longer plays {seat}.");
            return Err(Fault::new(ErrorReason::LeaseLost, text));
        }
        Ok(Actor::Seat(seat))
    }

    pub fn is_at(&self, seat: Seat, phase: u64, revision: u64) -> bool {
        self.assert_seat(seat);
        self.require_current(seat, phase, Some(revision)).is_ok()
    }

    /// Checks that a request names the current phase and, if given, the current revision of a seat.
    pub(crate) fn require_current(
        &self,
        seat: Seat,
        phase: u64,
        revision: Option<u64>,
    ) -> Result<(), Fault> {
        let state = &self.state.seats[seat.index()];
        let fault = if phase != state.phase {
            let (named, now) = (phase, state.phase);
            let text = format!(
                "The current phase of this seat is {now}, not {named}. Read the game again."
            );
            Fault::new(ErrorReason::PhaseClosed, text)
        } else if let Some(named) = revision.filter(|&revision| revision != state.revision) {
            let now = state.revision;
            let text = format!(
                "The revision of this seat's orders is {now}, not {named}. Read the game again."
            );
            Fault::new(ErrorReason::StaleRevision, text)
        } else {
            return Ok(());
        };
        Err(fault.with("phase", state.phase).with("revision", state.revision))
    }

    pub fn may_revise(&self, seat: Seat) -> bool {
        self.assert_seat(seat);
        self.pending().iter().any(|decision| decision.seat == seat && decision.revisable)
    }

    fn require_revisable(&self, seat: Seat) -> Result<(), Fault> {
        if self.may_revise(seat) {
            return Ok(());
        }
        let text = if self.pending().iter().any(|decision| decision.seat == seat) {
            "This seat's decision is resolved at once; send its orders without `ready`."
        } else {
            "This seat has no pending decision, so it cannot be ready."
        };
        Err(Fault::field("ready", text))
    }

    pub(crate) fn take_back(
        &mut self,
        by: &str,
        taken: &OrdersWithdrawn,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "orders cannot be withdrawn")?;
        let seat = self.seat_numbered(taken.seat)?;
        self.require_seat(by, seat)?;
        self.require_current(seat, taken.phase, None)?;
        if !self.pending().iter().any(|decision| decision.seat == seat) {
            return Err(Refusal::new(
                "not-asked",
                "",
                "This seat has no pending decision, so there are no orders to withdraw.",
            )
            .into());
        }
        let names = self.all_names();
        let game = self.game.as_mut().expect("a running game has a position");
        let happenings = game.take_back(seat, &names)?;
        let state = &mut self.state.seats[seat.index()];
        state.revision += 1;
        (state.ready, state.submitted, state.ordered) = (false, false, false);
        let (phase, revision) = (state.phase, state.revision);
        let body = OrdersAccepted { phase, revision, ..OrdersAccepted::default() };
        let text = "Your orders of this phase were withdrawn.";
        effects.seat(seat, text, event::Body::OrdersAccepted(body));
        effects.game(happenings);
        Ok(())
    }

    pub(crate) fn set_flag(
        &mut self,
        by: &str,
        flag: &FlagSet,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        let seat = self.seat_numbered(flag.seat)?;
        self.require_seat(by, seat)?;
        self.require_flaggable(seat, flag.phase)?;
        if flag.ready == Some(true) && self.is_left() {
            self.player_is_back(seat, effects);
        }
        let state = &mut self.state.seats[seat.index()];
        state.ready = flag.ready.unwrap_or(state.ready);
        if let Some(ready) = flag.ready {
            // A ready mark without orders submits an empty set.
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
        effects.seat(seat, text, event::Body::FlagsChanged(body));
        Ok(())
    }

    pub(crate) fn require_flaggable(&self, seat: Seat, phase: u64) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "ready and wait cannot be set")?;
        self.require_current(seat, phase, None)?;
        self.require_revisable(seat)
    }

    fn publish_accepted(&self, seat: Seat, phase: u64, given: &OrdersGiven, effects: &mut Effects) {
        let game = self.game.as_ref().expect("a running game has a position");
        let taken = effects
            .stopped
            .as_ref()
            .map_or(given.orders.len(), |stopped| stopped.accepted_count as usize);
        let untaken = (given.orders.len() - taken) as u32;
        let notation: Vec<String> =
            given.orders[..taken].iter().filter_map(|order| game.notate(order).ok()).collect();
        let mut text = match notation.as_slice() {
            [] => "No orders.".to_owned(),
            [one] => format!("Ordered: {one}."),
            more => format!("Ordered {} lines.", more.len()),
        };
        if let Some(refused) = effects.stopped.as_ref().and_then(|stopped| stopped.refused.as_ref())
        {
            let behind =
                if untaken > 1 { format!(". Skipped: {}", untaken - 1) } else { String::new() };
            text = format!("{text} Rejected: {} ({}){behind}.", refused.notation, refused.message);
        }
        let revision = self.state.seats[seat.index()].revision;
        let body = OrdersAccepted {
            notation,
            phase,
            revision,
            automation: given.automation.clone(),
            rejected_count: untaken,
        };
        effects.seat(seat, text, event::Body::OrdersAccepted(body));
    }

    pub(crate) fn settle(&mut self, effects: &mut Effects) {
        self.start_if_full(effects);
        self.sync_decisions(CloseReason::Answered, effects);
        while self.may_close_early(effects.now) {
            self.close_phase(CloseCause::AllReady, CloseReason::AllReady, effects);
        }
        self.deliver_held(effects);
    }

    pub(crate) fn close_phase(
        &mut self,
        why: CloseCause,
        reason: CloseReason,
        effects: &mut Effects,
    ) {
        assert_eq!(
            self.status(),
            GameStatus::Running,
            "a phase closes only while the game is running"
        );
        let names = self.all_names();
        let game = self.game.as_mut().expect("a running game has a position");
        effects.game(game.close(why, &mut self.dice, &names));
        self.sync_decisions(reason, effects);
    }

    pub(crate) fn pending(&self) -> Vec<Decision> {
        let running = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        self.game.as_ref().filter(|_| running).map(|game| game.pending()).unwrap_or_default()
    }

    fn sync_decisions(&mut self, reason: CloseReason, effects: &mut Effects) {
        self.end_if_over(reason, effects);
        let pending = self.pending();
        let mut opened = Vec::new();
        let mut changed = false;
        for index in 0..self.state.seats.len() {
            let seat = Seat::at(index);
            let asked: Vec<&Decision> =
                pending.iter().filter(|decision| decision.seat == seat).collect();
            let keys: Vec<DecisionKey> = asked.iter().copied().map(decision_key).collect();
            if self.state.seats[index].asked == keys {
                continue;
            }
            changed = true;
            self.close_seat(seat, reason, effects);
            self.state.seats[index].asked = keys;
            opened.extend(asked.into_iter().cloned());
        }
        if changed {
            self.update_turn(&pending, effects);
            self.update_waiting(&pending, &opened, effects.now);
            self.open_deadline(&pending, &opened, effects);
        }
        for decision in &opened {
            // A start position may have orders too, but its seats are not ready.
            if reason != CloseReason::Answered {
                self.mark_answered(decision);
            }
            let body = DecisionOpened { decision: Some(self.decision_message(decision)) };
            effects.seat(decision.seat, decision.prompt.clone(), event::Body::DecisionOpened(body));
        }
    }

    fn mark_answered(&mut self, decision: &Decision) {
        let game = self.game.as_ref();
        if decision.revisable && game.is_some_and(|game| game.opens_ready(decision.seat)) {
            let state = &mut self.state.seats[decision.seat.index()];
            (state.ready, state.submitted, state.ordered) = (true, true, true);
        }
    }

    fn close_seat(&mut self, seat: Seat, reason: CloseReason, effects: &mut Effects) {
        self.note_submitted(seat);
        let state = &mut self.state.seats[seat.index()];
        if !state.asked.is_empty() {
            let reason = if reason == CloseReason::Answered && state.revision == 0 {
                CloseReason::Superseded
            } else {
                reason
            };
            let body = DecisionClosed { phase: state.phase, reason: reason.into() };
            effects.seat(seat, "The decision is closed.", event::Body::DecisionClosed(body));
        }
        state.phase += 1;
        state.revision = 0;
        state.ready = false;
        state.wait = false;
        state.submitted = false;
        state.ordered = false;
    }

    fn end_if_over(&mut self, reason: CloseReason, effects: &mut Effects) {
        if self.status() != GameStatus::Running {
            return;
        }
        if let Some(outcome) = self.game.as_ref().and_then(|game| game.outcome()) {
            self.end(outcome_message(&outcome), reason, effects);
        }
    }

    pub(crate) fn close_all_seats(&mut self, reason: CloseReason, effects: &mut Effects) {
        for index in 0..self.state.seats.len() {
            if !self.state.seats[index].asked.is_empty() {
                self.close_seat(Seat::at(index), reason, effects);
                self.state.seats[index].asked.clear();
            }
        }
    }

    /// Ends the game with an outcome. No event may follow.
    pub(crate) fn end(&mut self, outcome: v1::Outcome, reason: CloseReason, effects: &mut Effects) {
        assert_ne!(self.status(), GameStatus::Ended, "a game ends once");
        self.close_all_seats(reason, effects);
        self.settle_turn(effects);
        self.drop_votes(effects);
        self.state.set_status(GameStatus::Ended);
        self.release_ratings(effects);
        self.state.ended_at = Some(stamp(effects.now));
        self.state.deadline = None;
        self.state.outcome = Some(outcome.clone());
        self.release_held(effects);
        self.reveal_game(effects);
        let text = format!("The game is over. {}", outcome.summary);
        let seed = bytes::Bytes::copy_from_slice(&self.secret);
        effects.everyone(text, event::Body::GameEnded(GameEnded { outcome: Some(outcome), seed }));
    }

    fn reveal_game(&mut self, effects: &mut Effects) {
        let names = self.all_names();
        if let Some(game) = self.game.as_mut() {
            effects.game(game.reveal(&names));
        }
    }

    pub(crate) fn game_seat_changed(
        &mut self,
        seat: Seat,
        change: heliopause_kernel::SeatChange,
        effects: &mut Effects,
    ) {
        let names = self.all_names();
        if let Some(game) = self.game.as_mut() {
            effects.game(game.seat_changed(seat, change, &names));
        }
    }

    pub(crate) fn automation_of(&self, seat: Seat) -> Option<&v1::AutomatedSeat> {
        let state = &self.state.seats[seat.index()];
        match &state.occupant {
            Some(seat_state::Occupant::Automated(by)) => Some(by),
            _ => state.stand_in.as_ref(),
        }
    }

    /// Ends any stand-in, because the player gives orders again.
    fn player_is_back(&mut self, seat: Seat, effects: &mut Effects) {
        self.wake_if_left(effects);
        let state = &mut self.state.seats[seat.index()];
        state.submitted = true;
        if state.stand_in.is_some() {
            clear_stand_in(state);
            self.publish_seat(seat, SeatChange::HandedBack, effects);
        }
    }
}

pub(crate) fn clear_stand_in(state: &mut SeatState) {
    state.stand_in = None;
    state.set_stand_in_reason(StandInReason::Unspecified);
}

/// Returns the requester of a step, or `None` without a request id. Orders and messages belong to
/// the seat, even if its player changes.
fn requester(step: &Step) -> Option<Requester> {
    if step.request_id.is_empty() {
        return None;
    }
    Some(match step.kind.as_ref()? {
        step::Kind::MessageSent(sent) => Requester::seat(sent.from_seat),
        _ => ordering_seat(step).map_or_else(|| Requester::account(&step.by), Requester::seat),
    })
}

fn ordering_seat(step: &Step) -> Option<u32> {
    match step.kind.as_ref()? {
        step::Kind::OrdersGiven(given) => Some(given.seat),
        step::Kind::OrdersWithdrawn(taken) => Some(taken.seat),
        _ => None,
    }
}

/// Returns a digest of a request's content, to detect a reused request id.
fn digest(step: &Step) -> bytes::Bytes {
    if step.request_digest.is_empty() {
        let asked = unhashed::without_salts(step).encode_to_vec();
        return bytes::Bytes::copy_from_slice(&chain::sha256(&[&asked]));
    }
    step.request_digest.clone()
}

fn check_size(given: &OrdersGiven) -> Result<(), Fault> {
    if given.orders.len() > ORDERS_MAX {
        return Err(Fault::field(
            "orders",
            format!("A call can have at most {ORDERS_MAX} orders, not {}.", given.orders.len()),
        ));
    }
    let memo_bytes = given.memo.as_deref().map_or(0, <[u8]>::len);
    if memo_bytes > MEMO_BYTES_MAX {
        let text = format!("The memo has {memo_bytes} bytes; the maximum is {MEMO_BYTES_MAX}.");
        return Err(Fault::field("memo", text));
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
    fn outcome_messages_match_the_game() {
        let outcome = Outcome {
            winners: SeatSet::first(2),
            draw: true,
            points: vec![3, -1],
            unit: "credit",
            summary: "A draw.".to_owned(),
            rule: "9",
        };
        let message = v1::Outcome {
            winners: vec![1, 2],
            draw: true,
            points: vec![3, -1],
            unit: "credit".to_owned(),
            summary: "A draw.".to_owned(),
            rule: "9".to_owned(),
            ..v1::Outcome::default()
        };
        assert_eq!(outcome_message(&outcome), message);
    }
}
