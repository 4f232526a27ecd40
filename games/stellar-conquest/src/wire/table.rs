//! The public state in wire format.

use heliopause_kernel::wire::{Part, Result, Write, field, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::Campaign;
use crate::state::settings::of_table;
use crate::tables::outer_space::POWERS_MAX;

impl Part<proto::Table> for Campaign {
    fn read_part(message: &proto::Table) -> Result<Self> {
        let blank = Self::new(of_table::read(&message.options)?.variant);
        if message.fate.is_some() && blank.fate().is_none() {
            return wrong_field("fate", "only The Fate of Empire has this state");
        }
        if message.politics.is_some() && blank.politics().is_none() {
            return wrong_field("politics", "only Alone in Outer Space has this state");
        }
        let mut read = match blank {
            Self::Conquest => Self::Conquest,
            Self::Fate(_) => Self::Fate(field("fate", &message.fate)?),
            Self::OuterSpace(_) => Self::OuterSpace(field("politics", &message.politics)?),
        };
        if let Self::OuterSpace(politics) = &mut read
            && let Some(war) = &mut politics.war
        {
            // Powers missing from the message start with success 0.
            let players = (message.players as usize).min(POWERS_MAX);
            war.success.resize(war.success.len().max(players), 0);
        }
        Ok(read)
    }

    fn write_part(&self, message: &mut proto::Table) {
        message.fate = self.fate().and_then(Write::write);
        message.politics = self.politics().and_then(Write::write);
        if let Some(politics) = &mut message.politics {
            politics.priorities.truncate(message.players as usize);
        }
    }
}
