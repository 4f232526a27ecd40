//! What nobody who plays may know.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Dice, Draw, Seat};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::power::Sighting;
use crate::tables::cards::CardId;
use crate::tables::stars::{Colour, STAR_COUNT, StarId};

/// Ships that passed a colony whose owner may still look at them (10).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::GlimpseKept, with(Seat = crate::wire::numbers::seat))]
pub struct Kept {
    /// Who may look.
    pub seat: Seat,
    /// The number of their glimpse.
    pub number: u32,
    /// What they would see.
    pub sighting: Sighting,
}

/// What nobody who plays may know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Secrets {
    /// The cards of each colour that were not drawn, in the order of [`Colour::ALL`]; the top one
    /// is the last.
    pub decks: [Vec<CardId>; 5],
    /// The card of each star, once it is drawn; whoever has explored the star knows it.
    pub cards: Box<[Option<CardId>; STAR_COUNT]>,
    /// What there is to see behind glimpses.
    pub kept: Vec<Kept>,
}

impl Secrets {
    /// Five decks in the order of the cards' numbers; none is drawn.
    pub(crate) fn undrawn() -> Self {
        let decks = Colour::ALL.map(|colour| CardId::deck(colour).collect());
        Self { decks, cards: Box::new([None; STAR_COUNT]), kept: Vec::new() }
    }

    /// 3.1: five shuffled decks.
    pub(crate) fn shuffled(dice: &mut Dice) -> Self {
        let mut secrets = Self::undrawn();
        for (colour, deck) in Colour::ALL.into_iter().zip(&mut secrets.decks) {
            dice.shuffle(Draw::new("star-cards").of(colour as u64), deck);
        }
        secrets
    }

    /// 11.4: the card of a star: the one that is tied to it, or the top one of its colour.
    pub fn card(&self, star: StarId) -> CardId {
        let top = || self.decks[star.colour() as usize].last().copied();
        self.cards[star.index()]
            .or_else(top)
            .expect("there are more cards than stars of every colour")
    }
}
