//! Rule 5: sponsors. No more starships than planets that sponsor them, checked at the end of the
//! owner's turn.

use heliopause_kernel::{Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, TurnEvent};
use crate::judge::Verdict;
use crate::knowledge::{Eyes, Owed};
use crate::pieces::{Piece, ShipId};
use crate::referee::Referee;

impl Eyes<'_> {
    /// 5: planets owned, live or dead, and one's bases on Earth while nobody owns it.
    pub(crate) fn sponsor_limit(&self) -> usize {
        let earth_is_free = self.owner(Place::EARTH).is_none();
        let on_earth =
            self.table.bases_of(self.seat).filter(|base| base.at == Place::EARTH && !base.is_out());
        self.own.planets.len() + if earth_is_free { on_earth.count() } else { 0 }
    }

    /// How many starships the seat has.
    pub(crate) fn starships(&self) -> usize {
        self.table.ships_of(self.seat).count()
    }

    /// 5: the owner chooses which of their starships is removed.
    pub(crate) fn judge_sacrifice(&self, ship: ShipId) -> Verdict {
        self.owed(|owed| matches!(owed, Owed::Sacrifice(_)).then_some(()))?;
        self.own_ship(ship).map(|_| ())
    }
}

impl Referee<'_> {
    /// 5: whether the player on turn must remove starships; asks which, if that is a choice.
    pub(crate) fn asks_for_sacrifice(&mut self) -> bool {
        let seat = self.table().active;
        let eyes = self.game.eyes(seat);
        let (ships, limit) = (eyes.starships(), eyes.sponsor_limit());
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
        self.whisper(seat, TurnEvent::Asked { seat, owes });
        true
    }

    /// 5: removes one starship; when enough are gone the turn goes on to its end.
    pub(crate) fn sacrifice(&mut self, seat: Seat, ship: ShipId) {
        let left = match self.game.secrets.own[seat.index()].owes {
            Some(Owed::Sacrifice(left)) => left.saturating_sub(1),
            _ => return,
        };
        self.lose(Piece::Ship(ship), Cause::Unsponsored);
        let owes = (left > 0).then_some(Owed::Sacrifice(left));
        self.confide(SeatSet::one(seat), TurnEvent::Asked { seat, owes });
        if left == 0 {
            self.finish_turn();
        }
    }
}
