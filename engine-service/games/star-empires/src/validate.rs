//! Notes 4.1: what a sheet is told at submission, from what its empire knows alone.

use heliopause_kernel::{Refusal, Seat};

use crate::order::Sheet;
use crate::position::StarEmpires;
use crate::reason::Check;

impl StarEmpires {
    /// Checks a sheet: the accepted lines, and what became of each line that was sent. Refuses a sheet that is too long,
    /// and one that has lines but none that can be accepted, so that a slip of the pen does not wipe a good sheet out and
    /// so that a dry run of a single line tells what is wrong with it.
    pub(crate) fn check_sheet(&self, _seat: Seat, _sheet: &Sheet) -> Result<(Sheet, Vec<Check>), Refusal> {
        todo!("notes 4.1, 4.3")
    }
}
