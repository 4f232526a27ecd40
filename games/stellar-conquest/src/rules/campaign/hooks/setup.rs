//! Setup rules that variants replace.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::commission::roll_fate_entry_hex;
use crate::rules::campaign::outer_space::research::roll_outfit;
use crate::rules::referee::Referee;
use crate::state::{Campaign, Outfit, Payment, Sheet};
use crate::tables::{Place, Tech};

/// Rolls the entry hex in The Fate of Empire (fate 2.2). Returns `None` in other variants, where
/// the order of play decides (base 2.7).
pub(crate) fn roll_entry_hex(referee: &mut Referee<'_>) -> Option<Place> {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => None,
        Campaign::Fate(_) => Some(roll_fate_entry_hex(referee)),
    }
}

/// Returns a player's chosen or default outfit (base 3.4). In Alone in Outer Space, dice choose the
/// outfit (space 4).
pub(crate) fn outfit_of(referee: &mut Referee<'_>, seat: Seat) -> Outfit {
    match (&referee.table().campaign, &referee.power(seat).sheet) {
        (Campaign::OuterSpace(_), _) => roll_outfit(referee, seat),
        (_, Sheet::Outfit(outfit)) => outfit.clone(),
        _ => default_outfit(referee),
    }
}

/// Returns the default outfit, with 3 Hex Speed, two scouts, and the rest for Industrial Technology
/// (base 3.4). In The Fate of Empire, the default is a commission (fate 2).
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
