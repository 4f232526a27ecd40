//! The editions of the game: its variants, seats and decisions.

use heliopause_kernel::{Edition, Game as _};

use crate::state::{Options, StellarConquest, Variant};

pub(crate) fn edition(variant: Variant) -> Edition<Options> {
    let options = Options::of(variant);
    let (id, name, summary) = match variant {
        Variant::Conquest => (StellarConquest::ID, StellarConquest::NAME, StellarConquest::SUMMARY),
        Variant::FateOfEmpire => (
            "fate-of-empire",
            "The Fate of Empire",
            "Stellar Conquest for one: an expedition of the Empire against pirates, independent \
             worlds and Swarms.",
        ),
        Variant::OuterSpace => (
            "alone-in-outer-space",
            "Alone in Outer Space",
            "Stellar Conquest for 2 to 4 powers whose politicians, led by dice, decide on war, \
             peace and the economy.",
        ),
    };
    Edition { id, name, summary, options }
}

/// Returns the kinds of decision in a variant, most common first.
pub(crate) const fn phase_kinds(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Conquest => &["turn", "battle", "production", "setup"],
        Variant::FateOfEmpire => &["turn", "battle", "production", "setup", "campaign"],
        Variant::OuterSpace => &["turn", "battle", "production", "campaign"],
    }
}

pub(crate) const fn player_role(variant: Variant) -> (&'static str, &'static str) {
    match variant {
        Variant::Conquest | Variant::OuterSpace => ("Power", "power"),
        Variant::FateOfEmpire => ("Captain-General", "captain-general"),
    }
}
