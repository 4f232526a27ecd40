//! Notes 5.9: the news of an update and their readers.
//!
//! Phases record news in terms of the true state. At the end of the update, each reader gets them
//! in its own frame, limited to the classes that it knows.

use heliopause_kernel::{Seat, SeatSet};

use crate::geometry::Sector;
use crate::ids::{ClassId, PortalId, ShipId, WorldId};
use crate::objects::Siege;
use crate::operational::Damage;
use crate::report::{Deed, Source};
use crate::section::Section;

#[derive(Clone, Copy, Debug)]
pub(crate) struct NewsRecord {
    pub section: Section,
    pub at: Option<Sector>,
    pub readers: SeatSet,
    pub what: What,
}

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
