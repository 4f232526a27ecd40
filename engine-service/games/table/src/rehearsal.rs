//! What a simulation asks of the code that it rehearses: faults that it plants, to see whether they
//! are found, and marks of what was met.
//!
//! Without the feature `rehearsal` no fault can be on, no mark is kept, and all of it compiles to
//! nothing.

macro_rules! planted {
    ($($(#[$doc:meta])* $fault:ident = $name:literal,)+) => {
        /// A fault that a simulation may plant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Planted {
            $($(#[$doc])* $fault,)+
        }

        impl Planted {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$fault),+];

            /// The name, for the command line and the manual.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$fault => $name,)+
                }
            }
        }
    };
}

planted! {
    /// A round is answered and told before it is durable, whatever comes of its append.
    AnswerBeforeDurable = "answer-before-durable",
    /// An append whose end is not known counts as done.
    UnknownIsDone = "unknown-is-done",
    /// An append that lost to itself is taken for lost to another.
    LostToItself = "lost-to-itself",
    /// What did not become durable is shown.
    KeepUndone = "keep-undone",
    /// A lease is given though the store gave it no fence.
    FenceForgotten = "fence-forgotten",
    /// Leases do not expire.
    LeaseNeverExpires = "lease-never-expires",
    /// Events that are read from the journal are numbered from one too many.
    NumberOffByOne = "number-off-by-one",
    /// A hint moves a game on without its entries.
    HintIsTruth = "hint-is-truth",
    /// A retry is not recognized.
    RetryIsNew = "retry-is-new",
    /// A snapshot lacks the answers to requests.
    SnapshotWithoutRequests = "snapshot-without-requests",
    /// A snapshot lacks the counts of what was told.
    SnapshotWithoutCounts = "snapshot-without-counts",
    /// Spectators are told what only seats may know.
    RedactionForgotten = "redaction-forgotten",
    /// A deadline that comes before the next one does not wake the clock.
    WakeUpLost = "wake-up-lost",
    /// A game whose deadline could not be carried out is never tried again.
    RestsForEver = "rests-for-ever",
    /// A game that was touched once is taken to be under way for ever.
    UnderWayForEver = "under-way-for-ever",
    /// The directory does not know when something falls due.
    DueNotKept = "due-not-kept",
    /// The directory does not know that automation is wanted.
    WantNotKept = "want-not-kept",
    /// The machine's clock is not compared with the store's.
    ClockNotCompared = "clock-not-compared",
    /// Every claim of what is due is taken to be given, and time passes a second early.
    DeadlineEarly = "deadline-early",
    /// A client that comes back asks for what follows the next event.
    CursorTooFar = "cursor-too-far",
    /// A client that comes back asks for what follows from now on.
    CursorForgotten = "cursor-forgotten",
    /// A stream goes on although an entry is missing, and entries are missing: of what other
    /// processes did, listeners are told the last one alone.
    GapNotSeen = "gap-not-seen",
    /// A stream that fell behind goes on live.
    LagNotSeen = "lag-not-seen",
    /// A read does not ask whether other processes moved the game on.
    ReadIsOld = "read-is-old",
    /// A refusal stands though another process moved the game on.
    RefusalIsOld = "refusal-is-old",
    /// Of what other processes did, listeners are told the last entry alone.
    OthersNotTold = "others-not-told",
    /// Other processes' games are looked at only when a hint comes.
    OnlyHints = "only-hints",
    /// A game is loaded from its snapshot without the entries after it.
    EntriesNotLoaded = "entries-not-loaded",
    /// A game whose first loading failed is forgotten while others still load it.
    LoadedTwice = "loaded-twice",
    /// A stream begins before it listens.
    ListensLate = "listens-late",
    /// A stream whose game leaves memory ends without a word.
    StreamForgotten = "stream-forgotten",
    /// Automation that was lost with its worker is not asked again.
    WorkerNotStruckOff = "worker-not-struck-off",
    /// An engine that stops leaves snapshots of the games that it has in memory alone.
    OthersNotSettled = "others-not-settled",
    /// How soon a step is told depends on what is written in a letter.
    SecretDelays = "secret-delays",
    /// A game leaves memory while a worker thinks about a decision of it.
    ThoughtIsIdle = "thought-is-idle",
    /// A worker who let a decision run out gets it again at once.
    SameFirst = "same-first",
    /// An answer that the store could not keep counts as a failure of its worker.
    WorkerBlamed = "worker-blamed",
    /// An engine does not notice that the store went back to an earlier state.
    LossNotSeen = "loss-not-seen",
    /// A stream goes on though the store lost what it told.
    LostStreamGoesOn = "lost-stream-goes-on",
    /// A pause is taken off the time of those who decide.
    PauseNotAdded = "pause-not-added",
}

#[cfg(feature = "rehearsal")]
mod kept {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};
    use std::time::Instant;

    use super::Planted;

    /// The planted fault's place in the list, from 1.
    static ON: AtomicUsize = AtomicUsize::new(0);
    static MET: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    static REFUSED: Mutex<Vec<Refused>> = Mutex::new(Vec::new());
    static WENT_BACK: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static UPGRADES: AtomicU32 = AtomicU32::new(0);

    /// A refusal that stood.
    #[derive(Clone, Debug)]
    pub struct Refused {
        pub game_id: String,
        /// The last entry of the state that was judged.
        pub entry: u64,
        /// When judging began.
        pub begun: Instant,
    }

    /// Plants a fault for as long as the process lives.
    pub fn plant(fault: Planted) {
        ON.store(fault as usize + 1, Ordering::Relaxed);
    }

    pub(super) fn is_on(fault: Planted) -> bool {
        ON.load(Ordering::Relaxed) == fault as usize + 1
    }

    pub(super) fn note(what: &'static str) {
        MET.lock().unwrap_or_else(PoisonError::into_inner).insert(what);
    }

    pub(super) fn note_refused(game_id: &str, entry: u64, begun: Instant) {
        let refused = Refused { game_id: game_id.to_owned(), entry, begun };
        REFUSED.lock().unwrap_or_else(PoisonError::into_inner).push(refused);
    }

    pub(super) fn note_went_back(game_id: &str) {
        WENT_BACK.lock().unwrap_or_else(PoisonError::into_inner).push(game_id.to_owned());
    }

    /// The games of which an engine said that their store went back, once for each engine.
    pub fn went_back_in() -> Vec<String> {
        WENT_BACK.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All refusals that stood.
    pub fn refusals() -> Vec<Refused> {
        REFUSED.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on every game is played by a newer version of its rules.
    pub fn upgrade() {
        UPGRADES.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn upgrades() -> u32 {
        UPGRADES.load(Ordering::Relaxed)
    }

    /// What was met since the process began.
    pub fn met() -> BTreeSet<&'static str> {
        MET.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(feature = "rehearsal")]
pub use kept::{Refused, met, plant, refusals, upgrade, went_back_in};

/// Whether a fault is planted.
#[inline]
pub fn on(fault: Planted) -> bool {
    #[cfg(feature = "rehearsal")]
    return kept::is_on(fault);
    #[cfg(not(feature = "rehearsal"))]
    {
        let _ = fault;
        false
    }
}

/// How many versions the rules are ahead of those that were built.
#[inline]
pub(crate) fn upgrades() -> u32 {
    #[cfg(feature = "rehearsal")]
    return kept::upgrades();
    #[cfg(not(feature = "rehearsal"))]
    0
}

/// A bound; in a simulation a smaller one, so that it is reached in a short game.
pub const fn bound(usual: usize, rehearsed: usize) -> usize {
    if cfg!(feature = "rehearsal") { rehearsed } else { usual }
}

/// Notes that something rare was met.
#[inline]
pub fn mark(what: &'static str) {
    #[cfg(feature = "rehearsal")]
    kept::note(what);
    #[cfg(not(feature = "rehearsal"))]
    let _ = what;
}

/// Notes that an engine says that the store went back to an earlier state of a game.
#[inline]
pub fn went_back(game_id: &str) {
    #[cfg(feature = "rehearsal")]
    kept::note_went_back(game_id);
    #[cfg(not(feature = "rehearsal"))]
    let _ = game_id;
}

/// Notes that a refusal stands: after which entry it was judged, and when judging began.
#[inline]
pub fn refused(game_id: &str, entry: u64, begun: std::time::Instant) {
    #[cfg(feature = "rehearsal")]
    kept::note_refused(game_id, entry, begun);
    #[cfg(not(feature = "rehearsal"))]
    let _ = (game_id, entry, begun);
}
