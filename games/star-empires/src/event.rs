//! Events of the game, and the parts that only events use.

use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::fields;
use crate::galaxy::Galaxy;
use crate::master::{Astronomics, WAITING_MAX};
use crate::order::{LINES_MAX, Sheet};
use crate::position::Ending;
use crate::reason::{Check, Fate, Remark};
use crate::report::Report;
use crate::ship::{Serial, Ship};
use crate::view::KnownChange;

/// An event. The comment on each variant begins with the audience.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event, with(SeatSet = fields::seats))]
pub enum Event {
    /// Everyone: the first event of an update.
    Updated { turn: u32 },
    /// An empire: its turn report, and the change of its view. Clears its stored sheet.
    Reported {
        #[wire(or_default)]
        report: Arc<Report>,
        change: Box<KnownChange>,
    },
    /// An empire: its sheet was stored.
    SheetStored {
        sheet: Sheet,
        #[wire(most = LINES_MAX)]
        checks: Vec<Check>,
    },
    /// An empire: its view changed between updates.
    Learned { change: Box<KnownChange> },
    /// Game master: the galaxy changed.
    GalaxyChanged(Box<GalaxyChange>),
    /// Game master: the waiting orders of the game master changed.
    #[wire(name = MasterOrdersChanged)]
    MasterOrders {
        /// All waiting orders, oldest first.
        #[wire(most = WAITING_MAX)]
        orders: Vec<Astronomics>,
    },
    /// Game master and members: alliances are recorded.
    #[wire(name = AlliancesChanged)]
    Alliances {
        /// All alliances for the game master. An empire gets the other members of its own alliance.
        #[wire(with = fields::alliances)]
        alliances: Vec<SeatSet>,
    },
    /// Game master: an empire or alliance has half of the production (1.0).
    HalfReached { empires: SeatSet, production: u64, total: u64 },
    /// Game master: the results of the game master's orders.
    #[wire(name = MasterReported)]
    MasterResults {
        #[wire(most = WAITING_MAX)]
        results: Vec<MasterResult>,
    },
    /// Everyone: the game is over.
    Ended { ending: Ending },
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::MasterResult, most = fields::LIST_MAX)]
pub struct MasterResult {
    pub order: Astronomics,
    #[wire(name = status)]
    pub fate: Fate,
    pub remarks: Vec<Remark>,
}

/// A change to the galaxy. `galaxy` is always complete, because it is small without the ships. For
/// ships, only changes are listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GalaxyChange {
    pub galaxy: Galaxy,
    pub ships: Vec<ShipRow>,
    pub gone: Vec<(Seat, Serial)>,
}

/// A ship with the serial number of its carrier, because ids are valid only within an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShipRow {
    /// The ship, with no carrier set.
    pub ship: Ship,
    pub carrier: Option<Serial>,
}
