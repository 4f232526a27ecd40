//! Rule 2: the board, its hexes and distances.

use std::fmt;
use std::str::FromStr;

use heliopause_kernel::wire::Wire;

/// Number of columns (rule 2.1).
pub const COLUMNS: u8 = 32;

/// Number of hexes (rule 2.1).
pub const PLACES: usize = 656;

/// Number of hexes in an odd column and the even one to its right.
const HEXES_PER_COLUMN_PAIR: u16 = 41;

/// Number of rows in an odd column. An even column has one fewer.
const ODD_ROWS: u8 = 21;

const NO_NEIGHBOR: u16 = u16::MAX;

/// A hex of the board, named like `P18`.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub struct Place(u16);

/// The six directions, in the fixed order of rule 2.3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    North,
    NorthEast,
    SouthEast,
    South,
    SouthWest,
    NorthWest,
}

impl Direction {
    pub const ALL: [Self; 6] = [
        Self::North,
        Self::NorthEast,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::NorthWest,
    ];

    /// Returns the direction for a die: 1 is north, then clockwise (fate 7.5).
    pub fn of_die(die: u8) -> Self {
        Self::ALL[usize::from(die.clamp(1, 6) - 1)]
    }
}

impl Place {
    /// Returns the hex in a column and row, both from 1, if it is on the board (rule 2.1).
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column == 0 || column > COLUMNS || row == 0 {
            return None;
        }
        let even = column.is_multiple_of(2);
        if row > ODD_ROWS || (even && row == ODD_ROWS) {
            return None;
        }
        let pair = (column as u16 - 1) / 2;
        let shift = if even { ODD_ROWS as u16 } else { 0 };
        Some(Self(pair * HEXES_PER_COLUMN_PAIR + shift + row as u16 - 1))
    }

    pub fn of_index(index: usize) -> Option<Self> {
        (index < PLACES).then_some(Self(index as u16))
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the column, from 1.
    pub const fn column(self) -> u8 {
        let rest = self.0 % HEXES_PER_COLUMN_PAIR;
        let even = if rest >= ODD_ROWS as u16 { 1 } else { 0 };
        (self.0 / HEXES_PER_COLUMN_PAIR * 2 + even) as u8 + 1
    }

    /// Returns the row, from 1 at the top.
    pub const fn row(self) -> u8 {
        let rest = self.0 % HEXES_PER_COLUMN_PAIR;
        if rest >= ODD_ROWS as u16 { (rest - ODD_ROWS as u16) as u8 + 1 } else { rest as u8 + 1 }
    }

    /// Returns all hexes, column by column.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..PLACES as u16).map(Self)
    }

    pub const fn step(self, direction: Direction) -> Option<Self> {
        match NEIGHBORS[self.index()][direction as usize] {
            NO_NEIGHBOR => None,
            index => Some(Self(index)),
        }
    }

    /// Returns the neighbors on the board, in the order of rule 2.3.
    pub fn neighbors(self) -> impl Iterator<Item = Self> {
        NEIGHBORS[self.index()].into_iter().filter(|&index| index != NO_NEIGHBOR).map(Self)
    }

    pub const fn distance(self, other: Self) -> u8 {
        let (q, z) = AXES[self.index()];
        let (other_q, other_z) = AXES[other.index()];
        let (dq, dz) = (q - other_q, z - other_z);
        let mut most = dq.unsigned_abs();
        if dz.unsigned_abs() > most {
            most = dz.unsigned_abs();
        }
        if (dq + dz).unsigned_abs() > most {
            most = (dq + dz).unsigned_abs();
        }
        most
    }

    pub(crate) const fn named(name: &str) -> Self {
        match Self::read(name.as_bytes()) {
            Some(place) => place,
            None => panic!("not a hex of the board"),
        }
    }

    /// Reads a name like `P18` or `AA9`, case-insensitively.
    const fn read(name: &[u8]) -> Option<Self> {
        if name.len() < 2 || name.len() > 4 {
            return None;
        }
        let letter = name[0].to_ascii_uppercase();
        if !letter.is_ascii_uppercase() {
            return None;
        }
        let double = name[1].is_ascii_alphabetic();
        if double && name[1].to_ascii_uppercase() != letter {
            return None;
        }
        let mut column = letter - b'A' + 1;
        if double {
            column += 26;
        }
        let mut at = if double { 2 } else { 1 };
        if at == name.len() || name[at] == b'0' || name.len() - at > 2 {
            return None;
        }
        let mut row = 0;
        while at < name.len() {
            if !name[at].is_ascii_digit() {
                return None;
            }
            row = row * 10 + (name[at] - b'0');
            at += 1;
        }
        Self::at(column, row)
    }
}

static AXES: [(i8, i8); PLACES] = axes();

const fn axes() -> [(i8, i8); PLACES] {
    let mut table = [(0, 0); PLACES];
    let mut index = 0;
    while index < PLACES {
        let place = Place(index as u16);
        let q = place.column() as i8 - 1;
        table[index] = (q, place.row() as i8 - 1 - q / 2);
        index += 1;
    }
    table
}

static NEIGHBORS: [[u16; 6]; PLACES] = neighbors();

const fn neighbors() -> [[u16; 6]; PLACES] {
    /// Column and row of each step from an odd column. From an even column, sideways steps end one
    /// row lower (rule 2.2).
    const STEPS: [(i8, i8); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)];
    let mut table = [[NO_NEIGHBOR; 6]; PLACES];
    let mut index = 0;
    while index < PLACES {
        let place = Place(index as u16);
        let lower = if place.column().is_multiple_of(2) { 1 } else { 0 };
        let mut direction = 0;
        while direction < 6 {
            let (right, down) = STEPS[direction];
            let column = place.column() as i8 + right;
            let row = place.row() as i8 + down + if right == 0 { 0 } else { lower };
            if column > 0
                && row > 0
                && let Some(neighbor) = Place::at(column as u8, row as u8)
            {
                table[index][direction] = neighbor.0;
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

/// The corners where players enter, by entry hex number (rule 2.7, BR-3).
pub const ENTRY_HEXES: [Place; 4] =
    [Place::named("FF20"), Place::named("A21"), Place::named("A1"), Place::named("FF1")];

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column() - 1;
        let letter = char::from(b'A' + column % 26);
        if column >= 26 {
            write!(f, "{letter}{letter}{}", self.row())
        } else {
            write!(f, "{letter}{}", self.row())
        }
    }
}

/// The error for a string that does not name a hex of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchPlace;

impl fmt::Display for NoSuchPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hex is named by its column, A to Z and AA to FF, and its row, like P18")
    }
}

impl std::error::Error for NoSuchPlace {}

impl FromStr for Place {
    type Err = NoSuchPlace;

    fn from_str(text: &str) -> Result<Self, NoSuchPlace> {
        Self::read(text.as_bytes()).ok_or(NoSuchPlace)
    }
}

/// Maximum number of seats in any variant, including automated ones.
pub(crate) const SEATS_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Place {
        name.parse().unwrap()
    }

    fn names(places: impl Iterator<Item = Place>) -> Vec<String> {
        places.map(|place| place.to_string()).collect()
    }

    #[test]
    fn rule_2_1_names_round_trip() {
        assert_eq!(Place::all().len(), PLACES);
        for at in Place::all() {
            assert_eq!(place(&at.to_string()), at);
            assert_eq!(Place::at(at.column(), at.row()), Some(at));
        }
        for name in ["", "A", "A0", "A01", "A22", "B21", "GG1", "AB1", "a100", "18", "é1", "A-1"] {
            assert_eq!(name.parse::<Place>(), Err(NoSuchPlace), "{name}");
        }
        assert_eq!(place("ff20"), place("FF20"));
    }

    #[test]
    fn rule_2_6_neighbors_bt_01() {
        assert_eq!(names(place("P18").neighbors()), ["P17", "Q18", "Q19", "P19", "O19", "O18"]);
        assert_eq!(names(place("Q11").neighbors()), ["Q10", "R10", "R11", "Q12", "P11", "P10"]);
        assert_eq!(names(place("Z20").neighbors()), ["Z19", "AA20", "AA21", "Y21", "Y20"]);
        assert_eq!(names(place("A1").neighbors()), ["B1", "A2"]);
        assert_eq!(names(place("A21").neighbors()), ["A20", "B20"]);
        assert_eq!(names(place("FF1").neighbors()), ["FF2", "EE2", "EE1"]);
        assert_eq!(names(place("FF20").neighbors()), ["FF19", "EE21", "EE20"]);
        assert_eq!(names(place("AA1").neighbors()), ["BB1", "AA2", "Z1"]);
    }

    #[test]
    fn rule_2_6_distances_bt_02() {
        for (one, other, steps) in [
            ("A1", "FF20", 35),
            ("A21", "FF1", 35),
            ("A1", "FF1", 31),
            ("A1", "A21", 20),
            ("L18", "P18", 4),
            ("A1", "B2", 2),
            ("B1", "A2", 1),
            ("Z5", "AA6", 1),
            ("Z5", "AA4", 2),
            ("P18", "O16", 3),
            ("P18", "R14", 5),
            ("Q11", "P10", 1),
            ("R14", "Q11", 4),
        ] {
            assert_eq!(place(one).distance(place(other)), steps, "{one} {other}");
        }
    }

    #[test]
    fn rule_2_4_distance_is_the_length_of_the_shortest_path() {
        for start in Place::all() {
            let mut steps = [u8::MAX; PLACES];
            let mut ring = vec![start];
            steps[start.index()] = 0;
            while !ring.is_empty() {
                let mut next = Vec::new();
                for at in ring {
                    for neighbor in at.neighbors() {
                        if steps[neighbor.index()] == u8::MAX {
                            steps[neighbor.index()] = steps[at.index()] + 1;
                            next.push(neighbor);
                        }
                    }
                }
                ring = next;
            }
            assert!(Place::all().all(|at| steps[at.index()] == start.distance(at)), "{start}");
        }
        let diameter =
            Place::all().flat_map(|one| Place::all().map(move |other| one.distance(other))).max();
        assert_eq!(diameter, Some(35));
    }

    #[test]
    fn rule_2_3_a_step_back_is_the_opposite_step() {
        for at in Place::all() {
            for (index, direction) in Direction::ALL.into_iter().enumerate() {
                let Some(next) = at.step(direction) else { continue };
                assert_eq!(next.step(Direction::ALL[(index + 3) % 6]), Some(at));
            }
        }
    }

    #[test]
    fn fate_7_5_the_die_selects_a_direction() {
        assert_eq!(Direction::of_die(1), Direction::North);
        assert_eq!(Direction::of_die(6), Direction::NorthWest);
    }
}
