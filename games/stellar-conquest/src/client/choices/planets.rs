//! Choices for attacks, landings and conquered colonies (steps 4 and 5).

use crate::client::choices::kinds::{Choices, LandingChoices};
use crate::rules::campaign::fate::independents::garrison;
use crate::rules::most::most;
use crate::state::{Load, Order, SeatView, ShipNumber, Stage};
use crate::tables::{PlanetId, StarId};

impl SeatView<'_> {
    pub(super) fn offer_planets(&self, choices: &mut Choices) {
        if self.may_act(Stage::Planets, "4").is_err() {
            return;
        }
        self.list(choices, Order::EndTurn, "end-turn", &[]);
        for star in StarId::ALL {
            if self.power.has_warship_at(star.at(), &self.table.options) {
                self.offer_attacks(choices, star);
            }
            self.offer_landings(choices, star);
        }
    }

    fn offer_landings(&self, choices: &mut Choices, star: StarId) {
        let Some(card) = self.power.chart(star).card else { return };
        let mut groups: Vec<(Load, Vec<ShipNumber>)> = Vec::new();
        for ship in self.power.ships_at(star.at()) {
            let Some(load) = ship.load() else { continue };
            match groups.iter_mut().find(|(other, _)| *other == load) {
                Some((_, ships)) => ships.push(ship.number),
                None => groups.push((load, vec![ship.number])),
            }
        }
        for (_, ships) in groups {
            for (nth, world) in card.planets().iter().enumerate() {
                let planet = PlanetId { star, nth: nth as u8 };
                choices.landings.extend(self.landing(&ships, planet, world.capacity));
            }
        }
    }

    fn landing(
        &self,
        ships: &[ShipNumber],
        planet: PlanetId,
        capacity: u16,
    ) -> Option<LandingChoices> {
        let all = ships.len() as u32;
        let prize = self.power.prize(planet);
        let mut few = 1;
        let mut limit = all;
        if let Some(prize) = prize.filter(|_| self.table.campaign.fate().is_some()) {
            let (least, upper) = garrison(prize.colony.workers());
            few = u32::from(least);
            limit = upper.map_or(all, |upper| all.min(u32::from(upper)));
        }
        let lands = |count: u32| self.judge_land(&ships[..count as usize], planet).is_ok();
        if few == 0 || few > limit || !lands(few) {
            return None;
        }
        let many = few + most(limit - few, |more| lands(few + more));
        let held = self.power.colony(planet).or_else(|| prize.map(|prize| &prize.colony));
        let people = held.map_or(0, |colony| colony.population.saturating_add(colony.subjects));
        let room = u32::from(capacity.saturating_sub(people));
        Some(LandingChoices { ships: ships.to_vec(), planet, fewest: few, most: many, room })
    }

    pub(super) fn offer_conquests(&self, choices: &mut Choices) {
        for prize in &self.power.conquered_colonies {
            let planet = prize.colony.planet;
            let factories =
                most(prize.colony.factories, |count| self.judge_raze(planet, count).is_ok());
            if factories > 0 {
                choices.raze.push((planet, factories));
            }
            let people = u32::from(prize.colony.population);
            let millions = most(people, |count| self.judge_kill(planet, count as u16).is_ok());
            if millions > 0 {
                choices.kill.push((planet, millions as u16));
            }
        }
    }
}
