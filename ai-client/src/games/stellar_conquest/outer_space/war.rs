//! Targets of warships in conflicts, and ships that occupy planets for points (chapters 8 to 11).

use heliopause_stellar_conquest::outer_space::tables::conquest_points;
use heliopause_stellar_conquest::{Arm, Bases, Fleet, Planet, Ship, ShipKind, StarId};

use super::super::moves::Moves;
use super::super::power::{conquest_value, guessed_bases};
use super::super::strike::Target;
use super::super::survey::{Status, Survey, cost, victory_points};
use super::Command;
use super::conflicts::StarStatus;

/// Value of a success point in i.p. Annexing three stars instead of one is worth a great effort.
const SUCCESS: f64 = 3.0;
/// Value of holding a disputed star until arbitration, which is permanent.
const ARBITRATION: f64 = 25.0;
/// Value of a victory point in i.p., near the end.
const POINT: f64 = 15.0;
const LAST_TURNS: u32 = 9;
/// The fleet that the other party of a dispute is likely to send to an empty star.
const EXPECTED_REPLY: Fleet = Fleet::new([1, 0, 1, 0, 0]);
const DEFENCE_VALUE: f64 = 12.0;

pub(super) fn targets(command: &Command<'_>, moves: &Moves<'_>) -> Vec<Target> {
    let survey = command.survey;
    let mut targets = Vec::new();
    for star in StarId::ALL
        .into_iter()
        .filter(|&star| moves.bound(star).warships(&survey.table.options) == 0)
    {
        let (prize, bases) = match command.star_status(star) {
            StarStatus::Own => (defence_value(command, star), Bases::NONE),
            StarStatus::Contested => (contested_value(command, star), defences(command, star)),
            StarStatus::Unclaimed | StarStatus::Elsewhere => continue,
        };
        if prize > 0.0 {
            let mut fleet = survey.foreign_fleet(star.at());
            if fleet.is_empty() && command.disputes(star) {
                fleet = EXPECTED_REPLY;
            }
            targets.push(Target { star, fleet, bases, prize });
        }
    }
    targets
}

fn defence_value(command: &Command<'_>, star: StarId) -> f64 {
    let survey = command.survey;
    let in_need = |status: Status<'_>| matches!(status, Status::Own(colony) if !colony.is_free() || colony.is_besieged());
    let worth: f64 = survey
        .sites(star)
        .filter(|site| in_need(site.status))
        .map(|site| conquest_value(survey, site.world))
        .sum();
    let disputed = if command.disputes(star) { ARBITRATION } else { 0.0 };
    let intruders = command.has_opponent() && survey.is_hostile(star.at());
    1.5 * worth + if intruders { DEFENCE_VALUE + disputed } else { disputed }
}

/// Returns the value of a contested star in the peace treaty and at the end (9.2, 10.1).
fn contested_value(command: &Command<'_>, star: StarId) -> f64 {
    let survey = command.survey;
    let expected = |worth: &dyn Fn(&Planet) -> f64| match survey.card(star) {
        Some(card) => card.planets().iter().map(worth).sum::<f64>(),
        None => Survey::expected(star.color(), worth),
    };
    let success = expected(&|planet| f64::from(conquest_points(planet))).max(1.0);
    let ending = survey.turns_left() < LAST_TURNS;
    let points = if ending { POINT * expected(&|planet| victory_points(planet.kind)) } else { 0.0 };
    let disputed = if command.disputes(star) {
        ARBITRATION + expected(&|planet| 0.5 * conquest_value(survey, *planet))
    } else {
        SUCCESS * success
    };
    disputed + points
}

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

/// Sends ships to unoccupied planets, which count for the power with a ship there (19.2).
pub(super) fn occupy_planets(command: &Command<'_>, moves: &mut Moves<'_>) {
    let survey = command.survey;
    if survey.turns_left() > LAST_TURNS {
        return;
    }
    let mut wanting: Vec<(f64, StarId)> = Vec::new();
    for star in StarId::ALL.into_iter().filter(|&star| command.star_status(star) == StarStatus::Own)
    {
        let empty = survey.sites(star).filter(|site| matches!(site.status, Status::Free));
        let points: f64 = empty.map(|site| victory_points(site.world.kind)).sum();
        let lived_in = survey.free_colonies().any(|colony| colony.planet.star == star);
        if points == 0.0 || lived_in || moves.bound(star).total() > 0 {
            continue;
        }
        let here = survey.power.ships_at(star.at());
        let able = here.filter(|ship| moves.is_free(ship) && ship.load().is_none());
        match able.min_by_key(|ship| price(ship)).copied() {
            Some(guard) => moves.keep(&[guard]),
            None => wanting.push((points, star)),
        }
    }
    wanting.sort_by(|a, b| b.0.total_cmp(&a.0));
    let groups = survey.ship_groups(|kind| kind != ShipKind::Transport).into_iter();
    let ships: Vec<Ship> = groups.flat_map(|group| group.ships).collect();
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

/// Returns the star at which warships gather: the own star nearest to an adversary's star, or
/// `None` without an adversary.
pub(super) fn gathering_star(command: &Command<'_>) -> Option<StarId> {
    let (survey, politics) = (command.survey, command.politics);
    let adversaries = command.adversaries();
    let theirs: Vec<StarId> =
        adversaries.iter().flat_map(|&other| politics.claims_of(other)).collect();
    let far = |star: StarId| theirs.iter().map(|other| other.at().distance(star.at())).min();
    let own = politics.claims_of(survey.me).filter(|&star| survey.command.reaches(star.at()));
    let lived_in = |star: StarId| survey.free_colonies().any(|colony| colony.planet.star == star);
    own.filter(|&star| far(star).is_some()).min_by_key(|&star| (far(star), !lived_in(star), star))
}

fn price(ship: &Ship) -> u32 {
    cost(Arm::Ship(ship.kind())) as u32
}
