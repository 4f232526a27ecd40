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
