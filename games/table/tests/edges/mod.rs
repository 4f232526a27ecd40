//! Limits at a table: the last accepted value and the first rejected one.

mod lobby;
mod play;
mod press;
mod sandbox;

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{GameOptions, GameStatus, event, game_options};
use heliopause_table::{Table, chain, invited, is_look, registry};
use planned_seat::Plan;
use step::Kind;

use crate::scene::{
    DAY, SECRET, Scene, created, hosted, in_sandbox, message, millis, person, planned, reserved,
    taken,
};
