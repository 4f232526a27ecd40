//! Several seats of a sandbox game played by one person.

use std::collections::HashMap;

use heliopause_proto::v1::seat::Occupant;
use heliopause_proto::v1::{Cursor, Seat, StreamEventsRequest};

use super::Session;
use super::seen::Seen;
use crate::failure::Failure;
use crate::follow::Follower;
use crate::style::Ink;
use crate::table::{self, Table};
use crate::wording;
use crate::words::say;

/// The cursor at which the session left each seat. When the session returns to a seat, it shows the
/// events since then.
pub(super) type SeatCursors = HashMap<Option<u32>, Option<Cursor>>;

impl Session<'_> {
    pub(super) async fn switch_to_pending_seat(&mut self) -> Result<bool, Failure> {
        if !self.game.sandbox {
            return Ok(false);
        }
        let now = self.table.seat;
        let asked = self.pending_seat().await?;
        let seat = asked.or(now).or_else(|| self.own_seats().next());
        self.game.your_seat = seat;
        if seat == now {
            return Ok(false);
        }
        self.seat_cursors.insert(now, self.follower.cursor().copied());
        let after = self.seat_cursors.get(&seat).copied().flatten();
        let game_id = self.table.game.clone();
        let request =
            StreamEventsRequest { game_id, seat, after, ..StreamEventsRequest::default() };
        self.follower = Follower::new(self.engine.clone(), request);
        self.table.seat = seat;
        (self.heard, self.awaited) = (0, 0);
        (self.shown, self.scene, self.chronicle) = (None, None, None);
        self.latest.clear();
        // Each seat has its own messages.
        self.seen = Seen::default();
        self.screen.stop_waiting();
        let told =
            say!("play-you-play", seat = wording::seat_name(&self.game, seat.unwrap_or_default()));
        self.screen.print(&format!("\n{}", self.screen.style.paint(told, Ink::Heading)));
        Ok(true)
    }

    async fn pending_seat(&self) -> Result<Option<u32>, Failure> {
        let (now, others): (Vec<u32>, Vec<u32>) =
            self.own_seats().partition(|seat| Some(*seat) == self.table.seat);
        for seat in now.into_iter().chain(others) {
            let table = Table { seat: Some(seat), ..self.table.clone() };
            let decision = table::offers(&self.engine, &table).await?.decision;
            if decision.is_some_and(|decision| !decision.ready) {
                return Ok(Some(seat));
            }
        }
        Ok(None)
    }

    fn own_seats(&self) -> impl Iterator<Item = u32> + '_ {
        let own = |seat: &&Seat| matches!(seat.occupant, Some(Occupant::Player(_)));
        self.game.seats.iter().filter(own).map(|seat| seat.number)
    }
}
