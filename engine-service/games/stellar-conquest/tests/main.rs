//! Tests of the rules of Stellar Conquest and its variants.

mod lists;
mod play;
mod politics;
mod properties;
