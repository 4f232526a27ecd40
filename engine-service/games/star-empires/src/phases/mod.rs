//! 6.1 to 6.8: the phases of the turn, one module a chapter.
//!
//! | chapter | module |
//! | --- | --- |
//! | 6.1 astronomics | `astronomics`, `known` |
//! | 6.2 logistics | `logistics` |
//! | 6.3 combat | `combat`, `fire`, `ownership` |
//! | 6.4 movement | `movement`, `wormnet`, `ownership` |
//! | 6.5 research | `research` |
//! | 6.6 maintenance | `maintenance`, `repair` |
//! | 6.7 income | `income` |
//! | 6.8 scanning | `access`, `knowledge` |

mod access;
mod astronomics;
mod combat;
mod fire;
mod income;
mod knowledge;
mod known;
mod logistics;
mod maintenance;
mod movement;
mod ownership;
mod repair;
mod research;
mod wormnet;

pub(crate) use knowledge::{first_map, imagined_map};
