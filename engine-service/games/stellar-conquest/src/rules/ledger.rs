//! Rule 17: what a production sheet comes to, colony by colony and purchase by purchase. Judging a
//! sheet and carrying it out are the same calculation, so that a sheet that was accepted is carried
//! out as it was judged.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::judge::{Verdict, refuse};
use crate::rules::research::judge_payment;
use crate::state::colony::Colony;
use crate::state::power::Eyes;
use crate::state::research::Research;
use crate::state::sheet::{ColonyPlan, LINES_MAX, Payment, ProductionSheet, Spending};
use crate::tables::cards::PlanetId;
use crate::tables::prices::{Item, factory_limit};
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;
use crate::tables::technology::{Tech, TechSet};

/// A colony while its plan is carried out.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// To whom its people are loyal.
    pub(crate) owner: Seat,
    /// The colony, as it is so far.
    pub(crate) colony: Colony,
    /// Ships built.
    pub(crate) fleet: Fleet,
    /// Whether its garrison leaves (fate 8.7).
    pub(crate) evacuated: bool,
    /// Whether the seat holds it by conquest.
    held: bool,
    /// Its i.p.
    pub(crate) output: u32,
    /// i.p. that are left.
    pub(crate) left: u32,
}

/// What a sheet comes to.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    /// The research afterwards.
    pub(crate) research: Research,
    pub(crate) acquired: TechSet,
    /// The colonies that were planned for, in that order.
    pub(crate) sites: Vec<Site>,
}

impl Ledger {
    /// 17.5, 18: a payment into research, from these i.p.
    fn pay(&mut self, payment: Payment, left: &mut u32) -> Verdict {
        judge_payment(&self.research, payment)?;
        take(left, payment.points)?;
        let acquired = self.research.pay(payment.tech, payment.points);
        self.acquired = acquired.iter().fold(self.acquired, TechSet::with);
        Ok(())
    }
}

/// Takes i.p., if there are so many.
fn take(left: &mut u32, points: u32) -> Verdict {
    match left.checked_sub(points) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => refuse(
            "too-expensive",
            "17.5",
            format!("That costs {points} i.p., and {left} are left."),
        ),
    }
}

/// The ship that an item is.
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
    /// 17.4: people emigrate in transports that the colony builds; some more come along as a bonus.
    fn emigrate(&mut self, plan: &ColonyPlan) -> Verdict {
        let ColonyPlan { emigrants, bonus, .. } = *plan;
        if emigrants == 0 && bonus == 0 {
            return Ok(());
        }
        if self.colony.is_dominion() {
            return refuse("dominion", "fate-8.6", "Nobody emigrates from a dominion.");
        }
        self.judge_yard()?;
        if emigrants > self.colony.population {
            let message = format!("{}M people live there.", self.colony.population);
            return refuse("too-many", "17.4", message);
        }
        let most = self.colony.bonus(emigrants);
        if bonus > most {
            return refuse(
                "too-much-bonus",
                "17.4",
                format!("At most {most}M come along as a bonus."),
            );
        }
        let transports = u32::from(emigrants) + u32::from(bonus);
        take(&mut self.left, Item::ColonyTransport.price(transports, TechSet::NONE))?;
        self.colony.population -= emigrants;
        self.fleet.add(ShipKind::Transport, transports);
        Ok(())
    }

    /// Fate 8.7: the whole garrison of a dominion leaves, in transports that it builds itself: one
    /// million pays for one.
    fn evacuate(&mut self, plan: &ColonyPlan) -> Verdict {
        if !self.colony.is_dominion() {
            return refuse("no-dominion", "17", "Only a dominion has a garrison that can leave.");
        }
        if plan.emigrants > 0 || plan.bonus > 0 || !plan.spending.is_empty() {
            return refuse(
                "nothing-else",
                "fate-8.7",
                "A dominion that is left does nothing else.",
            );
        }
        self.judge_yard()?;
        self.evacuated = true;
        Ok(())
    }

    /// 14: no ships are built under siege, so that nobody emigrates either (BR-15).
    fn judge_yard(&self) -> Verdict {
        if self.colony.is_besieged() {
            return refuse("besieged", "14", "A colony under siege builds no ships.");
        }
        Ok(())
    }

    /// 17.5 to 17.7: builds something.
    fn build(&mut self, item: Item, count: u32, owned: TechSet) -> Verdict {
        if count == 0 {
            return refuse("nothing-built", "17.5", format!("No {item} is built."));
        }
        if item == Item::ColonyTransport {
            return refuse(
                "emigrate-instead",
                "17.4",
                "Transports are built for emigrants: plan so many emigrants.",
            );
        }
        if !item.is_allowed(owned) {
            return refuse(
                "technology-missing",
                "17.5",
                format!("The technology for a {item} is missing."),
            );
        }
        let price = self.price(item, count, owned);
        take(&mut self.left, price)?;
        match ship_of(item) {
            Some(kind) => {
                self.judge_yard()?;
                self.fleet.add(kind, count);
                Ok(())
            }
            None => self.install(item, count, owned),
        }
    }

    /// 17.5: the price; scouts are paired over all that the colony builds in this production turn.
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
            return refuse(
                "conquered",
                "15.3",
                "A conquered colony builds no bases and no shield.",
            );
        }
        match item {
            Item::MissileBase => colony.bases.missile += count,
            Item::AdvancedMissileBase => colony.bases.advanced += count,
            Item::PlanetShield if count > 1 || colony.shield => {
                return refuse("one-shield", "17.7", "A planet has one shield.");
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
                    return refuse(
                        "factory-limit",
                        "17.6",
                        format!("It may have {limit} factories."),
                    );
                }
                colony.factories += count;
            }
        }
        Ok(())
    }
}

impl Eyes<'_> {
    /// The colonies that this seat commands, with their owners: its own that are free, and those
    /// that it holds.
    pub(crate) fn commanded(&self) -> impl Iterator<Item = (Seat, &Colony)> {
        let seat = self.seat;
        let own = self
            .power
            .colonies
            .iter()
            .filter(|colony| colony.is_free())
            .map(move |colony| (seat, colony));
        own.chain(self.power.prizes.iter().map(|prize| (prize.owner, &prize.colony)))
    }

    /// 17.3: what a colony that this seat commands yields for it.
    pub(crate) fn output_of(&self, owner: Seat, colony: &Colony, owned: TechSet) -> u32 {
        let produces = owner == self.seat || self.table.campaign.conquered_colonies_produce();
        if produces { colony.output(owned) } else { 0 }
    }

    /// 17: what a sheet comes to; or why it is refused.
    pub(crate) fn ledger(&self, sheet: &ProductionSheet) -> Result<Ledger, Refusal> {
        let lines: usize = sheet.colonies.iter().map(|plan| plan.spending.len() + 1).sum();
        let posts = sheet.posts.as_ref().map_or(0, |posts| posts.stars.len());
        if lines > LINES_MAX || sheet.grant.len() > LINES_MAX || posts > LINES_MAX {
            return refuse("too-long", "17", "There are too many lines.");
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

    /// 17: one colony, which is handled completely before the next.
    fn carry_out(&self, ledger: &mut Ledger, plan: &ColonyPlan) -> Result<Site, Refusal> {
        let planet = plan.planet;
        let Some((owner, &colony)) = self.commanded().find(|(_, colony)| colony.planet == planet)
        else {
            return refuse("not-yours", "17", "You command no colony there.");
        };
        if ledger.sites.iter().any(|site| site.colony.planet == planet) {
            return refuse("named-twice", "17", "Each colony is handled once.");
        }
        let output = self.output_of(owner, &colony, ledger.research.owned);
        let held = owner != self.seat;
        let mut site = Site {
            owner,
            colony,
            fleet: Fleet::NONE,
            evacuated: false,
            held,
            output,
            left: output,
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

    /// 7.2: posts stand where a free colony is left when the production turn is over.
    fn judge_post_plan(&self, ledger: &Ledger, posts: &[StarId]) -> Verdict {
        if self.table.options.hidden_posts {
            return refuse(
                "no-posts",
                "7.7",
                "With hidden posts there are none to set up: your colonies give range.",
            );
        }
        let is_left = |planet: PlanetId| {
            let site = ledger.sites.iter().find(|site| site.colony.planet == planet);
            site.is_none_or(|site| site.colony.population > 0 && !site.evacuated)
        };
        for (nth, &star) in posts.iter().enumerate() {
            if posts[..nth].contains(&star) {
                return refuse("named-twice", "7.2", format!("{star} is named twice."));
            }
            if !self
                .power
                .colonies_of(star)
                .any(|colony| colony.is_free() && is_left(colony.planet))
            {
                return refuse(
                    "no-free-colony",
                    "7.2",
                    format!("A post needs a free colony of yours at {star}."),
                );
            }
        }
        Ok(())
    }

    /// The sheet of who hands none in: nobody emigrates; i.p. buy factories, once they are allowed,
    /// and then research, whatever needs least first.
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
                // Robotic Industry knows no limit: research must not wait for ever.
                let limit = factory_limit(workers, owned).min(2 * workers);
                let count = limit.saturating_sub(colony.factories).min(left / price);
                if count > 0 {
                    spending.push(Spending::Build { item: Item::Factory, count });
                    left -= count * price;
                }
            }
            spending.extend(invest(&mut research, left).into_iter().map(Spending::Research));
            if !spending.is_empty() {
                let planet = colony.planet;
                colonies.push(ColonyPlan {
                    planet,
                    emigrants: 0,
                    bonus: 0,
                    evacuate: false,
                    spending,
                });
            }
        }
        ProductionSheet { colonies, posts: None, grant }
    }
}

/// Pays i.p. into whatever open technology needs least, again and again.
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
