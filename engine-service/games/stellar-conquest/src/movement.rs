//! Rules 5, 6, 8: movement.

use crate::judge::{Verdict, refuse};
use crate::order::Voyage;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::table::Stage;

use heliopause_kernel::Seat;

impl Eyes<'_> {
    /// 5 to 8: ships of one hex, at their speed (5.1), by a direct route (8.4) to a star that is not the one they left last
    /// (8.3), within range or with the loss accepted (7.5).
    pub(crate) fn judge_move(&self, _voyage: &Voyage) -> Verdict {
        todo!("5 to 8")
    }

    /// 5.2: ships that wait off the board enter it first.
    pub(crate) fn judge_end_movement(&self) -> Verdict {
        self.may_act(Stage::Movement, "4")?;
        let waiting = self.power.ships.iter().filter(|ship| ship.at.is_none()).count();
        if waiting > 0 {
            return refuse("ships-waiting", "5.2", format!("{waiting} ships must still enter at your entry hex."));
        }
        Ok(())
    }
}

impl Referee<'_> {
    /// Moves ships hex by hex: they stop before other ships in star hexes (5.4), in clouds (6.1), and at their speed;
    /// colonies look at them (10). What the rest of the path was is forfeited (BR-10).
    pub(crate) fn move_ships(&mut self, _seat: Seat, _voyage: &Voyage) {
        todo!("5 to 8")
    }
}
