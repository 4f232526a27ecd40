//! Rule 9: task forces.

use heliopause_kernel::Seat;

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::event::OwnEvent;
use crate::state::power::Eyes;
use crate::state::ship::{Marker, Ship, ShipNumber};
use crate::state::table::Stage;

impl Eyes<'_> {
    /// Ships of this seat by their numbers, in one hex of the board; each named once.
    pub(crate) fn together(
        &self,
        numbers: &[ShipNumber],
    ) -> Result<Vec<&Ship>, heliopause_kernel::Refusal> {
        let mut ships = Vec::with_capacity(numbers.len());
        for &number in numbers {
            match self.power.ship(number) {
                Some(ship) => ships.push(ship),
                None => return refuse("no-such-ship", "9", format!("You have no ship {number}.")),
            }
        }
        let Some(first) = ships.first() else {
            return refuse("no-ships", "9", "Name at least one ship.");
        };
        if ships.iter().any(|ship| ship.at != first.at) {
            return refuse("not-together", "9", "These ships are not in one hex.");
        }
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return refuse("named-twice", "9", "A ship is named twice.");
        }
        Ok(ships)
    }

    /// 9: ships of one hex form a task force; a marker stands in one hex only.
    pub(crate) fn judge_form(&self, numbers: &[ShipNumber], marker: Option<Marker>) -> Verdict {
        self.may_act(Stage::Movement, "9")?;
        let ships = self.together(numbers)?;
        let Some(at) = ships[0].at else {
            return refuse("off-board", "9", "These ships are not on the board yet.");
        };
        let elsewhere = |ship: &Ship| ship.marker == marker && ship.at != Some(at);
        if marker.is_some() && self.power.ships.iter().any(elsewhere) {
            return refuse("marker-in-use", "9", "That task force stands in another hex.");
        }
        Ok(())
    }
}

/// 9: forms a task force of ships that were judged, or dissolves it.
pub(crate) fn form(
    referee: &mut Referee<'_>,
    seat: Seat,
    ships: Vec<ShipNumber>,
    marker: Option<Marker>,
) {
    let at = referee.power(seat).ship(ships[0]).and_then(|ship| ship.at);
    referee.whisper(OwnEvent::Formed { seat, ships, marker });
    if let Some(at) = at {
        referee.show_groups(seat, at);
    }
}
