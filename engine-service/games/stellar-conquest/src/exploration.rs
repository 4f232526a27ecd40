//! Rule 11: exploration.

use heliopause_kernel::Seat;

use crate::referee::Referee;

impl Referee<'_> {
    /// 11: explores every star hex in which ships of a seat stand, in the order of the stars: risk (11.2), the card (11.4),
    /// discovery (11.5). BR-11 keeps out ships that withdrew there this turn: they come later.
    pub(crate) fn explore_all(&mut self, _seat: Seat) {
        todo!("11")
    }
}
