//! The seats that the game waits for, unless the rules keep that secret.
//!
//! **Invariant.** The list is computed from public facts: which open decisions are public
//! ([`Game::is_public`](heliopause_kernel::Game::is_public)), when they opened, and the visible
//! ready marks. So the list is the same for all readers, and a secret question within a turn does
//! not change it.

use heliopause_kernel::{Decision, Seat};
use heliopause_proto::v1::{GameStatus, PendingSeat};

use crate::Table;
use crate::time::{Millis, stamp};

impl Table {
    pub(crate) fn waiting(&self) -> Vec<PendingSeat> {
        if self.status() != GameStatus::Running {
            return Vec::new();
        }
        let mut waiting: Vec<PendingSeat> =
            self.public(&self.pending()).map(|decision| self.waits_for(decision)).collect();
        waiting.sort_by_key(|one| one.seat);
        waiting.dedup_by_key(|one| one.seat);
        waiting
    }

    fn waits_for(&self, decision: &Decision) -> PendingSeat {
        let state = &self.state.seats[decision.seat.index()];
        let is_shown = decision.revisable && !self.created().hide_ready;
        PendingSeat {
            seat: decision.seat.number(),
            ready: is_shown.then_some(state.ready),
            ordered: is_shown.then_some(state.ordered),
            wait_start_time: state.waited_for_since,
        }
    }

    fn public<'a>(&self, pending: &'a [Decision]) -> impl Iterator<Item = &'a Decision> {
        let game = self.game.as_deref();
        pending.iter().filter(move |one| game.is_some_and(|game| game.is_public(one)))
    }

    /// Updates the time since when the game has waited for each seat. A new revisable decision
    /// resets the time. Successive decisions that resolve at once do not.
    pub(crate) fn update_waiting(
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
