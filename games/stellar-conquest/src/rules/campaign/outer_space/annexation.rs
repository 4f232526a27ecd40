//! Rules 10.4 and 10.5: stars that change hands, and their people.

use heliopause_kernel::Seat;

use crate::rules::arrivals::launch;
use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::conquest::update_star_control;
use crate::rules::inspection::survey;
use crate::rules::referee::Referee;
use crate::state::{Bases, Change, Colony, Gone, Hold, Load, Occupation, OwnEvent, PoliticsEvent};
use crate::tables::{Fleet, PlanetId, PlanetType, ShipKind, StarId, Tech};

/// Annexes a star whose people leave in new transports (10.4, DR-22). Returns the Terran planets
/// that these people left.
pub(super) fn annex(referee: &mut Referee<'_>, star: StarId, to: Seat) -> Vec<PlanetId> {
    let mut vacated = Vec::new();
    let Some(loser) = referee.politics().claimant(star) else { return vacated };
    cede(referee, star, to, false);
    for colony in referee.power(loser).colonies_of(star).copied().collect::<Vec<Colony>>() {
        let cet = referee.power(loser).research.has(Tech::ControlledEnvironment);
        let load = Load { cet, from: Some(colony.planet), captives_of: None };
        let mut fleet = Fleet::NONE;
        fleet.add(ShipKind::Transport, u32::from(colony.population));
        end_colony(referee, loser, colony.planet, Gone::Annexed);
        survey(referee, to, star, &[]);
        launch(referee, loser, fleet, star.at(), load);
        if colony.world.kind == PlanetType::Terran {
            vacated.push(colony.planet);
        }
    }
    update_star_control(referee, star);
    vacated
}

pub(super) fn enslave(referee: &mut Referee<'_>, star: StarId, to: Seat) {
    cede(referee, star, to, true);
    for owner in Seat::first(referee.table().seats()) {
        for colony in referee.power(owner).colonies_of(star).copied().collect::<Vec<Colony>>() {
            let hold = match colony.control {
                Hold::Occupied(_) => Hold::Occupied(Occupation { by: to, waits: false }),
                Hold::Free | Hold::Besieged if owner == to => continue,
                Hold::Free | Hold::Besieged => Hold::Occupied(Occupation { by: to, waits: true }),
            };
            let hold = if owner == to { Hold::Free } else { hold };
            let colony = Colony { control: hold, bases: Bases::NONE, shield: false, ..colony };
            change_colony(referee, owner, colony, Change::Enslaved);
        }
    }
    update_star_control(referee, star);
}

fn cede(referee: &mut Referee<'_>, star: StarId, to: Seat, enslaved: bool) {
    referee.publish_politics(PoliticsEvent::Ceded { star, to, enslaved });
    if !referee.power(to).has_explored(star) {
        let card = referee.game.truth.secrets.card(star);
        referee.publish_to_owner(OwnEvent::Explored { seat: to, star, card });
    }
    survey(referee, to, star, &[]);
}
