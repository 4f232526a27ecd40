//! Tests of the AI client and the strength of its players.

mod command_line;
mod diplomacy;
mod engine;
mod exploits;
mod play;
mod star_empires;
mod starships;
mod stellar_conquest;
mod votes;
mod worker;
