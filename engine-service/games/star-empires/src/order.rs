//! 6.0, notes 4: orders. The turn of an empire is one sheet of lines.

use std::fmt;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::class::Design;
use crate::geometry::Coord;
use crate::master::MasterOrder;
use crate::name::Name;
use crate::wire;

/// What a seat or the game master orders.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    /// The sheet of an empire for this turn, which replaces the earlier one.
    Sheet(Sheet),
    /// An order of the game master.
    Master(MasterOrder),
}

/// The order sheet of an empire: its lines in the order in which they run within their phase.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Sheet, most = LINES_MAX, check = wire::few_items)]
pub struct Sheet {
    pub lines: Vec<Line>,
    /// Lines of the text from which it was read that could not be. A stored sheet has none.
    pub unread: Vec<Unread>,
    /// Whether all is refused if any line is rejected.
    pub strict: bool,
}

/// A line of a text that cannot be read: it is rejected alone (notes 4.1).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::UnreadLine)]
pub struct Unread {
    /// How many of the lines that can be read stand before it.
    pub behind: u32,
    pub fault: Fault,
}

/// Why a line of a text cannot be read.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::TextFault)]
pub struct Fault {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What was found and what was expected, as a sentence.
    #[wire(with = wire::sentence)]
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Sheet {
    /// A sheet of these lines.
    pub fn of(lines: Vec<Line>) -> Self {
        Self { lines, ..Self::default() }
    }
}

/// The most lines of a sheet. A big empire's whole turn fits well.
pub const LINES_MAX: usize = 5_000;

/// The most names that all lines of a sheet together may list.
pub const ITEMS_MAX: usize = 50_000;

/// A list of names: ships, worlds, portals, classes or empires, as the empire wrote them.
pub type Names = Vec<Name>;

/// A place on the empire's map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::spot::Kind, message = proto::Spot)]
pub enum Spot {
    /// By its coordinates.
    #[wire(name = Sector)]
    At(Coord),
    /// Where the empire's map shows this world, portal or storm.
    Object(Name),
}

/// A selection of own ships.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice = proto::Selection, fault = "give ships, or a place with the ships that are left out", with(Names = wire::names))]
pub enum Selection {
    /// These.
    Ships(Names),
    /// All own loose ships that are there when the order runs, but these (R12).
    All {
        at: Spot,
        /// Ships that are left out.
        #[wire(name = excepted)]
        except: Names,
    },
}

/// In which order targets are shot at (6.3.2.1).
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

/// A number, or as many as can be.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::amount::Kind, message = proto::Amount, check = wire::at_least_1)]
pub enum Amount {
    /// This number, at least 1.
    Number(u32),
    /// As many as can be.
    #[wire(name = Most)]
    Max,
}

/// Names for ships that are built.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice_in = proto::Build, choice_in = proto::AddShips, fault = "give names or a base for \
    them", with(Names = wire::names))]
pub enum Naming {
    /// These; ships beyond them stay unnamed.
    #[wire(absent, name = names)]
    Listed(Names),
    /// This base with numbers behind it.
    #[wire(name = base)]
    Numbered(Name),
}

/// Own ships whose transponders are set.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice = proto::Crews, fault = "give all ships, or some ships and classes", with(Names = wire::names))]
pub enum Crews {
    All,
    /// These ships, and all ships of these classes.
    Some {
        ships: Names,
        classes: Names,
    },
}

/// What of the scans is shared (6.8.2).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(choice = proto::Scans, fault = "give exactly one: everything, places, ships or classes", most = ITEMS_MAX, with(Names = wire::names))]
pub enum Scans {
    /// Everything.
    All,
    /// What is seen of these places.
    Places(Vec<Spot>),
    /// What ships of these classes see.
    Classes(Names),
    /// What these ships see.
    Ships(Names),
}

/// One line of a sheet. Names are as the empire wrote them, and are looked up when the line runs.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::line::Kind, message = proto::Line, with(Names = wire::some_names))]
pub enum Line {
    /// 6.2.1.
    Unload {
        /// The cargo.
        ships: Names,
    },
    /// 6.2.2.
    Load {
        /// The cargo, in this order.
        ships: Names,
        carrier: Name,
    },
    /// 6.3.1.
    Destruct { ships: Selection },
    /// 6.3.2.
    Fire {
        /// Which targets come first.
        sense: Sense,
        /// The attackers.
        ships: Selection,
        /// The empires whose ships are targets.
        at: Names,
    },
    /// 6.4.1.
    Transmit {
        portals: Names,
        /// The recipients.
        to: Names,
    },
    /// 6.4.2.
    Move { ships: Selection, to: Spot },
    /// 6.4.3.
    Traverse {
        ships: Selection,
        /// The portal to enter.
        entry: Name,
        /// The portal to leave at; `None` leaves it to chance.
        exit: Option<Name>,
    },
    /// 6.5.2.
    Design {
        /// The world that pays.
        world: Name,
        /// The new class.
        #[wire(name = ship_class)]
        class: Name,
        #[wire(part(hull, ratings, tonnage))]
        design: Design,
    },
    /// 6.5.3.
    Give {
        classes: Names,
        /// The recipients.
        to: Names,
    },
    /// 6.6.1.
    Build {
        world: Name,
        count: Amount,
        #[wire(name = ship_class)]
        class: Name,
        /// How they are named.
        #[wire(part(names, base))]
        naming: Naming,
    },
    /// 6.6.2.
    Repair {
        ship: Name,
        /// How many damage points.
        dp: Amount,
        /// The worlds that pay, in this order.
        worlds: Names,
    },
    /// 6.6.3.
    Toggle {
        /// To public mode, or to private.
        #[wire(name = public_mode)]
        public: bool,
        ships: Crews,
    },
    /// 6.6.4.
    Conceal {
        ships: Crews,
        #[wire(name = from_empires)]
        from: Names,
    },
    /// 6.6.5.
    Identify {
        ships: Crews,
        #[wire(name = to_empires)]
        to: Names,
    },
    /// 6.7.2.
    Pool {
        /// The world that gets them.
        world: Name,
        /// Worlds that keep theirs.
        #[wire(name = excepted, with = wire::names)]
        except: Names,
    },
    /// 6.7.3.
    Transfer {
        /// From which world.
        #[wire(name = from_world)]
        from: Name,
        amount: Amount,
        /// To which world.
        #[wire(name = to_world)]
        to: Name,
        /// Whose world that is to be; `None` is the sender's.
        recipient: Option<Name>,
    },
    /// 6.8.1.
    Deny { scans: Scans, to: Names },
    /// 6.8.2.
    Authorize { scans: Scans, to: Names },
}

vocabulary! {
    /// The phase in which a kind of line runs, in the order of the turn; its word begins the line.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[expect(missing_docs, reason = "each is named as its section, and `number` gives it")]
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
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The number of its section.
    pub const fn number(self) -> &'static str {
        match self {
            Self::Unload => "6.2.1",
            Self::Load => "6.2.2",
            Self::Destruct => "6.3.1",
            Self::Fire => "6.3.2",
            Self::Transmit => "6.4.1",
            Self::Move => "6.4.2",
            Self::Traverse => "6.4.3",
            Self::Design => "6.5.2",
            Self::Give => "6.5.3",
            Self::Build => "6.6.1",
            Self::Repair => "6.6.2",
            Self::Toggle => "6.6.3",
            Self::Conceal => "6.6.4",
            Self::Identify => "6.6.5",
            Self::Pool => "6.7.2",
            Self::Transfer => "6.7.3",
            Self::Deny => "6.8.1",
            Self::Authorize => "6.8.2",
        }
    }
}

impl Line {
    /// How many names it lists, for the limit of a sheet.
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

    /// The phase in which it runs.
    pub const fn phase(&self) -> Phase {
        match self {
            Self::Unload { .. } => Phase::Unload,
            Self::Load { .. } => Phase::Load,
            Self::Destruct { .. } => Phase::Destruct,
            Self::Fire { .. } => Phase::Fire,
            Self::Transmit { .. } => Phase::Transmit,
            Self::Move { .. } => Phase::Move,
            Self::Traverse { .. } => Phase::Traverse,
            Self::Design { .. } => Phase::Design,
            Self::Give { .. } => Phase::Give,
            Self::Build { .. } => Phase::Build,
            Self::Repair { .. } => Phase::Repair,
            Self::Toggle { .. } => Phase::Toggle,
            Self::Conceal { .. } => Phase::Conceal,
            Self::Identify { .. } => Phase::Identify,
            Self::Pool { .. } => Phase::Pool,
            Self::Transfer { .. } => Phase::Transfer,
            Self::Deny { .. } => Phase::Deny,
            Self::Authorize { .. } => Phase::Authorize,
        }
    }
}
