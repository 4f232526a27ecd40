//! Demands for transports, and the orders that meet them.

use heliopause_stellar_conquest::{Place, PlanetId, Ship, ShipKind, StarId};

use super::survey::Survey;

#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) star: StarId,
    /// `None` for an unexplored star.
    pub(super) planet: Option<PlanetId>,
    pub(super) count: u32,
    /// Minimum number of transports that must arrive together.
    pub(super) least: u32,
    pub(super) value: f64,
    /// Whether transports for barren planets are required (16.3).
    pub(super) cet: bool,
}

impl Demand {
    pub(super) fn on(planet: PlanetId, count: u32, value: f64, cet: bool) -> Self {
        Self { star: planet.star, planet: Some(planet), count, least: 1, value, cet }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) at: Option<Place>,
    pub(super) ships: Vec<Ship>,
    pub(super) star: StarId,
    pub(super) planet: Option<PlanetId>,
}

impl Assignment {
    pub(super) fn is_here(&self) -> bool {
        self.at == Some(self.star.at())
    }
}

struct TransportGroup {
    at: Option<Place>,
    cet: bool,
    from: Option<PlanetId>,
    ships: Vec<Ship>,
}

/// Added to the number of turns by which a demand's value is divided.
const TURN_OFFSET: f64 = 2.0;

pub(super) fn place(
    survey: &Survey<'_>,
    mut demands: Vec<Demand>,
    mut reach: impl FnMut(Option<Place>, &[Ship], StarId) -> bool,
) -> Vec<Assignment> {
    subtract_under_way(survey, &mut demands);
    let mut transport_groups = transport_groups(survey);
    let mut closed = vec![false; transport_groups.len() * demands.len()];
    let mut placings = Vec::new();
    while let Some((company, demand)) = best(survey, &transport_groups, &demands, &closed) {
        let count = (demands[demand].count as usize).min(transport_groups[company].ships.len());
        let Demand { star, planet, .. } = demands[demand];
        let at = transport_groups[company].at;
        let ships: Vec<Ship> = transport_groups[company].ships[..count].to_vec();
        let placing = Assignment { at, ships, star, planet };
        if !placing.is_here() && !reach(at, &placing.ships, star) {
            closed[company * demands.len() + demand] = true;
            continue;
        }
        transport_groups[company].ships.drain(..count);
        demands[demand].count -= count as u32;
        if demands[demand].count < demands[demand].least {
            demands[demand].least = demands[demand].count;
        }
        placings.push(placing);
    }
    placings
}

fn transport_groups(survey: &Survey<'_>) -> Vec<TransportGroup> {
    let mut transport_groups: Vec<TransportGroup> = Vec::new();
    for muster in survey.ship_groups(|kind| kind == ShipKind::Transport) {
        for ship in muster.ships {
            let Some(load) = ship.load() else { continue };
            let alike = |company: &&mut TransportGroup| {
                (company.at, company.cet, company.from) == (ship.at, load.cet, load.from)
            };
            match transport_groups.iter_mut().find(alike) {
                Some(company) => company.ships.push(ship),
                None => transport_groups.push(TransportGroup {
                    at: ship.at,
                    cet: load.cet,
                    from: load.from,
                    ships: vec![ship],
                }),
            }
        }
    }
    transport_groups
}

fn subtract_under_way(survey: &Survey<'_>, demands: &mut [Demand]) {
    demands.sort_by(|a, b| b.value.total_cmp(&a.value));
    for star in StarId::ALL {
        let bound =
            |ship: &&Ship| ship.kind() == ShipKind::Transport && ship.destination == Some(star);
        let mut coming = survey.power.ships.iter().filter(bound).count() as u32;
        for demand in demands.iter_mut().filter(|demand| demand.star == star) {
            let met = if coming >= demand.least { demand.count.min(coming) } else { 0 };
            demand.count -= met;
            coming -= met;
        }
    }
}

/// Reduces demands by the available transports. The remaining demands require new transports.
pub(super) fn subtract_available(survey: &Survey<'_>, demands: &mut Vec<Demand>) {
    let placings = place(survey, demands.clone(), |_, _, _| true);
    subtract_under_way(survey, demands);
    for placing in placings {
        let mut coming = placing.ships.len() as u32;
        let same =
            |demand: &&mut Demand| (demand.star, demand.planet) == (placing.star, placing.planet);
        for demand in demands.iter_mut().filter(same) {
            let met = demand.count.min(coming);
            demand.count -= met;
            coming -= met;
        }
    }
    demands.retain(|demand| demand.count > 0);
}

fn best(
    survey: &Survey<'_>,
    transport_groups: &[TransportGroup],
    demands: &[Demand],
    closed: &[bool],
) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (nth, company) in
        transport_groups.iter().enumerate().filter(|(_, company)| !company.ships.is_empty())
    {
        for (which, demand) in demands.iter().enumerate().filter(|(_, demand)| demand.count > 0) {
            let fits = (company.cet || !demand.cet)
                && (company.from.is_none() || company.from != demand.planet)
                && company.ships.len() >= demand.least as usize
                && !closed[nth * demands.len() + which];
            let turns = survey.travel(company.at, demand.star);
            if !fits || turns > survey.turns_left() + 1 {
                continue;
            }
            let score = demand.value / (f64::from(turns) + TURN_OFFSET);
            if score > best.map_or(0.0, |(score, _, _)| score) {
                best = Some((score, nth, which));
            }
        }
    }
    best.map(|(_, company, demand)| (company, demand))
}
