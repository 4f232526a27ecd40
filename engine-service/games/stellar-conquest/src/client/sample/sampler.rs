//! What is sampled, and the chance that does it.

use heliopause_kernel::Seat;

use crate::state::colony::Bases;
use crate::state::power::{People, Power};
use crate::state::secrets::Secrets;
use crate::state::table::Table;
use crate::tables::stars::StarId;

/// A state that is being drawn.
pub(crate) struct Sampler<'a> {
    pub(super) table: Table,
    /// The viewer's seat; none for spectators.
    pub(super) me: Option<Seat>,
    pub(super) own: Option<&'a Power>,
    pub(super) powers: Vec<Power>,
    pub(super) secrets: Secrets,
    pub(super) rng: &'a mut dyn FnMut() -> u64,
}

impl Sampler<'_> {
    /// A number below a limit, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((self.rng)() % limit.max(1) as u64) as usize
    }

    /// Everybody but the viewer.
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

/// A colony that is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(super) owner: Seat,
    pub(super) star: StarId,
    /// Which planet, if that is known.
    pub(super) nth: Option<u8>,
    /// Its bases, if they are known.
    pub(super) bases: Option<Bases>,
    /// Who lives there, if that is known.
    pub(super) people: Option<People>,
    pub(super) shield: bool,
    /// Who holds it, if anybody.
    pub(super) conqueror: Option<Seat>,
}
