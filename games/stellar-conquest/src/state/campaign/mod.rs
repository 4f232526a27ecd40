//! The state, decisions and grades that variants add to the base game.

pub(crate) mod fate;
pub(crate) mod politics;
pub(crate) mod politics_event;
pub(crate) mod war;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Role, Seat};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::fate::{Fate, Level};
use crate::state::campaign::politics::Politics;
use crate::state::options::Variant;
use crate::tables::{Place, StarId};

/// The variant of a game, with the public state that the variant adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Campaign {
    Conquest,
    Fate(Box<Fate>),
    OuterSpace(Box<Politics>),
}

/// A decision of the active player that exists only in a variant.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::stage::Kind)]
pub enum CampaignStage {
    #[wire(message = proto::RecallStage)]
    Recall {
        /// The amount that the ships must be worth, or the smallest possible amount above it.
        half_points: u32,
        #[wire(name = debt)]
        when: fate::RecallStep,
    },
    #[wire(message = proto::PlaceStage)]
    Place { at: Place },
}

/// A variant's name for a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    Fate(Level),
}

pub(crate) fn automata(variant: Variant) -> Vec<Role> {
    let role = |name: &str, profile| Role {
        name: name.to_owned(),
        profile,
        abandoned: None,
        always_automated: true,
    };
    match variant {
        Variant::Conquest | Variant::OuterSpace => Vec::new(),
        Variant::FateOfEmpire => {
            vec![role("Pirates", "pirates"), role("Independents", "independents")]
        }
    }
}

impl Campaign {
    pub(crate) fn new(variant: Variant) -> Self {
        match variant {
            Variant::Conquest => Self::Conquest,
            Variant::FateOfEmpire => Self::Fate(Box::default()),
            Variant::OuterSpace => Self::OuterSpace(Box::default()),
        }
    }

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

    pub const fn politics(&self) -> Option<&Politics> {
        match self {
            Self::OuterSpace(politics) => Some(politics),
            Self::Conquest | Self::Fate(_) => None,
        }
    }

    /// Returns the power that claims a star. Only Alone in Outer Space has claims.
    pub(crate) fn claimant(&self, star: StarId) -> Option<Seat> {
        self.politics().and_then(|politics| politics.claimant(star))
    }

    pub(crate) const fn politics_mut(&mut self) -> Option<&mut Politics> {
        match self {
            Self::OuterSpace(politics) => Some(politics),
            Self::Conquest | Self::Fate(_) => None,
        }
    }
}
