//! Chapter 2: claims.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::campaign::politics::Era;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::tables::stars::StarId;

/// 2: the first who explores a star claims it; with the last star growth begins (5).
pub(crate) fn space_claim(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    referee.announce_politics(PoliticsEvent::Claimed { seat, star });
    let politics = referee.politics();
    if politics.era == Era::Expansion && politics.claims.iter().all(Option::is_some) {
        referee.announce_politics(PoliticsEvent::EraBegan { era: Era::Growth });
    }
}
