//! Tests of the table.

mod edges;
mod fair_play;
mod fairness;
mod kinds;
mod letters;
mod lists;
mod lots;
mod offers;
mod options;
mod promise;
mod recorded;
mod steps;
mod unattended;
mod votes;
mod waiting;
