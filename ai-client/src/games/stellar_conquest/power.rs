//! The profile of the players of the base game.

use heliopause_stellar_conquest::{
    Arm, Bases, Colony, ColonySeen, Fleet, Item, Order, Outfit, Payment, Planet, PlanetType,
    ProductionSheet, Ship, ShipKind, Stage, StarId, StellarConquest, Tech,
};

use super::moves::Moves;
use super::settle::{self, Demand};
use super::strike::{self, Stakes, Target};
use super::survey::{Site, Status, Survey, cost, victory_points};
use super::works::{self, Program};
use super::{battle, explore, outer_space, turn};
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Chance;

/// Plays a power.
pub(super) struct PowerBot;

impl Bot<StellarConquest> for PowerBot {
    fn decide(&self, question: &Question<'_, StellarConquest>) -> Answer<StellarConquest> {
        let doctrine = Doctrine::of(question.level);
        turn::by_level(question, "power", |survey, chance| {
            if let Some(politics) = survey.table.campaign.politics() {
                let (level, stakes) = (question.level, doctrine.stakes(survey));
                let command = outer_space::Command { survey, politics, level, stakes };
                return command.orders(chance, |chance| doctrine.orders(survey, chance));
            }
            doctrine.orders(survey, chance)
        })
    }
}

/// How a level plays.
struct Doctrine {
    stakes: Stakes,
    research: &'static [Tech],
    /// How many missile bases a Terran planet should have, or as much in other bases.
    bases: u32,
    /// In so many turns at the end ships come to be worth ever less.
    last_turns: u32,
}

const STAKES: Stakes = Stakes {
    lost: |arm| 0.5 * cost(arm),
    killed: |arm| 0.3 * cost(arm),
    effort: 0.1,
    tries: 6,
    prescribed: false,
    caution: 1.0,
};

const STANDARD: Doctrine = Doctrine {
    stakes: STAKES,
    research: &[
        Tech::Speed3,
        Tech::IndustrialTechnology,
        Tech::MissileBase,
        Tech::Speed4,
        Tech::ImprovedIndustrialTechnology,
        Tech::Fighter,
        Tech::AdvancedMissileBase,
        Tech::RoboticIndustry,
        Tech::ControlledEnvironment,
        Tech::DeathStar,
        Tech::PlanetShield,
        Tech::ImprovedShipWeaponry,
    ],
    bases: 3,
    last_turns: 0,
};

const STRONG: Doctrine = Doctrine {
    stakes: Stakes { tries: 24, caution: 0.5, ..STAKES },
    research: &[
        Tech::Speed3,
        Tech::MissileBase,
        Tech::IndustrialTechnology,
        Tech::Fighter,
        Tech::Speed4,
        Tech::DeathStar,
        Tech::ImprovedShipWeaponry,
        Tech::PlanetShield,
        Tech::ImprovedIndustrialTechnology,
    ],
    bases: 6,
    last_turns: 8,
};

/// What a victory point is worth, beside i.p.
const POINT: f64 = 10.0;

impl Doctrine {
    const fn of(level: Level) -> &'static Self {
        match level {
            Level::Random | Level::Standard => &STANDARD,
            Level::Strong => &STRONG,
        }
    }

    fn orders(&self, survey: &Survey<'_>, chance: &mut Chance) -> Vec<Order> {
        match survey.table.stage {
            Stage::Setup => vec![Order::Outfit(outfit())],
            Stage::Movement => self.movement(survey, chance),
            Stage::Combat => turn::first_battle(survey),
            Stage::Battle => {
                let worth = |survey: &Survey<'_>, star| hold(survey, star);
                battle::answer(survey, self.stakes(survey), &worth, chance).into_iter().collect()
            }
            Stage::Planets => self.planets(survey, chance),
            Stage::Production => vec![Order::Produce(self.sheet(survey))],
            Stage::Campaign(_) | Stage::Over => Vec::new(),
        }
    }

    /// Ships that outlive the game are worth nothing, so at the end they are risked.
    fn stakes(&self, survey: &Survey<'_>) -> Stakes {
        let left = survey.turns_left();
        let worth =
            if left < self.last_turns { f64::from(left) / f64::from(self.last_turns) } else { 1.0 };
        Stakes {
            caution: self.stakes.caution * worth,
            effort: self.stakes.effort * worth,
            ..self.stakes
        }
    }

    fn movement(&self, survey: &Survey<'_>, chance: &mut Chance) -> Vec<Order> {
        let posts = turn::posts(survey, 4);
        if !posts.is_empty() {
            return posts;
        }
        let mut moves = Moves::new(survey);
        moves.keep_guards();
        let musters = survey.musters(|kind| survey.is_warship(kind));
        let mut targets = targets(&moves);
        for muster in &musters {
            strike::strike(&mut moves, muster, &mut targets, self.stakes(survey), chance);
        }
        strike::rally(&mut moves, &musters);
        let demands = demands(survey, &moves);
        settle::place(survey, demands, |at, ships, star| moves.send(at, ships, star));
        explore::explore(&mut moves, |kind| kind == ShipKind::Scout, |_, star| promise(star));
        claim(&mut moves);
        moves.finish()
    }

    /// Step 4, attacks; then step 5, landings.
    fn planets(&self, survey: &Survey<'_>, chance: &mut Chance) -> Vec<Order> {
        if let Some(attack) = self.attack(survey, chance) {
            return vec![attack];
        }
        let moves = Moves::new(survey);
        turn::landings(survey, demands(survey, &moves))
    }

    fn attack(&self, survey: &Survey<'_>, chance: &mut Chance) -> Option<Order> {
        for site in survey.all_sites() {
            let Status::Foreign(seen) = site.status else { continue };
            let order = Order::Attack { planets: vec![site.planet] };
            let star = site.planet.star;
            if survey.has_given_up(star)
                || StellarConquest::judge_view(survey.view, &order).is_err()
            {
                continue;
            }
            let fleet = survey.power.fleet_at(star.at());
            // Bases that turned out too strong in this turn are left alone.
            let bases = guessed_bases(survey, &seen, site.world);
            let prize = loot(survey, site.world);
            if self.stakes(survey).net(survey, fleet, (Fleet::NONE, bases), prize, chance) > 0.0 {
                return Some(order);
            }
        }
        None
    }

    fn sheet(&self, survey: &Survey<'_>) -> ProductionSheet {
        let moves = Moves::new(survey);
        let mut demands = demands(survey, &moves);
        demands.retain(|demand| demand.planet.is_some());
        settle::meet_by_all(survey, &mut demands);
        let turn = u32::from(survey.table.turn);
        let left = survey.productions_left();
        let program = Program {
            research: self.research,
            research_percent: match turn {
                0..=8 => 100,
                9..=20 => 60,
                21..=32 => 40,
                _ => 10,
            },
            pressing: if left == 0 { works::wanted(survey, &demands, 10.0) } else { 0 },
            welcome: works::wanted(survey, &demands, 1.0),
            kept: 5,
            bases: &|colony| bases(colony, self.bases),
            warships_first: left < 5,
            ships: &[Item::DeathStar, Item::Fighter, Item::Corvette],
        };
        works::sheet(survey, &program)
    }
}

/// Stars that are worth going to with warships.
fn targets(moves: &Moves<'_>) -> Vec<Target> {
    let survey = moves.survey;
    let mut targets = Vec::new();
    for star in StarId::ALL {
        if moves.bound(star).warships(&survey.table.options) > 0 {
            continue;
        }
        let (mut prize, mut bases) = (0.0, Bases::NONE);
        if survey.card(star).is_none() {
            prize += if survey.table.turn <= 16 { promise(star) } else { 0.0 };
            prize +=
                if survey.table.posts.iter().any(|post| post.star == star) { 15.0 } else { 0.0 };
        }
        for site in survey.sites(star) {
            match site.status {
                Status::Foreign(seen) if !seen.shield => {
                    prize += loot(survey, site.world);
                    let guess = guessed_bases(survey, &seen, site.world);
                    bases.missile += guess.missile;
                    bases.advanced += guess.advanced;
                }
                Status::Own(colony) if !colony.is_free() || colony.is_besieged() => {
                    prize += 1.5 * loot(survey, site.world);
                }
                _ => {}
            }
        }
        if prize > 0.0 {
            targets.push(Target {
                star,
                fleet: survey.foreign_fleet(star.at()),
                bases,
                prize,
                not_before: 0,
            });
        }
    }
    targets
}

/// How many missile bases a colony should have, if a Terran one should have so many.
fn bases(colony: &Colony, terran: u32) -> u32 {
    match colony.world.kind {
        PlanetType::Terran if colony.population >= 5 => terran,
        PlanetType::SubTerran if colony.population >= 10 => terran / 3,
        _ => 0,
    }
}

/// 3.4: speed at once, for it brings the first colonies before the first production turn.
fn outfit() -> Outfit {
    let pay = |tech, points| Payment { tech, points };
    Outfit::Bonus {
        scouts: 2,
        corvettes: 0,
        research: vec![pay(Tech::Speed3, 15), pay(Tech::IndustrialTechnology, 5)],
    }
}

/// How much of the game's growth is still to come, from 1 to 0.
fn outlook(survey: &Survey<'_>) -> f64 {
    f64::from(survey.productions_left()) / 10.0
}

/// What an unexplored star promises.
fn promise(star: StarId) -> f64 {
    let worth = |planet: &Planet| match planet.kind {
        PlanetType::Terran => 12.0,
        PlanetType::SubTerran => 5.0,
        PlanetType::MinimalTerran => 2.0,
        PlanetType::Barren => 0.5,
    };
    Survey::expected(star.colour(), worth)
}

/// What somebody else's colony is worth: its points for oneself, and not for its owner, and what it
/// yields.
pub(super) fn loot(survey: &Survey<'_>, world: Planet) -> f64 {
    let rich = if world.mineral_rich { 2.0 } else { 1.0 };
    1.5 * POINT * victory_points(world.kind)
        + rich * (4.0 + f64::from(world.capacity) / 4.0) * outlook(survey)
}

/// What holding a star is worth in a battle.
fn hold(survey: &Survey<'_>, star: StarId) -> f64 {
    let site = |site: Site<'_>| match site.status {
        Status::Free => 0.3 * POINT * victory_points(site.world.kind),
        Status::Own(_) | Status::Held(_) | Status::Foreign(_) => loot(survey, site.world),
    };
    5.0 + survey.sites(star).map(site).sum::<f64>()
}

/// Bases as seen in an attack, or as many as a careful owner would have by now.
pub(super) fn guessed_bases(survey: &Survey<'_>, seen: &ColonySeen, world: Planet) -> Bases {
    let guess = match (world.kind, survey.table.turn) {
        (_, 0..=11) => Bases::NONE,
        (PlanetType::Terran, 12..=23) => Bases { missile: 2, advanced: 0 },
        (PlanetType::Terran, _) => Bases { missile: 3, advanced: 0 },
        (PlanetType::SubTerran, 16..) => Bases { missile: 1, advanced: 0 },
        _ => Bases::NONE,
    };
    seen.bases.unwrap_or(guess)
}

/// What transports are wanted for.
fn demands(survey: &Survey<'_>, moves: &Moves<'_>) -> Vec<Demand> {
    let mut demands = Vec::new();
    for star in StarId::ALL.into_iter().filter(|star| !survey.is_hostile(star.at())) {
        if survey.card(star).is_none() {
            if moves.bound(star).warships(&survey.table.options) > 0 {
                let value = promise(star);
                demands.push(Demand { star, planet: None, count: 12, least: 1, value, cet: false });
            }
            continue;
        }
        for site in survey.sites(star) {
            want(survey, &site, &mut demands);
        }
    }
    demands
}

/// What a planet wants: the first settlers claim it, the next multiply, and the rest only work.
fn want(survey: &Survey<'_>, site: &Site<'_>, demands: &mut Vec<Demand>) {
    let people = match site.status {
        Status::Free => 0,
        Status::Own(colony) if colony.is_free() && !colony.is_besieged() => {
            u32::from(colony.population)
        }
        _ => return,
    };
    let outlook = outlook(survey);
    let rich = if site.world.mineral_rich { 2.0 } else { 1.0 };
    let points = POINT * victory_points(site.world.kind);
    // Up to so many people, each is worth so much.
    let steps = match site.world.kind {
        PlanetType::Terran => [(1, points + 20.0 * outlook), (10, 14.0), (20, 8.0), (40, 4.0)],
        PlanetType::SubTerran => [(1, points + 10.0 * outlook), (10, 8.0), (20, 5.0), (30, 3.0)],
        PlanetType::MinimalTerran | PlanetType::Barren => {
            [(1, 4.0 * outlook), (10, 3.0), (20, 3.0), (30, 3.0)]
        }
    };
    let capacity = u32::from(site.world.capacity);
    let mut from = people;
    for (nth, (up_to, value)) in steps.into_iter().enumerate() {
        let count = up_to.min(capacity).saturating_sub(from);
        if count > 0 {
            let value = if nth == 0 { value } else { value * outlook * rich };
            let cet = site.world.kind == PlanetType::Barren;
            demands.push(Demand::on(site.planet, count, value, cet));
            from += count;
        }
    }
}

/// 19.2 c: in the last turns an unoccupied planet counts for whoever has a ship there.
fn claim(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    if survey.turns_left() > 8 {
        return;
    }
    let free: Vec<Ship> = survey
        .musters(|_| true)
        .into_iter()
        .flat_map(|muster| muster.ships)
        .filter(|ship| moves.is_free(ship) && ship.kind() != ShipKind::Transport)
        .collect();
    let mut stars: Vec<(f64, StarId)> = Vec::new();
    for star in StarId::ALL {
        let settled = survey.free_colonies().any(|colony| colony.planet.star == star);
        let empty = survey.sites(star).filter(|site| matches!(site.status, Status::Free));
        let points: f64 = empty.map(|site| victory_points(site.world.kind)).sum();
        let present =
            survey.power.ships_at(star.at()).next().is_some() || moves.bound(star).total() > 0;
        if points > 0.0 && !settled && !present && !survey.is_hostile(star.at()) {
            stars.push((points, star));
        }
    }
    stars.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, star) in stars {
        let near = |ship: &&Ship| {
            let turns = survey.travel(ship.at, star);
            let here = ship.at.and_then(StarId::in_hex);
            let useful = here.is_some_and(|here| {
                survey.sites(here).any(|site| victory_points(site.world.kind) > 0.0)
            });
            moves.is_free(ship) && !useful && turns <= survey.turns_left() + 1
        };
        let nearest = free
            .iter()
            .filter(near)
            .min_by_key(|ship| (survey.travel(ship.at, star), cost_of(ship)));
        if let Some(&ship) = nearest {
            moves.send(ship.at, &[ship], star);
        }
    }
}

fn cost_of(ship: &Ship) -> u32 {
    cost(Arm::Ship(ship.kind())) as u32
}
