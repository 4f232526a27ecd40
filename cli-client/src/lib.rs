//! The command-line client of Heliopause: every call of the contract as a subcommand, and an
//! interactive mode to play.
//!
//! | module | concern |
//! | --- | --- |
//! | [`args`], [`global`], [`run`] | the command line |
//! | [`advice`] | exit codes, and advice after a failure |
//! | [`context`], [`profile`], [`follow`] | engine, account and connection |
//! | [`terminal`], [`words`] | terminal output, its texts |
//! | [`commands`] | one module for each group of subcommands |
//! | [`play`] | the interactive mode |
//! | [`conformance`] | tests of other clients with fault injection |
//!
//! **Invariant.** This program contains no rules of any game: it shows what the engine sends and
//! submits what the player types. [`render`] draws views, both here and in the engine.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod advice;
pub mod args;
pub mod commands;
pub mod conformance;
pub mod context;
pub mod global;
pub mod play;
pub mod profile;
pub mod run;
pub mod terminal;
pub mod words;

pub use heliopause_client::{
    engine, envelope, failure, follow, input, line, menu, perspective, table,
};
pub use heliopause_render::{self as render, style, text, wording};
