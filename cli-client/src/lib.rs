//! The command-line client of Heliopause: every call of the contract as a subcommand, and an
//! interactive way to play.
//!
//! | module | concern |
//! | --- | --- |
//! | [`args`], [`global`], [`run`] | the command line |
//! | [`context`], [`profile`], [`follow`] | who calls which engine, and how |
//! | [`terminal`] | what their terminal shows |
//! | [`commands`] | one module for each group of subcommands |
//! | [`play`] | the interactive mode |
//! | [`conformance`] | a client under test, and everything that can go wrong around it |
//! | [`adjudicate`] | recorded cases of Diplomacy against an engine |
//!
//! **Invariant.** This program holds no rules of any game: it shows what the engine tells and sends
//! what the player types. Views are drawn by [`render`], which the engine uses too.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod adjudicate;
pub mod args;
pub mod commands;
pub mod conformance;
pub mod context;
pub mod global;
pub mod play;
pub mod profile;
pub mod run;
pub mod terminal;

// What all clients share, and how things look and what they are called.
pub use heliopause_client::{engine, envelope, failure, follow, glance, input, line, menu, table};
pub use heliopause_render::{self as render, style, text, wording};
