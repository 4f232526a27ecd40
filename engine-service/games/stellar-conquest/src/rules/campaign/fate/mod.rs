//! The Fate of Empire: one Captain-General against pirates, independent planets and the Swarms.
//!
//! Pirates and independents are seats of their own, so that the chapters on battles, attacks and conquest play them like
//! anybody else: the pirates' seat has ships and no colonies, the independents' seat colonies and no ships. Everything here
//! is public: what is kept from the two automated seats is what the Captain-General's ships are and where they go.
//!
//! | section of the article's page | module |
//! | --- | --- |
//! | 2 setup | `commission` |
//! | 4 random events, 4.4 withdrawals | `events`, `recall` |
//! | 5 Swarms | `swarms` |
//! | 6 exploration | `discovery` |
//! | 7 pirates | `pirates` |
//! | 8 independent planets, dominions | `independents` |
//! | 9, 11 sectors, victory points | `score` |
//! | all tables | `tables` |

pub mod commission;
pub mod discovery;
pub mod events;
pub mod independents;
pub mod pirates;
pub mod recall;
pub mod score;
pub mod swarms;

#[cfg(test)]
pub(crate) mod scenes;
#[cfg(test)]
pub(crate) mod situations;

use heliopause_kernel::Seat;

use crate::rules::inspection::sight;
use crate::rules::referee::Referee;
use crate::state::event::OwnEvent;
use crate::state::power::{ColonySeen, Sighting};
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;

pub use crate::state::campaign::fate::{Fate, FateEvent, Found, Level, RecallStep};
pub use crate::tables::fate as tables;

/// 6.2: the Captain-General sees the pirates of a hex, or that there are none any more.
fn sight_pirates(referee: &mut Referee<'_>, at: Place) {
    let of = Fate::pirates();
    let sighting = Sighting { at, of, fleet: referee.power(of).fleet_at(at), turn: referee.table().turn };
    sight(referee, Fate::captain(), sighting);
}

/// 6.2: everything about independent worlds is known to the Captain-General, whose chart changes whenever one does.
/// Exploration charts too, but only where ships are, and only once a turn.
pub(crate) fn fate_chart(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId) {
    if owner != Fate::independents() {
        return;
    }
    let (seat, star, turn) = (Fate::captain(), planet.star, referee.table().turn);
    let mut colonies = referee.power(seat).chart(star).colonies;
    let place = &mut colonies[usize::from(planet.nth)];
    let seen = referee.power(owner).colony(planet).map(|colony| ColonySeen::independent(colony, turn));
    let same = |before: ColonySeen| seen.is_some_and(|seen| seen == ColonySeen { turn, ..before });
    if !place.map_or(seen.is_none(), same) {
        *place = seen;
        referee.whisper(OwnEvent::Surveyed { seat, star, colonies });
    }
}
