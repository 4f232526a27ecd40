//! Tests of the table.

mod edges;
mod fair_play;
mod fairness;
mod kinds;
mod lists;
mod lots;
mod messages;
mod offers;
mod options;
mod promise;
mod recorded;
mod scene;
mod steps;
mod unattended;
mod votes;
mod waiting;
