//! Limits at a table: the last accepted value and the first rejected one.

mod absence;
mod lobby;
mod master;
mod pace;
mod play;
mod press;
mod sandbox;
mod votes;

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::starships_at_large::v1 as starships;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DeadlineReason, DelegationRule, ErrorReason, Event, Exported, GameOptions,
    GameStatus, MissedDeadline, Pace, PhasePace, SandboxAutomation, VoteSubject, event,
    game_options, seat,
};
use heliopause_table::{Table, chain, invited, is_look, registry};
use planned_seat::Plan;
use prost_types::Timestamp;
use step::Kind;

use crate::scene::{
    DAY, HOUR, SECRET, Scene, automated, created, daily, hosted, in_sandbox, message, millis, open,
    person, planned, reserved, taken,
};
