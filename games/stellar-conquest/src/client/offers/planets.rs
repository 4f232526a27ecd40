//! Offers of attacks, landings and orders for conquered colonies (steps 4 and 5).

use heliopause_kernel::offer::{Draft, ValueId, Weight};

use crate::client::choices::kinds::Choices;
use crate::client::offers::slots::{
    TURN_HEADING, colony_name, number_slot, several, star_value, words, write_planet,
};
use crate::state::{Order, SeatView};
use crate::tables::{PlanetId, StarId};

impl SeatView<'_> {
    pub(super) fn offer_planet_orders(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        if self.judge(&Order::EndTurn).is_err() {
            return true;
        }
        draft.group(TURN_HEADING);
        let end = draft.offer("end-turn", "end turn", "End your turn", "4");
        end.weighs(Weight::End).is(Order::EndTurn);
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
            let (notation, label) =
                (format!("attack {star} {{planets}}"), format!("Attack {{planets}} of {star}"));
            let offer = draft.offer("attack", notation, label, "13.1");
            offer.weighs(Weight::Main).at([at]).slot(words("planets", "which planets", picks));
        }
    }

    pub(super) fn offer_conquest_orders(draft: &mut Draft<Order>, choices: &Choices) {
        let raze = choices
            .raze
            .iter()
            .map(|&(planet, most)| ("raze", planet, most, "Destroy {number} factories", "15.8"));
        let kill = choices
            .kill
            .iter()
            .map(|&(planet, most)| ("kill", planet, most.into(), "Kill {number}M people", "15.9"));
        for (key, planet, most, what, rule) in raze.chain(kill) {
            draft.group(colony_name(planet));
            let at = star_value(draft, planet.star);
            let notation = format!("{key} {} {{number}}", write_planet(planet));
            let label = format!("{what} on {planet}");
            let offer = draft.offer(key, notation, label, rule);
            offer.weighs(Weight::Grave).at([at]).slot(number_slot("how many", 1, most));
        }
    }
}
