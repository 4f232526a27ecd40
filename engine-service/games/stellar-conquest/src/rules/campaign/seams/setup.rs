//! Where articles replace rules of the setup.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::commission::roll_fate_entry_hex;
use crate::rules::campaign::outer_space::research::roll_outfit;
use crate::rules::referee::Referee;
use crate::state::campaign::Campaign;
use crate::state::sheet::{Outfit, Payment, Sheet};
use crate::tables::board::Place;
use crate::tables::technology::Tech;

/// Base 2.7: by the order of play. Fate 2.2: a die, 5 and 6 rolled again.
pub(crate) fn roll_entry_hex(referee: &mut Referee<'_>) -> Option<Place> {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => None,
        Campaign::Fate(_) => Some(roll_fate_entry_hex(referee)),
    }
}

/// Base 3.4: what a player begins with who has not chosen. Space 4: what the dice say.
pub(crate) fn outfit_of(referee: &mut Referee<'_>, seat: Seat) -> Outfit {
    match (&referee.table().campaign, &referee.power(seat).sheet) {
        (Campaign::OuterSpace(_), _) => roll_outfit(referee, seat),
        (_, Sheet::Outfit(outfit)) => outfit.clone(),
        _ => default_outfit(referee),
    }
}

/// What a player begins with who has not chosen: 3 Hex Speed, a pair of scouts, a start in
/// Industrial Technology.
pub(crate) fn default_outfit(referee: &Referee<'_>) -> Outfit {
    referee.table().campaign.default_outfit().unwrap_or_else(|| Outfit::Bonus {
        scouts: 2,
        corvettes: 0,
        research: vec![
            Payment { tech: Tech::Speed3, points: 15 },
            Payment { tech: Tech::IndustrialTechnology, points: 5 },
        ],
    })
}
