//! Orders of warships, which prefer targets that are valuable and near.

use heliopause_stellar_conquest::{Arm, Bases, Fleet, Ship, ShipKind, StarId, Tech};

use super::forecast::{Encounter, Forecast, Line};
use super::moves::Moves;
use super::survey::{ShipGroup, Survey};
use crate::chance::Rng;

#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) star: StarId,
    pub(super) fleet: Fleet,
    pub(super) bases: Bases,
    /// Value of having ships at the target after all enemies are gone.
    pub(super) prize: f64,
}

/// The value of fights to a side, apart from their prizes.
#[derive(Clone, Copy)]
pub(super) struct Stakes {
    pub(super) lost: fn(Arm) -> f64,
    pub(super) killed: fn(Arm) -> f64,
    /// Cost of using ships per i.p., so that small targets get small fleets.
    pub(super) effort: f64,
    pub(super) tries: u32,
    /// Whether the enemies are pirates and independents, who play as prescribed (fate 7.2, 8.3).
    pub(super) prescribed: bool,
    pub(super) caution: f64,
}

const MIN_SCORE: f64 = 0.1;
const MAX_CANDIDATES: usize = 7;
/// Added to the number of turns by which a target's worth is divided.
const TURN_OFFSET: f64 = 1.5;

impl Stakes {
    pub(super) fn net(
        &self,
        survey: &Survey<'_>,
        own: Fleet,
        others: (Fleet, Bases),
        prize: f64,
        chance: &mut Rng,
    ) -> f64 {
        let mut lines = Vec::new();
        if !others.0.is_empty() {
            lines.push(Line::ships(others.0, false));
        }
        if others.1.total() > 0 {
            lines.push(Line::bases(others.1));
        }
        if lines.is_empty() {
            return prize;
        }
        let pirates = self.prescribed && !others.0.is_empty();
        let own = if self.prescribed { without_transports(own) } else { own };
        let own = Line::ships(own, survey.has(Tech::ImprovedShipWeaponry));
        let encounter = Encounter { options: survey.table.options, own, others: lines, pirates };
        let forecast = encounter.fight(self.tries, chance);
        let lost = Forecast::sum(&forecast.lost, self.lost);
        let killed = Forecast::sum(&forecast.killed, self.killed);
        forecast.win * prize + killed - self.caution * lost
    }
}

fn without_transports(fleet: Fleet) -> Fleet {
    let mut counts = fleet.counts();
    counts[ShipKind::Transport.index()] = 0;
    Fleet::new(counts)
}

fn price(fleet: Fleet) -> f64 {
    ShipKind::ALL
        .into_iter()
        .map(|kind| f64::from(fleet.count(kind)) * super::survey::cost(Arm::Ship(kind)))
        .sum()
}

fn detachments(ships: &[Ship]) -> Vec<Vec<Ship>> {
    let mut parts = vec![ships.to_vec()];
    for part in [2, 3] {
        let some: Vec<Ship> = of_each_kind(ships, |count| count.div_ceil(part));
        parts.push(some);
    }
    for kind in ShipKind::ALL {
        parts.extend(ships.iter().find(|ship| ship.kind() == kind).map(|&ship| vec![ship]));
    }
    let mut fleets: Vec<Fleet> = Vec::new();
    parts.retain(|part| {
        let fleet: Fleet = part.iter().map(Ship::kind).collect();
        let new = !fleets.contains(&fleet);
        fleets.push(fleet);
        new
    });
    parts
}

fn of_each_kind(ships: &[Ship], share: impl Fn(usize) -> usize) -> Vec<Ship> {
    let mut some = Vec::new();
    for kind in ShipKind::ALL {
        let alike: Vec<Ship> = ships.iter().filter(|ship| ship.kind() == kind).copied().collect();
        some.extend_from_slice(&alike[..share(alike.len()).min(alike.len())]);
    }
    some
}

pub(super) fn strike(
    moves: &mut Moves<'_>,
    muster: &ShipGroup,
    targets: &mut Vec<Target>,
    stakes: Stakes,
    chance: &mut Rng,
) {
    let survey = moves.survey;
    let mut closed: Vec<StarId> = Vec::new();
    loop {
        let ships: Vec<Ship> =
            muster.ships.iter().filter(|ship| moves.is_free(ship)).copied().collect();
        let Some((star, part)) = best(survey, muster, &ships, targets, &closed, stakes, chance)
        else {
            return;
        };
        if Some(star.at()) == muster.at {
            moves.keep(&part);
        } else if !moves.send(muster.at, &part, star) {
            closed.push(star);
            continue;
        }
        targets.retain(|target| target.star != star);
    }
}

fn best(
    survey: &Survey<'_>,
    muster: &ShipGroup,
    ships: &[Ship],
    targets: &[Target],
    closed: &[StarId],
    stakes: Stakes,
    chance: &mut Rng,
) -> Option<(StarId, Vec<Ship>)> {
    if ships.is_empty() {
        return None;
    }
    let turns = |target: &Target| survey.travel(muster.at, target.star);
    let score = |worth: f64, target: &Target| worth / (f64::from(turns(target)) + TURN_OFFSET);
    let mut list: Vec<&Target> = targets
        .iter()
        .filter(|target| !closed.contains(&target.star) && turns(target) <= survey.turns_left() + 1)
        .collect();
    let promise =
        |target: &Target| score(target.prize + 3.0 * f64::from(target.fleet.total()), target);
    list.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
    let parts = detachments(ships);
    let mut best: Option<(f64, StarId, usize)> = None;
    for target in list.into_iter().take(MAX_CANDIDATES) {
        let in_range = survey.command.reaches(target.star.at());
        let able =
            |part: &[Ship]| in_range || part.iter().all(|ship| !ship.kind().is_range_bound());
        for (nth, part) in parts.iter().enumerate().filter(|(_, part)| able(part)) {
            let fleet: Fleet = part.iter().map(Ship::kind).collect();
            let net = stakes.net(survey, fleet, (target.fleet, target.bases), target.prize, chance);
            let score = score(net - stakes.effort * price(fleet), target);
            if score > best.map_or(MIN_SCORE, |(score, _, _)| score) {
                best = Some((score, target.star, nth));
            }
        }
    }
    best.map(|(_, star, nth)| (star, parts[nth].clone()))
}

/// Sends the remaining ships to one star, because they are stronger together.
pub(super) fn rally(moves: &mut Moves<'_>, ship_groups: &[ShipGroup]) {
    let survey = moves.survey;
    let strength = |star: StarId| {
        price(survey.power.fleet_at(star.at())) + f64::from(moves.bound(star).total())
    };
    let home = |star: &StarId| {
        survey.free_colonies().any(|colony| colony.planet.star == *star)
            && survey.command.reaches(star.at())
    };
    let strongest =
        StarId::ALL.into_iter().filter(home).max_by(|a, b| strength(*a).total_cmp(&strength(*b)));
    if let Some(at) = strongest {
        rally_at(moves, ship_groups, at);
    }
}

pub(super) fn rally_at(moves: &mut Moves<'_>, ship_groups: &[ShipGroup], at: StarId) {
    let survey = moves.survey;
    for muster in ship_groups.iter().filter(|muster| muster.at != Some(at.at())) {
        let ships: Vec<Ship> =
            muster.ships.iter().filter(|ship| moves.is_free(ship)).copied().collect();
        if !ships.is_empty() && !survey.is_hostile(at.at()) {
            moves.send(muster.at, &ships, at);
        }
    }
}
