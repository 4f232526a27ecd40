//! States in message form: a position, or a view of one.
//!
//! These types have the same structure as their messages. Parts that a handwritten position may
//! omit are optional. The conversion to a state adds their defaults.

mod known;
mod read;
mod write;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::{Place, Places};
use crate::knowledge::{Offer, Owed, Pledge};
use crate::markers::Marker;
use crate::options::Options;
use crate::pieces::{BaseNumber, Condition};
use crate::table::{Breach, DeathStar, HiddenRoll, MAX_PLAYERS, Stage, Standing, Tokens};
use crate::wire;

/// A view, as a position in which everything hidden from the viewer is omitted.
#[derive(Wire)]
#[wire(message = proto::View)]
pub(crate) struct ViewSheet {
    viewer: ViewerRole,
    known: PositionSheet,
}

#[derive(Wire)]
#[wire(kinds = proto::viewer_kind::Kind, message = proto::ViewerKind, with(Seat = wire::seat))]
enum ViewerRole {
    Seat(Seat),
    #[wire(message = proto::SpectatorViewer)]
    Spectator,
    #[wire(message = proto::GameMasterViewer)]
    GameMaster,
}

#[derive(Wire)]
#[wire(message = proto::Position)]
pub(crate) struct PositionSheet {
    version: u32,
    #[wire(or_default)]
    options: Options,
    hexes: Vec<HexRow>,
    players: Vec<PlayerRow>,
    turn_order: Vec<Seat>,
    round: Option<u8>,
    on_turn: Option<Seat>,
    wars: Vec<Pair>,
    provocations: Vec<Pair>,
    exile_votes: Vec<Pair>,
    partnerships: Vec<Pair>,
    offers: Vec<Offer>,
    pledges: Vec<Pledge>,
    #[wire(with = wire::death_star)]
    death_star: Option<DeathStar>,
    #[wire(name = aggressor_axis)]
    axis: bool,
    #[wire(or_default)]
    stage: Stage,
    breaches: Vec<Breach>,
    death_star_private: Option<Private>,
    battle_rounds: u16,
    #[wire(most = MAX_PLAYERS + 1)]
    decided: Vec<u32>,
    hidden_rolls: Vec<HiddenRoll>,
    revealed_rolls: Vec<HiddenRoll>,
}

#[derive(Wire, PartialEq)]
#[wire(message = proto::HexState, with(Seat = wire::player))]
struct HexRow {
    #[wire(name = hex)]
    at: Place,
    marker: Option<Marker>,
    face_up: bool,
    death_zone: bool,
    owner: Option<Seat>,
    #[wire(name = ownership_markers)]
    tokens: Tokens,
    seen_by: SeatSet,
    owner_known_to: SeatSet,
}

#[derive(Wire)]
#[wire(message = proto::Player)]
struct PlayerRow {
    status: Option<Standing>,
    exiled_in_round: u8,
    bases: Vec<BaseRow>,
    starships: Vec<ShipRow>,
    next_serial: Option<u16>,
    secrets: Option<Private>,
}

#[derive(Wire)]
#[wire(message = proto::Starship)]
struct ShipRow {
    serial: Option<u16>,
    at: Option<Place>,
    #[wire(part(disrupted, disrupted_this_turn))]
    condition: Condition,
    moved_from: Option<Place>,
    withdrew: bool,
    attempted: bool,
}

#[derive(Wire)]
#[wire(message = proto::Base)]
struct BaseRow {
    number: Option<BaseNumber>,
    at: Option<Place>,
    out: bool,
    turns_out: u8,
    moved_from: Option<Place>,
    withdrew: bool,
    attempted: bool,
}

#[derive(Wire)]
#[wire(message = proto::Private)]
struct Private {
    gained: Places,
    arrivals: Option<u8>,
    pending_decision: Option<Owed>,
}

#[derive(Wire)]
#[wire(message = proto::Pair, with(Seat = wire::player))]
struct Pair {
    first: Seat,
    second: Seat,
}
