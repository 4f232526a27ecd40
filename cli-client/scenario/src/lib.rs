//! Integration scenarios: JSON files that set up a sandbox game, play it, and state the expected
//! result.
//!
//! | module | concern |
//! | --- | --- |
//! | [`files`], [`json`], [`compose`], [`mod@file`], [`check`] | finding and reading files |
//! | [`contract`], [`pattern`], [`matching`], [`nearest`] | expected values |
//! | [`mod@engine`], [`run`], [`answers`], [`activity`], [`suite`] | playing |
//! | [`cases`] | recorded cases of Diplomacy |
//! | [`mutate`] | mutation tests of expected values |
//! | [`report`], [`schema`], [`convert`] | results; the JSON Schema; files of earlier versions |

pub mod activity;
pub mod answers;
pub mod cases;
pub mod check;
pub mod compose;
pub mod contract;
pub mod convert;
pub mod engine;
pub mod file;
pub mod files;
pub mod json;
pub mod matching;
pub mod mutate;
pub mod nearest;
pub mod pattern;
pub mod report;
pub mod run;
pub mod schema;
pub mod suite;
