//! Rule 7.2: transports. Policy says where they go when they leave a star, and at a star of their
//! own they must land, so that the art is to be in space while there are only poor places: those
//! who land where nobody multiplies never come away.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::outer_space::tables::transport_rank;
use heliopause_stellar_conquest::{
    Colour, Order, Place, Planet, PlanetId, PlanetType, Ship, ShipKind, StarId, is_production_turn,
};

use super::super::moves::Moves;
use super::super::settle::Demand;
use super::super::survey::{Site, Status, Survey};
use super::super::turn;
use super::race;

/// 7.2: in how many turns at most transports arrive.
const TURNS_MAX: u32 = 4;
/// So many go ahead to a star that nobody knows: enough for a command post.
const VANGUARD: usize = 5;
/// So many of those who enter the board go with the corvettes that race for other stars, two with
/// each.
const OUTPOSTS: usize = 6;
/// Until this turn settlers wait in space for a Terran planet.
const PATIENCE: u8 = 10;
/// Until this turn they do so even if a Sub-Terran one is at hand.
const PATIENCE_BESIDE_SUB_TERRAN: u8 = 6;

/// A planet that the power claims and can settle.
struct Haven {
    planet: PlanetId,
    world: Planet,
    people: u16,
    /// Millions who are on their way there.
    coming: u16,
}

impl Haven {
    fn rank(&self) -> Option<u8> {
        transport_rank(&self.world, self.people).filter(|_| self.room() > 0)
    }

    fn room(&self) -> u16 {
        self.world.capacity.saturating_sub(self.people + self.coming)
    }

    /// Whether people multiply there.
    fn is_home(&self, survey: &Survey<'_>) -> bool {
        match self.world.kind {
            PlanetType::Terran => true,
            PlanetType::SubTerran => survey.table.turn >= PATIENCE_BESIDE_SUB_TERRAN,
            PlanetType::MinimalTerran | PlanetType::Barren => false,
        }
    }
}

fn claimant(survey: &Survey<'_>, star: StarId) -> Option<Seat> {
    survey.table.campaign.politics().and_then(|politics| politics.claimant(star))
}

/// The planets that the power can settle, for transports that are equipped for barren ones or not.
/// The first at each star is the one to which transports that are bound for it go.
fn havens(survey: &Survey<'_>, cet: bool) -> Vec<Haven> {
    let mut havens = Vec::new();
    for star in StarId::ALL.into_iter().filter(|&star| claimant(survey, star) == Some(survey.me)) {
        let of = |site: Site<'_>| {
            let people = match site.status {
                Status::Free => 0,
                Status::Own(colony) if colony.is_free() => colony.population,
                _ => return None,
            };
            let Site { planet, world, .. } = site;
            let habitable = world.kind != PlanetType::Barren || cet;
            habitable.then_some(Haven { planet, world, people, coming: 0 })
        };
        let mut here: Vec<Haven> = survey.sites(star).filter_map(of).collect();
        here.sort_by_key(|haven| haven.rank().unwrap_or(u8::MAX));
        let bound = |ship: &&Ship| ship.load().is_some() && ship.destination == Some(star);
        let coming = survey.power.ships.iter().filter(bound).count() as u16;
        if let Some(first) = here.first_mut() {
            first.coming = coming;
        }
        havens.extend(here);
    }
    havens
}

/// The planets of the first rank for transports that leave a hex.
fn first_rank<'h>(
    survey: &Survey<'_>,
    havens: &'h [Haven],
    from: Place,
    home: Option<PlanetId>,
) -> Vec<&'h Haven> {
    let open = |haven: &&Haven| {
        let star = haven.planet.star;
        let near =
            survey.command.reaches(star.at()) && survey.travel(Some(from), star) <= TURNS_MAX;
        near && haven.rank().is_some() && home != Some(haven.planet)
    };
    let best = havens.iter().filter(open).filter_map(Haven::rank).min();
    havens.iter().filter(open).filter(|haven| haven.rank() == best).collect()
}

/// Whether a transport that is under way stays where it is: outside a star that nobody knows, or
/// that has no home to offer and knows of none.
pub(super) fn waits(survey: &Survey<'_>, ship: &Ship) -> bool {
    let (Some(load), Some(at), Some(star)) = (ship.load(), ship.at, ship.destination) else {
        return false;
    };
    let last_leg = at.distance(star.at()) <= survey.speed;
    if !last_leg || survey.table.turn > PATIENCE {
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
    let havens = havens(survey, load.cet);
    let lives = |haven: &Haven| {
        haven.planet.star == star && haven.is_home(survey) && haven.people < haven.world.capacity
    };
    let first = first_rank(survey, &havens, star.at(), load.from);
    !havens.iter().any(lives) && !first.iter().any(|haven| haven.is_home(survey))
}

/// Sends those at stars, and those who enter the board, where policy lets them; where it does not
/// care, to a star that promises homes, with an escort.
pub(super) fn send(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    for muster in survey.musters(|kind| kind == ShipKind::Transport) {
        let mut left = muster.ships;
        while let Some(load) = left.first().and_then(Ship::load) {
            let (alike, others): (Vec<Ship>, Vec<Ship>) =
                left.into_iter().partition(|ship| ship.load() == Some(load));
            left = others;
            let havens = havens(survey, load.cet);
            let from = muster.at.or(survey.table.entry(survey.me));
            let first =
                from.map(|from| first_rank(survey, &havens, from, load.from)).unwrap_or_default();
            if first.is_empty() {
                look_for_homes(moves, muster.at, &alike);
            } else {
                share_out(moves, muster.at, alike, first);
            }
        }
    }
}

/// The nearest planets first, as many to each as find room. To poor ones people leave so late that
/// they just arrive before the production turn: by then something better may be known. Nothing is
/// better than minerals by the policy.
fn share_out(
    moves: &mut Moves<'_>,
    at: Option<Place>,
    mut ships: Vec<Ship>,
    mut first: Vec<&Haven>,
) {
    let survey = moves.survey;
    let turns = |haven: &Haven| survey.travel(at, haven.planet.star);
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

/// How many movements are left before the next production turn, this one counted.
fn turns_to_production(survey: &Survey<'_>) -> u32 {
    let turn = survey.table.turn;
    (turn..).take_while(|&turn| !is_production_turn(turn)).take(8).count() as u32 + 1
}

/// All go to the star that promises most, and a warship with them.
fn look_for_homes(moves: &mut Moves<'_>, at: Option<Place>, ships: &[Ship]) {
    let survey = moves.survey;
    let unknown = |star: &StarId| {
        survey.card(*star).is_none()
            && claimant(survey, *star).is_none()
            && survey.command.reaches(star.at())
    };
    let promise = |star: &StarId| {
        let rich = if star.colour() == Colour::Yellow { 2.0 } else { 1.0 };
        rich * race::promise(star.colour()) / (f64::from(survey.travel(at, *star)) + 1.0)
    };
    let mut stars: Vec<StarId> = StarId::ALL.into_iter().filter(unknown).collect();
    stars.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
    // 5.2: everybody enters the board at once.
    let kept = if at.is_none() { OUTPOSTS.min(ships.len() / 2) } else { 0 };
    let ships = &ships[kept..];
    let Some(star) = stars.into_iter().take(4).find(|&star| moves.send(at, ships, star)) else {
        return;
    };
    let escort = |kind: ShipKind| survey.is_warship(kind) && kind.is_range_bound();
    let beside = survey.musters(escort).into_iter().find(|muster| muster.at == at);
    if let Some(&escort) =
        beside.iter().flat_map(|muster| &muster.ships).find(|ship| moves.is_free(ship))
    {
        moves.send(at, &[escort], star);
    }
}

/// 6.1.1: the nearest colony must fill planets with minerals, however few live there. So a handful
/// goes wherever a warship is bound at first; it spares the people of the first home, and claims
/// planets in the end. The rest follows the others.
pub(super) fn found_outposts(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    let musters = survey.musters(|kind| kind == ShipKind::Transport);
    for muster in musters.iter().filter(|muster| muster.at.is_none()) {
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

/// Step 5: as many as possible where people multiply, and somebody on each Sub-Terran planet. The
/// rest lands where policy says (DR-43).
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
        // 6.1.1: whoever lives nearest to minerals must fill their planet: a handful at hand spares
        // the others.
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
