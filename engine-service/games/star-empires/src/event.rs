//! What happened, as one audience is told.

use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::galaxy::Galaxy;
use crate::master::{Astronomics, WAITING_MAX};
use crate::order::{LINES_MAX, Sheet};
use crate::position::Ending;
use crate::reason::{Check, Fate, Remark};
use crate::report::Report;
use crate::ship::{Serial, Ship};
use crate::view::KnownChange;
use crate::wire;

/// What happened.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event, with(SeatSet = wire::seats))]
pub enum Event {
    /// To everybody: an update was run. The first of an update's events.
    Updated {
        /// The number of the new map.
        turn: u32,
    },
    /// To an empire: its turn report, and how what it knows changed. Its stored sheet is used up.
    Reported {
        #[wire(or_default)]
        report: Arc<Report>,
        /// How what it knows changed.
        change: Box<KnownChange>,
    },
    /// To an empire: its sheet was stored.
    SheetStored {
        /// The sheet as it stands.
        sheet: Sheet,
        /// What became of each line that was sent.
        #[wire(most = LINES_MAX)]
        checks: Vec<Check>,
    },
    /// To an empire: what it knows changed between updates.
    Learned { change: Box<KnownChange> },
    /// To the game master: how the galaxy changed.
    GalaxyChanged(Box<GalaxyChange>),
    /// To the game master: their orders that wait.
    #[wire(name = MasterOrdersChanged)]
    MasterOrders {
        /// They all, first given first.
        #[wire(most = WAITING_MAX)]
        orders: Vec<Astronomics>,
    },
    /// To the game master and the members: alliances are recorded.
    #[wire(name = AlliancesChanged)]
    Alliances {
        /// To the game master all of them; to an empire the other members of its own.
        #[wire(with = wire::alliances)]
        alliances: Vec<SeatSet>,
    },
    /// To the game master: an empire or alliance has half of the production (1.0).
    HalfReached {
        /// The empire, or the members of the alliance.
        empires: SeatSet,
        production: u64,
        /// That of all worlds.
        total: u64,
    },
    /// To the game master: what became of their orders.
    #[wire(name = MasterReported)]
    MasterResults {
        /// One result an order, in the order in which they were given.
        #[wire(most = WAITING_MAX)]
        results: Vec<MasterResult>,
    },
    /// To everybody: the game is over.
    Ended { ending: Ending },
}

/// What became of one order of the game master.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::MasterResult, most = wire::LIST_MAX)]
pub struct MasterResult {
    pub order: Astronomics,
    /// Done, partly, refused.
    #[wire(name = status)]
    pub fate: Fate,
    /// What failed, and notes.
    pub remarks: Vec<Remark>,
}

/// How the galaxy changed. All but the ships is told whole, because it is small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GalaxyChange {
    /// The galaxy without ships.
    pub galaxy: Galaxy,
    /// Ships that are new or different, by owner and serial number.
    pub ships: Vec<ShipRow>,
    /// Ships that are gone.
    pub gone: Vec<(Seat, Serial)>,
}

/// A ship with its carrier by serial number, since ids do not outlast an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShipRow {
    /// The ship, as if it were loose.
    pub ship: Ship,
    /// Its carrier, if it is loaded.
    pub carrier: Option<Serial>,
}
