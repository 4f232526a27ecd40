//! What a variant adds to the state.

pub(crate) mod fate;
pub(crate) mod politics;
pub(crate) mod politics_event;
pub(crate) mod war;

use heliopause_kernel::Role;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::fate::{Fate, Level};
use crate::state::campaign::politics::Politics;
use crate::state::options::Variant;
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
        /// What is owed, in half ship points: the ships are worth that, or the least above it that
        /// is possible.
        half_points: u32,
        /// At which step of the turn.
        #[wire(name = debt)]
        when: fate::RecallStep,
    },
    /// Space 7.1, 9.1: ships go on from a star where they may not be.
    #[wire(message = proto::PlaceStage)]
    Place { at: Place },
}

/// How a variant names a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// Fate 11.
    Fate(Level),
}

/// The seats of a variant that only automation plays; they follow the players'.
pub(crate) fn automata(variant: Variant) -> Vec<Role> {
    let role = |name: &str, profile| Role {
        name: name.to_owned(),
        profile,
        abandoned: None,
        automaton: true,
    };
    match variant {
        Variant::Conquest | Variant::OuterSpace => Vec::new(),
        Variant::FateOfEmpire => {
            vec![role("Pirates", "pirates"), role("Independents", "independents")]
        }
    }
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
