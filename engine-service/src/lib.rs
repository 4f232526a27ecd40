//! The engine service: hosts games over gRPC.
//!
//! | module | holds |
//! | --- | --- |
//! | [`store`] | what outlasts the process |
//! | [`host`] | tables in memory: actors, streams, deadlines, automation |
//! | [`edge`] | gRPC: authentication, limits, services |

mod bounded;
pub mod edge;
pub mod host;
pub mod store;
