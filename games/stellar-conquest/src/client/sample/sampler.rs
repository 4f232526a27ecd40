//! The sampled state under construction, with the source of its random numbers.

use heliopause_kernel::Seat;

use crate::state::{Bases, People, Power, Secrets, Table};
use crate::tables::StarId;

pub(crate) struct Sampler<'a> {
    pub(super) table: Table,
    /// The viewer's seat, or `None` for a spectator.
    pub(super) me: Option<Seat>,
    pub(super) own: Option<&'a Power>,
    pub(super) powers: Vec<Power>,
    pub(super) secrets: Secrets,
    pub(super) rng: &'a mut dyn FnMut() -> u64,
}

impl Sampler<'_> {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((self.rng)() % limit.max(1) as u64) as usize
    }

    pub(crate) fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let me = self.me;
        Seat::first(self.table.seats()).filter(move |&seat| Some(seat) != me)
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct RequiredColony {
    pub(super) owner: Seat,
    pub(super) star: StarId,
    pub(super) nth: Option<u8>,
    pub(super) bases: Option<Bases>,
    pub(super) people: Option<People>,
    pub(super) shield: bool,
    pub(super) conqueror: Option<Seat>,
}
