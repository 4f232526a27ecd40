//! Rule 7.2: where transports must go, and where they may land.

use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::Leg;
use crate::state::{Load, SeatView, Ship, ShipNumber};
use crate::tables::outer_space::transport_rank;
use crate::tables::{LegalRoutes, Place, Planet, PlanetId, PlanetType, StarId, Tech};

/// Maximum number of turns to the destination (7.2).
const TURNS_MAX: u16 = 4;

#[derive(Clone, Copy, Debug)]
pub(crate) struct SettlementSite {
    pub(crate) planet: PlanetId,
    pub(crate) world: Planet,
    pub(crate) people: u16,
    /// Millions of people in transports bound for the planet.
    pub(crate) bound: u16,
}

impl SettlementSite {
    pub(crate) const fn room(&self) -> u16 {
        self.world.capacity.saturating_sub(self.people).saturating_sub(self.bound)
    }

    /// Returns the rank of the planet for the number of people living there, or `None` if
    /// transports cannot go there or no room is left. Transports on the way take up room but do not
    /// change the rank (7.2).
    pub(crate) fn rank(&self) -> Option<u8> {
        transport_rank(&self.world, self.people).filter(|_| self.room() > 0)
    }

    pub(crate) fn takes(&self, load: Load) -> bool {
        load.from != Some(self.planet) && (load.cet || self.world.kind != PlanetType::Barren)
    }
}

pub(crate) struct TransportReach {
    ways: LegalRoutes,
    command: crate::rules::movement::range::Command,
}

impl TransportReach {
    pub(crate) fn new(seat_view: &SeatView<'_>, from: Place, moved: u8) -> Self {
        let speed = seat_view.power.research.owned.speed();
        Self { ways: LegalRoutes::new(from, &[], speed, moved), command: seat_view.command() }
    }

    pub(crate) fn has(&self, star: StarId) -> bool {
        let in_time = || self.ways.to(star.at()).is_some_and(|way| way.turns < TURNS_MAX);
        self.command.reaches(star.at()) && in_time()
    }
}

impl SeatView<'_> {
    pub(super) fn settled(&self) -> Vec<SettlementSite> {
        let Some(politics) = self.table.campaign.politics() else { return Vec::new() };
        let mut settlement_sites = Vec::new();
        for star in politics.claims_of(self.seat) {
            let chart = self.power.chart(star);
            let planets = chart.card.map_or(&[][..], crate::tables::cards::CardId::planets);
            for (nth, &world) in planets.iter().enumerate() {
                let planet = PlanetId { star, nth: nth as u8 };
                let own = self.power.colony(planet);
                let taken = chart.colonies[nth].is_some() || self.power.prize(planet).is_some();
                let people = own.map_or(0, |colony| colony.population);
                let open = own.map_or(!taken, crate::state::colony::Colony::is_free);
                let barren = world.kind == PlanetType::Barren
                    && !self.power.research.has(Tech::ControlledEnvironment);
                if open && !barren {
                    settlement_sites.push(SettlementSite { planet, world, people, bound: 0 });
                }
            }
        }
        settlement_sites
    }

    /// Returns the seat's settlement sites. People on the way, except those in the ships `but`,
    /// count at the best-ranked site of their star (DR-34).
    pub(crate) fn settlement_sites(&self, but: &[ShipNumber]) -> Vec<SettlementSite> {
        let mut settlement_sites = self.settled();
        let bound = self.power.ships.iter().filter(|ship| !but.contains(&ship.number));
        for (star, load) in
            bound.filter_map(|ship| Some((ship.destination.or_else(|| ship.star())?, ship.load()?)))
        {
            let here = settlement_sites
                .iter_mut()
                .filter(|haven| haven.planet.star == star && haven.takes(load));
            let best =
                here.filter_map(|haven| Some((haven.rank()?, haven))).min_by_key(|(rank, _)| *rank);
            if let Some((_, haven)) = best {
                haven.bound += 1;
            }
        }
        settlement_sites
    }

    /// Returns the sites of the best rank within reach that can take all the loads. If there are
    /// none, the transports may go anywhere (7.2).
    pub(crate) fn first_rank(
        &self,
        from: Place,
        moved: u8,
        loads: &[Load],
        but: &[ShipNumber],
    ) -> Vec<SettlementSite> {
        let reach = TransportReach::new(self, from, moved);
        let takes = |haven: &SettlementSite| loads.iter().all(|&load| haven.takes(load));
        let mut open: Vec<(u8, SettlementSite)> = self
            .settlement_sites(but)
            .into_iter()
            .filter(takes)
            .filter_map(|haven| Some((haven.rank()?, haven)))
            .filter(|(_, haven)| reach.has(haven.planet.star))
            .collect();
        let best = open.iter().map(|(rank, _)| *rank).min();
        open.retain(|(rank, _)| Some(*rank) == best);
        open.into_iter().map(|(_, haven)| haven).collect()
    }

    /// Returns the stars to which policy sends transports, and how many each star can take. `None`
    /// if the transports may go anywhere. Other transports in the same hex do not count unless they
    /// have a different destination, so a part of a group may go wherever the whole group may.
    pub(crate) fn transport_stars(&self, ships: &[&Ship]) -> Option<Vec<(StarId, usize)>> {
        let entry = self.table.entry(self.seat)?;
        let first = ships.first()?;
        let (from, moved) = first.at.map_or((entry, 1), |at| (at, first.steps));
        let mut numbers: Vec<ShipNumber> = ships.iter().map(|ship| ship.number).collect();
        let beside = |ship: &&Ship| {
            ship.at == first.at
                && (ship.destination.is_none() || ship.destination == first.destination)
        };
        numbers.extend(self.power.ships.iter().filter(beside).map(|ship| ship.number));
        let mut loads: Vec<Load> = ships.iter().filter_map(|ship| ship.load()).collect();
        loads.sort_unstable();
        loads.dedup();
        let mut stars: Vec<(StarId, usize)> = Vec::new();
        for haven in self.first_rank(from, moved, &loads, &numbers) {
            let room = usize::from(haven.room());
            match stars.iter_mut().find(|(star, _)| *star == haven.planet.star) {
                Some((_, total)) => *total += room,
                None => stars.push((haven.planet.star, room)),
            }
        }
        (!stars.is_empty()).then_some(stars)
    }

    pub(super) fn judge_transports(&self, ships: &[&Ship], leg: &Leg) -> Verdict {
        let transports: Vec<&Ship> =
            ships.iter().copied().filter(|ship| ship.load().is_some()).collect();
        if transports.is_empty() {
            return Ok(());
        }
        let Some(stars) = self.transport_stars(&transports) else {
            return self.judge_free_transports(leg.bound);
        };
        let listed = || {
            let stars: Vec<String> =
                stars.iter().map(|(star, room)| format!("{star} ({room}M)")).collect();
            stars.join(", ")
        };
        let Some(bound) = leg.bound else {
            return refuse!("no-destination/transports", listed = listed());
        };
        match stars.iter().find(|(star, _)| *star == bound) {
            Some((_, room)) if transports.len() <= *room => Ok(()),
            Some((_, room)) => refuse!("too-many/transports", bound, room),
            None => refuse!("transport-policy", bound, listed = listed()),
        }
    }

    fn judge_free_transports(&self, bound: Option<StarId>) -> Verdict {
        let foreign = |star: &StarId| {
            self.table.campaign.claimant(*star).is_some_and(|seat| seat != self.seat)
        };
        match bound.filter(foreign) {
            Some(star) => refuse!("not-claimed", star),
            None => Ok(()),
        }
    }

    pub(crate) fn judge_settlement(&self, ships: &[ShipNumber], planet: PlanetId) -> Verdict {
        if self.table.campaign.claimant(planet.star) != Some(self.seat) {
            return refuse!("not-claimed/settlement", star = planet.star);
        }
        let settlement_sites = self.settled();
        let haven = settlement_sites.iter().find(|haven| haven.planet == planet);
        match haven.filter(|haven| haven.rank().is_some()) {
            None => refuse!("no-destination/policy", planet),
            Some(haven) if ships.len() > usize::from(haven.room()) => {
                refuse!("too-many/settlers", room = haven.room(), planet, people = ships.len())
            }
            Some(haven) => {
                let loads = ships
                    .iter()
                    .filter_map(|&number| self.power.ship(number)?.load())
                    .collect::<Vec<Load>>();
                match best_at(&settlement_sites, planet.star, &loads) {
                    Some(best) if best.rank() < haven.rank() => {
                        refuse!("transport-policy/first", planet = best.planet)
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

pub(super) fn best_at(
    settlement_sites: &[SettlementSite],
    star: StarId,
    loads: &[Load],
) -> Option<SettlementSite> {
    let takes = |haven: &&SettlementSite| {
        haven.planet.star == star && loads.iter().all(|&load| haven.takes(load))
    };
    let ranked =
        settlement_sites.iter().filter(takes).filter_map(|haven| Some((haven.rank()?, haven)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, haven)| *haven)
}
