//! What is public.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Part, Result, Write, field, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::options::of_table;
use crate::state::campaign::{Campaign, automata};
use crate::state::table::{Grouping, Groups};
use crate::tables::outer_space::POWERS_MAX;

/// What hexes show of each seat.
pub(crate) mod groups {
    use super::*;

    pub(crate) fn read_part(message: &proto::Table) -> Result<Vec<Groups>> {
        // How many players there are is checked elsewhere.
        let options = of_table::read(&message.options)?;
        let players = (message.players as usize).min(*options.players().end());
        let mut all = vec![Groups::default(); players + automata(options.variant).len()];
        let shown: Vec<Grouping> = field("groups", &message.groups)?;
        for (index, Grouping { seat, at, groups }) in shown.into_iter().enumerate() {
            match all.get_mut(seat.index()) {
                Some(shown) => shown.set(at, groups),
                None => {
                    return wrong_field(&format!("groups[{index}].seat"), "there is no such seat");
                }
            }
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

impl Part<proto::Table> for Campaign {
    fn read_part(message: &proto::Table) -> Result<Self> {
        let blank = Self::new(of_table::read(&message.options)?.variant);
        if message.fate.is_some() && blank.fate().is_none() {
            return wrong_field("fate", "it belongs to The Fate of Empire");
        }
        if message.politics.is_some() && blank.politics().is_none() {
            return wrong_field("politics", "it belongs to Alone in Outer Space");
        }
        let mut read = match blank {
            Self::Conquest => Self::Conquest,
            Self::Fate(_) => Self::Fate(field("fate", &message.fate)?),
            Self::OuterSpace(_) => Self::OuterSpace(field("politics", &message.politics)?),
        };
        if let Self::OuterSpace(politics) = &mut read
            && let Some(war) = &mut politics.war
        {
            // Counts that an author leaves out are 0.
            let players = (message.players as usize).min(POWERS_MAX);
            war.success.resize(war.success.len().max(players), 0);
        }
        Ok(read)
    }

    fn write_part(&self, message: &mut proto::Table) {
        message.fate = self.fate().and_then(Write::write);
        message.politics = self.politics().and_then(Write::write);
        // One die of priority for each power that there is.
        if let Some(politics) = &mut message.politics {
            politics.priorities.truncate(message.players as usize);
        }
    }
}
