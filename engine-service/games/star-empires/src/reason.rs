//! Notes 4.1, 4.2: what became of a line, and why.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::class::Class;
use crate::name::Name;
use crate::order::Fault;
use crate::wire;

vocabulary! {
    /// Why a line or a part of it failed.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[wire(words = proto::Reason)]
    pub enum Reason {
        /// The line cannot be read.
        Syntax = "syntax",
        /// There is no such thing, or the empire does not know of it.
        UnknownName = "unknown-name",
        /// It is not one of the empire's ships.
        NotYours = "not-yours",
        /// It is not there, or not there any more.
        Vanished = "vanished",
        /// The ship was destroyed.
        Destroyed = "destroyed",
        /// The ship is loaded on a carrier.
        Loaded = "loaded",
        /// The ship is not loaded.
        NotLoaded = "not-loaded",
        /// The ship is loaded already.
        AlreadyLoaded = "already-loaded",
        /// It is in another sector.
        WrongSector = "wrong-sector",
        /// The carrier has too few free racks.
        NoRacks = "no-racks",
        /// The carrier is loaded itself, or the cargo carries cargo.
        NestedLoad = "nested-load",
        /// A ship cannot be loaded onto itself.
        SelfLoad = "self-load",
        /// A starbase cannot do that.
        IsStarbase = "is-starbase",
        /// The ship destroys itself.
        SelfDestructing = "self-destructing",
        /// The ship has no guns to fire.
        NoGuns = "no-guns",
        /// The missile was not loaded.
        MissileNotReady = "missile-not-ready",
        /// There is nothing to shoot at.
        NoTargets = "no-targets",
        /// It names the ordering empire itself.
        OwnEmpire = "own-empire",
        /// A note, not a failure: the ship was not needed.
        NotNeeded = "not-needed",
        /// The ship fired and cannot move.
        Fired = "fired",
        /// The ship has no working engines.
        NoEngines = "no-engines",
        /// The ship's engines do not reach so far.
        TooFar = "too-far",
        /// The ship has moved already.
        AlreadyMoved = "already-moved",
        /// The ship is not at the portal.
        NotAtPortal = "not-at-portal",
        /// The ship has traversed a portal already.
        AlreadyTraversed = "already-traversed",
        /// The portal leads nowhere now.
        NoExit = "no-exit",
        /// The two portals are not connected.
        NotConnected = "not-connected",
        /// The portal is collapsed.
        Collapsed = "collapsed",
        /// The empire has no navigation data for the portal.
        #[wire(name = NoNavdata)]
        NoNavData = "no-navdata",
        /// The navigation data came only this turn.
        #[wire(name = NavdataNew)]
        NavDataNew = "navdata-new",
        /// The empire is not a contact.
        NoContact = "no-contact",
        /// The empire does not know the class.
        UnknownClass = "unknown-class",
        /// The class cannot be built.
        NotBuildable = "not-buildable",
        /// A rating is not allowed for the hull.
        BadRating = "bad-rating",
        /// A number is too big.
        TooBig = "too-big",
        /// The name is not allowed.
        BadName = "bad-name",
        /// The name is taken.
        NameTaken = "name-taken",
        /// The empire does not own the world.
        WorldNotOwned = "world-not-owned",
        /// The world was taken this turn.
        JustTaken = "just-taken",
        /// The world is interdicted.
        Interdicted = "interdicted",
        /// The ship is at an interdicted world of its empire.
        SectorInterdicted = "sector-interdicted",
        /// The world is blockaded.
        Blockaded = "blockaded",
        /// There are too few RU.
        NoFunds = "no-funds",
        /// The ship is not damaged.
        NoDamage = "no-damage",
        /// The ship's transponder is in public mode.
        TransponderPublic = "transponder-public",
        /// A grant of everything stands.
        AllAccess = "all-access",
        /// There is no such grant.
        NoGrant = "no-grant",
        /// The recipient does not own the world.
        RecipientNotOwner = "recipient-not-owner",
        /// A world at an end of the lane was lost this turn.
        LaneCancelled = "lane-cancelled",
        /// It is the same world.
        SameWorld = "same-world",
        /// Only the game master may do that.
        #[wire(name = GmOnly)]
        MasterOnly = "gm-only",
    }
}

impl Reason {
    /// Whether it is only a note, which makes no line fail.
    pub const fn is_note(self) -> bool {
        matches!(self, Self::NotNeeded)
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
