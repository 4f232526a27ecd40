//! The position, and the orders and events that change it, without the rules of play.

pub(crate) mod battle;
pub(crate) mod campaign;
pub(crate) mod chart;
pub(crate) mod colony;
pub(crate) mod event;
pub(crate) mod groups;
pub(crate) mod lists;
pub(crate) mod options;
pub(crate) mod order;
pub(crate) mod position;
pub(crate) mod power;
pub(crate) mod research;
pub(crate) mod secrets;
pub(crate) mod settings;
pub(crate) mod sheet;
pub(crate) mod shields;
pub(crate) mod ship;
pub(crate) mod standing;
pub(crate) mod table;
pub(crate) mod update;
pub(crate) mod view;
