//! 6.0, notes 4: orders. An empire's orders for a turn are the lines of one sheet.

use std::fmt;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::{self, Wire};
use heliopause_proto::star_empires::v1 as proto;

use crate::class::Design;
use crate::fields;
use crate::geometry::Coord;
use crate::master::MasterOrder;
use crate::name::Name;

/// An order of an empire or of the game master.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    /// The sheet of an empire for this turn. A new sheet replaces the earlier one.
    Sheet(Sheet),
    Master(MasterOrder),
}

/// The order sheet of an empire, with lines in execution order within each phase.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Sheet, most = LINES_MAX, check = few_items)]
pub struct Sheet {
    pub lines: Vec<Line>,
    /// Unreadable lines of the submitted text. A stored sheet has none.
    pub unreadable_lines: Vec<Unread>,
    pub strict: bool,
}

/// An unreadable line of input. Only this line is rejected (notes 4.1).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::UnreadableLine)]
pub struct Unread {
    /// Number of readable lines before this one.
    pub readable_before: u32,
    pub fault: Fault,
}

/// Why a line of input is unreadable.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::TextFault)]
pub struct Fault {
    /// Line number, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    #[wire(with = fields::sentence)]
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Sheet {
    pub fn of(lines: Vec<Line>) -> Self {
        Self { lines, ..Self::default() }
    }
}

/// Maximum number of lines in a sheet. A large empire's turn is well below it.
pub const LINES_MAX: usize = 5_000;

/// Maximum number of names in all lines of a sheet.
pub const ITEMS_MAX: usize = 50_000;

fn few_items(sheet: &Sheet) -> wire::Result<()> {
    let items: usize = sheet.lines.iter().map(Line::items).sum();
    if items <= ITEMS_MAX {
        Ok(())
    } else {
        wire::wrong(format!("{items} names in all lines are too many; the maximum is {ITEMS_MAX}"))
    }
}

/// Names of ships, worlds, portals, classes or empires, as the empire wrote them.
pub type Names = Vec<Name>;

/// A place on the empire's map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::spot::Kind, message = proto::Spot)]
pub enum Spot {
    #[wire(name = Sector)]
    At(Coord),
    /// The sector in which the empire's map shows this world, portal or storm.
    Object(Name),
}

/// A selection of the empire's ships.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice = proto::Selection, fault = "expected ships, or a place and the excepted ships", with(Names = fields::names))]
pub enum Selection {
    Ships(Names),
    /// All loose ships of the empire at a place when the order runs, except those listed (R12).
    All {
        at: Spot,
        #[wire(name = excepted)]
        except: Names,
    },
}

/// The order in which targets are fired at (6.3.2.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[wire(words = proto::Sense)]
pub enum Sense {
    /// Largest first.
    #[default]
    #[wire(absent)]
    Descending,
    /// Smallest first.
    Ascending,
}

/// A number, or the maximum that is possible.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::amount::Kind, message = proto::Amount, check = at_least_1)]
pub enum Amount {
    Number(u32),
    #[wire(name = Most)]
    Max,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the wire macro passes a reference")]
fn at_least_1(amount: &Amount) -> wire::Result<()> {
    if *amount == Amount::Number(0) { wire::wrong("expected at least 1") } else { Ok(()) }
}

/// Names for ships that are built.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice_in = proto::Build, choice_in = proto::AddShips, fault = "expected names or a base \
    for them", with(Names = fields::names))]
pub enum Naming {
    /// One name per ship, in this order. Ships after the last name stay unnamed.
    #[wire(absent, name = names)]
    Listed(Names),
    /// A base to which numbers are appended.
    #[wire(name = base)]
    Numbered(Name),
}

/// A selection of the empire's ships, to set their transponders.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice = proto::TransponderSelection, fault = "expected all ships, or some ships and classes", with(Names = fields::names))]
pub enum Crews {
    All,
    Some { ships: Names, classes: Names },
}

/// The scans to share (6.8.2).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice = proto::Scans, fault = "expected exactly one of all, places, ships or classes", most = ITEMS_MAX, with(Names = fields::names))]
pub enum Scans {
    All,
    Places(Vec<Spot>),
    Classes(Names),
    Ships(Names),
}

/// One line of a sheet. [`Phase::number`] returns the section of its phase. Names are stored as
/// written and resolved when the line runs.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::line::Kind, message = proto::Line, with(Names = fields::some_names))]
pub enum Line {
    Unload {
        ships: Names,
    },
    Load {
        /// The cargo, in loading order.
        ships: Names,
        carrier: Name,
    },
    Destruct {
        ships: Selection,
    },
    Fire {
        sense: Sense,
        ships: Selection,
        /// The empires whose ships are targets.
        at: Names,
    },
    Transmit {
        portals: Names,
        to: Names,
    },
    Move {
        ships: Selection,
        to: Spot,
    },
    Traverse {
        ships: Selection,
        entry: Name,
        /// The exit portal. `None` means that the exit is random.
        exit: Option<Name>,
    },
    Design {
        /// The world that pays.
        world: Name,
        #[wire(name = ship_class)]
        class: Name,
        #[wire(part(hull, ratings, tonnage))]
        design: Design,
    },
    Give {
        classes: Names,
        to: Names,
    },
    Build {
        world: Name,
        count: Amount,
        #[wire(name = ship_class)]
        class: Name,
        #[wire(part(names, base))]
        naming: Naming,
    },
    Repair {
        ship: Name,
        dp: Amount,
        /// The worlds that pay, in this order.
        worlds: Names,
    },
    Toggle {
        /// Whether to set public mode rather than private mode.
        #[wire(name = public_mode)]
        public: bool,
        ships: Crews,
    },
    Conceal {
        ships: Crews,
        #[wire(name = from_empires)]
        from: Names,
    },
    Identify {
        ships: Crews,
        #[wire(name = to_empires)]
        to: Names,
    },
    Pool {
        world: Name,
        /// Worlds that keep their RU.
        #[wire(name = excepted, with = fields::names)]
        except: Names,
    },
    Transfer {
        #[wire(name = from_world)]
        from: Name,
        amount: Amount,
        #[wire(name = to_world)]
        to: Name,
        /// The expected owner of `to`. `None` means the ordering empire.
        recipient: Option<Name>,
    },
    Deny {
        scans: Scans,
        to: Names,
    },
    Authorize {
        scans: Scans,
        to: Names,
    },
}

vocabulary! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[expect(missing_docs, reason = "`number` returns the section of each variant")]
    pub enum Phase in any case {
        Unload = "UNLOAD",
        Load = "LOAD",
        Destruct = "DESTRUCT",
        Fire = "FIRE",
        Transmit = "TRANSMIT",
        Move = "MOVE",
        Traverse = "TRAVERSE",
        Design = "DESIGN",
        Give = "GIVE",
        Build = "BUILD",
        Repair = "REPAIR",
        Toggle = "TOGGLE",
        Conceal = "CONCEAL",
        Identify = "IDENTIFY",
        Pool = "POOL",
        Transfer = "TRANSFER",
        Deny = "DENY",
        Authorize = "AUTHORIZE",
    }
}

impl Phase {
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the section of the rules.
    pub const fn number(self) -> &'static str {
        NUMBERS[self as usize]
    }
}

/// The sections of the phases, in the same order.
const NUMBERS: [&str; Phase::COUNT] = [
    "6.2.1", "6.2.2", "6.3.1", "6.3.2", "6.4.1", "6.4.2", "6.4.3", "6.5.2", "6.5.3", "6.6.1",
    "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.7.2", "6.7.3", "6.8.1", "6.8.2",
];

impl Line {
    /// Returns the number of names, for the limit of a sheet.
    pub(crate) fn items(&self) -> usize {
        let selected = |ships: &Selection| match ships {
            Selection::Ships(names) | Selection::All { except: names, .. } => names.len(),
        };
        let crew = |crews: &Crews| match crews {
            Crews::All => 0,
            Crews::Some { ships, classes } => ships.len() + classes.len(),
        };
        let seen = |scans: &Scans| match scans {
            Scans::All => 0,
            Scans::Places(places) => places.len(),
            Scans::Classes(names) | Scans::Ships(names) => names.len(),
        };
        match self {
            Self::Unload { ships } | Self::Load { ships, .. } => ships.len(),
            Self::Destruct { ships } | Self::Move { ships, .. } | Self::Traverse { ships, .. } => {
                selected(ships)
            }
            Self::Fire { ships, at, .. } => selected(ships) + at.len(),
            Self::Transmit { portals: names, to } | Self::Give { classes: names, to } => {
                names.len() + to.len()
            }
            Self::Design { .. } | Self::Transfer { .. } => 0,
            Self::Build { naming, .. } => match naming {
                Naming::Listed(names) => names.len(),
                Naming::Numbered(_) => 0,
            },
            Self::Repair { worlds: names, .. } | Self::Pool { except: names, .. } => names.len(),
            Self::Toggle { ships, .. } => crew(ships),
            Self::Conceal { ships, from: to } | Self::Identify { ships, to } => {
                crew(ships) + to.len()
            }
            Self::Deny { scans, to } | Self::Authorize { scans, to } => seen(scans) + to.len(),
        }
    }
}
