//! Dedication: the effect of a turn on its players' ratings (6.0 and 8.0 of Star Empires, in all
//! games).
//!
//! A turn counts once, when it is over: so no rating tells in the middle of it what a player was
//! asked.

use heliopause_kernel::{Decision, Seat};
use heliopause_proto::store::v1::{
    HeldRating, Person, SeatState, StandInReason, TurnKey, TurnRecord, seat_state,
};
use heliopause_proto::v1::{MissedDeadline, SandboxRating, SeatChange};

use crate::Table;
use crate::telling::Telling;

/// The gain for a turn submitted in time.
const SUBMITTED: i32 = 1;
/// The cost of a missed turn.
const MISSED: i32 = -3;
/// After so many missed deadlines in a row a seat counts as abandoned, under any pace.
const ABANDONED_AFTER: u32 = 2;

impl Table {
    /// Changes a player's rating: at once, or when the game ends if nobody may know their seat yet.
    /// A sandbox only notes the change by seat.
    pub(crate) fn rate(&mut self, seat: Seat, player_id: &str, change: i32, telling: &mut Telling) {
        if self.is_sandbox() {
            let noted = &mut self.state.sandbox_ratings;
            match noted.iter_mut().find(|one| one.seat == seat.number()) {
                Some(one) => one.change += change,
                None => noted.push(SandboxRating { seat: seat.number(), change }),
            }
            return;
        }
        if !self.hides_names() {
            telling.ratings.push((player_id.to_owned(), change));
            return;
        }
        let held = &mut self.state.held_ratings;
        match held.iter_mut().find(|one| one.player_id == player_id) {
            Some(one) => one.change += change,
            None => held.push(HeldRating { player_id: player_id.to_owned(), change }),
        }
    }

    /// The withheld changes count now: the game is over.
    pub(crate) fn release_ratings(&mut self, telling: &mut Telling) {
        let held = std::mem::take(&mut self.state.held_ratings);
        telling.ratings.extend(held.into_iter().map(|one| (one.player_id, one.change)));
    }

    /// Follows the game into its next turn, and settles the effect of the last one.
    pub(crate) fn follow_turn(&mut self, pending: &[Decision], telling: &mut Telling) {
        let turn = self.game.as_ref().map(|game| TurnKey {
            round: game.round(),
            on_turn: game.on_turn().map_or(0, Seat::number),
        });
        if self.state.turn != turn {
            self.settle_turn(telling);
            self.state.turn = turn;
            self.adopt_pace(telling);
        }
        let main = self.main_kind();
        for decision in pending.iter().filter(|decision| decision.kind == main) {
            record(&mut self.state.seats[decision.seat.index()]).asked = true;
        }
    }

    /// The kind of decision that makes a turn.
    fn main_kind(&self) -> &'static str {
        self.kind.rules.phase_kinds().first().copied().unwrap_or_default()
    }

    /// A seat's phase closes, for any reason: if its player has submitted their turn by then, it
    /// counts.
    pub(crate) fn note_submitted(&mut self, seat: Seat) {
        let main = self.main_kind();
        let state = &mut self.state.seats[seat.index()];
        if state.submitted && state.asked.iter().any(|key| key.kind == main) {
            record(state).submitted = true;
        }
    }

    /// A player missed a deadline: that costs once in a turn.
    pub(crate) fn note_missed(&mut self, seat: Seat, player_id: &str, telling: &mut Telling) {
        let state = &mut self.state.seats[seat.index()];
        state.missed += 1;
        if std::mem::replace(&mut record(state).missed, true) {
            return;
        }
        state.last_penalty = MISSED;
        self.rate(seat, player_id, MISSED, telling);
    }

    /// Settles the effect of the last turn for everybody.
    pub(crate) fn settle_turn(&mut self, telling: &mut Telling) {
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
                self.rate(Seat::at(index), &player_id, SUBMITTED, telling);
            } else if let Some(deserter) = self.deserter(Seat::at(index)) {
                let player_id = deserter.player_id.clone();
                self.rate(Seat::at(index), &player_id, MISSED, telling);
            }
        }
    }

    /// The player who abandoned the seat, if they have not come back and nobody has replaced them.
    fn deserter(&self, seat: Seat) -> Option<&Person> {
        let state = &self.state.seats[seat.index()];
        match &state.occupant {
            Some(seat_state::Occupant::Player(person)) if is_deserted(state) => Some(person),
            _ => state.abandoned_by.as_ref(),
        }
    }

    /// Whether a seat is abandoned, though a player holds it: automation plays it since a missed
    /// deadline, or since the game master gave it to automation; or its player misses one deadline
    /// after the other, or the game waits for them in vain.
    pub(crate) fn is_abandoned(&self, seat: Seat) -> bool {
        let state = &self.state.seats[seat.index()];
        let holds =
            self.state.pace.as_ref().is_some_and(|pace| pace.missed() == MissedDeadline::Hold);
        is_deserted(state) || state.missed >= if holds { 1 } else { ABANDONED_AFTER }
    }

    /// The player who keeps losing dedication when a seat becomes vacant: one who abandoned it, not
    /// one who resigned openly.
    pub(crate) fn deserter_of_vacant(&self, seat: Seat, change: SeatChange) -> Option<Person> {
        if matches!(change, SeatChange::Resigned | SeatChange::Erased) {
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

    /// A new player has a seat: their predecessor's acts and absences are not theirs.
    pub(crate) fn forget_turn(&mut self, seat: Seat) {
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

/// Whether automation plays for a player who is not there.
fn is_deserted(state: &SeatState) -> bool {
    matches!(state.stand_in_reason(), StandInReason::Missed | StandInReason::GameMaster)
}
