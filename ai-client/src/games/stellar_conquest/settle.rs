//! Where transports go: a list of what places want, filled by whoever is nearest to the most
//! pressing of them.

use heliopause_stellar_conquest::{Place, PlanetId, Ship, ShipKind, StarId};

use super::survey::Survey;

/// So many transports that a place wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) star: StarId,
    /// The planet; nothing for a star that is not explored.
    pub(super) planet: Option<PlanetId>,
    pub(super) count: u32,
    /// How many must come at once.
    pub(super) least: u32,
    /// What each is worth.
    pub(super) value: f64,
    /// Whether only transports for barren planets do (16.3).
    pub(super) cet: bool,
}

impl Demand {
    /// Settlers for a planet, who may come one by one.
    pub(super) fn on(planet: PlanetId, count: u32, value: f64, cet: bool) -> Self {
        Self { star: planet.star, planet: Some(planet), count, least: 1, value, cet }
    }
}

/// Transports for a place.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    pub(super) at: Option<Place>,
    pub(super) ships: Vec<Ship>,
    pub(super) star: StarId,
    pub(super) planet: Option<PlanetId>,
}

impl Placing {
    /// Whether they are there.
    pub(super) fn is_here(&self) -> bool {
        self.at == Some(self.star.at())
    }
}

/// Alike transports of one hex.
struct Company {
    at: Option<Place>,
    cet: bool,
    from: Option<PlanetId>,
    ships: Vec<Ship>,
}

/// A turn of travel is worth this much of what is reached: a demand's value is divided by the turns
/// and this.
const PATIENCE: f64 = 2.0;

/// Gives all free transports something to do. `reach` says whether these can go there; it may send
/// them at once.
pub(super) fn place(
    survey: &Survey<'_>,
    mut demands: Vec<Demand>,
    mut reach: impl FnMut(Option<Place>, &[Ship], StarId) -> bool,
) -> Vec<Placing> {
    meet_by_those_under_way(survey, &mut demands);
    let mut companies = companies(survey);
    let mut closed = vec![false; companies.len() * demands.len()];
    let mut placings = Vec::new();
    while let Some((company, demand)) = best(survey, &companies, &demands, &closed) {
        let count = (demands[demand].count as usize).min(companies[company].ships.len());
        let Demand { star, planet, .. } = demands[demand];
        let at = companies[company].at;
        let ships: Vec<Ship> = companies[company].ships[..count].to_vec();
        let placing = Placing { at, ships, star, planet };
        if !placing.is_here() && !reach(at, &placing.ships, star) {
            closed[company * demands.len() + demand] = true;
            continue;
        }
        companies[company].ships.drain(..count);
        demands[demand].count -= count as u32;
        if demands[demand].count < demands[demand].least {
            demands[demand].least = demands[demand].count;
        }
        placings.push(placing);
    }
    placings
}

fn companies(survey: &Survey<'_>) -> Vec<Company> {
    let mut companies: Vec<Company> = Vec::new();
    for muster in survey.musters(|kind| kind == ShipKind::Transport) {
        for ship in muster.ships {
            let Some(load) = ship.load() else { continue };
            let alike = |company: &&mut Company| {
                (company.at, company.cet, company.from) == (ship.at, load.cet, load.from)
            };
            match companies.iter_mut().find(alike) {
                Some(company) => company.ships.push(ship),
                None => companies.push(Company {
                    at: ship.at,
                    cet: load.cet,
                    from: load.from,
                    ships: vec![ship],
                }),
            }
        }
    }
    companies
}

/// Transports that are bound for a star meet the most pressing demands there.
fn meet_by_those_under_way(survey: &Survey<'_>, demands: &mut [Demand]) {
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

/// Meets demands by all transports that there are, so that what is left asks for new ones.
pub(super) fn meet_by_all(survey: &Survey<'_>, demands: &mut Vec<Demand>) {
    let placings = place(survey, demands.clone(), |_, _, _| true);
    meet_by_those_under_way(survey, demands);
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

/// The most pressing demand for its distance, with the company that is to meet it.
fn best(
    survey: &Survey<'_>,
    companies: &[Company],
    demands: &[Demand],
    closed: &[bool],
) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (nth, company) in
        companies.iter().enumerate().filter(|(_, company)| !company.ships.is_empty())
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
            let score = demand.value / (f64::from(turns) + PATIENCE);
            if score > best.map_or(0.0, |(score, _, _)| score) {
                best = Some((score, nth, which));
            }
        }
    }
    best.map(|(_, company, demand)| (company, demand))
}
