//! Setup rules that variants replace.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::commission::roll_fate_entry_hex;
use crate::rules::campaign::outer_space::research::roll_outfit;
use crate::rules::referee::Referee;
use crate::state::{Campaign, Outfit, Sheet};
use crate::tables::Place;

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
        (campaign, _) => campaign.default_outfit(),
    }
}
