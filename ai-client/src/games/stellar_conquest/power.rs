//! The bot profile of the players of Stellar Conquest, the base game.

use heliopause_kernel::SeatSet;
use heliopause_stellar_conquest::{
    Arm, Bases, Colony, ColonySeen, Fleet, Insight, Order, Outfit, Payment, Planet, PlanetType,
    ProductionSheet, Ship, ShipKind, Stage, StarId, StellarConquest, Tech,
};

use super::moves::Moves;
use super::production_turn::{self, ProductionGoals};
use super::settle::{self, Demand};
use super::strike::{self, Stakes, Target};
use super::survey::{Site, Status, Survey, cost, victory_points};
use super::{battle, explore, outer_space, turn};
use crate::bot::{Answer, Bot, Level, Question, ReceivedMessage, Reply};
use crate::chance::Rng;
use crate::games::letters;

pub(super) enum PowerBot {
    ByLevel,
    /// Builds no bases, and attacks whatever its losses.
    Rusher,
}

impl Bot<StellarConquest> for PowerBot {
    fn decide(&self, question: &Question<'_, StellarConquest>) -> Answer<StellarConquest> {
        let doctrine = match self {
            Self::ByLevel => Doctrine::of(question.level),
            Self::Rusher => &RUSH,
        };
        turn::by_level(question, "power", |survey, chance| {
            if let Some(politics) = survey.table.campaign.politics() {
                let (level, stakes) = (question.level, doctrine.stakes(survey));
                let command = outer_space::Command { survey, politics, level, stakes };
                return command.orders(chance, |chance| doctrine.orders(survey, chance));
            }
            doctrine.orders(survey, chance)
        })
    }

    fn correspond(
        &self,
        question: &Question<'_, StellarConquest>,
        incoming: &[ReceivedMessage],
    ) -> (Answer<StellarConquest>, Vec<Reply>) {
        let answer = self.decide(question);
        let Insight::Seat(me, _) = &question.view.insight else { return (answer, Vec::new()) };
        if question.level == Level::Random {
            return (answer, Vec::new());
        }
        let others: SeatSet =
            question.view.table.player_seats().filter(|seat| seat != me).collect();
        let (memo, replies) = letters::decline(question.memo, incoming, others);
        (Answer { memo: Some(memo), ..answer }, replies)
    }
}

struct Doctrine {
    stakes: Stakes,
    research: &'static [Tech],
    /// Number of missile bases, or their equivalent, for a Terran planet.
    bases: u32,
    /// Number of final turns in which the value of ships declines.
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

const RUSH: Doctrine = Doctrine {
    stakes: Stakes { caution: 0.0, effort: 0.0, ..STAKES },
    research: &[Tech::Speed3, Tech::Fighter, Tech::ImprovedShipWeaponry, Tech::DeathStar],
    bases: 0,
    last_turns: 0,
};

const POINT: f64 = 10.0;

impl Doctrine {
    const fn of(level: Level) -> &'static Self {
        match level {
            Level::Random | Level::Standard => &STANDARD,
            Level::Strong => &STRONG,
        }
    }

    fn orders(&self, survey: &Survey<'_>, chance: &mut Rng) -> Vec<Order> {
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

    /// Returns the values of fights. Ships are worth less near the end, so the power takes more
    /// risks.
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

    fn movement(&self, survey: &Survey<'_>, chance: &mut Rng) -> Vec<Order> {
        let posts = turn::posts(survey, 4);
        if !posts.is_empty() {
            return posts;
        }
        let mut moves = Moves::new(survey);
        moves.keep_guards();
        let ship_groups = survey.ship_groups(|kind| survey.is_warship(kind));
        let mut targets = targets(&moves);
        for muster in &ship_groups {
            strike::strike(&mut moves, muster, &mut targets, self.stakes(survey), chance);
        }
        strike::rally(&mut moves, &ship_groups);
        let demands = demands(survey, &moves);
        settle::place(survey, demands, |at, ships, star| moves.send(at, ships, star));
        let is_scout = |kind| kind == ShipKind::Scout;
        explore::explore(&mut moves, is_scout, |_, star| expected_value(star));
        claim(&mut moves);
        moves.finish()
    }

    fn planets(&self, survey: &Survey<'_>, chance: &mut Rng) -> Vec<Order> {
        if let Some(attack) = self.attack(survey, chance) {
            return vec![attack];
        }
        let moves = Moves::new(survey);
        turn::landings(survey, demands(survey, &moves))
    }

    fn attack(&self, survey: &Survey<'_>, chance: &mut Rng) -> Option<Order> {
        for site in survey.all_sites() {
            let Status::Foreign(seen) = site.status else { continue };
            let order = Order::Attack { planets: vec![site.planet] };
            let star = site.planet.star;
            let legal = StellarConquest::judge_view(survey.view, &order).is_ok();
            if survey.broke_off_attack(star) || !legal {
                continue;
            }
            let fleet = survey.power.fleet_at(star.at());
            let bases = guessed_bases(survey, &seen, site.world);
            let prize = conquest_value(survey, site.world);
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
        settle::subtract_available(survey, &mut demands);
        let turn = u32::from(survey.table.turn);
        let left = survey.productions_left();
        let program = ProductionGoals {
            research: self.research,
            research_percent: match turn {
                0..=8 => 100,
                9..=20 => 60,
                21..=32 => 40,
                _ => 10,
            },
            pressing: if left == 0 { production_turn::wanted(survey, &demands, 10.0) } else { 0 },
            welcome: production_turn::wanted(survey, &demands, 1.0),
            kept: 5,
            bases: &|colony| bases(colony, self.bases),
            warships_first: left < 5,
        };
        production_turn::sheet(survey, &program)
    }
}

fn targets(moves: &Moves<'_>) -> Vec<Target> {
    let survey = moves.survey;
    let mut targets = Vec::new();
    for star in StarId::ALL {
        if moves.bound(star).warships(&survey.table.options) > 0 {
            continue;
        }
        let (mut prize, mut bases) = (0.0, Bases::NONE);
        if survey.card(star).is_none() {
            let post = survey.table.posts.iter().any(|post| post.star == star);
            prize += if survey.table.turn <= 16 { expected_value(star) } else { 0.0 };
            prize += if post { 15.0 } else { 0.0 };
        }
        for site in survey.sites(star) {
            match site.status {
                Status::Foreign(seen) if !seen.shield => {
                    prize += conquest_value(survey, site.world);
                    let guess = guessed_bases(survey, &seen, site.world);
                    bases.missile += guess.missile;
                    bases.advanced += guess.advanced;
                }
                Status::Own(colony) if !colony.is_free() || colony.is_besieged() => {
                    prize += 1.5 * conquest_value(survey, site.world);
                }
                _ => {}
            }
        }
        if prize > 0.0 {
            let fleet = survey.foreign_fleet(star.at());
            targets.push(Target { star, fleet, bases, prize });
        }
    }
    targets
}

fn bases(colony: &Colony, terran: u32) -> u32 {
    match colony.world.kind {
        PlanetType::Terran if colony.population >= 5 => terran,
        PlanetType::SubTerran if colony.population >= 10 => terran / 3,
        _ => 0,
    }
}

/// Buys speed first, because faster transports land before the first production turn (3.4).
fn outfit() -> Outfit {
    let pay = |tech, points| Payment { tech, points };
    Outfit::Bonus {
        scouts: 2,
        corvettes: 0,
        research: vec![pay(Tech::Speed3, 15), pay(Tech::IndustrialTechnology, 5)],
    }
}

fn remaining_growth(survey: &Survey<'_>) -> f64 {
    f64::from(survey.productions_left()) / 10.0
}

fn expected_value(star: StarId) -> f64 {
    let worth = |planet: &Planet| match planet.kind {
        PlanetType::Terran => 12.0,
        PlanetType::SubTerran => 5.0,
        PlanetType::MinimalTerran => 2.0,
        PlanetType::Barren => 0.5,
    };
    Survey::expected(star.color(), worth)
}

/// Returns the value of conquering a planet: its production and points, which its owner also loses.
pub(super) fn conquest_value(survey: &Survey<'_>, world: Planet) -> f64 {
    let rich = if world.mineral_rich { 2.0 } else { 1.0 };
    1.5 * POINT * victory_points(world.kind)
        + rich * (4.0 + f64::from(world.capacity) / 4.0) * remaining_growth(survey)
}

fn hold(survey: &Survey<'_>, star: StarId) -> f64 {
    let site = |site: Site<'_>| match site.status {
        Status::Free => 0.3 * POINT * victory_points(site.world.kind),
        Status::Own(_) | Status::Held(_) | Status::Foreign(_) => conquest_value(survey, site.world),
    };
    5.0 + survey.sites(star).map(site).sum::<f64>()
}

/// Returns the visible bases of a colony, or those that a careful owner would have by now.
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

fn demands(survey: &Survey<'_>, moves: &Moves<'_>) -> Vec<Demand> {
    let mut demands = Vec::new();
    for star in StarId::ALL.into_iter().filter(|star| !survey.is_hostile(star.at())) {
        if survey.card(star).is_none() {
            if moves.bound(star).warships(&survey.table.options) > 0 {
                let value = expected_value(star);
                demands.push(Demand { star, planet: None, count: 12, least: 1, value, cet: false });
            }
            continue;
        }
        for site in survey.sites(star) {
            add_planet_demands(survey, &site, &mut demands);
        }
    }
    demands
}

/// Adds demands for a planet. The first settlers are for the claim, the next for growth, and the
/// others for production.
fn add_planet_demands(survey: &Survey<'_>, site: &Site<'_>, demands: &mut Vec<Demand>) {
    let people = match site.status {
        Status::Free => 0,
        Status::Own(colony) if colony.is_free() && !colony.is_besieged() => {
            u32::from(colony.population)
        }
        _ => return,
    };
    let remaining_growth = remaining_growth(survey);
    let rich = if site.world.mineral_rich { 2.0 } else { 1.0 };
    let points = POINT * victory_points(site.world.kind);
    // Pairs of a population and the value of each settler up to it.
    let steps = match site.world.kind {
        PlanetType::Terran => {
            [(1, points + 20.0 * remaining_growth), (10, 14.0), (20, 8.0), (40, 4.0)]
        }
        PlanetType::SubTerran => {
            [(1, points + 10.0 * remaining_growth), (10, 8.0), (20, 5.0), (30, 3.0)]
        }
        PlanetType::MinimalTerran | PlanetType::Barren => {
            [(1, 4.0 * remaining_growth), (10, 3.0), (20, 3.0), (30, 3.0)]
        }
    };
    let capacity = u32::from(site.world.capacity);
    let mut from = people;
    for (nth, (up_to, value)) in steps.into_iter().enumerate() {
        let count = up_to.min(capacity).saturating_sub(from);
        if count > 0 {
            let value = if nth == 0 { value } else { value * remaining_growth * rich };
            let cet = site.world.kind == PlanetType::Barren;
            demands.push(Demand::on(site.planet, count, value, cet));
            from += count;
        }
    }
}

/// Claims unoccupied planets, which count for the power with a ship there (19.2 c).
fn claim(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    if survey.turns_left() > 8 {
        return;
    }
    let ships = survey.ship_groups(|_| true).into_iter().flat_map(|muster| muster.ships);
    let free: Vec<Ship> = ships.filter(|ship| ship.kind() != ShipKind::Transport).collect();
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
