//! Chapters 5 and 6: the stages of the game, and the steps before the sheets of a production turn.

use heliopause_kernel::SeatSet;

use crate::rules::campaign::outer_space::conquest::eliminate;
use crate::rules::campaign::outer_space::diplomacy::space_diplomacy;
use crate::rules::campaign::outer_space::incidents::settle_incidents;
use crate::rules::campaign::outer_space::lots::remaining_powers;
use crate::rules::campaign::outer_space::research::roll_agenda;
use crate::rules::production::close_production;
use crate::rules::referee::Referee;
use crate::rules::victory::end_game;
use crate::state::{Event, OwnEvent, PoliticsEvent};

/// Plays steps P2 to P6, which precede the sheets. Returns whether the game continues.
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
    for seat in remaining_powers(referee).iter() {
        let modifier = referee.politics().priority_modifier(seat);
        let die = referee.roll("priority", seat.index() as u64, 0);
        let rolled = Event::Politics(PoliticsEvent::PriorityRolled { seat, die, modifier });
        referee.publish_to_seats(SeatSet::one(seat), rolled);
    }
    for seat in remaining_powers(referee).iter() {
        let titles = roll_agenda(referee, seat);
        referee.publish_to_owner(OwnEvent::AgendaSet { seat, titles });
    }
    true
}

fn is_decided_by_conquest(referee: &mut Referee<'_>) -> bool {
    let over = remaining_powers(referee).len() <= 1;
    if over {
        close_production(referee);
        end_game(referee);
    }
    over
}

fn check_era(referee: &mut Referee<'_>) {
    let colonies = referee.game.truth.powers.iter().flat_map(|power| &power.colonies);
    let millions = colonies.map(|colony| u32::from(colony.population)).sum();
    let era = referee.politics().era.with(millions);
    if era != referee.politics().era {
        referee.publish_politics(PoliticsEvent::EraBegan { era });
    }
}
