//! Warnings about omissions, before a seat is ready and before it gives an order that resolves at
//! once.
//!
//! **Invariant.** A warning uses only the seat's view. To look ahead, the table tries only orders
//! that are kept until their phase closes, because these resolve nothing.

use heliopause_kernel::{Actor, Seat};
use heliopause_proto::v1::{self as v1, GameOrder, GameStatus};

use crate::registry::{AnyGame, WarningWithFix};
use crate::{Fault, Table, offers};

impl Table {
    /// Returns the warnings about an order that the seat could give now. Orders that are kept until
    /// the phase closes have none, because they can be withdrawn.
    pub fn warnings_of(&self, seat: Seat, order: &GameOrder) -> Result<Vec<v1::Warning>, Fault> {
        let game = self.playing()?;
        if game.is_revisable(order)? {
            return Ok(Vec::new());
        }
        Ok(written(game.warnings(seat, Some(order))?))
    }

    /// Returns the warnings that would apply if the seat were marked ready after these orders.
    /// Ignores orders that would be refused. Returns none if the seat's decision has no ready mark.
    pub fn warnings_after(
        &self,
        seat: Seat,
        orders: &[GameOrder],
    ) -> Result<Vec<v1::Warning>, Fault> {
        self.assert_seat(seat);
        let game = self.playing()?;
        if self.status() != GameStatus::Running || !self.may_revise(seat) {
            return Ok(Vec::new());
        }
        let mut ahead: Option<Box<dyn AnyGame>> = None;
        let (mut dice, names) = (self.dice.clone(), self.all_names());
        for order in orders {
            if game.is_revisable(order)? {
                let tried = ahead.get_or_insert_with(|| game.boxed_clone());
                // Ignore refusals. They are reported when the orders are given.
                let _ = tried.submit(Actor::Seat(seat), order, &mut dice, &names);
            }
        }
        Ok(written(ahead.as_deref().unwrap_or(game).warnings(seat, None)?))
    }

    /// Returns the warnings before a seat is marked ready, or none if `ready` is unset. Fails if
    /// the seat cannot be marked.
    pub fn warnings_before_ready(
        &self,
        seat: Seat,
        phase: u64,
        ready: bool,
    ) -> Result<Vec<v1::Warning>, Fault> {
        self.assert_seat(seat);
        self.require_flaggable(seat, phase)?;
        if ready { self.warnings_after(seat, &[]) } else { Ok(Vec::new()) }
    }

    pub(crate) fn playing(&self) -> Result<&dyn AnyGame, Fault> {
        self.game.as_deref().ok_or_else(|| self.wrong_status("The game has not started."))
    }
}

fn written(warnings: Vec<WarningWithFix>) -> Vec<v1::Warning> {
    let write = |(warning, mend): WarningWithFix| v1::Warning {
        code: warning.code.to_owned(),
        sentence: warning.sentence,
        rule: warning.rule.to_owned(),
        fix: mend.map(offers::write),
    };
    warnings.into_iter().map(write).collect()
}
