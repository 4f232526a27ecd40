//! Printed data: the board, cards, prices, odds, technologies, and the rulebook.

pub(crate) mod attack_table;
pub(crate) mod board;
pub(crate) mod borders;
pub(crate) mod cards;
pub(crate) mod clouds;
pub mod fate;
pub(crate) mod numbers;
pub mod outer_space;
pub(crate) mod prices;
pub(crate) mod routes;
pub(crate) mod rulebook;
pub(crate) mod ships;
pub(crate) mod stars;
pub(crate) mod technology;
pub(crate) mod texts;

pub(crate) use self::attack_table::*;
pub(crate) use self::board::*;
pub(crate) use self::cards::*;
pub(crate) use self::prices::*;
pub(crate) use self::routes::*;
pub(crate) use self::ships::*;
pub(crate) use self::stars::*;
pub(crate) use self::technology::*;
