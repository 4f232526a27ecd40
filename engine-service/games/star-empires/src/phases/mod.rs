//! 6.1 to 6.8: the phases of the turn, one module a chapter.
//!
//! | chapter | module |
//! | --- | --- |
//! | 6.1 astronomics | `astronomics` |
//! | 6.2 logistics | `logistics` |
//! | 6.3 combat | `combat` |
//! | 6.4 movement | `movement` |
//! | 6.5 research | `research` |
//! | 6.6 maintenance | `maintenance` |
//! | 6.7 income | `income` |
//! | 6.8 scanning | `knowledge` |

mod astronomics;
mod combat;
mod income;
mod knowledge;
mod logistics;
mod maintenance;
mod movement;
mod ownership;
mod research;

pub(crate) use knowledge::{first_map, imagined_map};
