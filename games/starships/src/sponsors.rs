//! Rule 5: sponsors, which limit a player's starships at the end of the turn.

use heliopause_kernel::{Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, TurnEvent};
use crate::judge::Verdict;
use crate::knowledge::{Owed, SeatView};
use crate::pieces::{Piece, ShipId};
use crate::referee::Referee;

impl SeatView<'_> {
    /// Returns the number of the seat's planets, live or dead, plus its bases on Earth while Earth
    /// has no owner (rule 5).
    pub(crate) fn sponsor_limit(&self) -> usize {
        let earth_is_free = self.owner(Place::EARTH).is_none();
        let on_earth =
            self.table.bases_of(self.seat).filter(|base| base.at == Place::EARTH && !base.is_out());
        self.own.planets.len() + if earth_is_free { on_earth.count() } else { 0 }
    }

    pub(crate) fn starships(&self) -> usize {
        self.table.ships_of(self.seat).count()
    }

    pub(crate) fn judge_sacrifice(&self, ship: ShipId) -> Verdict {
        self.owed(|owed| matches!(owed, Owed::Sacrifice(_)).then_some(()))?;
        self.own_ship(ship).map(|_| ())
    }
}

impl Referee<'_> {
    /// Handles starships of the player on turn above the limit (rule 5). Removes all starships if
    /// the limit is 0. Otherwise asks the player which to remove. Returns whether the player must
    /// choose.
    pub(crate) fn asks_for_sacrifice(&mut self) -> bool {
        let seat = self.table().active;
        let seat_view = self.game.seat_view(seat);
        let (ships, limit) = (seat_view.starships(), seat_view.sponsor_limit());
        if ships <= limit {
            return false;
        }
        if limit == 0 {
            let all: Vec<ShipId> = self.table().ships_of(seat).map(|ship| ship.id).collect();
            for ship in all {
                self.lose(Piece::Ship(ship), Cause::Unsponsored);
            }
            return false;
        }
        let owes = Some(Owed::Sacrifice((ships - limit) as u8));
        self.publish_to_seat(seat, TurnEvent::Asked { seat, pending_decision: owes });
        true
    }

    pub(crate) fn sacrifice(&mut self, seat: Seat, ship: ShipId) {
        let left = match self.game.secrets.own[seat.index()].owes {
            Some(Owed::Sacrifice(left)) => left.saturating_sub(1),
            _ => return,
        };
        self.lose(Piece::Ship(ship), Cause::Unsponsored);
        let owes = (left > 0).then_some(Owed::Sacrifice(left));
        self.publish_to_seats(
            SeatSet::one(seat),
            TurnEvent::Asked { seat, pending_decision: owes },
        );
        if left == 0 {
            self.finish_turn();
        }
    }
}
