//! Rule 7.2: where transports must go, and where they may land.

use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::Leg;
use crate::state::power::Eyes;
use crate::state::ship::{Load, Ship, ShipNumber};
use crate::tables::board::Place;
use crate::tables::cards::{Planet, PlanetId, PlanetType};
use crate::tables::outer_space::transport_rank;
use crate::tables::routes::Ways;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// 7.2: in how many turns at most transports arrive.
const TURNS_MAX: u16 = 4;

/// A planet that a power claims and can settle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Haven {
    pub(crate) planet: PlanetId,
    pub(crate) world: Planet,
    /// Millions who live there.
    pub(crate) people: u16,
    /// Millions who are on their way.
    pub(crate) bound: u16,
}

impl Haven {
    /// How many more it holds.
    pub(crate) const fn room(&self) -> u16 {
        self.world.capacity.saturating_sub(self.people).saturating_sub(self.bound)
    }

    /// 7.2: by those who live there; who is on the way only takes room.
    pub(crate) fn rank(&self) -> Option<u8> {
        transport_rank(&self.world, self.people).filter(|_| self.room() > 0)
    }

    /// 16.3, 16.7: whether such transports can land there at all.
    pub(crate) fn takes(&self, load: Load) -> bool {
        load.from != Some(self.planet) && (load.cet || self.world.kind != PlanetType::Barren)
    }
}

/// Which hexes transports reach in time, and in range (7.2).
pub(crate) struct Reach {
    ways: Ways,
    command: crate::rules::movement::range::Command,
}

impl Reach {
    pub(crate) fn new(eyes: &Eyes<'_>, from: Place, moved: u8) -> Self {
        let speed = eyes.power.research.owned.speed();
        Self { ways: Ways::new(from, &[], speed, moved), command: eyes.command() }
    }

    pub(crate) fn has(&self, star: StarId) -> bool {
        let in_time = || self.ways.to(star.at()).is_some_and(|way| way.turns < TURNS_MAX);
        self.command.reaches(star.at()) && in_time()
    }
}

impl Eyes<'_> {
    /// The planets that this seat claims and can settle, with those who live there.
    pub(super) fn settled(&self) -> Vec<Haven> {
        let Some(politics) = self.table.campaign.politics() else { return Vec::new() };
        let mut havens = Vec::new();
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
                    havens.push(Haven { planet, world, people, bound: 0 });
                }
            }
        }
        havens
    }

    /// The same with those who are bound there in transports, but for these; DR-34: at each star
    /// they fill planets by rank.
    pub(crate) fn havens(&self, but: &[ShipNumber]) -> Vec<Haven> {
        let mut havens = self.settled();
        let bound = self.power.ships.iter().filter(|ship| !but.contains(&ship.number));
        for (star, load) in
            bound.filter_map(|ship| Some((ship.destination.or_else(|| ship.star())?, ship.load()?)))
        {
            let here =
                havens.iter_mut().filter(|haven| haven.planet.star == star && haven.takes(load));
            let best =
                here.filter_map(|haven| Some((haven.rank()?, haven))).min_by_key(|(rank, _)| *rank);
            if let Some((_, haven)) = best {
                haven.bound += 1;
            }
        }
        havens
    }

    /// 7.2: the planets of the first rank that is open to transports with these loads, and how many
    /// more each holds; none if there is no destination at all, so that they go where they like.
    pub(crate) fn first_rank(
        &self,
        from: Place,
        moved: u8,
        loads: &[Load],
        but: &[ShipNumber],
    ) -> Vec<Haven> {
        let reach = Reach::new(self, from, moved);
        let takes = |haven: &Haven| loads.iter().all(|&load| haven.takes(load));
        let mut open: Vec<(u8, Haven)> = self
            .havens(but)
            .into_iter()
            .filter(takes)
            .filter_map(|haven| Some((haven.rank()?, haven)))
            .filter(|(_, haven)| reach.has(haven.planet.star))
            .collect();
        let best = open.iter().map(|(rank, _)| *rank).min();
        open.retain(|(rank, _)| Some(*rank) == best);
        open.into_iter().map(|(_, haven)| haven).collect()
    }

    /// Where transports can be sent, and how many to each star; nothing if they go where they like.
    /// Others that stand with them and are not bound for elsewhere take no room meanwhile, so that
    /// a part may go where all may.
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

    /// 7.2: transports that leave a star go to a planet of the first rank, no more than find room.
    pub(super) fn judge_transports(&self, ships: &[&Ship], leg: &Leg) -> Verdict {
        let transports: Vec<&Ship> =
            ships.iter().copied().filter(|ship| ship.load().is_some()).collect();
        if transports.is_empty() {
            return Ok(());
        }
        let Some(stars) = self.transport_stars(&transports) else {
            return self.judge_free_transports(leg.bound);
        };
        let Some(bound) = leg.bound else {
            return refuse(
                "no-destination",
                "space-7.2",
                "Transports are bound for a planet that policy names.",
            );
        };
        match stars.iter().find(|(star, _)| *star == bound) {
            Some((_, room)) if transports.len() <= *room => Ok(()),
            Some((_, room)) => refuse(
                "too-many",
                "space-7.2",
                format!("{bound} has room for {room}M more: send the others elsewhere."),
            ),
            None => {
                let stars: Vec<String> =
                    stars.iter().map(|(star, room)| format!("{star} ({room}M)")).collect();
                refuse(
                    "transport-policy",
                    "space-7.2",
                    format!("Transports go to {}.", stars.join(", ")),
                )
            }
        }
    }

    /// Without a destination they go where they like, but to no star of somebody else.
    fn judge_free_transports(&self, bound: Option<StarId>) -> Verdict {
        let claimant =
            |star| self.table.campaign.politics().and_then(|politics| politics.claimant(star));
        match bound.and_then(claimant).filter(|&seat| seat != self.seat) {
            Some(_) => refuse(
                "not-claimed",
                "space-7.2",
                "Transports go to no star that somebody else claims.",
            ),
            None => Ok(()),
        }
    }

    /// 2, 7.2: landings on planets of one's own claim that are destinations, no more than find
    /// room.
    pub(crate) fn judge_settlement(&self, ships: &[ShipNumber], planet: PlanetId) -> Verdict {
        let claimant =
            self.table.campaign.politics().and_then(|politics| politics.claimant(planet.star));
        if claimant != Some(self.seat) {
            return refuse(
                "not-claimed",
                "space-2",
                format!("Only who claims {} settles there.", planet.star),
            );
        }
        let havens = self.settled();
        let haven = havens.iter().find(|haven| haven.planet == planet);
        match haven.filter(|haven| haven.rank().is_some()) {
            None => refuse("no-destination", "space-7.2", "Policy sends nobody to that planet."),
            Some(haven) if ships.len() > usize::from(haven.room()) => refuse(
                "too-many",
                "space-7.2",
                format!("There is room for {}M more.", haven.room()),
            ),
            Some(haven) => {
                let loads = ships
                    .iter()
                    .filter_map(|&number| self.power.ship(number)?.load())
                    .collect::<Vec<Load>>();
                match best_at(&havens, planet.star, &loads) {
                    Some(best) if best.rank() < haven.rank() => refuse(
                        "transport-policy",
                        "space-7.2",
                        format!(
                            "Planet {} of {} is filled first.",
                            best.planet.nth + 1,
                            best.planet.star
                        ),
                    ),
                    _ => Ok(()),
                }
            }
        }
    }
}

/// The planet of a star that is filled first by such people.
pub(super) fn best_at(havens: &[Haven], star: StarId, loads: &[Load]) -> Option<Haven> {
    let takes =
        |haven: &&Haven| haven.planet.star == star && loads.iter().all(|&load| haven.takes(load));
    let ranked = havens.iter().filter(takes).filter_map(|haven| Some((haven.rank()?, haven)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, haven)| *haven)
}
