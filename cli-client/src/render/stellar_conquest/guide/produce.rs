//! A production turn (17): a sheet that grows colony by colony. Every change is calculated by the rules before it is taken.

use std::collections::BTreeMap;

use heliopause_kernel::Game as _;
use heliopause_stellar_conquest::{
    Account, Accounts, ColonyPlan, Item, Order, Payment, PlanetId, ProductionSheet, Sheet, Spending, StarId,
    StellarConquest, Tech, most,
};

use super::{Case, colony};
use crate::render::{Guide, Step};
use crate::style::Style;

/// A sheet that is filled in.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) case: Case,
    pub(super) sheet: ProductionSheet,
    /// Where the player is.
    pub(super) place: Desk,
    /// What he is asked for a number of.
    pub(super) asking: Option<Buy>,
}

/// A page of the production turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Desk {
    /// All colonies.
    Overview,
    /// One of them.
    Colony(PlanetId),
    /// Where command posts stand.
    Posts,
    /// The i.p. of the Empire, for research.
    Grant,
}

/// Something that can be bought a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buy {
    /// Emigrants; a bonus comes along by itself.
    Emigrants,
    /// Things.
    Item(Item),
    /// i.p. into a technology.
    Tech(Tech),
}

impl Planner {
    pub(super) fn new(case: Case) -> Self {
        let stored = case.view.power().and_then(|power| match &power.sheet {
            Sheet::Production(sheet) => Some(sheet.clone()),
            _ => None,
        });
        Self { case, sheet: stored.unwrap_or_default(), place: Desk::Overview, asking: None }
    }

    /// The colonies that can be planned for.
    pub(super) fn planets(&self) -> Vec<PlanetId> {
        let production = self.case.choices.production.as_ref();
        production.map(|it| it.colonies.iter().map(|colony| colony.planet).collect()).unwrap_or_default()
    }

    /// What is planned for a colony.
    pub(super) fn plan(&self, planet: PlanetId) -> ColonyPlan {
        let planned = self.sheet.colonies.iter().find(|plan| plan.planet == planet);
        planned.cloned().unwrap_or(ColonyPlan { planet, emigrants: 0, bonus: 0, evacuate: false, spending: Vec::new() })
    }

    /// What a sheet comes to, colonies without plans too.
    fn reckon(&self, sheet: &ProductionSheet) -> Result<Accounts, String> {
        let mut whole = sheet.clone();
        for planet in self.planets() {
            if !whole.colonies.iter().any(|plan| plan.planet == planet) {
                whole.colonies.push(ColonyPlan {
                    planet,
                    emigrants: 0,
                    bonus: 0,
                    evacuate: false,
                    spending: Vec::new(),
                });
            }
        }
        StellarConquest::accounts(&self.case.view, &whole).map_err(|why| format!("{} ({})", why.message, why.rule))
    }

    /// The accounts of the sheet as it is.
    pub(super) fn accounts(&self) -> Option<Accounts> {
        self.reckon(&self.sheet).ok()
    }

    /// The accounts by colony.
    pub(super) fn by_colony(accounts: &Accounts) -> BTreeMap<PlanetId, Account> {
        accounts.colonies.iter().map(|account| (account.colony.planet, *account)).collect()
    }

    /// The sheet with another plan for a colony. It keeps its turn, but for what other colonies must pay first (17.9).
    fn with(&self, plan: &ColonyPlan) -> Result<ProductionSheet, String> {
        let is_empty = plan.emigrants == 0 && plan.bonus == 0 && !plan.evacuate && plan.spending.is_empty();
        let mut sheet = self.sheet.clone();
        match sheet.colonies.iter_mut().find(|other| other.planet == plan.planet) {
            Some(other) => *other = plan.clone(),
            None => sheet.colonies.push(plan.clone()),
        }
        sheet.colonies.retain(|other| other.planet != plan.planet || !is_empty);
        let Err(refused) = self.reckon(&sheet) else { return Ok(sheet) };
        sheet.colonies.retain(|other| other.planet != plan.planet);
        sheet.colonies.push(plan.clone());
        self.reckon(&sheet).map(|_| sheet).map_err(|_| refused)
    }

    /// A colony's plan with so many of something, whatever there was of it before. Research comes first, since what is paid
    /// can be used at once.
    fn changed(&self, planet: PlanetId, buy: Buy, count: u32) -> ColonyPlan {
        let mut plan = self.plan(planet);
        plan.evacuate = false;
        match buy {
            Buy::Emigrants => {
                plan.emigrants = u16::try_from(count).unwrap_or(u16::MAX);
                plan.bonus = 0;
            }
            Buy::Item(item) => {
                set(&mut plan.spending, Spending::Build { item, count }, count);
            }
            Buy::Tech(tech) => {
                set(&mut plan.spending, Spending::Research(Payment { tech, points: count }), count);
            }
        }
        plan.spending.sort_by_key(|spending| matches!(spending, Spending::Build { .. }));
        plan
    }

    /// The emigrants' bonus comes along as far as it can be paid.
    fn with_bonus(&self, plan: &ColonyPlan) -> ColonyPlan {
        let most = self.accounts().and_then(|accounts| {
            let account = accounts.colonies.iter().find(|account| account.colony.planet == plan.planet)?;
            Some(account.colony.bonus(plan.emigrants))
        });
        let with = |bonus: u16| ColonyPlan { bonus, ..plan.clone() };
        (1..=most.unwrap_or(0)).rev().map(with).find(|plan| self.with(plan).is_ok()).unwrap_or_else(|| plan.clone())
    }

    /// Plans so many of something.
    pub(super) fn set(&mut self, buy: Buy, count: u32) -> Step {
        match self.place {
            Desk::Colony(planet) => {
                let mut plan = self.changed(planet, buy, count);
                if buy == Buy::Emigrants {
                    plan = self.with_bonus(&plan);
                }
                self.adopt(&plan)
            }
            Desk::Grant => {
                let Buy::Tech(tech) = buy else { return Step::Other };
                let mut sheet = self.sheet.clone();
                sheet.grant.retain(|payment| payment.tech != tech);
                if count > 0 {
                    sheet.grant.push(Payment { tech, points: count });
                }
                match self.reckon(&sheet) {
                    Ok(_) => self.take_sheet(sheet),
                    Err(why) => Step::Told(why),
                }
            }
            Desk::Overview | Desk::Posts => Step::Other,
        }
    }

    pub(super) fn adopt(&mut self, plan: &ColonyPlan) -> Step {
        match self.with(plan) {
            Ok(sheet) => self.take_sheet(sheet),
            Err(why) => Step::Told(why),
        }
    }

    fn take_sheet(&mut self, sheet: ProductionSheet) -> Step {
        self.sheet = sheet;
        self.asking = None;
        Step::Turned
    }

    /// The most of something that can be planned here, all that is planned of it already included.
    pub(super) fn most(&self, buy: Buy) -> u32 {
        let accounts = self.accounts();
        let of_grant = || self.case.choices.production.as_ref().map_or(0, |it| it.grant);
        let (limit, passes): (u32, Box<dyn Fn(u32) -> bool + '_>) = match (self.place, buy) {
            (Desk::Grant, Buy::Tech(tech)) => {
                let others: u32 = self.sheet.grant.iter().filter(|it| it.tech != tech).map(|it| it.points).sum();
                let passes = move |count| {
                    let mut sheet = self.sheet.clone();
                    sheet.grant.retain(|payment| payment.tech != tech);
                    sheet.grant.push(Payment { tech, points: count });
                    self.reckon(&sheet).is_ok()
                };
                (of_grant().saturating_sub(others), Box::new(passes))
            }
            (Desk::Colony(planet), _) => {
                let output = accounts.and_then(|it| Self::by_colony(&it).get(&planet).map(|account| account.output));
                (output.unwrap_or(0), Box::new(move |count| self.with(&self.changed(planet, buy, count)).is_ok()))
            }
            _ => return 0,
        };
        most(limit, passes)
    }

    /// How many of something are planned here.
    pub(super) fn planned(&self, buy: Buy) -> u32 {
        let of_plan = |plan: &ColonyPlan| {
            let counts = plan.spending.iter().map(|spending| match (spending, buy) {
                (Spending::Build { item, count }, Buy::Item(other)) if *item == other => *count,
                (Spending::Research(payment), Buy::Tech(tech)) if payment.tech == tech => payment.points,
                _ => 0,
            });
            if buy == Buy::Emigrants { u32::from(plan.emigrants) } else { counts.sum() }
        };
        match (self.place, buy) {
            (Desk::Colony(planet), _) => of_plan(&self.plan(planet)),
            (Desk::Grant, Buy::Tech(tech)) => {
                self.sheet.grant.iter().filter(|payment| payment.tech == tech).map(|payment| payment.points).sum()
            }
            _ => 0,
        }
    }

    /// The posts as they will stand.
    pub(super) fn posts(&self) -> Vec<StarId> {
        self.sheet.posts.clone().unwrap_or_else(|| match self.case.view.viewer() {
            heliopause_kernel::Viewer::Seat(seat) => self.case.view.table.posts_of(seat).collect(),
            _ => Vec::new(),
        })
    }

    pub(super) fn toggle_post(&mut self, star: StarId) -> Step {
        let mut posts = self.posts();
        match posts.iter().position(|other| *other == star) {
            Some(at) => {
                posts.remove(at);
            }
            None => posts.push(star),
        }
        let sheet = ProductionSheet { posts: Some(posts), ..self.sheet.clone() };
        match self.reckon(&sheet) {
            Ok(_) => self.take_sheet(sheet),
            Err(why) => Step::Told(why),
        }
    }

    /// The plan that those get who hand nothing in: factories and research.
    pub(super) fn take_usual(&mut self) -> Step {
        match StellarConquest::default_order(&self.case.view) {
            Some(Order::Produce(sheet)) => {
                let posts = self.sheet.posts.clone();
                self.take_sheet(ProductionSheet { posts, ..sheet })
            }
            _ => Step::Other,
        }
    }

    pub(super) fn hand_in(&self) -> Step {
        Step::Order { text: StellarConquest::notate(&Order::Produce(self.sheet.clone())), ready: true }
    }

    /// A whole sheet, or a part of a colony's plan, in the notation.
    pub(super) fn read(&mut self, line: &str) -> Option<Step> {
        if let Some(Order::Produce(sheet)) = super::parsed(&self.case, line) {
            return Some(match self.reckon(&sheet) {
                Ok(_) => self.take_sheet(sheet),
                Err(why) => Step::Told(why),
            });
        }
        let Desk::Colony(planet) = self.place else { return None };
        let name = crate::render::stellar_conquest::words::planet(planet);
        let Some(Order::Produce(part)) = super::parsed(&self.case, &format!("produce {name}: {line}")) else {
            return None;
        };
        let part = part.colonies.into_iter().next()?;
        let mut plan = self.plan(planet);
        if part.evacuate {
            return Some(self.adopt(&part));
        }
        if part.emigrants > 0 {
            (plan.emigrants, plan.bonus) = (part.emigrants, part.bonus);
        }
        for spending in part.spending {
            let count = match spending {
                Spending::Build { count, .. } => count,
                Spending::Research(payment) => payment.points,
            };
            set(&mut plan.spending, spending, count);
        }
        plan.spending.sort_by_key(|spending| matches!(spending, Spending::Build { .. }));
        Some(self.adopt(&plan))
    }
}

/// Puts a purchase on a list in place of an earlier one of the same thing; none of it takes that away.
fn set(list: &mut Vec<Spending>, wanted: Spending, count: u32) {
    let is_same = |other: &Spending| match (other, wanted) {
        (Spending::Build { item, .. }, Spending::Build { item: new, .. }) => *item == new,
        (Spending::Research(old), Spending::Research(new)) => old.tech == new.tech,
        _ => false,
    };
    match list.iter().position(is_same) {
        Some(at) if count == 0 => {
            list.remove(at);
        }
        Some(at) => list[at] = wanted,
        None if count > 0 => list.push(wanted),
        None => {}
    }
}

impl Guide for Planner {
    fn page(&self, style: &Style) -> String {
        colony::text(self, style)
    }

    fn take(&mut self, line: &str) -> Step {
        colony::take(self, line)
    }
}
