//! Notes 4.1, 4.2: results of lines and their reasons.

use heliopause_kernel::sentence::Facts;
use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::class::Class;
use crate::fields;
use crate::name::Name;
use crate::order::Fault;

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[wire(words = proto::Reason)]
    pub enum Reason {
        Syntax = "syntax",
        /// Nothing has this name, or the empire does not know the name.
        UnknownName = "unknown-name",
        NotYours = "not-yours",
        /// The object with this name does not exist, or no longer exists. For a whole line, the
        /// place was not found, or no ship at the place can obey.
        Vanished = "vanished",
        Destroyed = "destroyed",
        Loaded = "loaded",
        NotLoaded = "not-loaded",
        AlreadyLoaded = "already-loaded",
        WrongSector = "wrong-sector",
        NoRacks = "no-racks",
        /// The carrier is itself cargo, or the cargo carries cargo.
        NestedLoad = "nested-load",
        SelfLoad = "self-load",
        IsStarbase = "is-starbase",
        SelfDestructing = "self-destructing",
        NoGuns = "no-guns",
        MissileNotReady = "missile-not-ready",
        NoTargets = "no-targets",
        OwnEmpire = "own-empire",
        /// A note, not a failure: the ship was not needed.
        NotNeeded = "not-needed",
        Fired = "fired",
        NoEngines = "no-engines",
        TooFar = "too-far",
        AlreadyMoved = "already-moved",
        NotAtPortal = "not-at-portal",
        AlreadyTraversed = "already-traversed",
        NoExit = "no-exit",
        NotConnected = "not-connected",
        Collapsed = "collapsed",
        #[wire(name = NoNavdata)]
        NoNavData = "no-navdata",
        /// The navigation data was received only this turn.
        #[wire(name = NavdataNew)]
        NavDataNew = "navdata-new",
        NoContact = "no-contact",
        UnknownClass = "unknown-class",
        NotBuildable = "not-buildable",
        BadRating = "bad-rating",
        /// The cost or tonnage of the class is not between 1 and [`SIZE_MAX`](crate::SIZE_MAX).
        TooBig = "too-big",
        BadName = "bad-name",
        NameTaken = "name-taken",
        WorldNotOwned = "world-not-owned",
        JustTaken = "just-taken",
        Interdicted = "interdicted",
        /// The ship is at an interdicted world of its empire.
        SectorInterdicted = "sector-interdicted",
        Blockaded = "blockaded",
        NoFunds = "no-funds",
        NoDamage = "no-damage",
        TransponderPublic = "transponder-public",
        /// The empire grants all of its scans, and therefore cannot deny a part of them.
        AllAccess = "all-access",
        NoGrant = "no-grant",
        RecipientNotOwner = "recipient-not-owner",
        /// The origin or destination of the transfer was lost this turn.
        LaneCancelled = "lane-cancelled",
        SameWorld = "same-world",
        #[wire(name = GmOnly)]
        MasterOnly = "gm-only",
        TooManyShips = "too-many-ships",
        TooManyClasses = "too-many-classes",
        /// A sector has at most one world (2.1).
        SectorOccupied = "sector-occupied",
    }
}

impl Reason {
    pub const fn is_note(self) -> bool {
        matches!(self, Self::NotNeeded)
    }
}

/// Why a line or one of its items failed, or a note on an item.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Remark)]
pub struct Remark {
    /// The named ship, world, portal, class or empire. [`Name::NONE`] for the whole line.
    #[wire(or_default)]
    pub item: Name,
    pub reason: Reason,
}

/// The result of checking a line at submission.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::LineStatus)]
pub enum Verdict {
    Accepted,
    /// The line is on the sheet, but may fail when it runs.
    Warned,
    Rejected,
}

/// The verdict and remarks for a line, checked at submission.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Check, most = fields::LIST_MAX)]
pub struct Check {
    /// Index in the submitted sheet, from 0.
    #[wire(with = fields::lines)]
    pub line: u32,
    #[wire(name = status)]
    pub verdict: Verdict,
    pub remarks: Vec<Remark>,
    /// The class that a valid DESIGN line would create (6.5.2).
    pub design: Option<Class>,
    /// The location and reason of the fault, for an unreadable line.
    pub fault: Option<Fault>,
}

/// The result of a line in the update.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::LineStatus)]
pub enum Fate {
    Done,
    Partly,
    Refused,
}
