//! Rule 6.2: production turns by decree. Sheets contain the choices left to the players.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::campaign::outer_space::emigration::{Emigration, Taken};
use crate::rules::campaign::outer_space::market::{Market, SpendingLimits};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    Build, Colony, ColonyPlan, DecreeColony, DecreePlan, DecreeSheet, LINES_MAX, OwnEvent, Power,
    ProductionSheet, SeatView, Sheet, Stage, Table,
};
use crate::tables::PlanetId;
use crate::tables::outer_space::{Area, priorities};

/// Maximum number of weapons in a plan, more than any colony can buy.
const WEAPONS_MAX: u32 = 4_096;

struct Account {
    owner: Seat,
    colony: Colony,
    output: u32,
    emigration: Emigration,
}

impl Account {
    /// Returns the i.p. left after paying for transports, called R in the article.
    fn rest(&self) -> u32 {
        let transports = u32::from(self.emigration.emigrants) + u32::from(self.emigration.bonus);
        self.output.saturating_sub(transports)
    }
}

impl SeatView<'_> {
    pub(crate) fn draft(&self, sheet: &DecreeSheet) -> Result<ProductionSheet, Refusal> {
        let areas = self.areas()?;
        self.judge_names(sheet)?;
        self.judge_budgets(sheet)?;
        let mut desk = DecreePlanner::new(self);
        let mut colonies = Vec::new();
        for (owner, planet) in self.production_order() {
            let Some(account) = desk.open(owner, planet) else { continue };
            let plan = sheet.plans.iter().find(|plan| plan.planet == planet);
            colonies.push(desk.spend(&account, areas, plan)?);
        }
        Ok(ProductionSheet { colonies, posts: sheet.posts.clone(), grant: Vec::new() })
    }

    fn areas(&self) -> Result<[Area; 3], Refusal> {
        let politics = self.table.campaign.politics();
        let priority = politics.and_then(|politics| *politics.priorities.get(self.seat.index())?);
        match priority {
            Some(total) => Ok(priorities(total)),
            None => refuse!("no-priority"),
        }
    }

    fn judge_names(&self, sheet: &DecreeSheet) -> Verdict {
        let lines: usize = sheet.plans.iter().map(|plan| plan.weapons.len() + 1).sum();
        if lines > LINES_MAX {
            return refuse!("too-long/lines", lines, LINES_MAX);
        }
        for (nth, plan) in sheet.plans.iter().enumerate() {
            if sheet.plans[..nth].iter().any(|other| other.planet == plan.planet) {
                return refuse!("named-twice/colony", rule = "17", planet = plan.planet);
            }
            if !self.commanded().any(|(_, colony)| colony.planet == plan.planet) {
                return refuse!("not-yours/colony", planet = plan.planet);
            }
            let count =
                plan.weapons.iter().fold(0_u32, |sum, build| sum.saturating_add(build.count));
            if count > WEAPONS_MAX || plan.weapons.iter().any(|build| build.count == 0) {
                return refuse!("bad-count", WEAPONS_MAX, planet = plan.planet);
            }
        }
        Ok(())
    }

    /// Requires each budget to be within the offered range for its colony, regardless of other
    /// budgets (6.2).
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
                return refuse!(
                    "bad-budget",
                    least = colony.least,
                    most = colony.most,
                    planet,
                    budget
                );
            }
        }
        Ok(())
    }

    fn production_order(&self) -> Vec<(Seat, PlanetId)> {
        let own = self.youngest_first().map(|colony| (self.seat, colony.planet));
        own.chain(
            self.power.conquered_colonies.iter().map(|prize| (prize.owner, prize.colony.planet)),
        )
        .collect()
    }

    pub(crate) fn judge_decree(&self, sheet: &DecreeSheet) -> Verdict {
        if self.table.stage != Stage::Production || self.seat.index() >= self.table.players {
            return refuse!("wrong-phase/production");
        }
        self.ledger(&self.draft(sheet)?).map(|_| ())
    }

    pub(crate) fn decree_colonies(&self) -> Vec<DecreeColony> {
        let Ok(areas) = self.areas() else { return Vec::new() };
        let mut desk = DecreePlanner::new(self);
        let mut colonies = Vec::new();
        for (owner, planet) in self.production_order() {
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
                areas: areas.map(|area| market.effective_area(area)),
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

/// A planner that handles the colonies in order. Each colony uses what earlier colonies left over
/// (P7, DR-48).
struct DecreePlanner<'a> {
    seat: Seat,
    table: &'a Table,
    power: Power,
    taken: Taken,
}

impl<'a> DecreePlanner<'a> {
    fn new(seat_view: &SeatView<'a>) -> Self {
        Self {
            seat: seat_view.seat,
            table: seat_view.table,
            power: seat_view.power.clone(),
            taken: Taken::new(),
        }
    }

    fn open(&mut self, owner: Seat, planet: PlanetId) -> Option<Account> {
        let seat_view = SeatView { seat: self.seat, table: self.table, power: &self.power };
        let colony = *self.power.commanded(planet)?;
        let nobody = Emigration { planet, emigrants: 0, bonus: 0 };
        let own = owner == self.seat;
        let emigration =
            if own { seat_view.emigration_of(&colony, &mut self.taken) } else { nobody };
        let output = seat_view.output_of(owner, &colony, self.power.research.owned);
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

    fn spend(
        &mut self,
        account: &Account,
        areas: [Area; 3],
        plan: Option<&DecreePlan>,
    ) -> Result<ColonyPlan, Refusal> {
        let Emigration { planet, emigrants, bonus } = account.emigration;
        let rest = account.rest();
        let least = rest.div_ceil(2);
        // Choices for earlier colonies may have changed the range (P7).
        let budget =
            plan.and_then(|plan| plan.budget).map_or(least, |budget| budget.clamp(least, rest));
        let colony = Colony { population: account.colony.population - emigrants, ..account.colony };
        let mut market = self.market(account, colony, plan.map_or(&[], |plan| &plan.weapons));
        let [first, second, third] = areas.map(|area| market.effective_area(area));
        let left = rest - market.spend(first, SpendingLimits { budget, cap: rest, first: true })?;
        let small = left / 2;
        let spent =
            market.spend(third, SpendingLimits { budget: small, cap: small, first: false })?;
        let large = left - spent;
        let spent =
            market.spend(second, SpendingLimits { budget: large, cap: large, first: false })?;
        market.invest(large - spent);
        if !market.wishes.is_empty() {
            return refuse!("too-many/weapons", planet, count = market.wishes.len());
        }
        let spending = market.lines;
        if let Some(own) = self.power.colonies.iter_mut().find(|own| own.planet == planet) {
            own.population = colony.population;
        }
        Ok(ColonyPlan { emigrants, bonus, spending, ..ColonyPlan::new(planet) })
    }
}

pub(crate) fn store_decree(referee: &mut Referee<'_>, seat: Seat, sheet: DecreeSheet) {
    referee.publish_to_owner(OwnEvent::SheetStored { seat, sheet: Sheet::Decree(sheet) });
}
