//! The map: 75 provinces, six of whose coasts are places of their own for fleets, and the borders
//! between them (D1).

mod tables;

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, vocabulary};

use tables::{POWERS, PROVINCES as ROWS};

/// How many provinces there are.
pub const PROVINCES: usize = ROWS.len();
/// How many places a fleet can be told to go to: provinces, and the coasts of those that have two.
pub const NODES: usize = PROVINCES + COASTS.len();
/// The powers of the standard game, in seat order.
pub const STANDARD_POWERS: usize = POWERS.len();

/// The coasts that are places of their own, in the order of their nodes.
const COASTS: [(&str, Coast); 6] = [
    ("Bul", Coast::East),
    ("Bul", Coast::South),
    ("Spa", Coast::North),
    ("Spa", Coast::South),
    ("Stp", Coast::North),
    ("Stp", Coast::South),
];

/// A province. Provinces are numbered in the order of their English names.
///
/// ```
/// use heliopause_diplomacy::Province;
///
/// let paris: Province = "par".parse().unwrap();
/// assert_eq!((paris.as_str(), paris.name()), ("Par", "Paris"));
/// assert!(paris.by_army().contains("Bur".parse().unwrap()));
/// assert_eq!(Province::ALL.len(), 75);
/// ```
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub struct Province(u8);

vocabulary! {
    /// A coast of a province with two.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Coast in any case {
        /// The north coast.
        North = "nc",
        /// The east coast.
        East = "ec",
        /// The south coast.
        South = "sc",
    }
}

/// A province, or one coast of it: where a unit stands, or is told to go.
///
/// ```
/// use heliopause_diplomacy::{Coast, Node};
///
/// let north: Node = "Spa/nc".parse().unwrap();
/// assert_eq!(north.coast(), Some(Coast::North));
/// assert_eq!(north.province().name(), "Spain");
/// assert!("Par/nc".parse::<Node>().is_err());
/// ```
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub struct Node(u8);

/// What a province is (D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terrain {
    /// For armies only.
    Inland,
    /// For armies and fleets.
    Coastal,
    /// For fleets only.
    Sea,
}

impl Province {
    /// Every province, in the order of the English names.
    pub const ALL: [Self; PROVINCES] = {
        let mut all = [Self(0); PROVINCES];
        let mut index = 0;
        while index < PROVINCES {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    /// The province at an array index.
    pub fn at(index: usize) -> Self {
        assert!(index < PROVINCES, "there are {PROVINCES} provinces");
        Self(index as u8)
    }

    /// The array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// As a place without a coast.
    pub fn node(self) -> Node {
        Node(self.0)
    }

    /// Its abbreviation of three letters: `Par`, `NTH`.
    pub fn as_str(self) -> &'static str {
        MAP.rows[self.index()].abbreviation
    }

    /// The English name.
    pub fn name(self) -> &'static str {
        MAP.rows[self.index()].name
    }

    /// What it is.
    pub fn terrain(self) -> Terrain {
        MAP.rows[self.index()].terrain
    }

    /// Whether an army can stand in it.
    pub fn is_land(self) -> bool {
        self.terrain() != Terrain::Sea
    }

    /// Whether it holds a supply center.
    pub fn is_center(self) -> bool {
        MAP.centers.contains(self)
    }

    /// The power of the standard game whose home center it is, as an index of the powers.
    pub fn home(self) -> Option<usize> {
        MAP.rows[self.index()].home
    }

    /// The coasts that are places of their own: none, or two.
    pub fn coasts(self) -> impl Iterator<Item = Node> {
        (PROVINCES..NODES)
            .map(|index| Node(index as u8))
            .filter(move |node| node.province() == self)
    }

    /// Whether a fleet in it must stand on one of two coasts.
    pub fn has_two_coasts(self) -> bool {
        MAP.two_coasts.contains(self)
    }

    /// Where an army can walk to.
    pub fn by_army(self) -> Provinces {
        MAP.army[self.index()]
    }

    /// The provinces that a fleet can reach from any coast of this one: for a sea, all that it
    /// touches.
    pub fn by_sea(self) -> Provinces {
        MAP.touching[self.index()]
    }

    /// Every neighbour, whoever may cross the border.
    pub fn neighbours(self) -> Provinces {
        self.by_army().union(self.by_sea())
    }
}

impl fmt::Display for Province {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Province {
    type Err = NoSuchWord;

    /// Reads an abbreviation, in any case.
    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let found =
            Self::ALL.into_iter().find(|province| province.as_str().eq_ignore_ascii_case(text));
        found.ok_or(NoSuchWord::Like("the three letters of a province, such as Par or NTH"))
    }
}

impl Node {
    /// Every place: provinces, then coasts.
    pub const ALL: [Self; NODES] = {
        let mut all = [Self(0); NODES];
        let mut index = 0;
        while index < NODES {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    /// The place with this number.
    pub fn at(index: usize) -> Option<Self> {
        (index < NODES).then_some(Self(index as u8))
    }

    /// A place by its province and coast, if that province has that coast.
    pub fn of(province: Province, coast: Option<Coast>) -> Option<Self> {
        match coast {
            None => Some(province.node()),
            Some(coast) => province.coasts().find(|node| node.coast() == Some(coast)),
        }
    }

    /// The array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The province.
    pub fn province(self) -> Province {
        if self.index() < PROVINCES {
            Province(self.0)
        } else {
            MAP.coasts[self.index() - PROVINCES].0
        }
    }

    /// The coast, if one is named.
    pub fn coast(self) -> Option<Coast> {
        Some(COASTS[self.index().checked_sub(PROVINCES)?].1)
    }

    /// Where a fleet here can go.
    pub fn by_fleet(self) -> Nodes {
        MAP.fleet[self.index()]
    }

    /// The provinces where a fleet here can go, whatever the coast.
    pub fn fleet_provinces(self) -> Provinces {
        MAP.fleet_provinces[self.index()]
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.province().fmt(f)?;
        match self.coast() {
            Some(coast) => write!(f, "/{coast}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Node {
    type Err = NoSuchWord;

    /// Reads `Par`, `Spa/nc` or `Spa(nc)`.
    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let (province, coast) = match text.find(['/', '(']) {
            Some(at) => (&text[..at], Some(text[at + 1..].trim_end_matches(')'))),
            None => (text, None),
        };
        let coast = coast.map(str::parse).transpose().ok();
        let found = province.parse().ok().zip(coast);
        let found = found.and_then(|(province, coast)| Self::of(province, coast));
        found.ok_or(NoSuchWord::Like("a province or a coast, such as Par, NTH or Spa/nc"))
    }
}

/// Makes a set of small things out of the bits of a `u128`.
macro_rules! bit_set {
    ($(#[$doc:meta])* $set:ident of $item:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $set(u128);

        impl $set {
            /// Nothing.
            pub const EMPTY: Self = Self(0);

            /// Only this one.
            pub fn one(item: $item) -> Self {
                Self(1 << item.0)
            }

            /// Whether it is in the set.
            pub fn contains(self, item: $item) -> bool {
                self.0 & (1 << item.0) != 0
            }

            /// Adds one.
            pub fn insert(&mut self, item: $item) {
                self.0 |= 1 << item.0;
            }

            /// Takes one out.
            pub fn remove(&mut self, item: $item) {
                self.0 &= !(1 << item.0);
            }

            /// What is in either set.
            #[must_use]
            pub fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// What is in both sets.
            #[must_use]
            pub fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// What is in this set and not in the other.
            #[must_use]
            pub fn difference(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Whether there is nothing in it.
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// How many are in it.
            pub fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// What is in it, in order.
            pub fn iter(self) -> impl Iterator<Item = $item> {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    let lowest = (rest != 0).then(|| rest.trailing_zeros() as u8)?;
                    rest &= rest - 1;
                    Some($item(lowest))
                })
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                items.into_iter().fold(Self::EMPTY, |set, item| Self(set.0 | 1 << item.0))
            }
        }

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter().map(|item| item.to_string())).finish()
            }
        }
    };
}

bit_set! {
    /// A set of provinces.
    Provinces of Province
}
bit_set! {
    /// A set of provinces and coasts.
    Nodes of Node
}

/// All supply centers.
pub fn centers() -> Provinces {
    MAP.centers
}

/// All seas.
pub fn seas() -> Provinces {
    MAP.seas
}

/// The powers of the standard game: name, and the units that it begins with as notation (D10).
pub fn standard_powers() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)>
{
    POWERS.iter().map(|&(name, units)| (name, units.split(", ")))
}

struct Row {
    abbreviation: &'static str,
    name: &'static str,
    terrain: Terrain,
    home: Option<usize>,
}

struct Map {
    rows: Vec<Row>,
    coasts: Vec<(Province, Coast)>,
    centers: Provinces,
    seas: Provinces,
    two_coasts: Provinces,
    army: [Provinces; PROVINCES],
    fleet: [Nodes; NODES],
    fleet_provinces: [Provinces; NODES],
    touching: [Provinces; PROVINCES],
}

static MAP: LazyLock<Map> = LazyLock::new(Map::read);

impl Map {
    /// Reads the tables. They are part of the program: a fault in them is one in the program, and
    /// every test shows it.
    fn read() -> Self {
        let cells: Vec<Vec<&'static str>> =
            ROWS.iter().map(|row| row.split('|').collect()).collect();
        let province = |text: &str| {
            let found = cells.iter().position(|row| row[0] == text);
            Province(found.expect("a border names a province") as u8)
        };
        let coasts: Vec<(Province, Coast)> =
            COASTS.iter().map(|&(abbreviation, coast)| (province(abbreviation), coast)).collect();
        let node = |text: &str| match text.split_once('/') {
            None => province(text).node(),
            Some((name, coast)) => {
                let key = (province(name), coast.parse().expect("a border names a coast"));
                Node(
                    (PROVINCES
                        + coasts.iter().position(|&known| known == key).expect("a known coast"))
                        as u8,
                )
            }
        };
        let province_of = |node: Node| match node.index().checked_sub(PROVINCES) {
            None => Province(node.0),
            Some(coast) => coasts[coast].0,
        };
        let mut map = Self {
            rows: Vec::with_capacity(PROVINCES),
            coasts: coasts.clone(),
            centers: Provinces::EMPTY,
            seas: Provinces::EMPTY,
            two_coasts: coasts.iter().map(|&(province, _)| province).collect(),
            army: [Provinces::EMPTY; PROVINCES],
            fleet: [Nodes::EMPTY; NODES],
            fleet_provinces: [Provinces::EMPTY; NODES],
            touching: [Provinces::EMPTY; PROVINCES],
        };
        for (index, row) in cells.iter().enumerate() {
            let here = Province(index as u8);
            map.army[index] = row[3].split_whitespace().map(province).collect();
            for fleets in row[4].split("; ") {
                let (from, to) = match fleets.split_once(": ") {
                    Some((coast, to)) => (node(&format!("{}/{coast}", row[0])), to),
                    None => (here.node(), fleets),
                };
                let to: Nodes = to.split_whitespace().map(node).collect();
                map.fleet[from.index()] = to;
                map.fleet_provinces[from.index()] = to.iter().map(province_of).collect();
                map.touching[index] = map.touching[index].union(map.fleet_provinces[from.index()]);
            }
            map.add(here, row);
        }
        map
    }

    fn add(&mut self, here: Province, row: &[&'static str]) {
        let terrain = match (row[3], row[4]) {
            ("", _) => Terrain::Sea,
            (_, "") => Terrain::Inland,
            _ => Terrain::Coastal,
        };
        if terrain == Terrain::Sea {
            self.seas.insert(here);
        }
        if !row[2].is_empty() {
            self.centers.insert(here);
        }
        let home = POWERS.iter().position(|&(name, _)| name == row[2]);
        self.rows.push(Row { abbreviation: row[0], name: row[1], terrain, home });
    }
}

#[cfg(test)]
mod tests;
