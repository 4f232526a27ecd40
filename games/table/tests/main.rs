//! Tests of the table.

mod branches;
mod cases;
mod chat;
mod conditional;
mod edges;
mod fair_play;
mod kinds;
mod lists;
mod lots;
mod messages;
mod offers;
mod options;
mod promise;
mod recorded;
mod rematch;
mod scene;
mod steps;
