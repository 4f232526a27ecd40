//! Where articles add to exploration.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::discovery::{fate_pirate_dice, fate_populate};
use crate::rules::campaign::outer_space::claims::space_claim;
use crate::rules::referee::Referee;
use crate::state::campaign::Campaign;
use crate::tables::stars::StarId;

/// Base 11.4: the explorer knows the card, and that is all. Fate 6.2: the Planet Table is rolled
/// for each planet. Space 2: the star is claimed.
pub(crate) fn after_drawing(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    match referee.table().campaign {
        Campaign::Conquest => {}
        Campaign::Fate(_) => fate_populate(referee, seat, star),
        Campaign::OuterSpace(_) => space_claim(referee, seat, star),
    }
}

/// Base: exploration is over. Fate 6.5: a die for a pirate at every independent planet found in an
/// earlier turn.
pub(crate) fn after_exploration(referee: &mut Referee<'_>, seat: Seat) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_pirate_dice(referee, seat),
    }
}
