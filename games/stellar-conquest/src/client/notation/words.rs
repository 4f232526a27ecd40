//! The words of the notation, shared by its parser and writer.

use crate::state::{FirePolicy, RefugePolicy, ScuttlePolicy, StayPolicy};
use crate::tables::Item;

/// Maximum number of ships that a list such as `#1-4` may expand to.
pub(crate) const NUMBERS_MAX: usize = 16_384;

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

pub(crate) const SCOUT_PAIR: &str = "scout-pair";

pub(crate) const SCOUT_PAIRS: &str = "scout-pairs";

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
