//! Rule 10: who looks at whose ships.

use heliopause_kernel::Seat;

use crate::board::Place;
use crate::cards::PlanetId;
use crate::colony::{Colony, Watch};
use crate::event::{Change, Event};
use crate::judge::{Verdict, refuse};
use crate::power::{Eyes, Sighting};
use crate::referee::Referee;
use crate::ship::ShipNumber;

impl Eyes<'_> {
    pub(crate) fn judge_watch(&self, planet: PlanetId) -> Verdict {
        match self.power.colony(planet) {
            Some(_) => Ok(()),
            None => refuse("no-such-colony", "10", "You have no colony there."),
        }
    }

    pub(crate) fn judge_inspect(&self, number: u32) -> Verdict {
        if self.power.glimpses.iter().any(|glimpse| glimpse.number == number) {
            return Ok(());
        }
        refuse("no-such-chance", "10", "There is nothing to look at under that number.")
    }
}

impl Referee<'_> {
    pub(crate) fn set_watch(&mut self, seat: Seat, planet: PlanetId, watch: Watch) {
        let Some(&colony) = self.power(seat).colony(planet) else { return };
        self.change_colony(seat, Colony { watch, ..colony }, Change::Watch);
    }

    /// Looks at ships that passed: everybody learns of the colony. Or lets them go unseen.
    pub(crate) fn inspect(&mut self, seat: Seat, number: u32, look: bool) {
        let kept = &self.game.truth.secrets.kept;
        let kept = kept.iter().find(|kept| (kept.seat, kept.number) == (seat, number)).copied();
        let glimpse = self.power(seat).glimpses.iter().find(|glimpse| glimpse.number == number).copied();
        if let (Some(kept), Some(glimpse), true) = (kept, glimpse, look) {
            self.announce(Event::ColonyShown { seat, star: glimpse.star });
            self.whisper(Event::Sighted { seat, sighting: kept.sighting });
        }
        self.whisper(Event::GlimpseEnded { seat, number });
    }

    /// 10: ships of `mover` entered a star hex: each owner of a free colony there looks, keeps the chance to, or does not,
    /// as the colony's `watch` says. To be called for every star hex of a movement. A seat keeps at most `GLIMPSES_MAX`
    /// chances; the oldest goes first.
    pub(crate) fn be_watched(&mut self, _mover: Seat, _at: Place, _ships: &[ShipNumber]) {
        todo!("10")
    }

    /// 10: both seats see each other's ships in a hex, at step 2 or 3 of a player-turn.
    pub(crate) fn see_each_other(&mut self, one: Seat, other: Seat, at: Place) {
        for (seat, of) in [(one, other), (other, one)] {
            let fleet = self.power(of).fleet_at(at);
            let sighting = Sighting { at, of, fleet, turn: self.table().turn };
            self.whisper(Event::Sighted { seat, sighting });
        }
    }
}

/// How many chances to look a seat keeps.
pub const GLIMPSES_MAX: usize = 64;
