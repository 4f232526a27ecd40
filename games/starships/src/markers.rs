//! Rule 1: markers, their mix (R1), and their placement.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Dice, Draw, vocabulary};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::{PLACES, Place};

vocabulary! {
    /// The contents of a hex.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Marker)]
    pub enum Marker {
        /// A live planet that all players can see from the start.
        Earth = "Earth",
        DeathStar = "the Death Star",
        Friendly = "a Friendly planet",
        Unfriendly = "an Unfriendly planet",
        Dead = "a dead planet",
        Asteroids = "Asteroids",
        Empty = "empty space",
        /// A planet or the Death Star was destroyed here.
        Destroyed = "nothing any more",
    }
}

impl Marker {
    pub const KINDS: [Self; 6] = [
        Self::DeathStar,
        Self::Friendly,
        Self::Unfriendly,
        Self::Dead,
        Self::Asteroids,
        Self::Empty,
    ];

    pub fn is_planet(self) -> bool {
        self.is_live() || self == Self::Dead
    }

    /// Returns whether the marker is a live planet, which can have a base and counts for victory
    /// (9).
    pub fn is_live(self) -> bool {
        matches!(self, Self::Earth | Self::Friendly | Self::Unfriendly)
    }

    /// Returns whether an ownership marker colonizes an unowned hex with this marker (4.1). Earth
    /// can be colonized only while no base is on it (R21).
    pub fn is_open(self) -> bool {
        matches!(self, Self::Earth | Self::Friendly | Self::Dead)
    }
}

const FRIENDLY_NAMES: [&str; 12] = [
    "Freya", "Frigg", "Idun", "Sif", "Eir", "Skadi", "Nanna", "Gefjon", "Saga", "Sigyn", "Var",
    "Fulla",
];
const UNFRIENDLY_NAMES: [&str; 12] = [
    "Cinder", "Brute", "Talon", "Wrath", "Ember", "Thorn", "Scald", "Rancor", "Gash", "Vex",
    "Ruin", "Grudge",
];

/// Returns the name of a live planet, shown when the planet is turned face up. `None` for other
/// markers. Names have no effect in the game.
pub fn planet_name(marker: Marker, at: Place) -> Option<&'static str> {
    match marker {
        Marker::Earth => Some("Earth"),
        Marker::Friendly => Some(FRIENDLY_NAMES[at.index() % FRIENDLY_NAMES.len()]),
        Marker::Unfriendly => Some(UNFRIENDLY_NAMES[at.index() % UNFRIENDLY_NAMES.len()]),
        Marker::DeathStar
        | Marker::Dead
        | Marker::Asteroids
        | Marker::Empty
        | Marker::Destroyed => None,
    }
}

/// The number of markers of each kind (R1), besides the one Death Star.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::MarkerMix)]
pub struct Mix {
    pub friendly: u8,
    pub unfriendly: u8,
    pub dead: u8,
    pub asteroids: u8,
    pub empty: u8,
}

impl Mix {
    pub const FULL: Self = Self { friendly: 8, unfriendly: 6, dead: 5, asteroids: 7, empty: 9 };
    /// The markers that are withheld from the initial batch (1). The Death Star is also withheld.
    pub const WITHHELD: Self = Self { friendly: 3, unfriendly: 2, dead: 2, asteroids: 2, empty: 0 };

    pub(crate) fn counts(self) -> [u8; 5] {
        [self.friendly, self.unfriendly, self.dead, self.asteroids, self.empty]
    }

    pub(crate) fn counts_mut(&mut self) -> [&mut u8; 5] {
        [
            &mut self.friendly,
            &mut self.unfriendly,
            &mut self.dead,
            &mut self.asteroids,
            &mut self.empty,
        ]
    }

    pub fn count(self, marker: Marker) -> u8 {
        match marker {
            Marker::DeathStar => 1,
            Marker::Friendly => self.friendly,
            Marker::Unfriendly => self.unfriendly,
            Marker::Dead => self.dead,
            Marker::Asteroids => self.asteroids,
            Marker::Empty => self.empty,
            Marker::Earth | Marker::Destroyed => 0,
        }
    }

    /// Returns the number of markers, including the Death Star.
    pub fn total(self) -> u32 {
        Marker::KINDS.into_iter().map(|kind| u32::from(self.count(kind))).sum()
    }

    fn withheld() -> impl Iterator<Item = Marker> {
        Marker::KINDS
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(Self::WITHHELD.count(kind))))
    }

    pub(crate) fn initial_batch(self) -> impl Iterator<Item = Marker> {
        Marker::KINDS.into_iter().flat_map(move |kind| {
            let count = self.count(kind).saturating_sub(Self::WITHHELD.count(kind));
            std::iter::repeat_n(kind, usize::from(count))
        })
    }
}

impl Default for Mix {
    fn default() -> Self {
        Self::FULL
    }
}

/// Places the markers (1). The initial batch fills the first two ranks. The rest of the batch is
/// mixed with the withheld markers for the third rank, so the Death Star is always in that rank.
pub(crate) fn lay_out(mix: Mix, dice: &mut Dice) -> [Marker; PLACES] {
    let mut batch: Vec<Marker> = mix.initial_batch().collect();
    dice.shuffle(Draw::new("initial-batch"), &mut batch);
    let inner: Vec<Place> = Place::all().filter(|place| matches!(place.rank(), 1 | 2)).collect();
    let mut outer_markers = batch.split_off(inner.len());
    outer_markers.extend(Mix::withheld());
    dice.shuffle(Draw::new("third-rank"), &mut outer_markers);

    let mut board = [Marker::Earth; PLACES];
    let outer = Place::all().filter(|place| place.rank() == 3);
    for (place, marker) in inner.into_iter().zip(batch).chain(outer.zip(outer_markers)) {
        board[place.index()] = marker;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_mix_is_36_and_ten_are_withheld() {
        assert_eq!(Mix::FULL.total(), 36);
        assert_eq!(Mix::withheld().count(), 10);
        assert_eq!(Mix::FULL.initial_batch().count(), 26);
    }

    #[test]
    fn s01_the_death_star_is_never_in_the_inner_ranks_and_the_mix_is_exact() {
        for seed in 0..10_000_u32 {
            let mut bytes = [0; 32];
            bytes[..4].copy_from_slice(&seed.to_le_bytes());
            let board = lay_out(Mix::FULL, &mut Dice::new(bytes));
            for kind in Marker::KINDS {
                let found = board.iter().filter(|&&marker| marker == kind).count();
                assert_eq!(found, usize::from(Mix::FULL.count(kind)), "{kind:?} with seed {seed}");
            }
            let star = Place::all().find(|place| board[place.index()] == Marker::DeathStar);
            assert_eq!(star.map(Place::rank), Some(3));
            assert_eq!(board[Place::EARTH.index()], Marker::Earth);
        }
    }
}
