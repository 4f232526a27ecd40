//! Integration scenarios: JSON files that set up a sandbox game, play it, and say what shall come
//! of it.
//!
//! | module | concern |
//! | --- | --- |
//! | [`files`], [`json`], [`compose`], [`mod@file`], [`check`] | which files there are, and what they say |
//! | [`contract`], [`pattern`], [`matching`], [`nearest`] | expected values, read by the contract's descriptors |
//! | [`mod@engine`], [`run`], [`answers`], [`ears`], [`suite`] | playing |
//! | [`mutate`] | whether an expected value can fail |
//! | [`report`], [`schema`], [`convert`] | results; the JSON Schema; files of earlier versions |

pub mod answers;
pub mod check;
pub mod compose;
pub mod contract;
pub mod convert;
pub mod ears;
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
