//! One module for each group of subcommands.

pub mod absence;
pub mod account;
pub mod admin;
pub mod analyze;
pub mod archive;
pub mod chronicle;
pub mod complete;
pub mod confirmation;
pub mod create;
pub mod lobby;
pub mod look;
pub mod master;
pub mod notices;
pub mod order;
pub mod pace;
pub mod profile;
pub mod quick_play;
pub mod report;
pub mod sandbox;
pub mod scenario;
pub mod search;
pub mod sheet;
pub mod sign_in;
pub mod talk;
pub mod tournament;
pub mod watch;
