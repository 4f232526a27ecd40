//! Where warships go: to whatever is worth most for its distance, in the strength that it takes.

use heliopause_stellar_conquest::{Arm, Bases, Fleet, Ship, ShipKind, StarId, Tech};

use super::forecast::{Encounter, Forecast, Line};
use super::moves::Moves;
use super::survey::{Muster, Survey};
use crate::chance::Chance;

/// A star that warships may go to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) star: StarId,
    /// Ships that are there.
    pub(super) fleet: Fleet,
    /// Bases of the colonies that are to be attacked.
    pub(super) bases: Bases,
    /// What it is worth to be there, with all enemies gone.
    pub(super) prize: f64,
    /// Not before so many turns from now is it worth anything.
    pub(super) not_before: u32,
}

/// What fights are worth to a side, beside what they are about.
#[derive(Clone, Copy)]
pub(super) struct Stakes {
    /// The loss of an own unit.
    pub(super) lost: fn(Arm) -> f64,
    /// The destruction of a unit of others.
    pub(super) killed: fn(Arm) -> f64,
    /// What using ships is worth, for each i.p. of them, so that small targets get small fleets.
    pub(super) effort: f64,
    /// How often a fight is tried in advance.
    pub(super) tries: u32,
    /// Whether the others are pirates and independents: pirates may disengage, and nobody fires at
    /// transports beside other ships (fate 7.2, 8.3).
    pub(super) prescribed: bool,
    /// How much own losses weigh, beside what they cost.
    pub(super) caution: f64,
}

/// The least score for which anybody sets out.
const WORTHWHILE: f64 = 0.1;
/// How many targets are looked at closely.
const SHORT_LIST: usize = 7;
/// A target's worth is divided by the turns to it and this.
const PATIENCE: f64 = 1.5;

impl Stakes {
    /// What a fight with a prize is worth to a fleet, on average.
    pub(super) fn net(
        &self,
        survey: &Survey<'_>,
        own: Fleet,
        others: (Fleet, Bases),
        prize: f64,
        chance: &mut Chance,
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
        let (lost, killed) = (
            Forecast::sum(&forecast.lost, self.lost),
            Forecast::sum(&forecast.killed, self.killed),
        );
        forecast.win * prize + killed - self.caution * lost
    }
}

/// A fleet but for its transports.
fn without_transports(fleet: Fleet) -> Fleet {
    let mut counts = fleet.counts();
    counts[ShipKind::Transport.index()] = 0;
    Fleet::new(counts)
}

/// What a fleet costs to build.
fn price(fleet: Fleet) -> f64 {
    ShipKind::ALL
        .into_iter()
        .map(|kind| f64::from(fleet.count(kind)) * super::survey::cost(Arm::Ship(kind)))
        .sum()
}

/// The parts of a muster that could be sent: everybody, half of each kind, a third, and one ship of
/// each kind alone.
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

/// Sends the free warships of a muster against targets, as long as there are any worth it. Those
/// who stay are left over.
pub(super) fn strike(
    moves: &mut Moves<'_>,
    muster: &Muster,
    targets: &mut Vec<Target>,
    stakes: Stakes,
    chance: &mut Chance,
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

/// The target with the best score, and who is to go there.
fn best(
    survey: &Survey<'_>,
    muster: &Muster,
    ships: &[Ship],
    targets: &[Target],
    closed: &[StarId],
    stakes: Stakes,
    chance: &mut Chance,
) -> Option<(StarId, Vec<Ship>)> {
    if ships.is_empty() {
        return None;
    }
    let turns = |target: &Target| survey.travel(muster.at, target.star);
    let score = |worth: f64, target: &Target| {
        worth / (f64::from(turns(target).max(target.not_before)) + PATIENCE)
    };
    let mut list: Vec<&Target> = targets
        .iter()
        .filter(|target| !closed.contains(&target.star) && turns(target) <= survey.turns_left() + 1)
        .collect();
    let promise =
        |target: &Target| score(target.prize + 3.0 * f64::from(target.fleet.total()), target);
    list.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
    let parts = detachments(ships);
    let mut best: Option<(f64, StarId, usize)> = None;
    for target in list.into_iter().take(SHORT_LIST) {
        let in_range = survey.command.reaches(target.star.at());
        let able =
            |part: &[Ship]| in_range || part.iter().all(|ship| !ship.kind().is_range_bound());
        for (nth, part) in parts.iter().enumerate().filter(|(_, part)| able(part)) {
            let fleet: Fleet = part.iter().map(Ship::kind).collect();
            let net = stakes.net(survey, fleet, (target.fleet, target.bases), target.prize, chance);
            let score = score(net - stakes.effort * price(fleet), target);
            if score > best.map_or(WORTHWHILE, |(score, _, _)| score) {
                best = Some((score, target.star, nth));
            }
        }
    }
    best.map(|(_, star, nth)| (star, parts[nth].clone()))
}

/// Sends all warships that are left to one star, so that they are strong together.
pub(super) fn rally(moves: &mut Moves<'_>, musters: &[Muster]) {
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
        rally_at(moves, musters, at);
    }
}

/// Sends all warships that are left to this star.
pub(super) fn rally_at(moves: &mut Moves<'_>, musters: &[Muster], at: StarId) {
    let survey = moves.survey;
    for muster in musters.iter().filter(|muster| muster.at != Some(at.at())) {
        let ships: Vec<Ship> =
            muster.ships.iter().filter(|ship| moves.is_free(ship)).copied().collect();
        if !ships.is_empty() && !survey.is_hostile(at.at()) {
            moves.send(muster.at, &ships, at);
        }
    }
}
