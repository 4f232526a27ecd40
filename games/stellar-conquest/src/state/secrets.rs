//! State hidden from all players: the cards, and the ships that colony owners may still inspect.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Dice, Draw, Seat};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::power::Sighting;
use crate::tables::{CardId, STAR_COUNT, StarColor, StarId};

/// Ships that passed a colony and that the colony's owner may still inspect (rule 10).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::GlimpseKept, with(Seat = crate::tables::numbers::seat))]
pub struct HiddenSighting {
    pub seat: Seat,
    pub number: u32,
    pub sighting: Sighting,
}

/// State hidden from all players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Secrets {
    /// The remaining cards of each color, in the order of [`StarColor::ALL`], top card last.
    pub decks: [Vec<CardId>; 5],
    /// The card of each star once drawn. Only seats that have explored the star know it.
    pub cards: Box<[Option<CardId>; STAR_COUNT]>,
    pub kept: Vec<HiddenSighting>,
}

impl Secrets {
    pub(crate) fn undrawn() -> Self {
        let decks = StarColor::ALL.map(|color| CardId::deck(color).collect());
        Self { decks, cards: Box::new([None; STAR_COUNT]), kept: Vec::new() }
    }

    pub(crate) fn shuffled(dice: &mut Dice) -> Self {
        let mut secrets = Self::undrawn();
        for (color, deck) in StarColor::ALL.into_iter().zip(&mut secrets.decks) {
            dice.shuffle(Draw::new("star-cards").of(color as u64), deck);
        }
        secrets
    }

    pub fn card(&self, star: StarId) -> CardId {
        let top = || self.decks[star.color() as usize].last().copied();
        self.cards[star.index()]
            .or_else(top)
            .expect("there are more cards than stars of every color")
    }
}
