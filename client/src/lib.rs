//! What clients written in Rust share: a connection with the caller's token, calls that are safe to
//! repeat, failures that say what to do next, and what a seat at a game sees and may order.
//!
//! | module | concern |
//! | --- | --- |
//! | [`engine`], [`mod@line`] | the connection, over engines that come and go |
//! | [`failure`] | what went wrong |
//! | [`follow`] | the events of a game, through lost connections |
//! | [`table`], [`menu`] | a seat at a game: its view, its events, its offers as a numbered menu |
//! | [`glance`] | a look at a game, now or in the past: map, report, events |
//! | [`envelope`], [`input`] | messages as JSON, and what people type |

pub mod engine;
pub mod envelope;
pub mod failure;
pub mod follow;
pub mod glance;
pub mod input;
pub mod line;
pub mod menu;
pub mod table;
