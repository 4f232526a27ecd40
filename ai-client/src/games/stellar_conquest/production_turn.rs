//! Production turns: emigration, research and builds.

use heliopause_stellar_conquest::{
    Colony, ColonyPlan, Item, Payment, PlanetType, ProductionSheet, Research, Spending, Tech,
    factory_limit,
};

use super::settle::Demand;
use super::survey::Survey;

pub(super) struct ProductionGoals<'p> {
    pub(super) research: &'p [Tech],
    /// Percentage of all i.p. that is spent on research before builds.
    pub(super) research_percent: u32,
    /// Number of transports to build even at a high cost to their colonies.
    pub(super) pressing: u32,
    /// Number of transports to build if the cost to their colonies is low.
    pub(super) welcome: u32,
    /// Number of people that stay on a planet where they multiply.
    pub(super) kept: u16,
    /// Number of missile bases, or their equivalent, for a colony.
    pub(super) bases: &'p dyn Fn(&Colony) -> u32,
    pub(super) warships_first: bool,
}

/// Ships to build, most important first.
const SHIPS: [Item; 3] = [Item::DeathStar, Item::Fighter, Item::Corvette];

/// Number of later production turns that a factory needs to be worth its price.
const FACTORY_TURNS: u32 = 5;
/// Number of missile bases that an advanced one replaces.
const ADVANCED: u32 = 2;

struct SheetBuilder<'a> {
    survey: &'a Survey<'a>,
    program: &'a ProductionGoals<'a>,
    research: Research,
    funds: u32,
    pressing: u32,
    welcome: u32,
}

struct ColonyProduction {
    colony: Colony,
    left: u32,
    plan: ColonyPlan,
}

pub(super) fn sheet(survey: &Survey<'_>, program: &ProductionGoals<'_>) -> ProductionSheet {
    let produces = survey.table.campaign.fate().is_none();
    let held =
        survey.power.conquered_colonies.iter().map(|prize| &prize.colony).filter(|_| produces);
    let mut colonies: Vec<&Colony> = survey.free_colonies().chain(held).collect();
    // Small colonies pay for research first, so that large ones can build what research unlocks.
    colonies.sort_by_key(|colony| (colony.output(survey.owned), colony.planet));
    let total: u32 = colonies.iter().map(|colony| colony.output(survey.owned)).sum();
    let ProductionGoals { pressing, welcome, .. } = *program;
    let funds = total * program.research_percent / 100;
    let mut production_turn =
        SheetBuilder { survey, program, research: survey.power.research, funds, pressing, welcome };
    let grant = production_turn.payments(survey.power.grant);
    let plans = colonies.into_iter().map(|colony| production_turn.run(*colony)).collect();
    ProductionSheet { colonies: plans, posts: None, grant }
}

pub(super) fn wanted(survey: &Survey<'_>, demands: &[Demand], least: f64) -> u32 {
    let near = |demand: &&Demand| {
        let from = survey
            .free_colonies()
            .map(|colony| survey.travel(Some(colony.planet.star.at()), demand.star));
        let turns = from.min().unwrap_or(u32::MAX);
        demand.value >= least
            && turns <= survey.turns_left().min(12)
            && survey.command.reaches(demand.star.at())
    };
    demands.iter().filter(near).map(|demand| demand.count).sum()
}

impl SheetBuilder<'_> {
    fn run(&mut self, colony: Colony) -> ColonyPlan {
        let plan = ColonyPlan {
            planet: colony.planet,
            emigrants: 0,
            bonus: 0,
            evacuate: false,
            spending: Vec::new(),
        };
        let left = colony.output(self.research.owned);
        let mut yard = ColonyProduction { colony, left, plan };
        self.emigrate(&mut yard);
        self.fortify(&mut yard);
        let funds = self.funds.min(yard.left);
        self.invest(&mut yard, funds);
        if self.program.warships_first {
            self.build_ships(&mut yard);
            self.build_factories(&mut yard);
        } else {
            self.build_factories(&mut yard);
            self.build_ships(&mut yard);
        }
        let rest = yard.left;
        self.invest(&mut yard, rest);
        yard.plan
    }

    /// Sends emigrants in multiples of three, because a fourth joins every three for free (17.4).
    fn emigrate(&mut self, yard: &mut ColonyProduction) {
        let ColonyProduction { colony, left, plan } = yard;
        if !self.can_launch(colony)
            || colony.is_dominion()
            || self.survey.power.colony(colony.planet).is_none()
        {
            return;
        }
        let grows = matches!(colony.world.kind, PlanetType::Terran | PlanetType::SubTerran);
        let kept = if grows && self.survey.productions_left() > 0 { self.program.kept } else { 1 };
        let spare = colony.population.saturating_sub(kept);
        let wanted = self.pressing.max(self.welcome).min(u32::from(u16::MAX)) as u16;
        let most = colony.bonus(u16::MAX);
        let bonus = most.min(spare / 3).min(wanted / 4).min((*left / 4) as u16);
        let crowd = colony.population.saturating_sub(colony.world.capacity);
        let room = (*left - 4 * u32::from(bonus)).min(u32::from(spare - 3 * bonus)) as u16;
        let pressing = self.pressing.min(u32::from(u16::MAX)) as u16;
        let more = pressing.max(crowd.min(wanted)).saturating_sub(4 * bonus).min(room);
        plan.emigrants = 3 * bonus + more;
        plan.bonus = bonus;
        let transports = u32::from(plan.emigrants + bonus);
        *left -= transports;
        colony.population -= plan.emigrants;
        self.pressing = self.pressing.saturating_sub(transports);
        self.welcome = self.welcome.saturating_sub(transports);
    }

    fn can_launch(&self, colony: &Colony) -> bool {
        !colony.is_besieged() && self.survey.turns_left() > 0
    }

    fn fortify(&mut self, yard: &mut ColonyProduction) {
        if yard.colony.conqueror().is_some() {
            return;
        }
        let wanted = (self.program.bases)(&yard.colony);
        if wanted == 0 || yard.colony.shield {
            return;
        }
        if self.buy(yard, Item::PlanetShield, 1) > 0 {
            return;
        }
        let has = yard.colony.bases.missile + ADVANCED * yard.colony.bases.advanced;
        let missing = wanted.saturating_sub(has);
        if Item::AdvancedMissileBase.is_allowed(self.research.owned) {
            self.buy(yard, Item::AdvancedMissileBase, missing.div_ceil(ADVANCED));
        } else {
            self.buy(yard, Item::MissileBase, missing);
        }
    }

    fn build_factories(&mut self, yard: &mut ColonyProduction) {
        if self.survey.productions_left() < FACTORY_TURNS {
            return;
        }
        let owned = self.research.owned;
        let workers = u32::from(yard.colony.workers());
        let limit = factory_limit(workers, owned).min(3 * workers);
        self.buy(yard, Item::Factory, limit.saturating_sub(yard.colony.factories));
    }

    fn build_ships(&mut self, yard: &mut ColonyProduction) {
        if !self.can_launch(&yard.colony) {
            return;
        }
        for item in SHIPS {
            self.buy(yard, item, u32::MAX);
        }
    }

    fn buy(&mut self, yard: &mut ColonyProduction, item: Item, limit: u32) -> u32 {
        let owned = self.research.owned;
        if !item.is_allowed(owned) {
            return 0;
        }
        let mut count = limit.min(yard.left / item.price(2, owned).div_ceil(2).max(1));
        while count > 0 && item.price(count, owned) > yard.left {
            count -= 1;
        }
        if count > 0 {
            yard.left -= item.price(count, owned);
            yard.plan.spending.push(Spending::Build { item, count });
        }
        count
    }

    fn invest(&mut self, yard: &mut ColonyProduction, points: u32) {
        let payments = self.payments(points);
        let paid: u32 = payments.iter().map(|payment| payment.points).sum();
        yard.left -= paid;
        self.funds = self.funds.saturating_sub(paid);
        yard.plan.spending.extend(payments.into_iter().map(Spending::Research));
    }

    /// Pays for the most important technology first (rule 18).
    fn payments(&mut self, mut points: u32) -> Vec<Payment> {
        let mut payments = Vec::new();
        while points > 0 {
            let open = |&&tech: &&Tech| self.research.judge(tech, 1).is_ok();
            let Some(&tech) = self.program.research.iter().find(open) else { break };
            let paid = points.min(self.research.missing(tech));
            self.research.pay(tech, paid);
            payments.push(Payment { tech, points: paid });
            points -= paid;
        }
        payments
    }
}
