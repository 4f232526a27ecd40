//! Client support: choices, offers, notation and descriptions.

pub(crate) mod choices;
pub(crate) mod describe;
pub(crate) mod guidance;
pub(crate) mod notation;
pub(crate) mod offers;
pub(crate) mod sample;
pub(crate) mod warnings;
