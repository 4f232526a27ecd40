//! What happens when a deadline passes: every decision that a player owes has a sensible default.
//!
//! | decision | default |
//! | --- | --- |
//! | movement | no (more) movement |
//! | next battle | the first hex |
//! | targets | as the standing orders say; `FirePolicy::Spread` where they say to ask |
//! | withdrawal of the attacker | all, if the defender has more warships; otherwise none |
//! | withdrawal of the defender | none (`StayPolicy::Always`) |
//! | forced withdrawal | bound for the nearest star where the seat has a colony, or the nearest star |
//! | where enemies withdraw to | `RefugePolicy::Away`; pirates: the direction die (fate 7.5) |
//! | factories | none are destroyed |
//! | another round against colonies | the attack is broken off |
//! | colonies, landings | none; the player-turn ends |
//! | withdrawal to the Empire | the fewest points, scouts first (fate 4.4) |
//! | setup, production | `default_outfit`, `default_production` |

use crate::referee::Referee;

impl Referee<'_> {
    /// Takes the default for everything that is owed now.
    pub(crate) fn take_defaults(&mut self) {
        todo!("defaults")
    }
}
