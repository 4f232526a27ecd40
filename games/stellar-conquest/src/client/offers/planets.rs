//! Offers of attacks, landings and orders for conquered colonies (steps 4 and 5).

use heliopause_kernel::offer::{Draft, ValueId};

use crate::client::choices::kinds::Choices;
use crate::client::notation::words::write_planet;
use crate::client::offers::slots::{
    colony_name, number_slot, offer, offer_listed, several, star_value, words,
};
use crate::state::{Order, SeatView};
use crate::tables::{PlanetId, StarId};

impl SeatView<'_> {
    pub(super) fn offer_planet_orders(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        if self.judge(&Order::EndTurn).is_err() {
            return true;
        }
        offer_listed(draft, choices);
        Self::offer_assaults(draft, choices);
        let mut complete = true;
        for star in StarId::ALL {
            complete &= self.offer_landings_at(draft, star);
        }
        complete
    }

    pub(super) fn offer_assaults(draft: &mut Draft<Order>, choices: &Choices) {
        for of_star in choices.attacks.chunk_by(|one, other| one.star == other.star) {
            let star = of_star[0].star;
            draft.group("Attacks on colonies");
            let value = |planet: &PlanetId| {
                let number = planet.nth + 1;
                draft.value(number.to_string(), format!("planet {number}"))
            };
            let planets: Vec<ValueId> = of_star.iter().map(value).collect();
            let picks = several(draft, planets, 1);
            let at = star_value(draft, star);
            let slot = words("planets", "which planets", picks);
            offer!(draft, "attack", at = star).at([at]).slot(slot);
        }
    }

    pub(super) fn offer_conquest_orders(draft: &mut Draft<Order>, choices: &Choices) {
        let raze = choices.raze.iter().map(|&(planet, most)| ("raze", planet, most));
        let kill = choices.kill.iter().map(|&(planet, most)| ("kill", planet, most.into()));
        for (key, planet, most) in raze.chain(kill) {
            draft.group(colony_name(planet));
            let at = star_value(draft, planet.star);
            let offer = offer!(draft, key, colony = write_planet(planet), planet);
            offer.at([at]).slot(number_slot("how many", 1, most));
        }
    }
}
