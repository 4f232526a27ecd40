//! The map: 75 provinces, the separate coasts of three provinces, and the borders (D1).

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, bit_set, vocabulary};

pub const PROVINCES: usize = 75;
/// The number of nodes: the provinces and the separate coasts.
pub const NODES: usize = PROVINCES + COASTS.len();
pub const STANDARD_POWERS: usize = POWERS.len();

/// The powers of the standard game with their initial units (D10).
const POWERS: [(&str, &str); 7] = [
    ("Austria", "A Bud, F Tri, A Vie"),
    ("England", "F Edi, F Lon, A Lvp"),
    ("France", "F Bre, A Mar, A Par"),
    ("Germany", "A Ber, F Kie, A Mun"),
    ("Italy", "F Nap, A Rom, A Ven"),
    ("Russia", "A Mos, F Sev, F Stp/sc, A War"),
    ("Turkey", "F Ank, A Con, A Smy"),
];

/// The separate coasts, in the order of their node numbers.
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
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Coast in any case {
        North = "nc",
        East = "ec",
        South = "sc",
    }
}

/// The location or destination of a unit: a province, or one of its coasts.
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

/// The terrain of a province (D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terrain {
    Inland,
    Coastal,
    Sea,
}

impl Province {
    pub const ALL: [Self; PROVINCES] = {
        let mut all = [Self(0); PROVINCES];
        let mut index = 0;
        while index < PROVINCES {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    pub fn at(index: usize) -> Self {
        assert!(index < PROVINCES, "there are {PROVINCES} provinces");
        Self(index as u8)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn node(self) -> Node {
        Node(self.0)
    }

    pub fn as_str(self) -> &'static str {
        MAP.rows[self.index()].abbreviation
    }

    pub fn name(self) -> &'static str {
        MAP.rows[self.index()].name
    }

    pub fn terrain(self) -> Terrain {
        MAP.rows[self.index()].terrain
    }

    pub fn is_land(self) -> bool {
        self.terrain() != Terrain::Sea
    }

    pub fn is_center(self) -> bool {
        MAP.centers.contains(self)
    }

    /// Returns the index of the power whose home center this is in the standard game, or `None`.
    pub fn home(self) -> Option<usize> {
        MAP.rows[self.index()].home
    }

    pub fn coasts(self) -> impl Iterator<Item = Node> {
        (PROVINCES..NODES)
            .map(|index| Node(index as u8))
            .filter(move |node| node.province() == self)
    }

    pub fn has_two_coasts(self) -> bool {
        MAP.two_coasts.contains(self)
    }

    pub fn by_army(self) -> Provinces {
        MAP.army[self.index()]
    }

    /// Returns the provinces that a fleet can reach from any coast of this province.
    pub fn by_sea(self) -> Provinces {
        MAP.touching[self.index()]
    }

    pub fn neighbors(self) -> Provinces {
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

    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let found =
            Self::ALL.into_iter().find(|province| province.as_str().eq_ignore_ascii_case(text));
        found.ok_or(NoSuchWord::Like("the code of a province, such as Par or NTH"))
    }
}

impl Node {
    /// All provinces, then all coasts.
    pub const ALL: [Self; NODES] = {
        let mut all = [Self(0); NODES];
        let mut index = 0;
        while index < NODES {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    pub fn at(index: usize) -> Option<Self> {
        (index < NODES).then_some(Self(index as u8))
    }

    pub fn of(province: Province, coast: Option<Coast>) -> Option<Self> {
        match coast {
            None => Some(province.node()),
            Some(coast) => province.coasts().find(|node| node.coast() == Some(coast)),
        }
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn province(self) -> Province {
        if self.index() < PROVINCES {
            Province(self.0)
        } else {
            MAP.coasts[self.index() - PROVINCES].0
        }
    }

    pub fn coast(self) -> Option<Coast> {
        Some(COASTS[self.index().checked_sub(PROVINCES)?].1)
    }

    pub fn by_fleet(self) -> Nodes {
        MAP.fleet[self.index()]
    }

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

    /// Parses `Par`, `Spa/nc` or `Spa(nc)`.
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

bit_set! {
    /// A set of provinces.
    Provinces(u128) of Province
}
bit_set! {
    /// A set of provinces and coasts.
    Nodes(u128) of Node
}

pub fn centers() -> Provinces {
    MAP.centers
}

pub fn seas() -> Provinces {
    MAP.seas
}

/// Returns the powers of the standard game, each with its initial units in notation (D10).
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
    /// Panics if `provinces.txt` contains an error.
    fn read() -> Self {
        let rows = include_str!("provinces.txt").lines();
        let cells: Vec<Vec<&'static str>> =
            rows.filter(|row| !row.starts_with('#')).map(|row| row.split('|').collect()).collect();
        assert_eq!(cells.len(), PROVINCES, "the number of provinces on the map");
        let province = |text: &str| {
            let found = cells.iter().position(|row| row[0] == text);
            Province(found.expect("every border is with a known province") as u8)
        };
        let coasts: Vec<(Province, Coast)> =
            COASTS.iter().map(|&(abbreviation, coast)| (province(abbreviation), coast)).collect();
        let node = |text: &str| match text.split_once('/') {
            None => province(text).node(),
            Some((name, coast)) => {
                let key =
                    (province(name), coast.parse().expect("every border is with a known coast"));
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
