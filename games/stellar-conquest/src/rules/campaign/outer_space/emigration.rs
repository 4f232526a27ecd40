//! Rule 6.1: emigration by decree.

use crate::rules::campaign::outer_space::transports::{SettlementSite, TransportReach};
use crate::state::{Colony, Load, SeatView};
use crate::tables::{PlanetId, PlanetType, Tech};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Emigration {
    pub(crate) planet: PlanetId,
    pub(crate) emigrants: u16,
    pub(crate) bonus: u16,
}

/// Millions of people that must stay behind in peacetime (6.1.3).
const MUST_STAY: u16 = 20;

/// Returns the number of emigrants that earns the full bonus, a multiple of 3.
const fn full(colony: &Colony) -> u16 {
    (colony.grown + 3) / 3 * 3
}

/// Returns the smallest number of emigrants that meets `need` together with their bonus (6.1.1).
fn fewest(colony: &Colony, need: u16) -> u16 {
    (0..=need).find(|&emigrants| emigrants + colony.bonus(emigrants) >= need).unwrap_or(need)
}

/// Returns the largest number of emigrants up to `wanted` that fits into `room` together with the
/// bonus (6.1.5).
fn most_within(colony: &Colony, wanted: u16, room: u32) -> u16 {
    let fits = |emigrants: &u16| u32::from(*emigrants + colony.bonus(*emigrants)) <= room;
    (0..=wanted).rev().find(fits).unwrap_or(0)
}

/// Returns the number of emigrants for the full bonus, or the largest smaller multiple of 3 that
/// leaves 20 million people behind (6.1.3).
const fn at_peace(colony: &Colony) -> u16 {
    let spare = colony.population.saturating_sub(MUST_STAY) / 3 * 3;
    let full = full(colony);
    if spare < full { spare } else { full }
}

/// Room that earlier colonies have reserved for their emigrants, by planet (DR-34).
pub(super) type Taken = Vec<(PlanetId, u16)>;

impl SeatView<'_> {
    pub(super) fn youngest_first(&self) -> impl Iterator<Item = Colony> + use<> {
        let mut colonies: Vec<Colony> =
            self.power.colonies.iter().filter(|colony| colony.is_free()).copied().collect();
        colonies.sort_by_key(|colony| std::cmp::Reverse(colony.founded));
        colonies.into_iter()
    }

    pub(super) fn emigration_of(&self, colony: &Colony, taken: &mut Taken) -> Emigration {
        let nobody = Emigration { planet: colony.planet, emigrants: 0, bonus: 0 };
        if colony.is_besieged() {
            return nobody;
        }
        let mut settlement_sites = self.settlement_sites(&[]);
        for haven in &mut settlement_sites {
            haven.bound += taken
                .iter()
                .filter(|(planet, _)| *planet == haven.planet)
                .map(|(_, people)| people)
                .sum::<u16>();
        }
        let rich_to_fill = self.rich_to_fill(colony, &settlement_sites);
        let open = self.destinations_for(colony, &settlement_sites);
        let demand = self.demand(colony, &rich_to_fill, &open);
        let room: u16 = open.iter().map(SettlementSite::room).sum();
        let output = self.output_of(self.seat, colony, self.power.research.owned);
        let emigrants = most_within(colony, demand, u32::from(room).min(output));
        let bonus = colony.bonus(emigrants);
        let mut left = emigrants + bonus;
        for haven in self.in_order(colony, open, &rich_to_fill) {
            let people = haven.room().min(left);
            taken.push((haven.planet, people));
            left -= people;
        }
        Emigration { emigrants, bonus, ..nobody }
    }

    /// Returns the mineral-rich planets with room whose nearest donor is this colony (6.1.1).
    fn rich_to_fill(
        &self,
        colony: &Colony,
        settlement_sites: &[SettlementSite],
    ) -> Vec<SettlementSite> {
        let rich =
            settlement_sites.iter().filter(|haven| haven.world.mineral_rich && haven.room() > 0);
        rich.filter(|haven| {
            self.nearest_donor(haven.planet, settlement_sites) == Some(colony.planet)
        })
        .copied()
        .collect()
    }

    /// Returns how many millions a colony must send. The room on several rich planets adds up
    /// (6.1.1 to 6.1.4, DR-47).
    fn demand(
        &self,
        colony: &Colony,
        rich_to_fill: &[SettlementSite],
        open: &[SettlementSite],
    ) -> u16 {
        let Some(politics) = self.table.campaign.politics() else { return 0 };
        let people = colony.population;
        let gaps: u16 = rich_to_fill.iter().map(SettlementSite::room).sum();
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
                let vacated: u16 = open
                    .iter()
                    .filter(|haven| self.is_vacated(haven))
                    .map(SettlementSite::room)
                    .sum();
                wanted = wanted.max(most_within(colony, people / 2, u32::from(vacated)));
            }
        }
        wanted.min(people.saturating_sub(1))
    }

    fn is_vacated(&self, haven: &SettlementSite) -> bool {
        let politics = self.table.campaign.politics();
        politics.is_some_and(|politics| politics.vacated.contains(&haven.planet))
    }

    /// Sorts destinations: first the rich planets that the colony fills, by largest room (DR-47),
    /// then planets evacuated for sub-terran people (6.1.4), then the others by rank.
    fn in_order(
        &self,
        colony: &Colony,
        mut open: Vec<SettlementSite>,
        rich_to_fill: &[SettlementSite],
    ) -> Vec<SettlementSite> {
        open.sort_by_key(|haven| {
            let is_called = rich_to_fill.iter().any(|other| other.planet == haven.planet);
            let gap = if is_called { haven.room() } else { 0 };
            let vacated = colony.world.kind == PlanetType::SubTerran && self.is_vacated(haven);
            (std::cmp::Reverse(gap), !vacated, haven.rank())
        });
        open
    }

    /// Returns the colony that fills a rich planet, if any: the nearest one, then the largest, then
    /// the youngest (6.1.1).
    fn nearest_donor(
        &self,
        rich: PlanetId,
        settlement_sites: &[SettlementSite],
    ) -> Option<PlanetId> {
        let fills = |planet: PlanetId| {
            let mut under = settlement_sites
                .iter()
                .filter(|haven| haven.world.mineral_rich && haven.room() > 0);
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

    fn destinations_for(
        &self,
        colony: &Colony,
        settlement_sites: &[SettlementSite],
    ) -> Vec<SettlementSite> {
        let cet = self.power.research.has(Tech::ControlledEnvironment);
        let load = Load { cet, from: Some(colony.planet), captives_of: None };
        let reach = TransportReach::new(self, colony.planet.star.at(), 0);
        let open = |haven: &&SettlementSite| {
            haven.rank().is_some() && haven.takes(load) && reach.has(haven.planet.star)
        };
        settlement_sites.iter().filter(open).copied().collect()
    }
}
