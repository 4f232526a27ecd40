//! The tables of The Fate of Empire. The red die selects the row, the white die the column.

use std::array::from_fn;
use std::fmt::Debug;
use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::cards::PlanetType;
use crate::tables::rulebook::{RULEBOOK, number, rows};
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;

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

/// Reads the table of a rule, whose first row and column are headers.
fn two_dice<T: FromStr<Err: Debug>>(rule: &str) -> TwoDice<T> {
    let rows = rows(rule);
    let cell = |row: &[&str], white: usize| row[white + 1].parse().expect(rule);
    from_fn(|red| from_fn(|white| cell(&rows[red + 1], white)))
}

fn cell_of<T: Copy>(table: &TwoDice<T>, red: u8, white: u8) -> T {
    table[usize::from(red) - 1][usize::from(white) - 1]
}

static EVENTS: LazyLock<TwoDice<RandomEvent>> = LazyLock::new(|| two_dice("fate-4.1"));

/// Returns the random event for two dice (4.1).
pub fn random_event(red: u8, white: u8) -> RandomEvent {
    cell_of(&EVENTS, red, white)
}

static SWARM_TARGETS: LazyLock<TwoDice<StarId>> = LazyLock::new(|| two_dice("fate-5.1"));

/// Returns the star that Swarms target (5.1).
pub fn swarm_target(red: u8, white: u8) -> StarId {
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

impl Cell {
    /// Reads an entry such as `30M I10 D5/3 2S`: people, factories, bases and ships.
    fn read(text: &str) -> Self {
        let mut cell = Self::default();
        for part in text.split(' ') {
            let numbers = part.trim_matches(char::is_alphabetic);
            let (first, second) = numbers.split_once('/').unwrap_or((numbers, "0"));
            match part.trim_matches(|sign: char| !sign.is_alphabetic()) {
                "M" => cell.population = number(first),
                "I" => (cell.factories, cell.robotic) = (number(first), number(second)),
                "D" => (cell.missile, cell.advanced) = (number(first), number(second)),
                "C" => cell.corvettes = number(first),
                "S" => cell.scouts = number(first),
                "" | "PRIME" => {}
                other => panic!("{other} is not in the key of the Planet Table"),
            }
        }
        cell
    }

    pub const fn is_empty(&self) -> bool {
        self.population == 0 && self.corvettes == 0 && self.scouts == 0
    }
}

/// The Planet Table: the four planet types, barren first, for each red and white die (FR-1).
static PLANETS: LazyLock<TwoDice<[Cell; 4]>> = LazyLock::new(|| {
    let mut table = TwoDice::default();
    for row in rows("fate-6.2").iter().skip(1) {
        let (red, white) = row[0].split_once('-').expect("two dice");
        table[number::<usize>(red) - 1][number::<usize>(white) - 1] =
            from_fn(|kind| Cell::read(row[kind + 1]));
    }
    // The last line has the Prime worlds: sub-terran, then terran.
    let primes = RULEBOOK.text("fate-6.2").and_then(|text| text.lines().last());
    let primes = primes.expect("the Prime worlds").trim_end_matches('.').split(", ");
    for (entry, prime) in table[5][5][2..].iter_mut().zip(primes) {
        let (_kind, contents) = prime.split_once(' ').expect("a Prime world");
        *entry = Cell { prime: true, ..Cell::read(contents) };
    }
    table
});

/// Returns the Planet Table entry for two dice and a planet type (6.2).
pub fn planet_cell(red: u8, white: u8, kind: PlanetType) -> Cell {
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
    pub fn systems(self) -> usize {
        SECTORS[self as usize].systems
    }

    pub fn points(self) -> i64 {
        SECTORS[self as usize].points
    }

    pub fn stars(self) -> &'static [StarId] {
        &SECTORS[self as usize].stars
    }

    pub fn of(star: StarId) -> Self {
        let is_in = |sector: &Self| sector.stars().contains(&star);
        Self::ALL.into_iter().find(is_in).expect("every star is in a sector")
    }
}

struct SectorRow {
    points: i64,
    systems: usize,
    stars: Vec<StarId>,
}

/// The sectors, in the order of [`Sector::ALL`]. The numbers of a line are the points and systems.
static SECTORS: LazyLock<Vec<SectorRow>> = LazyLock::new(|| {
    let text = RULEBOOK.text("fate-9").unwrap_or_default();
    let sector = |(head, stars): (&str, &str)| {
        let numbers = head.split(' ').filter_map(|word| word.parse().ok());
        let [points, systems] = numbers.collect::<Vec<u8>>().try_into().expect("two numbers");
        let star = |name: &str| name.parse().expect("a star of a sector");
        let stars = stars.trim_end_matches('.').split(", ").map(star).collect();
        SectorRow { points: points.into(), systems: systems.into(), stars }
    };
    text.lines().filter_map(|line| line.split_once(" of these stars: ")).map(sector).collect()
});

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
        let fields = |red, white, kind| {
            let cell = planet_cell(red, white, kind);
            let Cell { population, factories, robotic, .. } = cell;
            let Cell { missile, advanced, corvettes, scouts, .. } = cell;
            [population, factories, robotic, missile, advanced, corvettes, scouts]
        };
        assert_eq!(fields(1, 1, PlanetType::Terran), [10, 2, 0, 1, 1, 0, 0]);
        assert_eq!(fields(1, 2, PlanetType::MinimalTerran), [10, 2, 0, 0, 0, 0, 3]);
        assert_eq!(fields(2, 6, PlanetType::Terran), [30, 10, 0, 5, 3, 0, 2]);
        assert_eq!(fields(6, 6, PlanetType::SubTerran), [40, 10, 10, 10, 10, 5, 3]);
        assert_eq!(fields(6, 6, PlanetType::Terran), [60, 10, 20, 10, 15, 10, 5]);
        assert_eq!(fields(6, 6, PlanetType::Barren), [15, 15, 0, 10, 5, 0, 0]);
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
