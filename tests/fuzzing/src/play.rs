//! Random games that test the properties of the contract of games.

use std::marker::PhantomData;

use heliopause_kernel::Seat;
use heliopause_testing::player::{OrderOf, Player, Tested};
use heliopause_testing::{Rng, contract};

use crate::source::Source;

/// A player that uses the offers of any game.
pub struct Offered<G>(PhantomData<G>);

impl<G: Tested> Player for Offered<G> {
    type Game = G;
    const CASES: u32 = 1;
    const STEPS: usize = 24;
    // Diplomacy with default options has no final year.
    const ENDS: bool = false;

    /// Diplomacy also accepts orders without the kinds of units. Its offers always include them.
    fn lines(_game: &G, _seat: Seat, order: &OrderOf<Self>) -> Vec<String> {
        if G::ID == "diplomacy" { Vec::new() } else { vec![G::notate(order)] }
    }
}

/// Fuzzes play. The first byte selects the game, the second the property, the rest the moves.
pub fn play(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        let properties = contract::properties::<Offered<Own>>();
        let property = properties[usize::from(source.byte()) % properties.len()];
        property(Rng::of_bytes(source.rest()));
    });
}
