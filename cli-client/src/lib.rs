//! The command-line client of Heliopause: every call of the contract as a subcommand, and an interactive way to play.
//!
//! | module | concern |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`context`], [`profile`], [`connect`], [`mod@line`], [`follow`] | who calls which engine, and how |
//! | [`input`], [`terminal`], [`failure`] | what a person types, what their terminal shows, and what went wrong |
//! | [`commands`] | one module for each group of subcommands |
//! | [`play`] | the interactive mode |
//! | [`scenario`] | integration scenarios against a sandbox engine |
//! | [`conformance`] | a client under test, and everything that can go wrong around it |
//! | [`adjudicate`] | recorded cases of Diplomacy against an engine |
//!
//! **Invariant.** This program holds no rules of any game: it shows what the engine tells and sends what the player
//! types. Views are drawn by [`render`], which the engine uses too.

pub mod adjudicate;
pub mod args;
pub mod commands;
pub mod conformance;
pub mod connect;
pub mod context;
pub mod failure;
pub mod follow;
pub mod input;
pub mod line;
pub mod menu;
pub mod play;
pub mod profile;
pub mod scenario;
pub mod terminal;

// How things look and what they are called is the same for all that draw.
pub use heliopause_render::{self as render, style, text, wording};
