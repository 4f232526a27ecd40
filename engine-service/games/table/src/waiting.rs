//! For whom the game waits, as far as the rules do not make that a secret.
//!
//! **Invariant.** All of it follows from what everybody knows: which open decisions are public
//! ([`Game::is_public`](heliopause_kernel::Game::is_public)), since when, and the marks that the
//! game shows. So the list is the same for all readers. A secret question within a turn changes
//! neither the seats in it nor their times.

use heliopause_kernel::{Decision, Seat};
use heliopause_proto::v1::{GameStatus, Waiting};

use crate::Table;
use crate::time::{Millis, stamp};

impl Table {
    /// The seats that owe a decision that is no secret, in order.
    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        if self.status() != GameStatus::Running {
            return Vec::new();
        }
        let mut waiting: Vec<Waiting> =
            self.public(&self.pending()).map(|decision| self.waits_for(decision)).collect();
        waiting.sort_by_key(|one| one.seat);
        waiting.dedup_by_key(|one| one.seat);
        waiting
    }

    fn waits_for(&self, decision: &Decision) -> Waiting {
        let state = &self.state.seats[decision.seat.index()];
        let is_shown = decision.revisable && !self.created().hide_ready;
        Waiting {
            seat: decision.seat.number(),
            ready: is_shown.then_some(state.ready),
            ordered: is_shown.then_some(state.ordered),
            asked_time: state.waited_for_since,
        }
    }

    fn public<'a>(&self, pending: &'a [Decision]) -> impl Iterator<Item = &'a Decision> {
        let game = self.game.as_deref();
        pending.iter().filter(move |one| game.is_some_and(|game| game.is_public(one)))
    }

    /// Notes since when everybody knows for whom the game waits, as decisions open and close. What
    /// resolves at once is waited for until everybody knows that it is not; sheets begin anew with
    /// each phase.
    pub(crate) fn follow_waiting(
        &mut self,
        pending: &[Decision],
        opened: &[Decision],
        now: Millis,
    ) {
        let awaited: Vec<Seat> = self.public(pending).map(|decision| decision.seat).collect();
        for (index, state) in self.state.seats.iter_mut().enumerate() {
            let is_new = |one: &Decision| one.revisable && one.seat.index() == index;
            if !awaited.contains(&Seat::at(index)) || opened.iter().any(is_new) {
                state.waited_for_since = None;
            }
        }
        for seat in awaited {
            self.state.seats[seat.index()].waited_for_since.get_or_insert(stamp(now));
        }
    }
}
