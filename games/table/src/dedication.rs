//! Dedication: the effect of a turn on its players' ratings (rules 6.0 and 8.0 of Star Empires,
//! applied to all games).
//!
//! A turn counts once, when it is over. A rating that changed earlier would show whether a player
//! had a decision in the turn.
//!
//! Anonymous games hold the changes in the table's state until the end.

use heliopause_kernel::{Decision, Seat};
use heliopause_proto::store::v1::{
    HeldRating, Person, SeatState, StandInReason, TurnKey, TurnRecord, seat_state,
};
use heliopause_proto::v1::{MissedDeadline, SandboxRating, SeatChange};

use crate::Table;
use crate::effects::Effects;

const SUBMITTED: i32 = 1;
const MISSED: i32 = -3;
/// Number of consecutive missed deadlines after which a seat counts as abandoned at any pace.
const ABANDONED_AFTER: u32 = 2;

impl Table {
    /// Changes a player's rating. A sandbox only records the change. An anonymous game holds the
    /// change until the names are visible.
    pub(crate) fn rate(&mut self, seat: Seat, player_id: &str, change: i32, effects: &mut Effects) {
        if self.is_sandbox() {
            let noted = &mut self.state.sandbox_ratings;
            match noted.iter_mut().find(|one| one.seat == seat.number()) {
                Some(one) => one.change += change,
                None => noted.push(SandboxRating { seat: seat.number(), change }),
            }
            return;
        }
        if !self.hides_names() {
            effects.ratings.push((player_id.to_owned(), change));
            return;
        }
        let held = &mut self.state.held_ratings;
        match held.iter_mut().find(|one| one.player_id == player_id) {
            Some(one) => one.change += change,
            None => held.push(HeldRating { player_id: player_id.to_owned(), change }),
        }
    }

    pub(crate) fn release_ratings(&mut self, effects: &mut Effects) {
        let held = std::mem::take(&mut self.state.held_ratings);
        effects.ratings.extend(held.into_iter().map(|one| (one.player_id, one.change)));
    }

    pub(crate) fn update_turn(&mut self, pending: &[Decision], effects: &mut Effects) {
        let turn = self.game.as_ref().map(|game| TurnKey {
            round: game.round(),
            on_turn: game.on_turn().map_or(0, Seat::number),
        });
        if self.state.turn != turn {
            self.settle_turn(effects);
            self.state.turn = turn;
            self.adopt_pace(effects);
        }
        let main = self.main_kind();
        for decision in pending.iter().filter(|decision| decision.kind == main) {
            record(&mut self.state.seats[decision.seat.index()]).asked = true;
        }
    }

    fn main_kind(&self) -> &'static str {
        self.kind.rules.phase_kinds().first().copied().unwrap_or_default()
    }

    /// Records whether a seat submitted orders in this turn. Must be called when the phase closes.
    pub(crate) fn note_submitted(&mut self, seat: Seat) {
        let main = self.main_kind();
        let state = &mut self.state.seats[seat.index()];
        if state.submitted && state.asked.iter().any(|key| key.kind == main) {
            record(state).submitted = true;
        }
    }

    /// Records a missed deadline. The rating drops only once per turn.
    pub(crate) fn note_missed(&mut self, seat: Seat, player_id: &str, effects: &mut Effects) {
        let state = &mut self.state.seats[seat.index()];
        state.missed += 1;
        if std::mem::replace(&mut record(state).missed, true) {
            return;
        }
        state.last_penalty = MISSED;
        self.rate(seat, player_id, MISSED, effects);
    }

    pub(crate) fn settle_turn(&mut self, effects: &mut Effects) {
        for index in 0..self.players() {
            let state = &mut self.state.seats[index];
            let turn = state.turn.take().unwrap_or_default();
            if turn.missed || !turn.asked {
                continue;
            }
            if let (true, Some(seat_state::Occupant::Player(person))) =
                (turn.submitted, &state.occupant)
            {
                let player_id = person.player_id.clone();
                state.missed = 0;
                state.last_penalty = 0;
                self.rate(Seat::at(index), &player_id, SUBMITTED, effects);
            } else if let Some(deserter) = self.deserter(Seat::at(index)) {
                let player_id = deserter.player_id.clone();
                self.rate(Seat::at(index), &player_id, MISSED, effects);
            }
        }
    }

    fn deserter(&self, seat: Seat) -> Option<&Person> {
        let state = &self.state.seats[seat.index()];
        match &state.occupant {
            Some(seat_state::Occupant::Player(person)) if is_deserted(state) => Some(person),
            _ => state.abandoned_by.as_ref(),
        }
    }

    /// Returns whether a seat counts as abandoned: automation stands in after a missed deadline or
    /// by the game master's decision, or the player missed too many deadlines in a row. In a game
    /// that holds after a missed deadline, one missed deadline suffices.
    pub(crate) fn is_abandoned(&self, seat: Seat) -> bool {
        let state = &self.state.seats[seat.index()];
        let holds =
            self.state.pace.as_ref().is_some_and(|pace| pace.missed() == MissedDeadline::Hold);
        is_deserted(state) || state.missed >= if holds { 1 } else { ABANDONED_AFTER }
    }

    /// Returns the player who is rated for abandoning a seat that becomes vacant. Returns `None`
    /// after a resignation or the deletion of the account.
    pub(crate) fn deserter_of_vacant(&self, seat: Seat, change: SeatChange) -> Option<Person> {
        if matches!(change, SeatChange::Resigned | SeatChange::AccountDeleted) {
            return None;
        }
        let state = &self.state.seats[seat.index()];
        match &state.occupant {
            Some(seat_state::Occupant::Player(person))
                if is_deserted(state) || state.missed > 0 =>
            {
                Some(person.clone())
            }
            _ => state.abandoned_by.clone(),
        }
    }

    /// Clears a seat's record for a new player, who does not inherit missed deadlines.
    pub(crate) fn reset_turn(&mut self, seat: Seat) {
        let state = &mut self.state.seats[seat.index()];
        state.missed = 0;
        state.last_penalty = 0;
        state.submitted = false;
        state.abandoned_by = None;
        if let Some(turn) = &mut state.turn {
            *turn = TurnRecord { asked: turn.asked, ..TurnRecord::default() };
        }
    }
}

fn record(state: &mut SeatState) -> &mut TurnRecord {
    state.turn.get_or_insert_default()
}

pub(crate) fn is_deserted(state: &SeatState) -> bool {
    matches!(state.stand_in_reason(), StandInReason::Missed | StandInReason::GameMaster)
}
