//! Notes 4.1, 4.2: what became of a line, and why.

use std::fmt;

use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::class::Class;
use crate::name::Name;
use crate::order::Fault;
use crate::wire;

/// Why a line or a part of it failed.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Reason)]
pub enum Reason {
    /// The line cannot be read.
    Syntax,
    /// There is no such thing, or the empire does not know of it.
    UnknownName,
    /// It is not one of the empire's ships.
    NotYours,
    /// It is not there, or not there any more.
    Vanished,
    /// The ship was destroyed.
    Destroyed,
    /// The ship is loaded on a carrier.
    Loaded,
    /// The ship is not loaded.
    NotLoaded,
    /// The ship is loaded already.
    AlreadyLoaded,
    /// It is in another sector.
    WrongSector,
    /// The carrier has too few free racks.
    NoRacks,
    /// The carrier is loaded itself, or the cargo carries cargo.
    NestedLoad,
    /// A ship cannot be loaded onto itself.
    SelfLoad,
    /// A starbase cannot do that.
    IsStarbase,
    /// The ship destroys itself.
    SelfDestructing,
    /// The ship has no guns to fire.
    NoGuns,
    /// The missile was not loaded.
    MissileNotReady,
    /// There is nothing to shoot at.
    NoTargets,
    /// It names the ordering empire itself.
    OwnEmpire,
    /// A note, not a failure: the ship was not needed.
    NotNeeded,
    /// The ship fired and cannot move.
    Fired,
    /// The ship has no working engines.
    NoEngines,
    /// The ship's engines do not reach so far.
    TooFar,
    /// The ship has moved already.
    AlreadyMoved,
    /// The ship is not at the portal.
    NotAtPortal,
    /// The ship has traversed a portal already.
    AlreadyTraversed,
    /// The portal leads nowhere now.
    NoExit,
    /// The two portals are not connected.
    NotConnected,
    /// The portal is collapsed.
    Collapsed,
    /// The empire has no navigation data for the portal.
    #[wire(name = NoNavdata)]
    NoNavData,
    /// The navigation data came only this turn.
    #[wire(name = NavdataNew)]
    NavDataNew,
    /// The empire is not a contact.
    NoContact,
    /// The empire does not know the class.
    UnknownClass,
    /// The class cannot be built.
    NotBuildable,
    /// A rating is not allowed for the hull.
    BadRating,
    /// A number is too big.
    TooBig,
    /// The name is not allowed.
    BadName,
    /// The name is taken.
    NameTaken,
    /// The empire does not own the world.
    WorldNotOwned,
    /// The world was taken this turn.
    JustTaken,
    /// The world is interdicted.
    Interdicted,
    /// The ship is at an interdicted world of its empire.
    SectorInterdicted,
    /// The world is blockaded.
    Blockaded,
    /// There are too few RU.
    NoFunds,
    /// The ship is not damaged.
    NoDamage,
    /// The ship's transponder is in public mode.
    TransponderPublic,
    /// A grant of everything stands.
    AllAccess,
    /// There is no such grant.
    NoGrant,
    /// The recipient does not own the world.
    RecipientNotOwner,
    /// A world at an end of the lane was lost this turn.
    LaneCancelled,
    /// It is the same world.
    SameWorld,
    /// Only the game master may do that.
    #[wire(name = GmOnly)]
    MasterOnly,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 51] = [
        Self::Syntax,
        Self::UnknownName,
        Self::NotYours,
        Self::Vanished,
        Self::Destroyed,
        Self::Loaded,
        Self::NotLoaded,
        Self::AlreadyLoaded,
        Self::WrongSector,
        Self::NoRacks,
        Self::NestedLoad,
        Self::SelfLoad,
        Self::IsStarbase,
        Self::SelfDestructing,
        Self::NoGuns,
        Self::MissileNotReady,
        Self::NoTargets,
        Self::OwnEmpire,
        Self::NotNeeded,
        Self::Fired,
        Self::NoEngines,
        Self::TooFar,
        Self::AlreadyMoved,
        Self::NotAtPortal,
        Self::AlreadyTraversed,
        Self::NoExit,
        Self::NotConnected,
        Self::Collapsed,
        Self::NoNavData,
        Self::NavDataNew,
        Self::NoContact,
        Self::UnknownClass,
        Self::NotBuildable,
        Self::BadRating,
        Self::TooBig,
        Self::BadName,
        Self::NameTaken,
        Self::WorldNotOwned,
        Self::JustTaken,
        Self::Interdicted,
        Self::SectorInterdicted,
        Self::Blockaded,
        Self::NoFunds,
        Self::NoDamage,
        Self::TransponderPublic,
        Self::AllAccess,
        Self::NoGrant,
        Self::RecipientNotOwner,
        Self::LaneCancelled,
        Self::SameWorld,
        Self::MasterOnly,
    ];

    /// The code, in `kebab-case`, stable across versions.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::UnknownName => "unknown-name",
            Self::NotYours => "not-yours",
            Self::Vanished => "vanished",
            Self::Destroyed => "destroyed",
            Self::Loaded => "loaded",
            Self::NotLoaded => "not-loaded",
            Self::AlreadyLoaded => "already-loaded",
            Self::WrongSector => "wrong-sector",
            Self::NoRacks => "no-racks",
            Self::NestedLoad => "nested-load",
            Self::SelfLoad => "self-load",
            Self::IsStarbase => "is-starbase",
            Self::SelfDestructing => "self-destructing",
            Self::NoGuns => "no-guns",
            Self::MissileNotReady => "missile-not-ready",
            Self::NoTargets => "no-targets",
            Self::OwnEmpire => "own-empire",
            Self::NotNeeded => "not-needed",
            Self::Fired => "fired",
            Self::NoEngines => "no-engines",
            Self::TooFar => "too-far",
            Self::AlreadyMoved => "already-moved",
            Self::NotAtPortal => "not-at-portal",
            Self::AlreadyTraversed => "already-traversed",
            Self::NoExit => "no-exit",
            Self::NotConnected => "not-connected",
            Self::Collapsed => "collapsed",
            Self::NoNavData => "no-navdata",
            Self::NavDataNew => "navdata-new",
            Self::NoContact => "no-contact",
            Self::UnknownClass => "unknown-class",
            Self::NotBuildable => "not-buildable",
            Self::BadRating => "bad-rating",
            Self::TooBig => "too-big",
            Self::BadName => "bad-name",
            Self::NameTaken => "name-taken",
            Self::WorldNotOwned => "world-not-owned",
            Self::JustTaken => "just-taken",
            Self::Interdicted => "interdicted",
            Self::SectorInterdicted => "sector-interdicted",
            Self::Blockaded => "blockaded",
            Self::NoFunds => "no-funds",
            Self::NoDamage => "no-damage",
            Self::TransponderPublic => "transponder-public",
            Self::AllAccess => "all-access",
            Self::NoGrant => "no-grant",
            Self::RecipientNotOwner => "recipient-not-owner",
            Self::LaneCancelled => "lane-cancelled",
            Self::SameWorld => "same-world",
            Self::MasterOnly => "gm-only",
        }
    }

    /// The reason with this code.
    pub fn with_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }

    /// Whether it is only a note, which makes no line fail.
    pub const fn is_note(self) -> bool {
        matches!(self, Self::NotNeeded)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A part of a line that failed, or a note on it.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Remark)]
pub struct Remark {
    /// The ship, world, portal, class or empire that is concerned, as the line names it; none if it
    /// is the whole line.
    #[wire(or_default)]
    pub item: Name,
    /// Why.
    pub reason: Reason,
}

/// What became of a line at submission.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::LineStatus)]
pub enum Verdict {
    /// It is on the sheet.
    Accepted,
    /// It is on the sheet, but may fail.
    Warned,
    /// It is not on the sheet.
    Rejected,
}

/// A line at submission.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Check, most = wire::LIST_MAX)]
pub struct Check {
    /// Its place on the sheet as it was sent, from 0.
    #[wire(with = wire::lines)]
    pub line: u32,
    /// What became of it.
    #[wire(name = status)]
    pub verdict: Verdict,
    /// Why.
    pub remarks: Vec<Remark>,
    /// What the line would design, if it is a design that can be (6.5.2).
    pub design: Option<Class>,
    /// Where and why it cannot be read, if it cannot.
    pub fault: Option<Fault>,
}

/// What became of a line in the update.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::LineStatus)]
pub enum Fate {
    /// All of it was done.
    Done,
    /// Some of it was done.
    Partly,
    /// None of it was done.
    Refused,
}
