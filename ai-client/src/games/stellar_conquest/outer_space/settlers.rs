//! Orders of transports, which must land at the power's own stars (7.2). Transports wait in space
//! while only poor planets are available, because settlers on a planet without growth can never
//! leave.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::outer_space::tables::transport_rank;
use heliopause_stellar_conquest::{
    Order, Place, Planet, PlanetId, PlanetType, Ship, ShipKind, StarColor, StarId,
    is_production_turn,
};

use super::super::moves::Moves;
use super::super::settle::Demand;
use super::super::survey::{Site, Status, Survey};
use super::super::turn;
use super::race;

/// Maximum number of turns until transports arrive (7.2).
const TURNS_MAX: u32 = 4;
/// Number of transports for a command post at an unexplored star.
const VANGUARD: usize = 5;
/// Number of transports that follow the exploring corvettes, two for each.
const OUTPOSTS: usize = 6;
/// Last turn in which settlers wait for a Terran planet.
const WAIT_UNTIL: u8 = 10;
/// Last turn in which settlers wait even if a Sub-Terran planet is available.
const WAIT_UNTIL_WITH_SUB_TERRAN: u8 = 6;

struct SettlementSite {
    planet: PlanetId,
    world: Planet,
    people: u16,
    /// People on the way to the planet, in millions.
    coming: u16,
}

impl SettlementSite {
    fn rank(&self) -> Option<u8> {
        transport_rank(&self.world, self.people).filter(|_| self.room() > 0)
    }

    fn room(&self) -> u16 {
        self.world.capacity.saturating_sub(self.people + self.coming)
    }

    fn is_home(&self, survey: &Survey<'_>) -> bool {
        match self.world.kind {
            PlanetType::Terran => true,
            PlanetType::SubTerran => survey.table.turn >= WAIT_UNTIL_WITH_SUB_TERRAN,
            PlanetType::MinimalTerran | PlanetType::Barren => false,
        }
    }
}

fn claimant(survey: &Survey<'_>, star: StarId) -> Option<Seat> {
    survey.table.campaign.politics().and_then(|politics| politics.claimant(star))
}

/// Returns the settlement sites of each own star, best first. Transports to a star land at its
/// first site.
fn settlement_sites(survey: &Survey<'_>, cet: bool) -> Vec<SettlementSite> {
    let mut settlement_sites = Vec::new();
    for star in StarId::ALL.into_iter().filter(|&star| claimant(survey, star) == Some(survey.me)) {
        let of = |site: Site<'_>| {
            let people = match site.status {
                Status::Free => 0,
                Status::Own(colony) if colony.is_free() => colony.population,
                _ => return None,
            };
            let Site { planet, world, .. } = site;
            let habitable = world.kind != PlanetType::Barren || cet;
            habitable.then_some(SettlementSite { planet, world, people, coming: 0 })
        };
        let mut here: Vec<SettlementSite> = survey.sites(star).filter_map(of).collect();
        here.sort_by_key(|haven| haven.rank().unwrap_or(u8::MAX));
        let bound = |ship: &&Ship| ship.load().is_some() && ship.destination == Some(star);
        let coming = survey.power.ships.iter().filter(bound).count() as u16;
        if let Some(first) = here.first_mut() {
            first.coming = coming;
        }
        settlement_sites.extend(here);
    }
    settlement_sites
}

fn first_rank<'h>(
    survey: &Survey<'_>,
    settlement_sites: &'h [SettlementSite],
    from: Place,
    home: Option<PlanetId>,
) -> Vec<&'h SettlementSite> {
    let open = |haven: &&SettlementSite| {
        let star = haven.planet.star;
        let near =
            survey.command.reaches(star.at()) && survey.travel(Some(from), star) <= TURNS_MAX;
        near && haven.rank().is_some() && home != Some(haven.planet)
    };
    let best = settlement_sites.iter().filter(open).filter_map(SettlementSite::rank).min();
    settlement_sites.iter().filter(open).filter(|haven| haven.rank() == best).collect()
}

/// Returns whether a transport waits outside its destination. Transports wait outside an unexplored
/// star to which enough others go first, and outside an own star while neither that star nor any
/// other in reach has room on a good planet.
pub(super) fn waits(survey: &Survey<'_>, ship: &Ship) -> bool {
    let (Some(load), Some(at), Some(star)) = (ship.load(), ship.at, ship.destination) else {
        return false;
    };
    let last_leg = at.distance(star.at()) <= survey.speed;
    if !last_leg || survey.table.turn > WAIT_UNTIL {
        return false;
    }
    if survey.card(star).is_none() {
        let bound = |other: &&Ship| other.load().is_some() && other.destination == Some(star);
        let ahead = survey
            .power
            .ships
            .iter()
            .filter(bound)
            .filter(|other| other.number < ship.number)
            .count();
        return claimant(survey, star).is_none() && ahead >= VANGUARD;
    }
    if claimant(survey, star) != Some(survey.me) {
        return false;
    }
    let settlement_sites = settlement_sites(survey, load.cet);
    let lives = |haven: &SettlementSite| {
        haven.planet.star == star && haven.is_home(survey) && haven.people < haven.world.capacity
    };
    let first = first_rank(survey, &settlement_sites, star.at(), load.from);
    !settlement_sites.iter().any(lives) && !first.iter().any(|haven| haven.is_home(survey))
}

/// Sends transports to the planets that the policy ranks first, or if none is in reach, to the most
/// promising unexplored star.
pub(super) fn send(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    for muster in survey.ship_groups(|kind| kind == ShipKind::Transport) {
        let mut left = muster.ships;
        while let Some(load) = left.first().and_then(Ship::load) {
            let (alike, others): (Vec<Ship>, Vec<Ship>) =
                left.into_iter().partition(|ship| ship.load() == Some(load));
            left = others;
            let settlement_sites = settlement_sites(survey, load.cet);
            let from = muster.at.or(survey.table.entry(survey.me));
            let first = from
                .map(|from| first_rank(survey, &settlement_sites, from, load.from))
                .unwrap_or_default();
            if first.is_empty() {
                look_for_homes(moves, muster.at, &alike);
            } else {
                share_out(moves, muster.at, alike, first);
            }
        }
    }
}

/// Assigns transports to planets. Transports leave for poor planets as late as possible, because
/// better planets may be discovered, and for minerals at once, because the policy ranks nothing
/// higher.
fn share_out(
    moves: &mut Moves<'_>,
    at: Option<Place>,
    mut ships: Vec<Ship>,
    mut first: Vec<&SettlementSite>,
) {
    let survey = moves.survey;
    let turns = |haven: &SettlementSite| survey.travel(at, haven.planet.star);
    first.sort_by_key(|haven| (turns(haven), std::cmp::Reverse(haven.room())));
    for haven in first {
        let star = haven.planet.star;
        let minerals = haven.world.mineral_rich;
        let early =
            !minerals && !haven.is_home(survey) && turns(haven) < turns_to_production(survey);
        if at == Some(star.at()) || early {
            continue;
        }
        let count = usize::from(haven.room()).min(ships.len());
        if count > 0 && moves.send(at, &ships[..count], star) {
            ships.drain(..count);
        }
    }
}

fn turns_to_production(survey: &Survey<'_>) -> u32 {
    let turn = survey.table.turn;
    (turn..).take_while(|&turn| !is_production_turn(turn)).take(8).count() as u32 + 1
}

fn look_for_homes(moves: &mut Moves<'_>, at: Option<Place>, ships: &[Ship]) {
    let survey = moves.survey;
    let unknown = |star: &StarId| {
        survey.card(*star).is_none()
            && claimant(survey, *star).is_none()
            && survey.command.reaches(star.at())
    };
    let expected_value = |star: &StarId| {
        let rich = if star.color() == StarColor::Yellow { 2.0 } else { 1.0 };
        rich * race::expected_value(star.color()) / (f64::from(survey.travel(at, *star)) + 1.0)
    };
    let mut stars: Vec<StarId> = StarId::ALL.into_iter().filter(unknown).collect();
    stars.sort_by(|a, b| expected_value(b).total_cmp(&expected_value(a)));
    // All ships enter the board together (5.2), so some stay for the outposts.
    let kept = if at.is_none() { OUTPOSTS.min(ships.len() / 2) } else { 0 };
    let ships = &ships[kept..];
    let Some(star) = stars.into_iter().take(4).find(|&star| moves.send(at, ships, star)) else {
        return;
    };
    let escort = |kind: ShipKind| survey.is_warship(kind) && kind.is_range_bound();
    let beside = survey.ship_groups(escort).into_iter().find(|muster| muster.at == at);
    if let Some(&escort) =
        beside.iter().flat_map(|muster| &muster.ships).find(|ship| moves.is_free(ship))
    {
        moves.send(at, &[escort], star);
    }
}

/// Founds colonies near minerals, to spare the people of the first home (6.1.1).
pub(super) fn found_outposts(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    let ship_groups = survey.ship_groups(|kind| kind == ShipKind::Transport);
    for muster in ship_groups.iter().filter(|muster| muster.at.is_none()) {
        let mut left: Vec<Ship> =
            muster.ships.iter().filter(|ship| moves.is_free(ship)).copied().collect();
        let corvettes = |star: &StarId| moves.bound(*star).count(ShipKind::Corvette);
        let mut stars: Vec<StarId> =
            StarId::ALL.into_iter().filter(|star| corvettes(star) > 0).collect();
        stars.sort_by_key(|&star| moves.bound(star).count(ShipKind::Transport));
        for (nth, &star) in stars.iter().enumerate() {
            let last = nth + 1 == stars.len();
            let count = if last { left.len() } else { left.len().min(2) };
            if count > 0 && moves.send(None, &left[..count], star) {
                left.drain(..count);
            }
        }
    }
}

/// Lands as many people as possible where they multiply (step 5). The others land according to the
/// policy (DR-43).
pub(super) fn landings(survey: &Survey<'_>) -> Vec<Order> {
    let mut demands = Vec::new();
    let own = |site: &Site<'_>| claimant(survey, site.planet.star) == Some(survey.me);
    for site in survey.all_sites().filter(own) {
        let people = match site.status {
            Status::Free => 0,
            Status::Own(colony) if colony.is_free() => colony.population,
            _ => continue,
        };
        let Site { planet, world, .. } = site;
        // Mineral-rich planets must be filled from the nearest colony (6.1.1). A small colony at
        // the same star takes that duty, so that larger colonies keep their people.
        let decoy =
            survey.sites(planet.star).any(|other| other.world.mineral_rich) && !world.mineral_rich;
        let steps = match world.kind {
            PlanetType::Terran => [(1, 100.0), (world.capacity * 3 / 4, 20.0)],
            PlanetType::SubTerran => [(1, 50.0), (1, 0.0)],
            PlanetType::MinimalTerran if decoy => [(1, 50.0), (1, 0.0)],
            PlanetType::MinimalTerran | PlanetType::Barren => continue,
        };
        let mut from = people;
        for (up_to, value) in steps {
            let count = u32::from(up_to.saturating_sub(from));
            if count > 0 {
                demands.push(Demand::on(planet, count, value, false));
                from = up_to;
            }
        }
    }
    turn::landings(survey, demands)
}
