//! The complete state of a game.

use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::chart::Chart;
use crate::galaxy::Galaxy;
use crate::master::Astronomics;
use crate::options::Options;
use crate::order::Sheet;
use crate::report::Report;
use crate::wire;

/// A game of Star Empires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StarEmpires {
    /// The options, shared with views.
    pub(crate) options: Arc<Options>,
    /// The number of the map: updates run so far.
    pub(crate) turn: u32,
    /// The truth.
    pub(crate) galaxy: Galaxy,
    /// What each empire was told, by seat.
    pub(crate) knowledge: Vec<Knowledge>,
    /// The stored sheet of each empire, by seat. It holds accepted lines only.
    pub(crate) sheets: Vec<Option<Sheet>>,
    /// The game master's orders that wait for 6.1 of the next update, first given first.
    pub(crate) waiting: Vec<Astronomics>,
    /// The alliances that the game master has recorded (R66): no empire is in two.
    pub(crate) alliances: Vec<SeatSet>,
    /// How the game ended, once it has.
    pub(crate) ending: Option<Ending>,
}

/// What an empire was told beside what is its own, in its own frame.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Knowledge)]
pub struct Knowledge {
    /// Its map.
    #[wire(or_default)]
    pub chart: Chart,
    /// The report of the last update, shared with views and events.
    #[wire(or_default)]
    pub report: Arc<Report>,
}

/// How a game ended.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Ending, with(SeatSet = wire::seats))]
pub struct Ending {
    /// Who won; empty if nobody did.
    pub winners: SeatSet,
    /// Whether it ended after the last turn that the options allow, rather than by half of the
    /// production.
    pub last_turn: bool,
}

impl StarEmpires {
    /// A game on a galaxy, before anybody has seen anything.
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

    /// The truth, for those who may see it: tests and the game master.
    pub fn galaxy(&self) -> &Galaxy {
        &self.galaxy
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The number of the map: updates run so far.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The other members of an empire's alliance.
    pub fn allies(&self, seat: Seat) -> SeatSet {
        let own = self.alliances.iter().find(|alliance| alliance.contains(seat));
        own.map_or(SeatSet::EMPTY, |alliance| alliance.without(seat))
    }
}
