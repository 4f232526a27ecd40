//! The command-line client of Heliopause: every call of the contract as a subcommand, and an interactive way to play.
//!
//! | module | concern |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`context`], [`profile`], [`connect`], [`mod@line`], [`follow`] | who calls which engine, and how |
//! | [`failure`], [`style`], [`text`], [`wording`] | what a person is told, and how it looks |
//! | [`commands`] | one module for each group of subcommands |
//! | [`play`] | the interactive mode |
//! | [`render`] | maps, for the terminal and as SVG; one module for each game |
//! | [`scenario`] | integration scenarios against a sandbox engine |
//! | [`conformance`] | a client under test, and everything that can go wrong around it |
//! | [`adjudicate`] | recorded cases of Diplomacy against an engine |
//!
//! **Invariant.** This program holds no rules of any game: it shows what the engine tells and sends what the player
//! types. What it knows of a game is how to draw its view.

pub mod adjudicate;
pub mod args;
pub mod commands;
pub mod conformance;
pub mod connect;
pub mod context;
pub mod failure;
pub mod follow;
pub mod line;
pub mod menu;
pub mod play;
pub mod profile;
pub mod render;
pub mod scenario;
pub mod style;
pub mod text;
pub mod wording;
