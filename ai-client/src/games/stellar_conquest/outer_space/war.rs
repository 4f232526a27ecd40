//! Chapters 8 to 11: where warships go while there is somebody to fight, and where ships stand when
//! points are counted.

use heliopause_stellar_conquest::outer_space::tables::conquest_points;
use heliopause_stellar_conquest::{Arm, Bases, Fleet, Planet, Ship, ShipKind, StarId};

use super::super::moves::Moves;
use super::super::power::{guessed_bases, loot};
use super::super::strike::Target;
use super::super::survey::{Status, Survey, cost, victory_points};
use super::Command;
use super::quarrels::Standing;

/// What a success point is worth, in i.p.: three stars that are annexed instead of one are worth a
/// great effort.
const SUCCESS: f64 = 3.0;
/// What it is worth to hold a disputed star until arbitration, beside what it holds: it changes
/// hands for good.
const ARBITRATION: f64 = 25.0;
/// What a victory point is worth while the end is near.
const POINT: f64 = 15.0;
/// In so many turns at the end it counts who stands where.
const LAST_TURNS: u32 = 9;
/// Whom the other party of a dispute is likely to send, if nobody is there yet.
const REPLY: Fleet = Fleet::new([1, 0, 1, 0, 0]);
/// What it is worth to drive enemies off from an own star.
const RELIEF: f64 = 12.0;

/// Stars that are worth going to with warships.
pub(super) fn targets(command: &Command<'_>, moves: &Moves<'_>) -> Vec<Target> {
    let survey = command.survey;
    let mut targets = Vec::new();
    for star in StarId::ALL
        .into_iter()
        .filter(|&star| moves.bound(star).warships(&survey.table.options) == 0)
    {
        let (prize, bases) = match command.standing(star) {
            Standing::Own => (relief(command, star), Bases::NONE),
            Standing::Contested => (spoils(command, star), defences(command, star)),
            Standing::Unclaimed | Standing::Elsewhere => continue,
        };
        if prize > 0.0 {
            let mut fleet = survey.foreign_fleet(star.at());
            if fleet.is_empty() && command.disputes(star) {
                fleet = REPLY;
            }
            targets.push(Target { star, fleet, bases, prize, not_before: 0 });
        }
    }
    targets
}

/// An own star is worth a fight if colonies there are in need, or somebody else is there to take
/// it.
fn relief(command: &Command<'_>, star: StarId) -> f64 {
    let survey = command.survey;
    let in_need = |status: Status<'_>| matches!(status, Status::Own(colony) if !colony.is_free() || colony.is_besieged());
    let worth: f64 = survey
        .sites(star)
        .filter(|site| in_need(site.status))
        .map(|site| loot(survey, site.world))
        .sum();
    let disputed = if command.disputes(star) { ARBITRATION } else { 0.0 };
    let intruders = command.is_at_odds() && survey.is_hostile(star.at());
    1.5 * worth + if intruders { RELIEF + disputed } else { disputed }
}

/// 9.2, 10.1: what it is worth to hold a star that is fought for: its planets count in the peace,
/// and in the end.
fn spoils(command: &Command<'_>, star: StarId) -> f64 {
    let survey = command.survey;
    let expected = |worth: &dyn Fn(&Planet) -> f64| match survey.card(star) {
        Some(card) => card.planets().iter().map(worth).sum::<f64>(),
        None => Survey::expected(star.colour(), worth),
    };
    let success = expected(&|planet| f64::from(conquest_points(planet))).max(1.0);
    let ending = survey.turns_left() < LAST_TURNS;
    let points = if ending { POINT * expected(&|planet| victory_points(planet.kind)) } else { 0.0 };
    let disputed = if command.disputes(star) {
        ARBITRATION + expected(&|planet| 0.5 * loot(survey, *planet))
    } else {
        SUCCESS * success
    };
    disputed + points
}

/// The bases of the colonies that are known there.
fn defences(command: &Command<'_>, star: StarId) -> Bases {
    let mut bases = Bases::NONE;
    for site in command.survey.sites(star) {
        if let Status::Foreign(seen) = site.status {
            let guess = guessed_bases(command.survey, &seen, site.world);
            bases.missile += guess.missile;
            bases.advanced += guess.advanced;
        }
    }
    bases
}

/// 19.2: in the last turns a planet counts for whoever is there. The cheapest ship goes to every
/// star of the own claim where planets count and nobody is; ships that stand at such stars stay.
pub(super) fn be_present(command: &Command<'_>, moves: &mut Moves<'_>) {
    let survey = command.survey;
    if survey.turns_left() > LAST_TURNS {
        return;
    }
    let mut wanting: Vec<(f64, StarId)> = Vec::new();
    for star in StarId::ALL.into_iter().filter(|&star| command.standing(star) == Standing::Own) {
        let empty = survey.sites(star).filter(|site| matches!(site.status, Status::Free));
        let points: f64 = empty.map(|site| victory_points(site.world.kind)).sum();
        let lived_in = survey.free_colonies().any(|colony| colony.planet.star == star);
        if points == 0.0 || lived_in || moves.bound(star).total() > 0 {
            continue;
        }
        match cheapest(
            survey
                .power
                .ships_at(star.at())
                .filter(|ship| moves.is_free(ship) && ship.load().is_none()),
        ) {
            Some(guard) => moves.keep(&[guard]),
            None => wanting.push((points, star)),
        }
    }
    wanting.sort_by(|a, b| b.0.total_cmp(&a.0));
    let ships: Vec<Ship> = survey
        .musters(|kind| kind != ShipKind::Transport)
        .into_iter()
        .flat_map(|m| m.ships)
        .collect();
    for (_, star) in wanting {
        let near = |ship: &&Ship| {
            moves.is_free(ship) && survey.travel(ship.at, star) <= survey.turns_left() + 1
        };
        let mut able: Vec<Ship> = ships.iter().filter(near).copied().collect();
        able.sort_by_key(|ship| (price(ship), survey.travel(ship.at, star)));
        for ship in able.into_iter().take(4) {
            if moves.send(ship.at, &[ship], star) {
                break;
            }
        }
    }
}

/// Where the fleet gathers while there is an adversary: at the own star that is nearest to one of
/// theirs, so that raids and invasions take a turn.
pub(super) fn front(command: &Command<'_>) -> Option<StarId> {
    let (survey, politics) = (command.survey, command.politics);
    let adversaries = command.adversaries();
    let theirs: Vec<StarId> =
        adversaries.iter().flat_map(|&other| politics.claims_of(other)).collect();
    let far = |star: StarId| theirs.iter().map(|other| other.at().distance(star.at())).min();
    let own = politics.claims_of(survey.me).filter(|&star| survey.command.reaches(star.at()));
    let lived_in = |star: StarId| survey.free_colonies().any(|colony| colony.planet.star == star);
    own.filter(|&star| far(star).is_some()).min_by_key(|&star| (far(star), !lived_in(star), star))
}

fn cheapest<'s>(ships: impl Iterator<Item = &'s Ship>) -> Option<Ship> {
    ships.min_by_key(|ship| price(ship)).copied()
}

fn price(ship: &Ship) -> u32 {
    cost(Arm::Ship(ship.kind())) as u32
}
