//! The profile of the Captain-General of The Fate of Empire.

use heliopause_stellar_conquest::fate::commission::HALF_POINTS;
use heliopause_stellar_conquest::fate::independents::garrison;
use heliopause_stellar_conquest::fate::tables::{
    Sector, loss_points, pirate_points, planet_points, prime_points,
};
use heliopause_stellar_conquest::{
    Arm, Bases, Colony, ColonySeen, Fate, Fleet, Order, Outfit, Planet, PlanetId, PlanetType,
    ShipKind, Stage, StarId, StellarConquest, Tech,
};

use super::moves::Moves;
use super::production_turn::{self, ProductionGoals};
use super::settle::{self, Demand};
use super::strike::{self, Stakes, Target};
use super::survey::{Site, Status, Survey};
use super::{battle, explore, recall, turn};
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Rng;

pub(super) struct CaptainGeneral;

impl Bot<StellarConquest> for CaptainGeneral {
    fn decide(&self, question: &Question<'_, StellarConquest>) -> Answer<StellarConquest> {
        turn::by_level(question, "captain-general", |survey, chance| {
            Doctrine::of(question.level).orders(survey, chance)
        })
    }
}

struct Doctrine {
    stakes: Stakes,
    corvettes: u32,
    technologies: [Tech; 2],
    research: &'static [Tech],
    /// Number of colonists for a planet where people multiply.
    breeders: u32,
    kept: u16,
}

const POINT: f64 = 10.0;

/// Additional value of the first colony, equal to the value of four corvettes.
const FIRST_COLONY: f64 = 20.0 * POINT;

const STAKES: Stakes = Stakes {
    lost: |arm| -POINT * points(arm, loss_points),
    killed,
    effort: 0.05,
    tries: 6,
    prescribed: true,
    caution: 1.0,
};

const STANDARD: Doctrine = Doctrine {
    stakes: STAKES,
    corvettes: 10,
    technologies: [Tech::Speed3, Tech::IndustrialTechnology],
    research: &[
        Tech::ControlledEnvironment,
        Tech::Speed4,
        Tech::Fighter,
        Tech::ImprovedIndustrialTechnology,
        Tech::DeathStar,
        Tech::RoboticIndustry,
        Tech::ImprovedShipWeaponry,
        Tech::MissileBase,
    ],
    breeders: 10,
    kept: 5,
};

const STRONG: Doctrine = Doctrine {
    stakes: Stakes { tries: 24, caution: 1.5, ..STAKES },
    corvettes: 13,
    technologies: [Tech::Speed3, Tech::ControlledEnvironment],
    research: &[
        Tech::Fighter,
        Tech::DeathStar,
        Tech::Speed4,
        Tech::IndustrialTechnology,
        Tech::ImprovedShipWeaponry,
        Tech::ImprovedIndustrialTechnology,
        Tech::Speed5,
        Tech::RoboticIndustry,
        Tech::MissileBase,
    ],
    breeders: 40,
    kept: 10,
};

fn points(arm: Arm, table: fn(ShipKind) -> i64) -> f64 {
    match arm {
        Arm::Ship(kind) => table(kind) as f64,
        Arm::MissileBase | Arm::AdvancedMissileBase | Arm::Shield => 0.0,
    }
}

fn killed(arm: Arm) -> f64 {
    POINT * points(arm, pirate_points)
}

impl Doctrine {
    const fn of(level: Level) -> &'static Self {
        match level {
            Level::Random | Level::Standard => &STANDARD,
            Level::Strong => &STRONG,
        }
    }

    fn orders(&self, survey: &Survey<'_>, chance: &mut Rng) -> Vec<Order> {
        let Some(fate) = survey.fate() else { return Vec::new() };
        let campaign = Campaign { survey, fate, doctrine: self };
        match survey.table.stage {
            Stage::Setup => vec![Order::Outfit(self.outfit())],
            Stage::Campaign(_) => recall::weakest(survey.view).into_iter().collect(),
            Stage::Movement => campaign.movement(chance),
            Stage::Combat => turn::first_battle(survey),
            Stage::Battle => {
                battle::answer(survey, self.stakes, &|_, star| campaign.hold(star), chance)
                    .into_iter()
                    .collect()
            }
            Stage::Planets => campaign.planets(chance),
            Stage::Production => {
                vec![Order::Produce(production_turn::sheet(survey, &campaign.program()))]
            }
            Stage::Over => Vec::new(),
        }
    }

    fn outfit(&self) -> Outfit {
        let Self { corvettes, technologies, .. } = *self;
        Outfit::Commission { corvettes, scouts: HALF_POINTS - 2 * corvettes, technologies }
    }
}

struct Campaign<'a> {
    survey: &'a Survey<'a>,
    fate: &'a Fate,
    doctrine: &'a Doctrine,
}

impl Campaign<'_> {
    fn movement(&self, chance: &mut Rng) -> Vec<Order> {
        let survey = self.survey;
        let posts = turn::posts(survey, 1);
        if !posts.is_empty() {
            return posts;
        }
        let mut moves = Moves::new(survey);
        moves.keep_guards();
        let ship_groups = survey.ship_groups(|kind| survey.is_warship(kind));
        let mut targets = self.targets(&moves);
        for muster in &ship_groups {
            strike::strike(&mut moves, muster, &mut targets, self.doctrine.stakes, chance);
        }
        strike::rally(&mut moves, &ship_groups);
        let demands = self.demands(&moves);
        settle::place(survey, demands, |at, ships, star| moves.send(at, ships, star));
        let is_scout = |kind| kind == ShipKind::Scout;
        explore::explore(&mut moves, is_scout, |_, star| expected_value(star));
        moves.finish()
    }

    fn targets(&self, moves: &Moves<'_>) -> Vec<Target> {
        let survey = self.survey;
        let mut targets = Vec::new();
        for star in StarId::ALL {
            if moves.bound(star).warships(&survey.table.options) > 0 {
                continue;
            }
            let fleet = survey.foreign_fleet(star.at());
            if survey.card(star).is_none() {
                let prize = 0.4 * expected_value(star);
                targets.push(Target { star, fleet, bases: Bases::NONE, prize });
                continue;
            }
            let blocked = if fleet.is_empty() { 0.0 } else { 0.5 };
            let mut prize = 0.0;
            let mut best: Option<(f64, Bases)> = None;
            for site in survey.sites(star) {
                match site.status {
                    Status::Free => prize += blocked * self.worth(&site),
                    Status::Foreign(seen) if !seen.shield => {
                        let (worth, bases) = (self.worth(&site), seen.bases.unwrap_or_default());
                        if best.is_none_or(|(_, best)| weight(bases) < weight(best)) {
                            best = Some((worth, bases));
                        }
                    }
                    _ => {}
                }
            }
            let without = Target { star, fleet, bases: Bases::NONE, prize };
            if let Some((worth, bases)) = best {
                targets.push(Target { bases, prize: prize + worth, ..without.clone() });
            }
            if !without.fleet.is_empty() {
                targets.push(without);
            }
        }
        targets
    }

    fn worth(&self, site: &Site<'_>) -> f64 {
        let kind = site.world.kind;
        let prime = self.fate.is_prime(site.planet);
        let points = if prime { prime_points(kind) } else { planet_points(kind) };
        POINT * points as f64
            + self.sector_worth(site.planet.star)
            + self.yield_of(site)
            + self.first_colony_value()
    }

    /// Returns the additional value of the first colony. Without its command post no ship gets far
    /// from the entry hex.
    fn first_colony_value(&self) -> f64 {
        if self.survey.free_colonies().next().is_none() { FIRST_COLONY } else { 0.0 }
    }

    /// Returns the expected production of a site. Independent planets produce 30M on average.
    fn yield_of(&self, site: &Site<'_>) -> f64 {
        match site.status {
            Status::Foreign(_) | Status::Held(_) => {
                f64::from(site.world.capacity.min(20))
                    * 0.2
                    * f64::from(self.survey.productions_left())
            }
            _ => 0.0,
        }
    }

    fn sector_worth(&self, star: StarId) -> f64 {
        let held = |star: StarId| {
            self.survey.power.colonies.iter().any(|colony| colony.planet.star == star)
        };
        let sector = Sector::of(star);
        let systems = sector.stars().iter().filter(|&&star| held(star)).count();
        if held(star) || systems >= sector.systems() {
            return 0.0;
        }
        POINT * sector.points() as f64 / sector.systems() as f64
    }

    fn hold(&self, star: StarId) -> f64 {
        let site = |site: Site<'_>| match site.status {
            Status::Free => 0.5 * self.worth(&site),
            Status::Own(_) => 5.0,
            Status::Held(_) | Status::Foreign(_) => self.worth(&site),
        };
        self.survey.sites(star).map(site).fold(0.0, f64::max)
    }

    fn planets(&self, chance: &mut Rng) -> Vec<Order> {
        if let Some(attack) = self.attack(chance) {
            return vec![attack];
        }
        turn::landings(self.survey, self.demands(&Moves::new(self.survey)))
    }

    fn attack(&self, chance: &mut Rng) -> Option<Order> {
        let mut sites: Vec<(u32, PlanetId, f64, Bases)> = Vec::new();
        for site in self.survey.all_sites() {
            let Status::Foreign(ColonySeen { bases, .. }) = site.status else { continue };
            if self.survey.broke_off_attack(site.planet.star) {
                continue;
            }
            let bases = bases.unwrap_or_default();
            sites.push((weight(bases), site.planet, self.worth(&site), bases));
        }
        sites.sort_by_key(|&(weight, planet, ..)| (weight, planet));
        sites.into_iter().find_map(|(_, planet, worth, bases)| {
            let order = Order::Attack { planets: vec![planet] };
            StellarConquest::judge_view(self.survey.view, &order).ok()?;
            let fleet = self.survey.power.fleet_at(planet.star.at());
            let net =
                self.doctrine.stakes.net(self.survey, fleet, (Fleet::NONE, bases), worth, chance);
            (net > 0.0).then_some(order)
        })
    }

    fn demands(&self, moves: &Moves<'_>) -> Vec<Demand> {
        let survey = self.survey;
        let mut demands = Vec::new();
        let breeding: u32 =
            survey.free_colonies().filter(|colony| multiplies(colony)).map(people).sum();
        let mut breeders = self.doctrine.breeders.saturating_sub(breeding);
        for star in StarId::ALL {
            let fleet = survey.foreign_fleet(star.at());
            if fleet.total() > 0 {
                continue;
            }
            if survey.card(star).is_none() {
                let escorted =
                    if moves.bound(star).warships(&survey.table.options) > 0 { 1.2 } else { 1.0 };
                let value = 0.4 * escorted * expected_value(star);
                let unknown = Demand { star, planet: None, count: 1, least: 1, value, cet: false };
                demands.extend([unknown, Demand { value: 0.6 * value, ..unknown }]);
                continue;
            }
            for site in survey.sites(star) {
                self.add_planet_demands(&site, &mut breeders, &mut demands);
            }
        }
        demands
    }

    fn add_planet_demands(&self, site: &Site<'_>, breeders: &mut u32, demands: &mut Vec<Demand>) {
        let Site { planet, world, status } = *site;
        let cet = world.kind == PlanetType::Barren;
        let demand = |count, value| Demand::on(planet, count, value, cet);
        let settled = match status {
            Status::Free => {
                demands.push(demand(1, self.worth(site)));
                1
            }
            Status::Held(prize) => {
                let (least, _) = garrison(prize.colony.workers());
                let count = u32::from(least);
                let each = 1.5 * self.worth(site) / f64::from(least);
                demands.push(Demand { least: count, ..demand(count, each) });
                return;
            }
            Status::Own(colony) if !colony.is_dominion() => u32::from(colony.population),
            _ => return,
        };
        let left = f64::from(self.survey.productions_left());
        if matches!(world.kind, PlanetType::Terran | PlanetType::SubTerran) && settled < 10 {
            let good = if world.kind == PlanetType::Terran { 8.0 } else { 4.0 };
            let more = (10 - settled).min(*breeders);
            *breeders -= more;
            if more > 0 {
                demands.push(demand(more, good * left));
            }
        }
        let room = u32::from(world.capacity).saturating_sub(settled);
        if room > 0 {
            demands.push(demand(room, 0.1 + 0.1 * left));
        }
    }

    fn program(&self) -> ProductionGoals<'_> {
        let survey = self.survey;
        let mut demands = self.demands(&Moves::new(survey));
        settle::subtract_available(survey, &mut demands);
        let left = survey.productions_left();
        ProductionGoals {
            research: self.doctrine.research,
            research_percent: if left > 1 { 50 } else { 0 },
            pressing: production_turn::wanted(survey, &demands, 25.0),
            welcome: production_turn::wanted(survey, &demands, 25.0),
            kept: self.doctrine.kept,
            bases: &|_| 0,
            warships_first: left < 6,
        }
    }
}

fn people(colony: &Colony) -> u32 {
    u32::from(colony.population)
}

fn multiplies(colony: &Colony) -> bool {
    matches!(colony.world.kind, PlanetType::Terran | PlanetType::SubTerran)
        && !colony.is_dominion()
        && colony.population >= 5
}

const fn weight(bases: Bases) -> u32 {
    bases.missile + 3 * bases.advanced
}

fn expected_value(star: StarId) -> f64 {
    POINT * Survey::expected(star.color(), |planet: &Planet| planet_points(planet.kind) as f64)
}
