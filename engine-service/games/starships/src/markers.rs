//! Rule 1: markers, their mix (R1), and how they are laid out.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Dice, Draw, vocabulary};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::{PLACES, Place};

vocabulary! {
    /// What a hex holds.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Marker)]
    pub enum Marker {
        /// Earth, a live planet that everyone knows.
        Earth = "Earth",
        DeathStar = "the Death Star",
        /// A Friendly live planet.
        Friendly = "a Friendly planet",
        /// An Unfriendly live planet.
        Unfriendly = "an Unfriendly planet",
        /// A dead planet that can be mined.
        Dead = "a dead planet",
        Asteroids = "Asteroids",
        /// Empty space.
        Empty = "empty space",
        /// Nothing any more: a planet or the Death Star was destroyed here.
        Destroyed = "nothing any more",
    }
}

impl Marker {
    /// The kinds that a mix counts.
    pub const KINDS: [Self; 6] = [
        Self::DeathStar,
        Self::Friendly,
        Self::Unfriendly,
        Self::Dead,
        Self::Asteroids,
        Self::Empty,
    ];

    /// Whether it is a planet, live or dead.
    pub fn is_planet(self) -> bool {
        self.is_live() || self == Self::Dead
    }

    /// Whether it is a live planet: one that can host a base and counts for victory (9).
    pub fn is_live(self) -> bool {
        matches!(self, Self::Earth | Self::Friendly | Self::Unfriendly)
    }

    /// Whether putting an ownership marker on it, unowned, colonizes it (4.1). Earth only without a
    /// base on it (R21).
    pub fn is_open(self) -> bool {
        matches!(self, Self::Earth | Self::Friendly | Self::Dead)
    }
}

/// The flavour names of Friendly planets, shown once a marker is face up.
const FRIENDLY_NAMES: [&str; 12] = [
    "Freya", "Frigg", "Idun", "Sif", "Eir", "Skadi", "Nanna", "Gefjon", "Saga", "Sigyn", "Var",
    "Fulla",
];
/// The flavour names of Unfriendly planets.
const UNFRIENDLY_NAMES: [&str; 12] = [
    "Cinder", "Brute", "Talon", "Wrath", "Ember", "Thorn", "Scald", "Rancor", "Gash", "Vex",
    "Ruin", "Grudge",
];

/// The public name of a face-up live planet: flavour only, fixed by where it is.
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

/// How many markers of each kind there are (R1). There is always one Death Star.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::MarkerMix)]
pub struct Mix {
    /// Friendly live planets.
    pub friendly: u8,
    /// Unfriendly live planets.
    pub unfriendly: u8,
    /// Dead planets.
    pub dead: u8,
    pub asteroids: u8,
    /// Empty space.
    pub empty: u8,
}

impl Mix {
    /// The full mix (R1).
    pub const FULL: Self = Self { friendly: 8, unfriendly: 6, dead: 5, asteroids: 7, empty: 9 };
    /// What is withheld from the initial batch, beside the Death Star (1).
    pub const WITHHELD: Self = Self { friendly: 3, unfriendly: 2, dead: 2, asteroids: 2, empty: 0 };

    /// How many there are of each, in the order in which options name them.
    pub(crate) fn counts(self) -> [u8; 5] {
        [self.friendly, self.unfriendly, self.dead, self.asteroids, self.empty]
    }

    /// The same, to be changed.
    pub(crate) fn counts_mut(&mut self) -> [&mut u8; 5] {
        [
            &mut self.friendly,
            &mut self.unfriendly,
            &mut self.dead,
            &mut self.asteroids,
            &mut self.empty,
        ]
    }

    /// How many there are of a kind.
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

    /// All markers together, the Death Star included.
    pub fn total(self) -> u32 {
        Marker::KINDS.into_iter().map(|kind| u32::from(self.count(kind))).sum()
    }

    /// The withheld markers, the Death Star among them.
    fn withheld() -> impl Iterator<Item = Marker> {
        Marker::KINDS
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(Self::WITHHELD.count(kind))))
    }

    /// The initial batch: what is left when the withheld markers are taken out.
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

/// Lays the markers out (1): the initial batch fills the first two ranks; its rest and the withheld
/// markers are mixed for the third. So the Death Star always lies in the third.
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
