//! Rule 9: forming and dissolving task forces.

use heliopause_kernel::Seat;

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{Marker, OwnEvent, SeatView, Ship, ShipNumber, Stage};

impl SeatView<'_> {
    /// Returns the ships with these numbers. Fails unless they are in one hex and no number is
    /// repeated.
    pub(crate) fn together(
        &self,
        numbers: &[ShipNumber],
    ) -> Result<Vec<&Ship>, heliopause_kernel::Refusal> {
        let mut ships = Vec::with_capacity(numbers.len());
        for &number in numbers {
            match self.power.ship(number) {
                Some(ship) => ships.push(ship),
                None => {
                    return refuse!("no-such-ship", number);
                }
            }
        }
        let Some(first) = ships.first() else {
            return refuse!("no-ships");
        };
        if let Some(apart) = ships.iter().find(|ship| ship.at != first.at) {
            return refuse!("not-together", first = first.number, other = apart.number);
        }
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        if let Some([twice, ..]) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return refuse!("named-twice/ship", rule = "9", twice);
        }
        Ok(ships)
    }

    pub(crate) fn judge_form(&self, numbers: &[ShipNumber], marker: Option<Marker>) -> Verdict {
        self.may_act(Stage::Movement, "9")?;
        let ships = self.together(numbers)?;
        let Some(at) = ships[0].at else {
            return refuse!("off-board");
        };
        let elsewhere = |ship: &&Ship| ship.marker == marker && ship.at != Some(at);
        let other = || self.power.ships.iter().find(elsewhere).and_then(|ship| ship.at);
        if let Some(marker) = marker
            && let Some(other) = other()
        {
            return refuse!("marker-in-use", marker = marker.number(), other);
        }
        Ok(())
    }
}

pub(crate) fn form(
    referee: &mut Referee<'_>,
    seat: Seat,
    ships: Vec<ShipNumber>,
    marker: Option<Marker>,
) {
    let at = referee.power(seat).ship(ships[0]).and_then(|ship| ship.at);
    referee.publish_to_owner(OwnEvent::Formed { seat, ships, marker });
    if let Some(at) = at {
        referee.show_groups(seat, at);
    }
}
