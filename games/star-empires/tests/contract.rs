//! The contract suite: random play by several empires and an active game master.

heliopause_testing::contract!(crate::play::RandomEmpires);
