//! Rules 12, 13 and 20: battles and automatic answers in them.

pub(crate) mod assault;
pub(crate) mod combat;
pub(crate) mod course;
pub(crate) mod defaults;
pub(crate) mod fire;
pub(crate) mod line;
pub(crate) mod round;
pub(crate) mod shields;
pub(crate) mod stages;
pub(crate) mod withdrawal;
