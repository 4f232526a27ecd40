//! What a variant replaces. One body of rules plays all of them; wherever an article changes a rule, the rule asks a function
//! of this module, which names the base rule and what each article makes of it. So a reader finds all differences here, and
//! none in the chapters.
//!
//! What a variant adds beside is in its own module: `fate` for The Fate of Empire, `outer_space` for Alone in Outer Space.

pub(crate) mod closing;
pub mod fate;
pub mod outer_space;
pub(crate) mod seams;

pub use fate::{Fate, FateEvent, Level};
pub use outer_space::{Politics, PoliticsEvent};

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Edition, Game as _, Role};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::options::{Options, Variant};
use crate::state::position::StellarConquest;
use crate::tables::board::Place;

/// The public state that a variant adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Campaign {
    /// The base game adds nothing.
    Conquest,
    /// The Fate of Empire.
    Fate(Box<Fate>),
    /// Alone in Outer Space.
    OuterSpace(Box<Politics>),
}

/// A decision of the player on turn that only a variant knows.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::stage::Kind)]
pub enum CampaignStage {
    /// Fate 4.4: ships go back to the Empire.
    #[wire(message = proto::RecallStage)]
    Recall {
        /// What is owed, in half ship points: the ships are worth that, or the least above it that is possible.
        half_points: u32,
        /// At which step of the turn.
        #[wire(name = debt)]
        when: fate::RecallStep,
    },
    /// Space 7.1, 9.1: ships go on from a star where they may not be.
    #[wire(message = proto::PlaceStage)]
    Place {
        /// From where.
        at: Place,
    },
}

/// How a variant names a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// Fate 11.
    Fate(Level),
}

impl Campaign {
    /// The state before setup.
    pub(crate) fn new(variant: Variant) -> Self {
        match variant {
            Variant::Conquest => Self::Conquest,
            Variant::FateOfEmpire => Self::Fate(Box::default()),
            Variant::OuterSpace => Self::OuterSpace(Box::default()),
        }
    }

    /// The state of The Fate of Empire.
    pub const fn fate(&self) -> Option<&Fate> {
        match self {
            Self::Fate(fate) => Some(fate),
            Self::Conquest | Self::OuterSpace(_) => None,
        }
    }

    pub(crate) const fn fate_mut(&mut self) -> Option<&mut Fate> {
        match self {
            Self::Fate(fate) => Some(fate),
            Self::Conquest | Self::OuterSpace(_) => None,
        }
    }

    /// The state of Alone in Outer Space.
    pub const fn politics(&self) -> Option<&Politics> {
        match self {
            Self::OuterSpace(politics) => Some(politics),
            Self::Conquest | Self::Fate(_) => None,
        }
    }

    pub(crate) const fn politics_mut(&mut self) -> Option<&mut Politics> {
        match self {
            Self::OuterSpace(politics) => Some(politics),
            Self::Conquest | Self::Fate(_) => None,
        }
    }
}

/// The game that a variant is offered as.
pub(crate) fn edition(variant: Variant) -> Edition<Options> {
    let options = Options::of(variant);
    let (id, name, summary) = match variant {
        Variant::Conquest => (StellarConquest::ID, StellarConquest::NAME, StellarConquest::SUMMARY),
        Variant::FateOfEmpire => (
            "fate-of-empire",
            "The Fate of Empire",
            "Stellar Conquest for one: an expedition of the Empire against pirates, independent worlds and Swarms.",
        ),
        Variant::OuterSpace => (
            "alone-in-outer-space",
            "Alone in Outer Space",
            "Stellar Conquest for 2 to 4 powers whose politicians, led by dice, decide on war, peace and the economy.",
        ),
    };
    Edition { id, name, summary, options }
}

/// The kinds of decision that a variant asks for, most usual first.
pub(crate) const fn phase_kinds(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Conquest => &["turn", "battle", "production", "setup"],
        Variant::FateOfEmpire => &["turn", "battle", "production", "setup", "campaign"],
        Variant::OuterSpace => &["turn", "battle", "production", "campaign"],
    }
}

/// The seats of a variant that only automation plays; they follow the players'.
pub(crate) fn automata(variant: Variant) -> Vec<Role> {
    let role = |name: &str, profile| Role { name: name.to_owned(), profile, abandoned: None, automaton: true };
    match variant {
        Variant::Conquest | Variant::OuterSpace => Vec::new(),
        Variant::FateOfEmpire => vec![role("Pirates", "pirates"), role("Independents", "independents")],
    }
}

/// What a player's seat is called, and the profile that fills in for the player.
pub(crate) const fn player_role(variant: Variant) -> (&'static str, &'static str) {
    match variant {
        Variant::Conquest | Variant::OuterSpace => ("Power", "power"),
        Variant::FateOfEmpire => ("Captain-General", "captain-general"),
    }
}
