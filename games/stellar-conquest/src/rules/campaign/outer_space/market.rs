//! Rule 6.2: how a colony spends its i.p. on an area.

use std::collections::VecDeque;

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::{Colony, Payment, Research, Spending};
use crate::tables::outer_space::Area;
use crate::tables::{Item, Tech, factory_limit};

/// Weapons from the cheapest to the most expensive. Shields take precedence over all of them
/// (DR-10).
const WEAPONS: [Item; 6] = [
    Item::Scout,
    Item::MissileBase,
    Item::Corvette,
    Item::AdvancedMissileBase,
    Item::Fighter,
    Item::DeathStar,
];

#[derive(Clone, Copy, Debug)]
pub(super) struct SpendingLimits {
    pub(super) budget: u32,
    pub(super) cap: u32,
    /// Whether this is the top priority. Spending on the top priority stops once it reaches the
    /// budget. The last purchase may exceed the budget, up to the cap.
    pub(super) first: bool,
}

pub(super) struct Market<'a> {
    pub(super) colony: Colony,
    pub(super) held: bool,
    pub(super) research: &'a mut Research,
    pub(super) agenda: &'a [Tech],
    /// Weapons named by the owner, in order. They must use up the top priority's budget.
    pub(super) wishes: VecDeque<Item>,
    pub(super) named: bool,
    pub(super) lines: Vec<Spending>,
    pub(super) scouts: u32,
}

impl Market<'_> {
    pub(super) fn spend(&mut self, area: Area, block: SpendingLimits) -> Result<u32, Refusal> {
        match area {
            Area::Factories => Ok(self.build_factories(block)),
            Area::Research => Ok(self.invest(block.budget)),
            Area::Weapons => self.arm(block),
        }
    }

    /// Returns the area itself, or its replacement while nothing can be bought in the area (6.2.1).
    pub(super) fn effective_area(&self, area: Area) -> Area {
        let owned = self.research.owned;
        match area {
            Area::Factories if !Item::Factory.is_allowed(owned) => {
                self.effective_area(Area::Research)
            }
            Area::Research if crate::rules::campaign::outer_space::research::is_complete(owned) => {
                Area::Weapons
            }
            Area::Factories | Area::Research | Area::Weapons => area,
        }
    }

    /// Pays into the title in progress, then into the next ones (6.2.4). Returns the i.p. paid.
    pub(super) fn invest(&mut self, points: u32) -> u32 {
        let mut left = points;
        while left > 0 {
            let next =
                self.agenda.iter().copied().find(|&tech| self.research.judge(tech, 1).is_ok());
            let Some(tech) = next else { break };
            let paid = left.min(self.research.missing(tech));
            self.research.pay(tech, paid);
            self.pay_line(tech, paid);
            left -= paid;
        }
        points - left
    }

    fn pay_line(&mut self, tech: Tech, points: u32) {
        if let Some(Spending::Research(last)) = self.lines.last_mut()
            && last.tech == tech
        {
            last.points += points;
            return;
        }
        self.lines.push(Spending::Research(Payment { tech, points }));
    }

    /// Builds factories and returns their price. The top priority rounds their number up (6.2.5).
    fn build_factories(&mut self, block: SpendingLimits) -> u32 {
        let owned = self.research.owned;
        let price = Item::Factory.price(1, owned);
        let limit = factory_limit(u32::from(self.colony.workers()), owned)
            .saturating_sub(self.colony.factories);
        let wanted = if block.first { block.budget.div_ceil(price) } else { block.budget / price };
        let count = wanted.min(limit).min(block.cap / price);
        self.colony.factories += count;
        self.build(Item::Factory, count);
        count * price
    }

    fn build(&mut self, item: Item, count: u32) {
        if count == 0 {
            return;
        }
        if item == Item::Scout {
            self.scouts += count;
        }
        if let Some(Spending::Build { item: last, count: before }) = self.lines.last_mut()
            && *last == item
        {
            *before += count;
            return;
        }
        self.lines.push(Spending::Build { item, count });
    }

    /// Returns the price of `count` additional items. Scouts are paired (DR-25).
    fn price(&self, item: Item, count: u32) -> u32 {
        let before = if item == Item::Scout { self.scouts } else { 0 };
        item.price(before + count, self.research.owned) - item.price(before, self.research.owned)
    }

    pub(super) fn goods(&self) -> impl Iterator<Item = Item> + use<> {
        let owned = self.research.owned;
        let (besieged, held) = (self.colony.is_besieged(), self.held);
        let fits = move |item: &Item| {
            let base = matches!(item, Item::MissileBase | Item::AdvancedMissileBase);
            item.is_allowed(owned) && if base { !held } else { !besieged }
        };
        WEAPONS.into_iter().filter(fits)
    }

    pub(super) fn lacks_shield(&self) -> bool {
        !self.held && !self.colony.shield && Item::PlanetShield.is_allowed(self.research.owned)
    }

    /// Buys a shield if named, then the most expensive weapons possible (6.2.3, 6.2.7). Returns the
    /// i.p. spent.
    fn arm(&mut self, block: SpendingLimits) -> Result<u32, Refusal> {
        let mut spent = self.buy_shield(block);
        let left = block.budget - spent;
        let dearest = self.goods().filter(|&item| self.price(item, 1) <= left).last();
        if let Some(item) = dearest {
            let count = crate::rules::most::most(left, |count| self.price(item, count) <= left);
            for _ in 0..count {
                self.expect(item, count)?;
            }
            spent += self.price(item, count);
            self.build(item, count);
        }
        while !(block.first && spent >= block.budget) {
            let left = block.cap - spent;
            let cheaper = |item: &Item| dearest.is_none_or(|dearest| each(*item) < each(dearest));
            let open: Vec<Item> =
                self.goods().filter(cheaper).filter(|&item| self.price(item, 1) <= left).collect();
            if open.is_empty() {
                break;
            }
            let needed = if block.first { block.budget - spent } else { left };
            let item = self.choose(&open, needed, block.first)?;
            spent += self.price(item, 1);
            self.build(item, 1);
        }
        Ok(spent)
    }

    fn buy_shield(&mut self, block: SpendingLimits) -> u32 {
        let price = self.price(Item::PlanetShield, 1);
        if self.wishes.front() != Some(&Item::PlanetShield)
            || !self.lacks_shield()
            || price > block.budget
        {
            return 0;
        }
        self.wishes.pop_front();
        self.colony.shield = true;
        self.build(Item::PlanetShield, 1);
        price
    }

    fn expect(&mut self, item: Item, count: u32) -> Result<(), Refusal> {
        match self.wishes.pop_front() {
            Some(named) if named != item => refuse!("not-dearest", count, item),
            None if self.named => refuse!("not-dearest/fewer", count, item),
            _ => Ok(()),
        }
    }

    /// Returns the next named weapon if it can be bought. If no weapon is named, returns the most
    /// expensive one within `needed`, or else the cheapest one. Fails if weapons are named but do
    /// not use up the budget of the top priority.
    fn choose(&mut self, open: &[Item], needed: u32, first: bool) -> Result<Item, Refusal> {
        match self.wishes.pop_front() {
            Some(item) if open.contains(&item) => Ok(item),
            Some(item) => {
                let open: Vec<&str> = open.iter().map(|item| item.as_str()).collect();
                refuse!("not-affordable", item, open = open.join(", "))
            }
            None if self.named && first => {
                refuse!("below-budget", needed)
            }
            None => {
                let within = open.iter().rev().find(|&&item| self.price(item, 1) <= needed);
                Ok(within.or(open.first()).copied().unwrap_or(Item::Scout))
            }
        }
    }
}

const fn each(item: Item) -> u32 {
    item.price(1, crate::tables::technology::TechSet::NONE)
}
