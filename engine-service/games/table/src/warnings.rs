//! What a seat leaves undone: before it is ready, and before it gives an order that resolves at
//! once.
//!
//! **Invariant.** A warning tells what the seat knows and nothing else: the game makes it of the
//! seat's view. To look ahead only orders are tried that are kept until their phase closes; they
//! resolve nothing.

use heliopause_kernel::{Actor, Seat};
use heliopause_proto::v1::{self as v1, GameOrder, GameStatus};

use crate::registry::{AnyGame, Warned};
use crate::{Fault, Table, offers};

impl Table {
    /// What a seat risks or leaves undone by an order that it could give now. Nothing for one that
    /// is kept until its phase closes: it can be taken back.
    pub fn warnings_of(&self, seat: Seat, order: &GameOrder) -> Result<Vec<v1::Warning>, Fault> {
        let game = self.playing()?;
        if game.is_revisable(order)? {
            return Ok(Vec::new());
        }
        Ok(written(game.warnings(seat, Some(order))?))
    }

    /// What a seat leaves undone if it is ready after these orders, those that would be refused
    /// left out. Nothing if its decision has no "ready" mark.
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
                let called = |seat: Seat| names[seat.index()].clone();
                // What is refused has a verdict of its own.
                let _ = tried.submit(Actor::Seat(seat), order, &mut dice, &called);
            }
        }
        Ok(written(ahead.as_deref().unwrap_or(game).warnings(seat, None)?))
    }

    /// The same before a seat is marked ready, or not; a fault if it cannot be marked.
    pub fn left_undone(
        &self,
        seat: Seat,
        phase: u64,
        ready: bool,
    ) -> Result<Vec<v1::Warning>, Fault> {
        self.assert_seat(seat);
        self.require_flaggable(seat, phase)?;
        if ready { self.warnings_after(seat, &[]) } else { Ok(Vec::new()) }
    }

    fn playing(&self) -> Result<&dyn AnyGame, Fault> {
        self.game.as_deref().ok_or_else(|| self.wrong_status("The game has not started."))
    }
}

fn written(warnings: Vec<Warned>) -> Vec<v1::Warning> {
    let write = |(warning, mend): Warned| v1::Warning {
        code: warning.code.to_owned(),
        sentence: warning.sentence,
        rule: warning.rule.to_owned(),
        mend: mend.map(offers::write),
    };
    warnings.into_iter().map(write).collect()
}
