//! Tests of the rules of Stellar Conquest and its variants.

mod contract;
mod offer_lines;
mod play;
mod politics;
