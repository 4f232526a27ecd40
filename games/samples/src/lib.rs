//! Games in progress and random positions, for tests and benchmarks of several crates.
//!
//! | module | content |
//! | --- | --- |
//! | [`war`] | a war of Star Empires with any number of empires and ships |
//! | [`quick_play`] | complete games of Stellar Conquest, played fast |
//! | [`positions`] | small random positions of Diplomacy with orders |
//! | [`reference`](mod@reference) | a slow reference adjudicator of Diplomacy |

pub mod positions;
pub mod quick_play;
pub mod reference;
pub mod war;
