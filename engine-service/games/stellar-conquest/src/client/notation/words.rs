//! The words of the notation.

use crate::state::standing::{FirePolicy, RefugePolicy, ScuttlePolicy, StayPolicy};
use crate::tables::prices::Item;

/// The most numbers that a list of ships may stand for.
pub(crate) const NUMBERS_MAX: usize = 16_384;

/// What things are called that are bought: for one, and for several.
pub(crate) const ITEMS: [(Item, &str, &str); 9] = [
    (Item::ColonyTransport, "transport", "transports"),
    (Item::Scout, "scout", "scouts"),
    (Item::Corvette, "corvette", "corvettes"),
    (Item::Fighter, "fighter", "fighters"),
    (Item::DeathStar, "death-star", "death-stars"),
    (Item::Factory, "factory", "factories"),
    (Item::MissileBase, "missile-base", "missile-bases"),
    (Item::AdvancedMissileBase, "advanced-base", "advanced-bases"),
    (Item::PlanetShield, "shield", "shields"),
];

/// Two scouts, which cost less together: for one pair, and for several.
pub(crate) const SCOUT_PAIR: &str = "scout-pair";

pub(crate) const SCOUT_PAIRS: &str = "scout-pairs";

/// A policy and its word.
pub(crate) type Words<T> = [(T, &'static str)];

pub(crate) const FIRE: &Words<FirePolicy> = &[
    (FirePolicy::Ask, "ask"),
    (FirePolicy::Spread, "spread"),
    (FirePolicy::Focus, "focus"),
    (FirePolicy::Hold, "hold"),
];

pub(crate) const STAY: &Words<StayPolicy> = &[
    (StayPolicy::Ask, "ask"),
    (StayPolicy::Always, "always"),
    (StayPolicy::WhileMoreWarships, "while-more"),
    (StayPolicy::WhileNoFewerWarships, "while-no-fewer"),
    (StayPolicy::Never, "never"),
];

/// Whether unarmed ships leave whatever the others do.
pub(crate) const LEAVE: &Words<bool> = &[(false, "stay"), (true, "leave")];

pub(crate) const REFUGE: &Words<RefugePolicy> =
    &[(RefugePolicy::Ask, "ask"), (RefugePolicy::Away, "away")];

pub(crate) const SCUTTLE: &Words<ScuttlePolicy> = &[
    (ScuttlePolicy::Ask, "ask"),
    (ScuttlePolicy::Never, "never"),
    (ScuttlePolicy::WhenLost, "when-lost"),
];

pub(crate) const WATCH: &Words<crate::state::colony::Watch> = &[
    (crate::state::colony::Watch::Never, "never"),
    (crate::state::colony::Watch::Always, "always"),
    (crate::state::colony::Watch::Ask, "ask"),
];
