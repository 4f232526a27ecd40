//! The profile of the powers of Alone in Outer Space: the doctrine of the base game, as far as politics allow it.
//!
//! Transports go where policy sends them, colonies do what is decreed; of everything else that the base game's doctrine
//! wants, what the rules of the day refuse is left out. Orders are tried one after the other on a state that is made of the
//! view alone.

use heliopause_kernel::{Actor, Dice, Game as _, Seat};
use heliopause_stellar_conquest::outer_space::tables::conquest_points;
use heliopause_stellar_conquest::outer_space::{Area, DecreeColony, DecreePlan, DecreeSheet, Era};
use heliopause_stellar_conquest::{
    Bases, Fleet, Order, Place, RouteChoice, Ship, ShipNumber, Stage, StarId, StellarConquest, Voyage,
};

use super::explore;
use super::moves::Moves;
use super::strike::Stakes;
use super::survey::Survey;
use crate::bot::Level;
use crate::chance::Chance;

/// The orders of a power at this stage, if the doctrine of the base game would give these.
pub(super) fn orders(
    survey: &Survey<'_>,
    level: Level,
    stakes: Stakes,
    chance: &mut Chance,
    doctrine: impl FnOnce(&mut Chance) -> Vec<Order>,
) -> Vec<Order> {
    match survey.table.stage {
        Stage::Campaign(_) => StellarConquest::default_order(survey.view).into_iter().collect(),
        Stage::Production => vec![Order::Decree(decree(survey, level))],
        Stage::Movement => {
            if let Some(raid) = raid(survey, level, stakes, chance) {
                return vec![raid];
            }
            let mut wanted = transports(survey);
            wanted.extend(doctrine(chance));
            allowed(survey, wanted, chance)
        }
        Stage::Planets => {
            let wanted = doctrine(chance);
            allowed(survey, wanted, chance)
        }
        _ => doctrine(chance),
    }
}

/// 7.2: transports set out to the nearest star of the own claim to which policy sends them. For others policy has no place.
fn transports(survey: &Survey<'_>) -> Vec<Order> {
    let Some(politics) = survey.table.campaign.politics() else { return Vec::new() };
    let own = |route: &&RouteChoice| route.destination.and_then(|star| politics.claimant(star)) == Some(survey.me);
    let mut orders = Vec::new();
    for voyage in StellarConquest::choices_of(survey.view).voyages {
        let carries = |&number: &ShipNumber| survey.power.ship(number).is_some_and(|ship| ship.load().is_some());
        let nearest = voyage.routes.iter().filter(own).min_by_key(|route| route.turns);
        let Some(route) = nearest.filter(|_| voyage.ships.iter().any(carries)) else { continue };
        let length = route.safe.unwrap_or(route.path.len());
        if length == 0 {
            continue;
        }
        orders.push(Order::Move(Voyage {
            ships: voyage.ships,
            path: route.path[..length].to_vec(),
            destination: route.destination,
            avoiding: Vec::new(),
            round_clouds: false,
            accept_loss: false,
        }));
    }
    orders
}

/// 2: who explores a star first claims it, and keeps it; so every ship goes by itself, where others do not come first.
pub(super) fn race(moves: &mut Moves<'_>, promise: impl Fn(StarId) -> f64) {
    let survey = moves.survey;
    if survey.table.campaign.politics().is_none_or(|politics| politics.era != Era::Expansion) {
        return;
    }
    let rivals: Vec<Place> = Place::all().filter(|&at| survey.is_hostile(at)).collect();
    let worth = |survey: &Survey<'_>, star: StarId| {
        let nearest = rivals.iter().map(|at| at.distance(star.at())).min().unwrap_or(u8::MAX);
        let late = nearest <= survey.speed;
        // The star itself counts, whatever is found there.
        (promise(star) + CLAIM) * if late { LATE } else { 1.0 }
    };
    explore::explore(moves, |kind| survey.is_warship(kind), worth);
}

/// What a claim is worth whatever it holds: it moves the border, and opens a way.
const CLAIM: f64 = 3.0;
/// How much is left of a star's worth if others are so near that they may come first.
const LATE: f64 = 0.4;

/// 10.1: what it is worth to stand at an enemy's star while the war is fought there: its planets count in the peace.
pub(super) fn spoils(survey: &Survey<'_>, star: StarId, promise: impl Fn(StarId) -> f64) -> f64 {
    let Some(politics) = survey.table.campaign.politics() else { return 0.0 };
    let enemy = politics.claimant(star).is_some_and(|claimant| politics.is_enemy(survey.me, claimant));
    match survey.card(star) {
        _ if !enemy => 0.0,
        None => promise(star),
        Some(card) => card.planets().iter().map(|planet| f64::from(conquest_points(planet))).sum(),
    }
}

/// 9.1: a raid that should cost the other more than it costs. As tension rises it becomes a war, for which the strong are
/// careful: not beyond the tension that two dice seldom reach, unless more of their ships show than of the other's.
fn raid(survey: &Survey<'_>, level: Level, stakes: Stakes, chance: &mut Chance) -> Option<Order> {
    let politics = survey.table.campaign.politics().filter(|politics| politics.is_in_incident(survey.me))?;
    let shown = |seat: Seat| Place::all().filter(|&at| survey.table.has_ships(seat, at)).count();
    let mut best: Option<(f64, Order)> = None;
    for raid in StellarConquest::choices_of(survey.view).raids {
        let own: Fleet = raid.ships.iter().filter_map(|&number| survey.power.ship(number)).map(Ship::kind).collect();
        for target in raid.targets {
            let other = politics.claimant(target)?;
            let calm = politics.tension(survey.me, other) < CALM;
            if level == Level::Strong && !calm && shown(survey.me) <= shown(other) {
                continue;
            }
            let foes = survey.foreign_fleet(target.at());
            // A raid for nothing raises the tension too.
            let net = if foes.is_empty() { 0.0 } else { stakes.net(survey, own, (foes, Bases::NONE), 0.0, chance) };
            if net > best.as_ref().map_or(0.0, |(net, _)| *net) {
                best = Some((net, Order::Raid { ships: raid.ships.clone(), target, rounds: 1 }));
            }
        }
    }
    best.map(|(_, order)| order).filter(|order| StellarConquest::judge_view(survey.view, order).is_ok())
}

/// Up to this tension a war is unlikely.
const CALM: u32 = 4;

/// What is accepted of these orders, one after the other. Orders that do not end the step are only the first ones.
fn allowed(survey: &Survey<'_>, wanted: Vec<Order>, chance: &mut Chance) -> Vec<Order> {
    let mut game = StellarConquest::sample(survey.view, &mut || chance.below(1 << 30) as u64);
    let mut dice = Dice::new([0; 32]);
    let mut orders = Vec::new();
    for order in wanted {
        // What ends the step is not tried: what follows it is not known.
        let ends = matches!(order, Order::EndMovement | Order::EndTurn | Order::Attack { .. });
        let actor = Actor::Seat(survey.me);
        let refused = if ends {
            game.judge(actor, &order).is_err()
        } else {
            game.submit(actor, order.clone(), &mut dice).is_err()
        };
        if !refused {
            orders.push(order);
            if ends {
                return orders;
            }
        }
    }
    orders
}

/// 6.2: half of everything to what comes first. The strong spend all of it on weapons in a war, and on what makes them grow
/// in peace.
fn decree(survey: &Survey<'_>, level: Level) -> DecreeSheet {
    let choices = StellarConquest::choices_of(survey.view);
    let (Some(decree), Some(politics)) = (choices.decree, survey.table.campaign.politics()) else {
        return DecreeSheet::default();
    };
    let fights = politics.fights(survey.me);
    let pressing = |colony: &&DecreeColony| match colony.areas[0] {
        Area::Weapons => fights,
        Area::Factories | Area::Research => !fights && survey.productions_left() > 2,
    };
    let plan =
        |colony: &DecreeColony| DecreePlan { planet: colony.planet, budget: Some(colony.most), weapons: Vec::new() };
    let chosen = decree.colonies.iter().filter(pressing).filter(|_| level == Level::Strong);
    DecreeSheet { plans: chosen.map(plan).collect(), posts: None }
}
