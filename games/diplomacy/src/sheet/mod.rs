//! The encoded form of a state: a position, a view, or a situation to adjudicate.
//!
//! A handwritten position may omit optional fields, which get defaults on decoding.

mod situation;
mod table;
mod view;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::Provinces;
use crate::command::Sheet;
use crate::movement::{Attempt, Dislodged};
use crate::options::{EMPIRES_MAX, Options};
use crate::order::Named;
use crate::position::Variant;
use crate::table::{Ending, Phase};

/// Limits on the numbers of dislodged units and attempts, higher than in any position.
const DISLODGED_MAX: usize = 75;
const ATTEMPTS_MAX: usize = 75 + 3 * EMPIRES_MAX;
pub const SITUATIONS_MAX: usize = 100;
/// The maximum number of lines per power in a situation.
pub const LINES_MAX: usize = 300;

#[derive(Wire)]
#[wire(message = proto::Position)]
pub(crate) struct PositionSheet {
    table: TableSheet,
    sheets: Vec<Sheet>,
}

#[derive(Wire)]
#[wire(message = proto::View)]
pub(crate) struct ViewSheet {
    table: TableSheet,
    #[wire(oneof)]
    orders: Option<Orders>,
}

#[derive(Wire)]
#[wire(kinds = proto::view::Orders)]
enum Orders {
    #[wire(message = proto::OwnOrders)]
    Own {
        seat: Seat,
        #[wire(or_default)]
        sheet: Sheet,
    },
    #[wire(message = proto::AllOrders)]
    All { sheets: Vec<Sheet> },
}

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
    #[wire(most = DISLODGED_MAX)]
    dislodged: Vec<Dislodged>,
    #[wire(most = ATTEMPTS_MAX)]
    attempts: Vec<Attempt>,
    years_without_change: u8,
    ending: Option<Ending>,
}

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

#[derive(Wire)]
#[wire(message = proto::Situation)]
pub(crate) struct SituationSheet {
    variant: Variant,
    powers: Vec<PowerRow>,
    #[wire(oneof)]
    phase: PhaseSheet,
}

#[derive(Wire)]
#[wire(kinds = proto::situation::Phase)]
enum PhaseSheet {
    #[wire(message = proto::MovementPhase)]
    Movement { orders: Vec<PowerLines> },
    #[wire(message = proto::RetreatPhase)]
    Retreats {
        #[wire(most = DISLODGED_MAX)]
        dislodged: Vec<Dislodged>,
        orders: Vec<PowerLines>,
    },
    TurnEnd {
        fall: bool,
        #[wire(most = ATTEMPTS_MAX)]
        attempts: Vec<Attempt>,
        victory_centers: Option<u8>,
    },
    #[wire(message = proto::AdjustmentPhase)]
    Adjustments { orders: Vec<PowerLines> },
}

#[derive(Wire)]
#[wire(message = proto::PowerOrders)]
struct PowerLines {
    seat: Seat,
    #[wire(most = LINES_MAX)]
    lines: Vec<String>,
}
