//! Rule 6.1: who emigrates by decree.

use crate::rules::campaign::outer_space::transports::{Haven, Reach};
use crate::state::colony::Colony;
use crate::state::power::Eyes;
use crate::state::ship::Load;
use crate::tables::cards::{PlanetId, PlanetType};
use crate::tables::technology::Tech;

/// How many people a colony sends off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Emigration {
    pub(crate) planet: PlanetId,
    pub(crate) emigrants: u16,
    pub(crate) bonus: u16,
}

/// 6.1.3: as many must stay at peace.
const STAY: u16 = 20;

/// What the full bonus takes: a multiple of 3.
const fn full(colony: &Colony) -> u16 {
    (colony.grown + 3) / 3 * 3
}

/// 6.1.1: the fewest emigrants who come to so many with their bonus.
fn fewest(colony: &Colony, need: u16) -> u16 {
    (0..=need).find(|&emigrants| emigrants + colony.bonus(emigrants) >= need).unwrap_or(need)
}

/// 6.1.5: the most emigrants up to so many who find so much room with their bonus.
fn most_within(colony: &Colony, wanted: u16, room: u32) -> u16 {
    let fits = |emigrants: &u16| u32::from(*emigrants + colony.bonus(*emigrants)) <= room;
    (0..=wanted).rev().find(fits).unwrap_or(0)
}

/// 6.1.3: the full bonus, or what is left of it when 20 million must stay.
const fn at_peace(colony: &Colony) -> u16 {
    let spare = colony.population.saturating_sub(STAY) / 3 * 3;
    let full = full(colony);
    if spare < full { spare } else { full }
}

/// Places that colonies which were handled earlier have taken for those they send (DR-34).
pub(super) type Taken = Vec<(PlanetId, u16)>;

impl Eyes<'_> {
    /// This seat's free colonies, the youngest first.
    pub(super) fn youngest_first(&self) -> impl Iterator<Item = Colony> + use<> {
        let mut colonies: Vec<Colony> =
            self.power.colonies.iter().filter(|colony| colony.is_free()).copied().collect();
        colonies.sort_by_key(|colony| std::cmp::Reverse(colony.founded));
        colonies.into_iter()
    }

    /// 6.1: what a colony sends off. It takes its places of those that are left.
    pub(super) fn emigration_of(&self, colony: &Colony, taken: &mut Taken) -> Emigration {
        let nobody = Emigration { planet: colony.planet, emigrants: 0, bonus: 0 };
        if colony.is_besieged() {
            return nobody;
        }
        let mut havens = self.havens(&[]);
        for haven in &mut havens {
            haven.bound += taken
                .iter()
                .filter(|(planet, _)| *planet == haven.planet)
                .map(|(_, people)| people)
                .sum::<u16>();
        }
        let called = self.called(colony, &havens);
        let open = self.open_to(colony, &havens);
        let demand = self.demand(colony, &called, &open);
        let room: u16 = open.iter().map(Haven::room).sum();
        let output = self.output_of(self.seat, colony, self.power.research.owned);
        let emigrants = most_within(colony, demand, u32::from(room).min(output));
        let bonus = colony.bonus(emigrants);
        let mut left = emigrants + bonus;
        for haven in self.in_order(colony, open, &called) {
            let people = haven.room().min(left);
            taken.push((haven.planet, people));
            left -= people;
        }
        Emigration { emigrants, bonus, ..nobody }
    }

    /// 6.1.1: the mineral-rich planets that a colony fills, being the nearest.
    fn called(&self, colony: &Colony, havens: &[Haven]) -> Vec<Haven> {
        let rich = havens.iter().filter(|haven| haven.world.mineral_rich && haven.room() > 0);
        rich.filter(|haven| self.nearest_donor(haven.planet, havens) == Some(colony.planet))
            .copied()
            .collect()
    }

    /// 6.1.1 to 6.1.4: the largest demand on a colony. DR-47: several rich planets are all filled.
    fn demand(&self, colony: &Colony, called: &[Haven], open: &[Haven]) -> u16 {
        let Some(politics) = self.table.campaign.politics() else { return 0 };
        let people = colony.population;
        let gaps: u16 = called.iter().map(Haven::room).sum();
        let mut wanted = fewest(colony, gaps);
        if !colony.world.mineral_rich {
            let share = |percent: u32| {
                u32::from(people) * 100 >= u32::from(colony.world.capacity) * percent
            };
            if u32::from(people) * 100 > u32::from(colony.world.capacity) * 80 {
                wanted = wanted.max(full(colony));
            }
            if colony.world.kind == PlanetType::Terran && share(50) && !politics.fights(self.seat) {
                wanted = wanted.max(at_peace(colony));
            }
            if colony.world.kind == PlanetType::SubTerran {
                let vacated: u16 =
                    open.iter().filter(|haven| self.is_vacated(haven)).map(Haven::room).sum();
                wanted = wanted.max(most_within(colony, people / 2, u32::from(vacated)));
            }
        }
        wanted.min(people.saturating_sub(1))
    }

    /// 6.1.4: whether a planet was evacuated for this seat in this production turn.
    fn is_vacated(&self, haven: &Haven) -> bool {
        let politics = self.table.campaign.politics();
        politics.is_some_and(|politics| politics.vacated.contains(&haven.planet))
    }

    /// In which order the places are taken: rich planets that the colony fills, the largest gap
    /// first (DR-47); planets evacuated for sub-terran people (6.1.4); the others by rank.
    fn in_order(&self, colony: &Colony, mut open: Vec<Haven>, called: &[Haven]) -> Vec<Haven> {
        open.sort_by_key(|haven| {
            let is_called = called.iter().any(|other| other.planet == haven.planet);
            let gap = if is_called { haven.room() } else { 0 };
            let vacated = colony.world.kind == PlanetType::SubTerran && self.is_vacated(haven);
            (std::cmp::Reverse(gap), !vacated, haven.rank())
        });
        open
    }

    /// 6.1.1: the colony that fills a mineral-rich planet: the nearest, then the one with most
    /// people, then the youngest.
    fn nearest_donor(&self, rich: PlanetId, havens: &[Haven]) -> Option<PlanetId> {
        let fills = |planet: PlanetId| {
            let mut under =
                havens.iter().filter(|haven| haven.world.mineral_rich && haven.room() > 0);
            under.any(|haven| haven.planet == planet)
        };
        let colonies =
            self.power.colonies.iter().filter(|colony| colony.is_free() && !colony.is_besieged());
        let donors = colonies.filter(|colony| colony.planet != rich && !fills(colony.planet));
        let key = |colony: &&Colony| {
            let far = colony.planet.star.at().distance(rich.star.at());
            (far, std::cmp::Reverse((colony.population, colony.founded)))
        };
        donors.min_by_key(key).map(|colony| colony.planet)
    }

    /// 7.2: the planets to which people of a colony can go.
    fn open_to(&self, colony: &Colony, havens: &[Haven]) -> Vec<Haven> {
        let cet = self.power.research.has(Tech::ControlledEnvironment);
        let load = Load { cet, from: Some(colony.planet), captives_of: None };
        let reach = Reach::new(self, colony.planet.star.at(), 0);
        let open = |haven: &&Haven| {
            haven.rank().is_some() && haven.takes(load) && reach.has(haven.planet.star)
        };
        havens.iter().filter(open).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::cards::Planet;
    use crate::tables::stars::StarId;

    fn colony(kind: PlanetType, capacity: u16, population: u16, grown: u16) -> Colony {
        let planet = PlanetId { star: StarId::named("Alcor"), nth: 0 };
        let world = Planet { orbit: 3, kind, capacity, mineral_rich: false };
        Colony { grown, ..Colony::new(planet, world, population, 0) }
    }

    #[test]
    fn space_6_1_dt_17_twenty_million_stay_at_peace() {
        let of = |capacity, people, grown| {
            let colony = colony(PlanetType::Terran, capacity, people, grown);
            let emigrants = at_peace(&colony);
            (emigrants, colony.bonus(emigrants))
        };
        assert_eq!(of(60, 30, 5), (6, 2));
        assert_eq!(of(40, 24, 4), (3, 1));
        assert_eq!(of(40, 21, 4), (0, 0));
        assert_eq!(of(80, 60, 10), (12, 4));
    }

    #[test]
    fn space_6_1_dt_20_the_fewest_who_fill_a_rich_planet() {
        assert_eq!(fewest(&colony(PlanetType::SubTerran, 60, 44, 4), 25), 23);
    }
}
