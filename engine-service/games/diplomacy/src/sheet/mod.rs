//! A state as it is written down: in a position, in a view, or for adjudication without a game.
//!
//! The types here have the shape of their messages. What may be left out of a position that is
//! written by hand is optional in them, and filled in when they are read.

mod situation;
mod table;
mod view;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::Provinces;
use crate::movement::{Attempt, Dislodged};
use crate::options::{MOST_EMPIRES, Options};
use crate::order::{Named, Order};
use crate::position::Variant;
use crate::table::{Ending, Phase};

/// The most units that can be dislodged at once, and attempts that can be made: more than any
/// position has.
const MOST_DISLODGED: usize = 75;
const MOST_ATTEMPTS: usize = 75 + 3 * MOST_EMPIRES;
/// The most orders that a seat can have: more than any power has units or centers.
const MOST_ORDERS: usize = 128;
/// The most situations of one call.
pub const MOST_SITUATIONS: usize = 100;
/// The most lines of one power.
pub const MOST_LINES: usize = 300;

/// A complete state.
#[derive(Wire)]
#[wire(message = proto::Position)]
pub(crate) struct PositionSheet {
    table: TableSheet,
    sheets: Vec<OrderSheet>,
}

/// What one viewer may know.
#[derive(Wire)]
#[wire(message = proto::View)]
pub(crate) struct Sight {
    table: TableSheet,
    #[wire(oneof)]
    insight: Option<Orders>,
}

/// Whose orders a viewer sees.
#[derive(Wire)]
#[wire(kinds = proto::view::Insight)]
enum Orders {
    #[wire(message = proto::OwnOrders)]
    Own {
        seat: Seat,
        #[wire(or_default)]
        sheet: OrderSheet,
    },
    #[wire(message = proto::AllOrders)]
    All { sheets: Vec<OrderSheet> },
}

/// The orders of a seat.
#[derive(Wire, Default)]
#[wire(message = proto::Sheet)]
struct OrderSheet {
    #[wire(most = MOST_ORDERS)]
    orders: Vec<Order>,
}

/// What is public.
#[derive(Wire)]
#[wire(message = proto::Table)]
struct TableSheet {
    #[wire(or_default)]
    options: Options,
    players: Option<u8>,
    year: Option<u16>,
    phase: Phase,
    number: u32,
    powers: Vec<PowerRow>,
    #[wire(most = MOST_DISLODGED)]
    dislodged: Vec<Dislodged>,
    #[wire(most = MOST_ATTEMPTS)]
    attempts: Vec<Attempt>,
    quiet_years: u8,
    ending: Option<Ending>,
}

/// A power, and what it has.
#[derive(Wire)]
#[wire(message = proto::Power)]
pub(crate) struct PowerRow {
    seat: Seat,
    name: String,
    code: String,
    units: Vec<Named>,
    orbit: u8,
    centers: Provinces,
    colonies: Provinces,
    eliminated: bool,
}

/// A position, and the phase that is resolved on it.
#[derive(Wire)]
#[wire(message = proto::Situation)]
pub(crate) struct SituationSheet {
    variant: Variant,
    powers: Vec<PowerRow>,
    #[wire(oneof)]
    phase: PhaseSheet,
}

/// The phase that is resolved.
#[derive(Wire)]
#[wire(kinds = proto::situation::Phase)]
enum PhaseSheet {
    #[wire(message = proto::MovementPhase)]
    Movement { orders: Vec<PowerLines> },
    #[wire(message = proto::RetreatPhase)]
    Retreats {
        #[wire(most = MOST_DISLODGED)]
        dislodged: Vec<Dislodged>,
        orders: Vec<PowerLines>,
    },
    TurnEnd {
        fall: bool,
        #[wire(most = MOST_ATTEMPTS)]
        attempts: Vec<Attempt>,
        victory_centers: Option<u8>,
    },
    #[wire(message = proto::AdjustmentPhase)]
    Adjustments { orders: Vec<PowerLines> },
}

/// The lines that a power sends.
#[derive(Wire)]
#[wire(message = proto::PowerOrders)]
struct PowerLines {
    seat: Seat,
    #[wire(most = MOST_LINES)]
    lines: Vec<String>,
}
