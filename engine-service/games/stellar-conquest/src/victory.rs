//! Rule 19: the end of the game.

use heliopause_kernel::{Outcome, SeatSet};

use crate::position::StellarConquest;
use crate::referee::Referee;
use crate::table::Ending;

/// The outcome of an ending.
pub(crate) fn outcome(ending: &Ending) -> Outcome {
    let best = ending.points.iter().max().copied().unwrap_or(0);
    Outcome {
        winners: ending.winners,
        points: ending.points.clone(),
        unit: "victory point",
        summary: format!("{best} victory points after turn {}.", crate::table::TURNS),
        rule: "19",
    }
}

/// The outcome when winners are declared.
pub(crate) fn declared(game: &StellarConquest, winners: SeatSet) -> Outcome {
    let points = game.table.player_seats().map(|seat| game.points(seat)).collect();
    Outcome { winners, points, unit: "victory point", summary: String::new(), rule: "19" }
}

impl StellarConquest {
    /// 19.1, 19.2: the points of a player, if the game ended now; fate 11.
    pub(crate) fn points(&self, _seat: heliopause_kernel::Seat) -> i64 {
        todo!("19.2")
    }
}

impl Referee<'_> {
    /// 19.1: the game is over.
    pub(crate) fn end_game(&mut self) {
        todo!("19")
    }
}
