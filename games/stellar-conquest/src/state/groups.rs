//! Rule 9: ship groups shown in hexes.

use std::fmt;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Result, Wire, Write, field, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::automata;
use crate::state::settings::of_table;
use crate::state::ship::Marker;
use crate::tables::{PLACES, Place};

/// The groups of one seat in each hex: its task forces, and one for all loose ships (BR-30).
#[derive(Clone, PartialEq, Eq)]
pub struct Groups(Box<[u8; PLACES]>);

impl Groups {
    pub const MAX: u8 = Marker::COUNT + 1;

    pub fn at(&self, place: Place) -> u8 {
        self.0[place.index()]
    }

    pub(crate) fn set(&mut self, place: Place, groups: u8) {
        self.0[place.index()] = groups;
    }

    pub fn iter(&self) -> impl Iterator<Item = (Place, u8)> {
        Place::all().map(|place| (place, self.at(place))).filter(|&(_, groups)| groups > 0)
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self(Box::new([0; PLACES]))
    }
}

impl fmt::Debug for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The ship groups of one seat in a hex.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Groups, check = Self::is_possible, with(Seat = crate::tables::numbers::seat))]
pub struct Grouping {
    pub seat: Seat,
    pub at: Place,
    pub groups: u8,
}

impl Grouping {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "every check has this shape")]
    fn is_possible(&self) -> Result<()> {
        if self.groups > Groups::MAX {
            return wrong_field("groups", "there are 15 task forces, and loose ships");
        }
        Ok(())
    }
}

/// Groups of all seats in wire format.
pub(crate) mod shown {
    use super::*;

    pub(crate) fn read_part(message: &proto::Table) -> Result<Vec<Groups>> {
        // Limits the allocation. An invalid number of players is rejected elsewhere.
        let options = of_table::read(&message.options)?;
        let players = (message.players as usize).min(*options.players().end());
        let mut all = vec![Groups::default(); players + automata(options.variant).len()];
        let seats = all.len();
        let shown: Vec<Grouping> = field("groups", &message.groups)?;
        for (index, Grouping { seat, at, groups }) in shown.into_iter().enumerate() {
            let Some(shown) = all.get_mut(seat.index()) else {
                let text = format!("expected 1 to {seats}, found {}", seat.number());
                return wrong_field(&format!("groups[{index}].seat"), text);
            };
            shown.set(at, groups);
        }
        Ok(all)
    }

    pub(crate) fn write_part(all: &[Groups], message: &mut proto::Table) {
        for (index, groups) in all.iter().enumerate() {
            let grouping = |(at, groups)| Grouping { seat: Seat::at(index), at, groups }.write();
            message.groups.extend(groups.iter().map(grouping));
        }
    }
}
