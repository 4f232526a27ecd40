//! The tables of The Fate of Empire. The red die selects the row, the white die the column.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::cards::PlanetType;
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::{STAR_COUNT, StarId};

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::RandomEvent)]
    pub enum RandomEvent {
        #[wire(name = Unspecified, absent)]
        None = "-",
        Cadres = "A",
        Corvettes = "B",
        Scouts = "C",
        SubProvince = "D",
        Tension = "E",
        LimitedWar = "F",
        FullWar = "G",
        Peace = "H",
        Swarms = "I",
    }
}

impl RandomEvent {
    pub const fn needs_no_war(self) -> bool {
        matches!(
            self,
            Self::Cadres
                | Self::Corvettes
                | Self::Scouts
                | Self::SubProvince
                | Self::Tension
                | Self::LimitedWar
        )
    }
}

type TwoDice<T> = [[T; 6]; 6];

const fn cell_of<T: Copy>(table: &TwoDice<T>, red: u8, white: u8) -> T {
    table[red as usize - 1][white as usize - 1]
}

const EVENTS: TwoDice<RandomEvent> = {
    use RandomEvent::{
        Cadres as A, Corvettes as B, FullWar as G, LimitedWar as F, None as N, Peace as H,
        Scouts as C, SubProvince as D, Swarms as I, Tension as E,
    };
    [
        [D, N, I, N, C, H],
        [I, H, N, B, C, A],
        [E, N, I, H, F, N],
        [B, I, N, I, H, I],
        [A, N, I, H, C, I],
        [F, H, I, D, I, G],
    ]
};

/// Returns the random event for two dice (4.1).
pub const fn random_event(red: u8, white: u8) -> RandomEvent {
    cell_of(&EVENTS, red, white)
}

const SWARM_TARGETS: TwoDice<StarId> = {
    const fn s(name: &str) -> StarId {
        StarId::named(name)
    }
    [
        [s("Lalande"), s("Ceti"), s("Mira"), s("Luyten"), s("Rastaban"), s("Alcor")],
        [s("Eridani"), s("Diphda"), s("Kapetyn"), s("Canis"), s("Cephei"), s("Schedar")],
        [s("Mizar"), s("Tauri"), s("Antares"), s("Bootis"), s("Polaris"), s("Dubhe")],
        [s("Hamal"), s("Procyon"), s("Aurigae"), s("Lyrae"), s("Lacaille"), s("Scheat")],
        [s("Canopus"), s("Draconis"), s("Almach"), s("Capella"), s("Crucis"), s("Spica")],
        [s("Indi"), s("Mirfak"), s("Vega"), s("Caph"), s("Zosca"), s("Mirach")],
    ]
};

/// Returns the star that Swarms target (5.1).
pub const fn swarm_target(red: u8, white: u8) -> StarId {
    cell_of(&SWARM_TARGETS, red, white)
}

/// Returns the factors of a Swarm attack (5.3).
pub const fn swarm_factors(die: u8) -> u16 {
    [10, 15, 20, 30, 35, 40][die as usize - 1]
}

/// Returns the factors that a ship stops (5.3). Improved Ship Weaponry doubles them.
pub const fn stopped_by(kind: ShipKind) -> u16 {
    match kind {
        ShipKind::Scout | ShipKind::Transport => 0,
        ShipKind::Corvette => 2,
        ShipKind::Fighter => 5,
        ShipKind::DeathStar => 10,
    }
}

/// Factors that a missile base on the target stops (5.3).
pub const STOPPED_BY_MISSILE_BASE: u16 = 2;

/// Factors that an advanced missile base on the target stops (5.3).
pub const STOPPED_BY_ADVANCED_BASE: u16 = 5;

/// Returns the value of a ship in half ship points (4.4).
pub const fn half_points(kind: ShipKind) -> u32 {
    match kind {
        ShipKind::Transport => 0,
        ShipKind::Scout => 1,
        ShipKind::Corvette => 2,
        ShipKind::Fighter => 4,
        ShipKind::DeathStar => 10,
    }
}

/// Returns the value of a fleet in half ship points.
pub fn worth(fleet: Fleet) -> u32 {
    ShipKind::ALL.into_iter().map(|kind| fleet.count(kind).saturating_mul(half_points(kind))).sum()
}

/// Returns the value of a side in a battle, where a single scout counts for nothing (7.6, FR-10).
pub fn worth_in_battle(fleet: Fleet) -> u32 {
    if fleet.total() == 1 && fleet.count(ShipKind::Scout) == 1 { 0 } else { worth(fleet) }
}

/// Returns the Empire's points less the pirates', rounded towards 0 (7.6, FR-11).
pub fn difference(imperial: Fleet, pirates: Fleet) -> i32 {
    (worth_in_battle(imperial).cast_signed() - worth_in_battle(pirates).cast_signed()) / 2
}

/// Returns the highest roll on which pirates leave (7.6).
pub const fn disengagement_number(difference: i32) -> u8 {
    match difference {
        10.. => 6,
        8..=9 => 5,
        6..=7 => 4,
        3..=5 => 3,
        1..=2 => 2,
        _ => 1,
    }
}

/// An entry of the Planet Table (6.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::PlanetCell, or_default)]
pub struct Cell {
    /// Millions of people, before the card's limit.
    pub population: u16,
    pub factories: u16,
    #[wire(name = robotic_factories)]
    pub robotic: u16,
    #[wire(name = missile_bases)]
    pub missile: u16,
    #[wire(name = advanced_missile_bases)]
    pub advanced: u16,
    pub corvettes: u16,
    pub scouts: u16,
    pub prime: bool,
}

const NOTHING: Cell = Cell {
    population: 0,
    factories: 0,
    robotic: 0,
    missile: 0,
    advanced: 0,
    corvettes: 0,
    scouts: 0,
    prime: false,
};

/// Creates an entry without robotic factories, with its values in the order of the table.
const fn pop(population: u16, factories: u16, defense: (u16, u16)) -> Cell {
    Cell { population, factories, missile: defense.0, advanced: defense.1, ..NOTHING }
}

const fn ships(corvettes: u16, scouts: u16) -> Cell {
    Cell { corvettes, scouts, ..NOTHING }
}

impl Cell {
    const fn and(self, corvettes: u16, scouts: u16) -> Self {
        Self { corvettes, scouts, ..self }
    }

    const fn prime(self, robotic: u16) -> Self {
        Self { robotic, prime: true, ..self }
    }

    pub const fn is_empty(&self) -> bool {
        self.population == 0 && self.corvettes == 0 && self.scouts == 0
    }
}

/// The Planet Table: the four planet types, barren first, for each red and white die (FR-1).
const PLANETS: TwoDice<[Cell; 4]> = [
    [
        [NOTHING, NOTHING, NOTHING, pop(10, 2, (1, 1))],
        [pop(5, 0, (0, 0)), pop(10, 2, (0, 0)).and(0, 3), NOTHING, NOTHING],
        [NOTHING; 4],
        [NOTHING, NOTHING, pop(15, 3, (3, 1)), NOTHING],
        [NOTHING; 4],
        [pop(10, 5, (2, 2)).and(3, 0), NOTHING, NOTHING, NOTHING],
    ],
    [
        [NOTHING, ships(0, 2), NOTHING, NOTHING],
        [NOTHING; 4],
        [NOTHING, NOTHING, ships(4, 2), ships(1, 0)],
        [NOTHING, pop(10, 2, (1, 2)), NOTHING, NOTHING],
        [pop(5, 0, (1, 0)), NOTHING, pop(15, 1, (3, 0)), NOTHING],
        [NOTHING, NOTHING, NOTHING, pop(30, 10, (5, 3)).and(0, 2)],
    ],
    [
        [ships(0, 1), NOTHING, ships(2, 0), ships(0, 2)],
        [ships(0, 2), ships(0, 1), ships(0, 3), ships(2, 0)],
        [pop(2, 0, (0, 0)).and(1, 0), NOTHING, NOTHING, NOTHING],
        [NOTHING, pop(5, 0, (1, 0)), NOTHING, NOTHING],
        [pop(10, 5, (2, 2)).and(3, 2), pop(10, 2, (0, 1)), pop(15, 3, (3, 1)), pop(10, 2, (1, 1))],
        [NOTHING; 4],
    ],
    [
        [NOTHING; 4],
        [NOTHING, NOTHING, ships(3, 0), pop(30, 10, (5, 3))],
        [ships(3, 0), NOTHING, NOTHING, NOTHING],
        [NOTHING, NOTHING, ships(0, 1), ships(0, 1)],
        [NOTHING, ships(0, 1), NOTHING, ships(1, 3)],
        [NOTHING, pop(15, 5, (4, 2)), NOTHING, NOTHING],
    ],
    [
        [NOTHING, NOTHING, pop(20, 5, (5, 0)), pop(40, 2, (6, 3))],
        [NOTHING; 4],
        [ships(1, 0), ships(0, 1), ships(0, 2), ships(5, 4)],
        [NOTHING, NOTHING, pop(20, 5, (5, 0)).and(5, 0), NOTHING],
        [ships(5, 0), ships(5, 0), ships(5, 0), ships(5, 0)],
        [NOTHING, pop(10, 0, (2, 0)), pop(20, 0, (2, 0)), NOTHING],
    ],
    [
        [pop(5, 0, (1, 0)), ships(0, 5), pop(20, 5, (4, 2)), NOTHING],
        [NOTHING; 4],
        [pop(10, 0, (0, 0)).and(2, 0), NOTHING, NOTHING, NOTHING],
        [NOTHING, ships(0, 3), ships(1, 0), ships(3, 3)],
        [NOTHING, pop(15, 5, (3, 0)), pop(5, 0, (0, 0)).and(0, 2), pop(5, 0, (1, 0))],
        [
            pop(15, 15, (10, 5)),
            pop(20, 10, (2, 5)),
            pop(40, 10, (10, 10)).and(5, 3).prime(10),
            pop(60, 10, (10, 15)).and(10, 5).prime(20),
        ],
    ],
];

/// Returns the Planet Table entry for two dice and a planet type (6.2).
pub const fn planet_cell(red: u8, white: u8, kind: PlanetType) -> Cell {
    let column = match kind {
        PlanetType::Barren => 0,
        PlanetType::MinimalTerran => 1,
        PlanetType::SubTerran => 2,
        PlanetType::Terran => 3,
    };
    cell_of(&PLANETS, red, white)[column]
}

/// A sector of the map (9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sector {
    One,
    Two,
    Three,
    Four,
    Central,
}

impl Sector {
    pub const ALL: [Self; 5] = [Self::One, Self::Two, Self::Three, Self::Four, Self::Central];

    /// Returns the number of star systems with colonies or dominions needed to rule the sector.
    pub const fn systems(self) -> usize {
        match self {
            Self::One | Self::Three | Self::Four => 3,
            Self::Two => 4,
            Self::Central => 5,
        }
    }

    pub const fn points(self) -> i64 {
        match self {
            Self::One | Self::Four => 15,
            Self::Two | Self::Three => 20,
            Self::Central => 25,
        }
    }

    pub const fn stars(self) -> &'static [StarId] {
        match self {
            Self::One => &ONE,
            Self::Two => &TWO,
            Self::Three => &THREE,
            Self::Four => &FOUR,
            Self::Central => &CENTRAL,
        }
    }

    pub fn of(star: StarId) -> Self {
        SECTOR_OF[star.index()]
    }
}

const fn stars<const N: usize>(names: [&str; N]) -> [StarId; N] {
    let mut stars = [StarId::named("Sirius"); N];
    let mut at = 0;
    while at < N {
        stars[at] = StarId::named(names[at]);
        at += 1;
    }
    stars
}

const ONE: [StarId; 9] = stars([
    "Scorpii", "Barnard", "Hamal", "Dubhe", "Altair", "Kruger", "Procyon", "Aurigae", "Zosca",
]);
const TWO: [StarId; 11] = stars([
    "Hydrae", "Alcor", "Sadir", "Rastaban", "Mira", "Ceti", "Lalande", "Luyten", "Pherda",
    "Eridani", "Sirius",
]);
const THREE: [StarId; 10] = stars([
    "Diphda", "Ross", "Deneb", "Kapetyn", "Canis", "Indi", "Ophiuchi", "Cephei", "Schedar", "Mizar",
]);
const FOUR: [StarId; 8] =
    stars(["Antares", "Tauri", "Arcturus", "Wolf", "Bootis", "Vega", "Wezen", "Polaris"]);
const CENTRAL: [StarId; 16] = stars([
    "Lyrae", "Lacaille", "Lupi", "Cygni", "Alphard", "Canopus", "Draconis", "Almach", "Mirach",
    "Capella", "Crucis", "Spica", "Mirfak", "Kochab", "Caph", "Scheat",
]);

const SECTOR_OF: [Sector; STAR_COUNT] = {
    let mut table = [Sector::Central; STAR_COUNT];
    let mut sector = 0;
    while sector < Sector::ALL.len() {
        let stars = Sector::ALL[sector].stars();
        let mut at = 0;
        while at < stars.len() {
            table[stars[at].index()] = Sector::ALL[sector];
            at += 1;
        }
        sector += 1;
    }
    table
};

/// Returns the victory points for a planet with a colony or a dominion (11).
pub const fn planet_points(kind: PlanetType) -> i64 {
    match kind {
        PlanetType::Barren => 5,
        PlanetType::MinimalTerran => 7,
        PlanetType::SubTerran => 10,
        PlanetType::Terran => 15,
    }
}

/// Returns the victory points for a Prime dominion, which replace those for its type (11).
pub const fn prime_points(kind: PlanetType) -> i64 {
    match kind {
        PlanetType::SubTerran => 35,
        PlanetType::Terran => 50,
        PlanetType::Barren | PlanetType::MinimalTerran => 0,
    }
}

/// Returns the victory points for a destroyed pirate (7.8).
pub const fn pirate_points(kind: ShipKind) -> i64 {
    match kind {
        ShipKind::Scout => 1,
        ShipKind::Corvette => 3,
        ShipKind::Transport | ShipKind::Fighter | ShipKind::DeathStar => 0,
    }
}

/// Returns the victory points for a destroyed Imperial ship (11).
pub const fn loss_points(kind: ShipKind) -> i64 {
    match kind {
        ShipKind::Transport => 0,
        ShipKind::Scout => -2,
        ShipKind::Corvette => -5,
        ShipKind::Fighter => -10,
        ShipKind::DeathStar => -20,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolls() -> impl Iterator<Item = (u8, u8)> {
        (1..=6).flat_map(|red| (1..=6).map(move |white| (red, white)))
    }

    #[test]
    fn fate_4_1_frequency_of_each_event() {
        let count =
            |event| rolls().filter(|&(red, white)| random_event(red, white) == event).count();
        assert_eq!(RandomEvent::ALL.map(count), [7, 2, 2, 3, 2, 1, 2, 1, 6, 10]);
        assert_eq!(random_event(6, 6), RandomEvent::FullWar);
        assert_eq!(random_event(1, 6), RandomEvent::Peace);
        assert_eq!(random_event(1, 1), RandomEvent::SubProvince);
    }

    #[test]
    fn fate_5_1_eighteen_stars_are_never_attacked() {
        let mut targets: Vec<StarId> =
            rolls().map(|(red, white)| swarm_target(red, white)).collect();
        assert_eq!(swarm_target(5, 2).as_str(), "Draconis");
        targets.sort_unstable();
        targets.dedup();
        assert_eq!(targets.len(), 36);
        for name in ["Alphard", "Altair", "Sadir", "Wolf"] {
            assert!(!targets.contains(&name.parse().unwrap()), "{name}");
        }
    }

    #[test]
    fn fate_6_2_the_planet_table() {
        let cell = planet_cell;
        assert_eq!(cell(1, 1, PlanetType::Terran), pop(10, 2, (1, 1)));
        assert_eq!(cell(1, 2, PlanetType::MinimalTerran), pop(10, 2, (0, 0)).and(0, 3));
        assert_eq!(cell(2, 6, PlanetType::Terran), pop(30, 10, (5, 3)).and(0, 2));
        assert_eq!(cell(6, 6, PlanetType::SubTerran), pop(40, 10, (10, 10)).and(5, 3).prime(10));
        assert_eq!(cell(6, 6, PlanetType::Terran), pop(60, 10, (10, 15)).and(10, 5).prime(20));
        assert_eq!(cell(6, 6, PlanetType::Barren), pop(15, 15, (10, 5)));
        let all = rolls()
            .flat_map(|(red, white)| PlanetType::ALL.map(|kind| (kind, cell(red, white, kind))));
        let cells: Vec<(PlanetType, Cell)> = all.collect();
        assert_eq!(cells.iter().filter(|(_, cell)| cell.prime).count(), 2);
        let most = |kind| {
            cells
                .iter()
                .filter(|(of, _)| *of == kind)
                .map(|(_, cell)| cell.population)
                .max()
                .unwrap()
        };
        assert_eq!(PlanetType::ALL.map(most), [60, 40, 20, 15]);
    }

    #[test]
    fn fate_7_6_disengagement_ft_18_ft_19_ft_20() {
        let fleet = |scouts, corvettes, fighters| Fleet::new([scouts, 0, corvettes, fighters, 0]);
        assert_eq!(difference(fleet(2, 3, 0), fleet(1, 2, 0)), 1);
        assert_eq!(disengagement_number(1), 2);
        assert_eq!(difference(fleet(1, 0, 0), fleet(0, 1, 0)), -1);
        assert_eq!(difference(fleet(2, 0, 0), fleet(1, 0, 0)), 1);
        assert_eq!(difference(fleet(0, 3, 4), fleet(0, 1, 0)), 10);
        assert_eq!([-9, 0, 2, 5, 7, 9, 10, 99].map(disengagement_number), [1, 1, 2, 3, 4, 5, 6, 6]);
        // FR-10: a scout with a transport is not alone. FR-11: −½ rounds to 0.
        assert_eq!(worth_in_battle(Fleet::new([1, 1, 0, 0, 0])), 1);
        assert_eq!(difference(fleet(3, 0, 0), fleet(0, 2, 0)), 0);
    }

    #[test]
    fn fate_9_sectors_fr_4() {
        assert_eq!(Sector::ALL.map(|sector| sector.stars().len()), [9, 11, 10, 8, 16]);
        assert_eq!(Sector::of("Scheat".parse().unwrap()), Sector::Central);
        assert_eq!(Sector::of("Zosca".parse().unwrap()), Sector::One);
        for star in StarId::ALL {
            let of: Vec<_> =
                Sector::ALL.into_iter().filter(|sector| sector.stars().contains(&star)).collect();
            assert_eq!(of, [Sector::of(star)], "{star}");
        }
    }
}
