//! What serves clients: what a seat can do, and the same in words.

pub(crate) mod choices;
pub(crate) mod counsel;
pub(crate) mod describe;
pub(crate) mod notation;
pub(crate) mod offers;
pub(crate) mod sample;
pub(crate) mod warnings;
