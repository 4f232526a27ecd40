//! What a variant replaces. One body of rules plays all of them; wherever an article changes a rule, the rule asks a function
//! of this module, which names the base rule and what each article makes of it. So a reader finds all differences here, and
//! none in the chapters.
//!
//! What a variant adds beside is in its own module: `fate` for The Fate of Empire.

mod closing;
pub mod fate;
mod seams;

pub use fate::{Fate, FateEvent, Level};

use heliopause_kernel::Role;

use crate::options::Variant;

/// The public state that a variant adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Campaign {
    /// The base game adds nothing.
    Conquest,
    /// The Fate of Empire.
    Fate(Box<Fate>),
}

/// A decision of the player on turn that only a variant knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CampaignStage {
    /// Fate 4.4: ships go back to the Empire.
    Recall {
        /// What is owed, in half ship points: the ships are worth that, or the least above it that is possible.
        half_points: u32,
        /// At which step of the turn.
        when: fate::RecallStep,
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
        }
    }

    /// The state of The Fate of Empire.
    pub const fn fate(&self) -> Option<&Fate> {
        match self {
            Self::Fate(fate) => Some(fate),
            Self::Conquest => None,
        }
    }

    pub(crate) const fn fate_mut(&mut self) -> Option<&mut Fate> {
        match self {
            Self::Fate(fate) => Some(fate),
            Self::Conquest => None,
        }
    }
}

/// The seats of a variant that only automation plays; they follow the players'.
pub(crate) fn automata(variant: Variant) -> Vec<Role> {
    let role = |name: &str, profile| Role { name: name.to_owned(), profile, automaton: true };
    match variant {
        Variant::Conquest => Vec::new(),
        Variant::FateOfEmpire => vec![role("Pirates", "pirates"), role("Independents", "independents")],
    }
}

/// What a player's seat is called, and the profile that fills in for him.
pub(crate) const fn player_role(variant: Variant) -> (&'static str, &'static str) {
    match variant {
        Variant::Conquest => ("Power", "power"),
        Variant::FateOfEmpire => ("Captain-General", "captain-general"),
    }
}
