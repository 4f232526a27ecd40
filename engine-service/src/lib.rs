//! The engine service: hosts games over gRPC.
//!
//! | module | holds |
//! | --- | --- |
//! | [`store`] | what outlasts the process |
//! | [`backup`] | copies of it |
//! | [`migrate`] | moving it into a database that several engines share |
//! | [`accounts`] | who may come in, and as whom |
//! | [`channels`] | notices to players who have no connection open |
//! | [`host`] | tables in memory: actors, streams, deadlines, automation |
//! | [`edge`] | gRPC: authentication, limits, services |
//! | `fresh` | seeds, ids and codes |
//! | `time` | the time by which everything is judged |
//! | `seldom` | lines of the log that are said seldom |
//! | [`verify`] | looking through everything that is kept for damage |
//! | `lasting` | tasks that outlast the call that began them |
//! | `maps` | maps that every call looks into |
//! | [`config`] | one configuration from flags, environment and a file |

pub mod accounts;
pub mod backup;
mod bounded;
pub mod channels;
pub mod config;
pub mod edge;
mod fresh;
pub mod host;
mod lasting;
mod maps;
pub mod migrate;
mod seldom;
pub mod store;
mod time;
pub mod verify;

pub use time::Time;
