//! Chapter 2: claims of stars by the powers that explore them.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{Era, PoliticsEvent};
use crate::tables::StarId;

/// Gives a star to the first seat that explores it. The last claim starts the second stage (2, 5).
pub(crate) fn space_claim(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    referee.publish_politics(PoliticsEvent::Claimed { seat, star });
    let politics = referee.politics();
    if politics.era == Era::Expansion && politics.claims.iter().all(Option::is_some) {
        referee.publish_politics(PoliticsEvent::EraBegan { era: Era::Growth });
    }
}
