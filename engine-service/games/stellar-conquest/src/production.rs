//! Rule 17: the production turn: all players fill in sheets, which are judged whole when they are handed in and carried out
//! when all are ready.
//!
//! Growth comes first, for everybody (17.1), so that a sheet's output and bonus are known; a sheet touches nothing but what
//! its seat has, so one that was accepted can be carried out whatever others do.

use heliopause_kernel::{Refusal, Seat};

use crate::judge::{Verdict, refuse};
use crate::power::Eyes;
use crate::referee::Referee;
use crate::research::{BadPayment, Research};
use crate::sheet::{Payment, ProductionSheet, Sheet};

/// 18.1, 18.3: whether a payment can be made.
pub(crate) fn judge_payment(research: &Research, payment: Payment) -> Result<(), Refusal> {
    let tech = payment.tech;
    match research.judge(tech, payment.points) {
        Ok(()) if payment.points == 0 => refuse("nothing-paid", "18.3", format!("Nothing is paid into {tech}.")),
        Ok(()) => Ok(()),
        Err(BadPayment::Owned) => refuse("owned-already", "18.3", format!("{tech} is owned already.")),
        Err(BadPayment::Closed) => {
            refuse("level-closed", "18.1", format!("{tech} needs a title of the level below in its class."))
        }
        Err(BadPayment::TooMuch(missing)) => {
            refuse("overpaid", "18.3", format!("{tech} needs only {missing} more i.p."))
        }
    }
}

impl Eyes<'_> {
    /// 17: a whole sheet, colony by colony, on a copy of the seat's power.
    pub(crate) fn judge_production(&self, _sheet: &ProductionSheet) -> Verdict {
        todo!("17")
    }

    /// The sheet of who hands none in: everything grows, nobody emigrates, and all i.p. go into research, cheapest title
    /// first (factories first once they are allowed).
    pub(crate) fn default_production(&self) -> ProductionSheet {
        todo!("17, default")
    }
}

impl Referee<'_> {
    /// 17.1: every colony grows, and the sheets are open. In a solitaire game with nothing to produce it is over at once.
    pub(crate) fn begin_production(&mut self) {
        todo!("17.1")
    }

    pub(crate) fn store_production(&mut self, seat: Seat, sheet: ProductionSheet) {
        self.whisper(crate::event::Event::SheetStored { seat, sheet: Sheet::Production(sheet) });
    }

    /// Carries all sheets out, in the order of play; then 17.10, `grown` back to 0, and the waits of 15.2.
    pub(crate) fn finish_production(&mut self) {
        todo!("17")
    }
}
