//! Notes 5.9: what happens in an update, and who is told.
//!
//! Phases say what happened in terms of the truth, and to whom it is news at that very moment.
//! Reports are made of it at the end of the update, for each reader in their own frame and by what
//! they know of classes.

use heliopause_kernel::{Seat, SeatSet};

use crate::geometry::Sector;
use crate::ids::{ClassId, PortalId, ShipId, WorldId};
use crate::objects::Siege;
use crate::operational::Damage;
use crate::report::{Deed, Source};
use crate::section::Section;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happening {
    /// In which phase.
    pub section: Section,
    /// Where, if anywhere.
    pub at: Option<Sector>,
    /// To whom it is news.
    pub readers: SeatSet,
    pub what: What,
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Ship { ship: ShipId, deed: Deed, amount: u32, damage: Damage },
    Owner { world: WorldId, from: Option<Seat>, to: Option<Seat> },
    Siege { world: WorldId, siege: Siege },
    Portal { portal: PortalId, collapsed: bool },
    Homeworld(Option<WorldId>),
    Navigation { portal: PortalId, from: Option<Seat> },
    Class { class: ClassId, source: Source },
    Delivery { from: Seat, world: WorldId, amount: u32 },
    Production(u64),
    Contact(Seat),
}
