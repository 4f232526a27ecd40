//! Rule 17: the result of a production sheet, colony by colony and purchase by purchase. Judging a
//! sheet and carrying it out share this calculation, so a sheet is always carried out as judged.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::judge::{Verdict, refuse};
use crate::rules::research::judge_payment;
use crate::state::{
    Colony, ColonyPlan, LINES_MAX, Payment, ProductionSheet, Research, SeatView, Spending,
};
use crate::tables::{Fleet, Item, PlanetId, ShipKind, StarId, Tech, TechSet, factory_limit};

#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The seat to which the colony's people are loyal.
    pub(crate) owner: Seat,
    pub(crate) colony: Colony,
    pub(crate) fleet: Fleet,
    /// Whether the garrison leaves (fate 8.7).
    pub(crate) evacuated: bool,
    held: bool,
    pub(crate) left: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    pub(crate) research: Research,
    pub(crate) acquired: TechSet,
    /// The colonies, in the order of the plan.
    pub(crate) sites: Vec<Site>,
}

impl Ledger {
    fn pay(&mut self, payment: Payment, left: &mut u32) -> Verdict {
        judge_payment(&self.research, payment)?;
        take(left, payment.points)?;
        let acquired = self.research.pay(payment.tech, payment.points);
        self.acquired = acquired.iter().fold(self.acquired, TechSet::with);
        Ok(())
    }
}

fn take(left: &mut u32, points: u32) -> Verdict {
    match left.checked_sub(points) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => refuse!("too-expensive", points, left),
    }
}

const fn ship_of(item: Item) -> Option<ShipKind> {
    match item {
        Item::Scout => Some(ShipKind::Scout),
        Item::ColonyTransport => Some(ShipKind::Transport),
        Item::Corvette => Some(ShipKind::Corvette),
        Item::Fighter => Some(ShipKind::Fighter),
        Item::DeathStar => Some(ShipKind::DeathStar),
        Item::Factory | Item::MissileBase | Item::AdvancedMissileBase | Item::PlanetShield => None,
    }
}

impl Site {
    fn emigrate(&mut self, plan: &ColonyPlan) -> Verdict {
        let ColonyPlan { emigrants, bonus, .. } = *plan;
        if emigrants == 0 && bonus == 0 {
            return Ok(());
        }
        if self.colony.is_dominion() {
            return refuse!("dominion", planet = plan.planet);
        }
        self.judge_shipbuilding()?;
        if emigrants > self.colony.population {
            return refuse!(
                "too-many/emigrants",
                emigrants,
                planet = plan.planet,
                population = self.colony.population
            );
        }
        let most = self.colony.bonus(emigrants);
        if bonus > most {
            return refuse!("too-much-bonus", emigrants, planet = plan.planet, most, bonus);
        }
        let transports = u32::from(emigrants) + u32::from(bonus);
        take(&mut self.left, Item::ColonyTransport.price(transports, TechSet::NONE))?;
        self.colony.population -= emigrants;
        self.fleet.add(ShipKind::Transport, transports);
        Ok(())
    }

    /// Evacuates a dominion. Each million of the garrison pays one i.p. for its own transport (fate
    /// 8.7).
    fn evacuate(&mut self, plan: &ColonyPlan) -> Verdict {
        if !self.colony.is_dominion() {
            return refuse!("no-dominion", planet = plan.planet);
        }
        if plan.emigrants > 0 || plan.bonus > 0 || !plan.spending.is_empty() {
            return refuse!("nothing-else", planet = plan.planet);
        }
        self.judge_shipbuilding()?;
        self.evacuated = true;
        Ok(())
    }

    /// Rejects shipbuilding under siege, which also rules out emigration (rule 14, BR-15).
    fn judge_shipbuilding(&self) -> Verdict {
        if self.colony.is_besieged() {
            return refuse!("besieged", planet = self.colony.planet);
        }
        Ok(())
    }

    fn build(&mut self, item: Item, count: u32, owned: TechSet) -> Verdict {
        if count == 0 {
            return refuse!("nothing-built", item);
        }
        if item == Item::ColonyTransport {
            return refuse!("emigrate-instead");
        }
        if !item.is_allowed(owned) {
            return refuse!("technology-missing", item);
        }
        let price = self.price(item, count, owned);
        take(&mut self.left, price)?;
        match ship_of(item) {
            Some(kind) => {
                self.judge_shipbuilding()?;
                self.fleet.add(kind, count);
                Ok(())
            }
            None => self.install(item, count, owned),
        }
    }

    /// Returns the price of `count` more items. Scouts are paired over the whole production turn
    /// (rule 17.5).
    fn price(&self, item: Item, count: u32, owned: TechSet) -> u32 {
        if item != Item::Scout {
            return item.price(count, owned);
        }
        let before = self.fleet.count(ShipKind::Scout);
        item.price(before.saturating_add(count), owned) - item.price(before, owned)
    }

    fn install(&mut self, item: Item, count: u32, owned: TechSet) -> Verdict {
        let colony = &mut self.colony;
        if self.held && item != Item::Factory {
            return refuse!("conquered/bases", planet = colony.planet);
        }
        match item {
            Item::MissileBase => colony.bases.missile += count,
            Item::AdvancedMissileBase => colony.bases.advanced += count,
            Item::PlanetShield if count > 1 || colony.shield => {
                return refuse!("one-shield", planet = colony.planet);
            }
            Item::PlanetShield => colony.shield = true,
            Item::Factory
            | Item::ColonyTransport
            | Item::Scout
            | Item::Corvette
            | Item::Fighter
            | Item::DeathStar => {
                let limit = factory_limit(u32::from(colony.workers()), owned);
                if colony.factories.saturating_add(count) > limit {
                    return refuse!(
                        "factory-limit",
                        planet = colony.planet,
                        limit,
                        factories = colony.factories
                    );
                }
                colony.factories += count;
            }
        }
        Ok(())
    }
}

impl SeatView<'_> {
    /// Returns the colonies that this seat controls, free or conquered, with their owners.
    pub(crate) fn commanded(&self) -> impl Iterator<Item = (Seat, &Colony)> {
        let seat = self.seat;
        let own = self
            .power
            .colonies
            .iter()
            .filter(|colony| colony.is_free())
            .map(move |colony| (seat, colony));
        own.chain(self.power.conquered_colonies.iter().map(|prize| (prize.owner, &prize.colony)))
    }

    pub(crate) fn output_of(&self, owner: Seat, colony: &Colony, owned: TechSet) -> u32 {
        let produces = owner == self.seat || self.table.campaign.conquered_colonies_produce();
        if produces { colony.output(owned) } else { 0 }
    }

    pub(crate) fn ledger(&self, sheet: &ProductionSheet) -> Result<Ledger, Refusal> {
        let lines: usize = sheet.colonies.iter().map(|plan| plan.spending.len() + 1).sum();
        let posts = sheet.posts.as_ref().map_or(0, |posts| posts.stars.len());
        let longest = lines.max(sheet.grant.len()).max(posts);
        if longest > LINES_MAX {
            return refuse!("too-long/lines", lines = longest, LINES_MAX);
        }
        let mut ledger =
            Ledger { research: self.power.research, acquired: TechSet::NONE, sites: Vec::new() };
        let mut grant = self.power.grant;
        for &payment in &sheet.grant {
            ledger.pay(payment, &mut grant)?;
        }
        for plan in &sheet.colonies {
            let site = self.carry_out(&mut ledger, plan)?;
            ledger.sites.push(site);
        }
        if let Some(posts) = &sheet.posts {
            self.judge_post_plan(&ledger, &posts.stars)?;
        }
        Ok(ledger)
    }

    fn carry_out(&self, ledger: &mut Ledger, plan: &ColonyPlan) -> Result<Site, Refusal> {
        let planet = plan.planet;
        let Some((owner, &colony)) = self.commanded().find(|(_, colony)| colony.planet == planet)
        else {
            return refuse!("not-yours/colony", planet);
        };
        if ledger.sites.iter().any(|site| site.colony.planet == planet) {
            return refuse!("named-twice/colony", rule = "17", planet);
        }
        let held = owner != self.seat;
        let mut site = Site {
            owner,
            colony,
            fleet: Fleet::NONE,
            evacuated: false,
            held,
            left: self.output_of(owner, &colony, ledger.research.owned),
        };
        if plan.evacuate {
            site.evacuate(plan)?;
            return Ok(site);
        }
        site.emigrate(plan)?;
        for &spending in &plan.spending {
            match spending {
                Spending::Build { item, count } => {
                    site.build(item, count, ledger.research.owned)?;
                }
                Spending::Research(payment) => ledger.pay(payment, &mut site.left)?,
            }
        }
        Ok(site)
    }

    fn judge_post_plan(&self, ledger: &Ledger, posts: &[StarId]) -> Verdict {
        if self.table.options.hidden_posts {
            return refuse!("no-posts");
        }
        let is_left = |planet: PlanetId| {
            let site = ledger.sites.iter().find(|site| site.colony.planet == planet);
            site.is_none_or(|site| site.colony.population > 0 && !site.evacuated)
        };
        for (nth, &star) in posts.iter().enumerate() {
            if posts[..nth].contains(&star) {
                return refuse!("named-twice/star", star);
            }
            if !self
                .power
                .colonies_of(star)
                .any(|colony| colony.is_free() && is_left(colony.planet))
            {
                return refuse!("no-free-colony", star);
            }
        }
        Ok(())
    }

    /// Returns the default sheet: factories if allowed, then the cheapest research.
    pub(crate) fn default_production(&self) -> ProductionSheet {
        let mut research = self.power.research;
        let grant = invest(&mut research, self.power.grant);
        let mut colonies = Vec::new();
        for (owner, colony) in self.commanded() {
            let owned = research.owned;
            let mut left = self.output_of(owner, colony, owned);
            let mut spending = Vec::new();
            if Item::Factory.is_allowed(owned) {
                let price = Item::Factory.price(1, owned);
                let workers = u32::from(colony.workers());
                // With Robotic Industry, factories are unlimited. Without a limit here, they would
                // use up the i.p. for research in every turn.
                let limit = factory_limit(workers, owned).min(2 * workers);
                let count = limit.saturating_sub(colony.factories).min(left / price);
                if count > 0 {
                    spending.push(Spending::Build { item: Item::Factory, count });
                    left -= count * price;
                }
            }
            spending.extend(invest(&mut research, left).into_iter().map(Spending::Research));
            if !spending.is_empty() {
                colonies.push(ColonyPlan { spending, ..ColonyPlan::new(colony.planet) });
            }
        }
        ProductionSheet { colonies, posts: None, grant }
    }
}

fn invest(research: &mut Research, mut points: u32) -> Vec<Payment> {
    let mut payments = Vec::new();
    while points > 0 {
        let open = Tech::ALL.into_iter().filter(|&tech| research.judge(tech, 1).is_ok());
        let Some(tech) = open.min_by_key(|&tech| research.missing(tech)) else { break };
        let paid = points.min(research.missing(tech));
        research.pay(tech, paid);
        payments.push(Payment { tech, points: paid });
        points -= paid;
    }
    payments
}
