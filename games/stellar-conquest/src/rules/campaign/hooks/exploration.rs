//! Effects that variants add to exploration.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::discovery::{fate_pirate_dice, fate_populate};
use crate::rules::campaign::outer_space::claims::space_claim;
use crate::rules::referee::Referee;
use crate::state::Campaign;
use crate::tables::StarId;

/// Runs after a card is drawn (base 11.4). In The Fate of Empire, rolls on the Planet Table (fate
/// 6.2). In Alone in Outer Space, claims the star (space 2).
pub(crate) fn after_drawing(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    match referee.table().campaign {
        Campaign::Conquest => {}
        Campaign::Fate(_) => fate_populate(referee, seat, star),
        Campaign::OuterSpace(_) => space_claim(referee, seat, star),
    }
}

/// Runs after exploration. In The Fate of Empire, rolls for pirates at old independent planets
/// (fate 6.5).
pub(crate) fn after_exploration(referee: &mut Referee<'_>, seat: Seat) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_pirate_dice(referee, seat),
    }
}
