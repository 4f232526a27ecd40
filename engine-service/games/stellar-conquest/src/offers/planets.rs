//! Offers of steps 4 and 5, and of conquered colonies.

use heliopause_kernel::Seat;
use heliopause_kernel::offer::{Draft, Kind, Slot, ValueId, Weight};

use super::movement::{several, words};
use super::{THE_TURN, colony_name, number_slot, place_value, star_value, write_planet};
use crate::cards::PlanetId;
use crate::choices::{Choices, most};
use crate::order::Order;
use crate::power::Eyes;
use crate::ship::{Load, ShipNumber};
use crate::stars::StarId;

/// The most people that a garrison needs (fate 8.5), and one more.
const FEWEST_MAX: usize = 6;

/// Which transports may land together.
type Company = (Option<Seat>, Option<Load>);

impl Eyes<'_> {
    /// Steps 4 and 5: attacks, landings, and the end of the turn. Says whether every order is offered.
    pub(super) fn offer_landfalls(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        if self.judge(&Order::EndTurn).is_err() {
            return true;
        }
        draft.group(THE_TURN);
        let end = draft.offer("end-turn", "end turn", "End your turn", "4");
        end.weighs(Weight::End).is(Order::EndTurn);
        self.offer_assaults(draft, choices);
        let mut complete = true;
        for star in StarId::all() {
            complete &= self.offer_landing(draft, star);
        }
        complete
    }

    /// 13.1: colonies of one star that can be attacked together.
    pub(super) fn offer_assaults(&self, draft: &mut Draft<Order>, choices: &Choices) {
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
            let (notation, label) = (format!("attack {star} {{planets}}"), format!("Attack {{planets}} of {star}"));
            let offer = draft.offer("attack", notation, label, "13.1");
            offer.weighs(Weight::Main).at([at]).slot(words("planets", "which planets", picks));
        }
    }

    /// 16: where the transports at a star can land. Says whether every landing is offered.
    fn offer_landing(&self, draft: &mut Draft<Order>, star: StarId) -> bool {
        let Some(card) = self.power.chart(star).card else { return true };
        // Space 7.2: where a load goes depends on those beside it, so that only alike ones land by one order.
        let alike = self.table.campaign.politics().is_some();
        let mut companies: Vec<(Company, Vec<(ShipNumber, Load)>)> = Vec::new();
        for ship in self.power.ships_at(star.at()) {
            let Some(load) = ship.load() else { continue };
            let company = (load.captives_of, alike.then_some(load));
            match companies.iter_mut().find(|(other, _)| *other == company) {
                Some((_, ships)) => ships.push((ship.number, load)),
                None => companies.push((company, vec![(ship.number, load)])),
            }
        }
        let complete = !alike || companies.len() <= 1;
        for (_, transports) in companies {
            for nth in 0..card.planets().len() {
                self.offer_landing_on(draft, PlanetId { star, nth: nth as u8 }, &transports);
            }
        }
        complete
    }

    fn offer_landing_on(&self, draft: &mut Draft<Order>, planet: PlanetId, transports: &[(ShipNumber, Load)]) {
        let barren = self.power.chart(planet.star).card.and_then(|card| planet.on(card));
        let barren = barren.is_some_and(|world| world.kind == crate::cards::PlanetType::Barren);
        let fit = |load: &Load| load.from != Some(planet) && (load.cet || !barren);
        let ships: Vec<ShipNumber> = transports.iter().filter(|(_, load)| fit(load)).map(|(ship, _)| *ship).collect();
        let lands = |count: usize| self.judge_land(&ships[..count], planet).is_ok();
        let Some(few) = (1..=ships.len().min(FEWEST_MAX)).find(|&count| lands(count)) else { return };
        let many = few as u32 + most((ships.len() - few) as u32, |more| lands(few + more as usize));
        draft.group("Landings");
        let at = place_value(draft, planet.star.at());
        let slot = self.ships_slot(draft, "ships", &ships, few as u32, many);
        let notation = format!("land {{ships}} {}", write_planet(planet));
        let label = format!("Land {{ships}} on planet {} of {}", planet.nth + 1, planet.star);
        draft.offer("land", notation, label, "16.1").weighs(Weight::Main).at([at]).slot(slot);
    }

    /// 15.8, 15.9: what can be done to conquered colonies.
    pub(super) fn offer_of_conquests(&self, draft: &mut Draft<Order>, choices: &Choices) {
        let raze = choices.raze.iter().map(|&(planet, most)| ("raze", planet, most, "Destroy {number} factories", "15.8"));
        let kill = choices.kill.iter().map(|&(planet, most)| ("kill", planet, most.into(), "Kill {number}M people", "15.9"));
        for (key, planet, most, what, rule) in raze.chain(kill) {
            draft.group(colony_name(planet));
            let at = star_value(draft, planet.star);
            let notation = format!("{key} {} {{number}}", write_planet(planet));
            let label = format!("{what} on planet {} of {}", planet.nth + 1, planet.star);
            let offer = draft.offer(key, notation, label, rule);
            offer.weighs(Weight::Grave).at([at]).slot(number_slot("how many", 1, most));
        }
    }
}

/// Several numbers in one place.
pub(super) fn shares_slot(name: &'static str, asked: &'static str, shares: heliopause_kernel::offer::Shares) -> Slot {
    Slot::new(name, asked, Kind::Shares(shares))
}
