//! Rule 6.2: a production turn by decree. A sheet names what is left to choose; the rest is
//! computed.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::campaign::outer_space::emigration::{Emigration, Taken};
use crate::rules::campaign::outer_space::market::{Block, Market};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::colony::Colony;
use crate::state::event::OwnEvent;
use crate::state::power::{Eyes, Power};
use crate::state::sheet::{
    Build, ColonyPlan, DecreeColony, DecreePlan, DecreeSheet, LINES_MAX, ProductionSheet, Sheet,
};
use crate::state::table::{Stage, Table};
use crate::tables::cards::PlanetId;
use crate::tables::outer_space::{Area, priorities};

/// The most weapons that a plan may name; no colony can buy so many.
const WEAPONS_MAX: u32 = 4_096;

/// What a colony has to spend.
struct Account {
    owner: Seat,
    colony: Colony,
    output: u32,
    emigration: Emigration,
}

impl Account {
    /// R: what transports leave.
    fn rest(&self) -> u32 {
        let transports = u32::from(self.emigration.emigrants) + u32::from(self.emigration.bonus);
        self.output.saturating_sub(transports)
    }
}

impl Eyes<'_> {
    /// 6.2: the sheet that a decree comes to; or why it is refused.
    pub(crate) fn draft(&self, sheet: &DecreeSheet) -> Result<ProductionSheet, Refusal> {
        let areas = self.areas()?;
        self.judge_names(sheet)?;
        self.judge_budgets(sheet)?;
        let mut desk = Desk::new(self);
        let mut colonies = Vec::new();
        for (owner, planet) in self.in_turn() {
            let Some(account) = desk.open(owner, planet) else { continue };
            let plan = sheet.plans.iter().find(|plan| plan.planet == planet);
            colonies.push(desk.spend(&account, areas, plan)?);
        }
        Ok(ProductionSheet { colonies, posts: sheet.posts.clone(), grant: Vec::new() })
    }

    /// What comes first, second and third for this seat.
    fn areas(&self) -> Result<[Area; 3], Refusal> {
        let politics = self.table.campaign.politics();
        let priority = politics.and_then(|politics| *politics.priorities.get(self.seat.index())?);
        match priority {
            Some(total) => Ok(priorities(total)),
            None => refuse("no-priority", "space-6.2", "No production turn of yours is open."),
        }
    }

    fn judge_names(&self, sheet: &DecreeSheet) -> Verdict {
        let lines: usize = sheet.plans.iter().map(|plan| plan.weapons.len() + 1).sum();
        if lines > LINES_MAX {
            return refuse("too-long", "17", "There are too many lines.");
        }
        for (nth, plan) in sheet.plans.iter().enumerate() {
            if sheet.plans[..nth].iter().any(|other| other.planet == plan.planet) {
                return refuse("named-twice", "17", "Each colony is handled once.");
            }
            if !self.commanded().any(|(_, colony)| colony.planet == plan.planet) {
                return refuse("not-yours", "17", "You command no colony there.");
            }
            let count =
                plan.weapons.iter().fold(0_u32, |sum, build| sum.saturating_add(build.count));
            if count > WEAPONS_MAX || plan.weapons.iter().any(|build| build.count == 0) {
                return refuse(
                    "bad-count",
                    "space-6.2",
                    "Name how many of each weapon are bought.",
                );
            }
        }
        Ok(())
    }

    /// 6.2: a budget is one of those that were offered, whatever is chosen for the other colonies.
    fn judge_budgets(&self, sheet: &DecreeSheet) -> Verdict {
        let budgets = || sheet.plans.iter().filter_map(|plan| Some((plan.planet, plan.budget?)));
        if budgets().next().is_none() {
            return Ok(());
        }
        let offered = self.decree_colonies();
        for (planet, budget) in budgets() {
            let Some(colony) = offered.iter().find(|colony| colony.planet == planet) else {
                continue;
            };
            if !(colony.least..=colony.most).contains(&budget) {
                let message =
                    format!("What comes first gets from {} to {} i.p.", colony.least, colony.most);
                return refuse("bad-budget", "space-6.2", message);
            }
        }
        Ok(())
    }

    /// 6, DR-33: the colonies, with their owners, in the order in which they are handled.
    fn in_turn(&self) -> Vec<(Seat, PlanetId)> {
        let own = self.youngest_first().map(|colony| (self.seat, colony.planet));
        own.chain(self.power.prizes.iter().map(|prize| (prize.owner, prize.colony.planet)))
            .collect()
    }

    /// 6: the choices for a production turn by decree.
    pub(crate) fn judge_decree(&self, sheet: &DecreeSheet) -> Verdict {
        if self.table.stage != Stage::Production || self.seat.index() >= self.table.players {
            return refuse("wrong-phase", "17", "That is handed in in a production turn.");
        }
        self.ledger(&self.draft(sheet)?).map(|_| ())
    }

    /// What each colony leaves to choose.
    pub(crate) fn decree_colonies(&self) -> Vec<DecreeColony> {
        let Ok(areas) = self.areas() else { return Vec::new() };
        let mut desk = Desk::new(self);
        let mut colonies = Vec::new();
        for (owner, planet) in self.in_turn() {
            let Some(account) = desk.open(owner, planet) else { continue };
            let rest = account.rest();
            let market = desk.market(&account, account.colony, &[]);
            colonies.push(DecreeColony {
                planet,
                output: account.output,
                emigrants: account.emigration.emigrants,
                bonus: account.emigration.bonus,
                least: rest.div_ceil(2),
                most: rest,
                areas: areas.map(|area| market.meaning(area)),
                weapons: market.goods().collect(),
                shield: market.lacks_shield(),
            });
            if desk.spend(&account, areas, None).is_err() {
                debug_assert!(false, "what nobody chooses is legal");
            }
        }
        colonies
    }
}

/// P7, DR-48: a power's colonies are handled one after the other, each with the room, the people
/// and the technology that the earlier ones have left.
struct Desk<'a> {
    seat: Seat,
    table: &'a Table,
    /// The power as it is by now.
    power: Power,
    taken: Taken,
}

impl<'a> Desk<'a> {
    fn new(eyes: &Eyes<'a>) -> Self {
        Self { seat: eyes.seat, table: eyes.table, power: eyes.power.clone(), taken: Taken::new() }
    }

    /// What a colony yields, and whom it sends off.
    fn open(&mut self, owner: Seat, planet: PlanetId) -> Option<Account> {
        let eyes = Eyes { seat: self.seat, table: self.table, power: &self.power };
        let colony = *self.power.commanded(planet)?;
        let nobody = Emigration { planet, emigrants: 0, bonus: 0 };
        let own = owner == self.seat;
        let emigration = if own { eyes.emigration_of(&colony, &mut self.taken) } else { nobody };
        let output = eyes.output_of(owner, &colony, self.power.research.owned);
        Some(Account { owner, colony, output, emigration })
    }

    fn market(&mut self, account: &Account, colony: Colony, wishes: &[Build]) -> Market<'_> {
        Market {
            colony,
            held: account.owner != self.seat,
            research: &mut self.power.research,
            agenda: &self.power.agenda,
            wishes: wishes
                .iter()
                .flat_map(|build| std::iter::repeat_n(build.item, build.count as usize))
                .collect(),
            named: !wishes.is_empty(),
            lines: Vec::new(),
            scouts: 0,
        }
    }

    /// 6.2: what a colony spends. What it leaves is there for the next one.
    fn spend(
        &mut self,
        account: &Account,
        areas: [Area; 3],
        plan: Option<&DecreePlan>,
    ) -> Result<ColonyPlan, Refusal> {
        let Emigration { planet, emigrants, bonus } = account.emigration;
        let rest = account.rest();
        let least = rest.div_ceil(2);
        // P7: what was chosen for the colonies before may have changed what is left here.
        let budget =
            plan.and_then(|plan| plan.budget).map_or(least, |budget| budget.clamp(least, rest));
        let colony = Colony { population: account.colony.population - emigrants, ..account.colony };
        let mut market = self.market(account, colony, plan.map_or(&[], |plan| &plan.weapons));
        let [first, second, third] = areas.map(|area| market.meaning(area));
        let left = rest - market.spend(first, Block { budget, cap: rest, first: true })?;
        let small = left / 2;
        let spent = market.spend(third, Block { budget: small, cap: small, first: false })?;
        let large = left - spent;
        let spent = market.spend(second, Block { budget: large, cap: large, first: false })?;
        market.invest(large - spent);
        if !market.wishes.is_empty() {
            return refuse("too-many", "space-6.2", "More weapons are named than can be bought.");
        }
        let spending = market.lines;
        if let Some(own) = self.power.colonies.iter_mut().find(|own| own.planet == planet) {
            own.population = colony.population;
        }
        Ok(ColonyPlan { planet, emigrants, bonus, evacuate: false, spending })
    }
}

pub(crate) fn store_decree(referee: &mut Referee<'_>, seat: Seat, sheet: DecreeSheet) {
    referee.whisper(OwnEvent::SheetStored { seat, sheet: Sheet::Decree(sheet) });
}
