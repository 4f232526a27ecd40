//! Choices in a production turn: emigration, building, research and posts.

use crate::client::choices::kinds::{Choices, ColonyChoices, ProductionChoices};
use crate::rules::most::most;
use crate::state::{Colony, ColonyPlan, Order, Payment, ProductionSheet, SeatView, Spending};
use crate::tables::{Item, Tech};

fn only(plan: ColonyPlan) -> ProductionSheet {
    ProductionSheet { colonies: vec![plan], ..ProductionSheet::default() }
}

impl SeatView<'_> {
    pub(super) fn offer_production(&self, choices: &mut Choices) {
        if self.table.campaign.politics().is_some() {
            return self.offer_decree(choices);
        }
        let nothing = ProductionSheet::default();
        if self.judge_production(&nothing).is_err() {
            return;
        }
        self.list(choices, Order::Produce(nothing.clone()), "produce-nothing", &[]);
        let usual = self.default_production();
        if usual != nothing {
            self.list(choices, Order::Produce(usual), "produce-as-usual", &[]);
        }
        let research = self.power.research;
        let open = |tech: &Tech| !research.has(*tech) && research.owned.opens(*tech);
        let missing = |tech| Payment { tech, points: research.missing(tech) };
        let free = self.power.colonies.iter().filter(|colony| colony.is_free());
        let held = self.power.conquered_colonies.iter().map(|prize| &prize.colony);
        let hidden = self.table.options.hidden_posts;
        choices.production = Some(ProductionChoices {
            colonies: free.chain(held).map(|colony| self.colony_choices(colony)).collect(),
            research: Tech::ALL.into_iter().filter(open).map(missing).collect(),
            posts: if hidden { Vec::new() } else { self.post_stars() },
            grant: self.power.grant,
        });
    }

    fn colony_choices(&self, colony: &Colony) -> ColonyChoices {
        let plan = ColonyPlan::new(colony.planet);
        let legal = |plan: ColonyPlan| self.judge_production(&only(plan)).is_ok();
        let own = self.power.colony(colony.planet).is_some();
        let produces = own || self.table.campaign.conquered_colonies_produce();
        let output = if produces { colony.output(self.power.research.owned) } else { 0 };
        let emigrants = most(u32::from(colony.population), |count| {
            legal(ColonyPlan { emigrants: count as u16, ..plan.clone() })
        });
        let builds = |item, count| {
            legal(ColonyPlan { spending: vec![Spending::Build { item, count }], ..plan.clone() })
        };
        // Every item costs at least 1 i.p., even a scout in a pair, so `output` bounds the count.
        let items = Item::ALL.into_iter().filter(|&item| item != Item::ColonyTransport);
        let items = items
            .map(|item| (item, most(output, |count| builds(item, count))))
            .filter(|&(_, count)| count > 0);
        let bonus_limit =
            if colony.bonus(u16::MAX) > 0 { colony.grown.saturating_add(3) } else { 0 };
        ColonyChoices {
            planet: colony.planet,
            output,
            emigrants: emigrants as u16,
            bonus_limit,
            items: items.collect(),
            evacuate: colony.is_dominion() && legal(ColonyPlan { evacuate: true, ..plan }),
        }
    }
}
