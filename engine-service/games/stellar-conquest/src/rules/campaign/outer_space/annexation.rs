//! Rules 10.4 and 10.5: stars that change hands, and what becomes of their people.

use heliopause_kernel::Seat;

use super::PoliticsEvent;
use crate::rules::referee::Referee;
use crate::state::colony::{Bases, Colony, Hold, Occupation};
use crate::state::event::{Change, Gone, OwnEvent};
use crate::state::ship::{Fleet, Load, ShipKind};
use crate::tables::cards::{PlanetId, PlanetType};
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

impl Referee<'_> {
    /// 10.4: the people of the one who loses the star leave it in transports that their colonies build at once (DR-22).
    /// Answers the terran planets that they leave.
    pub(super) fn annex(&mut self, star: StarId, to: Seat) -> Vec<PlanetId> {
        let mut vacated = Vec::new();
        let Some(loser) = self.politics().claimant(star) else { return vacated };
        self.cede(star, to, false);
        for colony in self.power(loser).colonies_of(star).copied().collect::<Vec<Colony>>() {
            let cet = self.power(loser).research.has(Tech::ControlledEnvironment);
            let load = Load { cet, from: Some(colony.planet), captives_of: None };
            let mut fleet = Fleet::NONE;
            fleet.add(ShipKind::Transport, u32::from(colony.population));
            self.end_colony(loser, colony.planet, Gone::Annexed);
            self.survey(to, star, &[]);
            self.launch(loser, fleet, star.at(), load);
            if colony.world.kind == PlanetType::Terran {
                vacated.push(colony.planet);
            }
        }
        self.settle_star(star);
        vacated
    }

    /// 10.5: the people stay as slaves of the new claimant; bases and shields are destroyed.
    pub(super) fn enslave(&mut self, star: StarId, to: Seat) {
        self.cede(star, to, true);
        for owner in Seat::first(self.table().seats()) {
            for colony in self.power(owner).colonies_of(star).copied().collect::<Vec<Colony>>() {
                let hold = match colony.hold {
                    Hold::Occupied(_) => Hold::Occupied(Occupation { by: to, waits: false }),
                    Hold::Free | Hold::Besieged if owner == to => continue,
                    Hold::Free | Hold::Besieged => Hold::Occupied(Occupation { by: to, waits: true }),
                };
                let hold = if owner == to { Hold::Free } else { hold };
                let colony = Colony { hold, bases: Bases::NONE, shield: false, ..colony };
                self.change_colony(owner, colony, Change::Enslaved);
            }
        }
        self.settle_star(star);
    }

    /// The card goes with the star.
    fn cede(&mut self, star: StarId, to: Seat, enslaved: bool) {
        self.announce_politics(PoliticsEvent::Ceded { star, to, enslaved });
        if !self.power(to).has_explored(star) {
            let card = self.game.truth.secrets.card(star);
            self.whisper(OwnEvent::Explored { seat: to, star, card });
        }
        self.survey(to, star, &[]);
    }
}
