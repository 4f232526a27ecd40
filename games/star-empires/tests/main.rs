//! Tests of the rules of Star Empires.

mod offers;
mod play;
mod secrets;
mod turns;

/// Random play by several empires and an active game master.
mod contract {
    heliopause_testing::contract!(crate::play::RandomEmpires);
}
