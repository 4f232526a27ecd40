//! Rematches: the same game again, with rotated seats.

use bytes::Bytes;
use heliopause_proto::store::v1::{
    Created, Lots, PlannedSeat, SeatState, Taken, planned_seat, seat_state,
};
use heliopause_proto::v1::{AutomatedSeat, GameStatus, OpenSeat};

use crate::{Fault, Table};

impl Table {
    /// Returns the plan of a rematch that the player `by` hosts. The player of seat 1 gets seat 2,
    /// and so on. The plan has no id and no secrets. Fails if the game has not ended with a result,
    /// or if `by` has no seat.
    pub fn rematch(&self, by: &str) -> Result<Created, Fault> {
        if self.is_sandbox() {
            let text = "A sandbox game has no rematch; clone the game instead.";
            return Err(self.wrong_status(text));
        }
        self.require_status(&[GameStatus::Ended], "it has no rematch")?;
        let own = self.own_seat(by)?;
        let players = self.players();
        let mut seats: Vec<PlannedSeat> =
            self.state.seats[..players].iter().map(|state| planned(state, by)).collect();
        seats.rotate_right(1);
        let host = match &self.state.seats[own.index()].occupant {
            Some(seat_state::Occupant::Player(person)) => Some(person.clone()),
            _ => None,
        };
        let before = self.created().clone();
        Ok(Created {
            rematch_of: before.game_id.clone(),
            seats,
            host,
            game_master: None,
            invite_code: String::new(),
            seed_commitment: Bytes::new(),
            start_when_full: true,
            // In an anonymous game, a rotation would reveal the players of the seats.
            lots: self.created().anonymous.then(|| Lots { chosen: vec![0; players] }),
            game_id: String::new(),
            tournament_id: String::new(),
            ..before
        })
    }
}

fn planned(state: &SeatState, by: &str) -> PlannedSeat {
    let plan = match &state.occupant {
        Some(seat_state::Occupant::Player(person)) if person.player_id == by => {
            let player = Some(person.clone());
            planned_seat::Plan::Taken(Taken { player, ..Taken::default() })
        }
        Some(seat_state::Occupant::Player(person) | seat_state::Occupant::ReservedFor(person)) => {
            planned_seat::Plan::ReservedFor(person.clone())
        }
        Some(seat_state::Occupant::Automated(by)) => {
            planned_seat::Plan::Automated(AutomatedSeat { end_time: None, ..by.clone() })
        }
        Some(seat_state::Occupant::Open(_)) | None => planned_seat::Plan::Open(OpenSeat {}),
    };
    PlannedSeat { plan: Some(plan) }
}
