//! The complete state of a game.

use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::chart::Chart;
use crate::fields;
use crate::galaxy::Galaxy;
use crate::master::Astronomics;
use crate::options::Options;
use crate::order::Sheet;
use crate::report::Report;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StarEmpires {
    pub(crate) options: Arc<Options>,
    /// The number of updates so far. The current map has the same number.
    pub(crate) turn: u32,
    pub(crate) galaxy: Galaxy,
    pub(crate) knowledge: Vec<Knowledge>,
    /// Stored sheets by seat, with accepted lines only.
    pub(crate) sheets: Vec<Option<Sheet>>,
    /// Orders of the game master that wait for 6.1 of the next update, oldest first.
    pub(crate) waiting: Vec<Astronomics>,
    /// Alliances recorded by the game master (R66). No empire is in two alliances.
    pub(crate) alliances: Vec<SeatSet>,
    pub(crate) ending: Option<Ending>,
}

/// The map and last report of an empire, in its own frame.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Knowledge)]
pub struct Knowledge {
    #[wire(or_default)]
    pub chart: Chart,
    #[wire(or_default)]
    pub report: Arc<Report>,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Ending, with(SeatSet = fields::seats))]
pub struct Ending {
    pub winners: SeatSet,
    /// Whether the game ended with the last turn rather than by half of the production.
    pub last_turn: bool,
}

impl StarEmpires {
    pub(crate) fn unseen(options: Arc<Options>, galaxy: Galaxy) -> Self {
        let empires = galaxy.empires.len();
        Self {
            options,
            turn: 0,
            galaxy,
            knowledge: vec![Knowledge::default(); empires],
            sheets: vec![None; empires],
            waiting: Vec::new(),
            alliances: Vec::new(),
            ending: None,
        }
    }

    /// Returns the true state, for tests and the game master.
    pub fn galaxy(&self) -> &Galaxy {
        &self.galaxy
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn turn(&self) -> u32 {
        self.turn
    }

    pub fn allies(&self, seat: Seat) -> SeatSet {
        let own = self.alliances.iter().find(|alliance| alliance.contains(seat));
        own.map_or(SeatSet::EMPTY, |alliance| alliance.without(seat))
    }
}
