//! Chapters 5 and 6: the stages of the game, and what comes before the sheets of a production turn.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::{Politics, PoliticsEvent};
use crate::rules::campaign::outer_space::conquest::eliminate;
use crate::rules::campaign::outer_space::diplomacy::{powers_left, space_diplomacy};
use crate::rules::campaign::outer_space::incidents::settle_incidents;
use crate::rules::campaign::outer_space::research::roll_agenda;
use crate::rules::production::close_production;
use crate::rules::referee::Referee;
use crate::rules::victory::end_game;
use crate::state::event::{Event, OwnEvent};

/// A stage of the game (5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Era)]
pub enum Era {
    /// I: until all stars are claimed.
    #[default]
    Expansion,
    /// II: until 600 million people live on planets.
    Growth,
    /// III: until 1200 million do.
    Tension,
    /// IV: to the end.
    Empire,
}

impl Era {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Expansion, Self::Growth, Self::Tension, Self::Empire];

    /// What it adds to the dice of diplomacy; nothing if they are not rolled (5.3).
    pub const fn modifier(self) -> Option<u8> {
        match self {
            Self::Expansion => None,
            Self::Growth => Some(0),
            Self::Tension => Some(2),
            Self::Empire => Some(4),
        }
    }

    /// 5.1: the stage that so many million people bring. It never goes back.
    const fn with(self, millions: u32) -> Self {
        match self {
            Self::Growth | Self::Tension if millions >= 1200 => Self::Empire,
            Self::Growth if millions >= 600 => Self::Tension,
            Self::Expansion | Self::Growth | Self::Tension | Self::Empire => self,
        }
    }
}

impl Politics {
    /// 6.2: what is added to the die of priority.
    fn priority_modifier(&self, seat: Seat) -> u8 {
        let truce = self.war.as_ref().is_some_and(|war| war.truce && war.side_of(seat).is_some());
        if self.fights(seat) { 2 } else { u8::from(truce || self.is_in_incident(seat)) }
    }
}

/// P2 to P6: everything before the sheets. Says whether the game goes on.
pub(crate) fn space_politics(referee: &mut Referee<'_>) -> bool {
    eliminate(referee);
    check_era(referee);
    if is_decided_by_conquest(referee) {
        return false;
    }
    settle_incidents(referee);
    space_diplomacy(referee);
    eliminate(referee);
    if is_decided_by_conquest(referee) {
        return false;
    }
    for seat in powers_left(referee).iter() {
        let modifier = referee.politics().priority_modifier(seat);
        let die = referee.roll("priority", seat.index() as u64, 0);
        let rolled = Event::Politics(PoliticsEvent::PriorityRolled { seat, die, modifier });
        referee.confide(SeatSet::one(seat), rolled);
    }
    for seat in powers_left(referee).iter() {
        let titles = roll_agenda(referee, seat);
        referee.whisper(OwnEvent::AgendaSet { seat, titles });
    }
    true
}

/// 11: the last power wins.
fn is_decided_by_conquest(referee: &mut Referee<'_>) -> bool {
    let over = powers_left(referee).len() <= 1;
    if over {
        close_production(referee);
        end_game(referee);
    }
    over
}

/// 5.2: all people on planets count.
fn check_era(referee: &mut Referee<'_>) {
    let colonies = referee.game.truth.powers.iter().flat_map(|power| &power.colonies);
    let millions = colonies.map(|colony| u32::from(colony.population)).sum();
    let era = referee.politics().era.with(millions);
    if era != referee.politics().era {
        referee.announce_politics(PoliticsEvent::EraBegan { era });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_5_dt_24_stages_begin_by_population_and_never_return() {
        assert_eq!(Era::Growth.with(590), Era::Growth);
        assert_eq!(Era::Growth.with(612), Era::Tension);
        assert_eq!(Era::Growth.with(1300), Era::Empire);
        assert_eq!(Era::Tension.with(580), Era::Tension);
        assert_eq!(Era::Expansion.with(2000), Era::Expansion);
        assert_eq!(Era::ALL.map(Era::modifier), [None, Some(0), Some(2), Some(4)]);
    }
}
