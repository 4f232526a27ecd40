//! Rule 6.2: how one colony spends on an area.

use std::collections::VecDeque;

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::colony::Colony;
use crate::state::research::Research;
use crate::state::sheet::{Payment, Spending};
use crate::tables::outer_space::Area;
use crate::tables::prices::{Item, factory_limit};
use crate::tables::technology::Tech;

/// What colonies buy as weapons, cheapest first. Shields come before all of them (DR-10).
const WEAPONS: [Item; 6] = [
    Item::Scout,
    Item::MissileBase,
    Item::Corvette,
    Item::AdvancedMissileBase,
    Item::Fighter,
    Item::DeathStar,
];

/// How much may be spent on an area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// What is to be spent.
    pub(super) budget: u32,
    /// What may be.
    pub(super) cap: u32,
    /// Whether it is what comes first: then it may exceed its budget, and need not exhaust it.
    pub(super) first: bool,
}

/// A colony that spends.
pub(super) struct Market<'a> {
    pub(super) colony: Colony,
    /// Whether its holder has conquered it.
    pub(super) held: bool,
    pub(super) research: &'a mut Research,
    pub(super) agenda: &'a [Tech],
    /// The weapons that its owner has named, in order; if any, they must be all that come first.
    pub(super) wishes: VecDeque<Item>,
    pub(super) named: bool,
    pub(super) lines: Vec<Spending>,
    pub(super) scouts: u32,
}

impl Market<'_> {
    /// Spends on an area; says how much.
    pub(super) fn spend(&mut self, area: Area, block: Block) -> Result<u32, Refusal> {
        match area {
            Area::Factories => Ok(self.build_factories(block)),
            Area::Research => Ok(self.invest(block.budget)),
            Area::Weapons => self.arm(block),
        }
    }

    /// 6.2.1: what an area stands for now.
    pub(super) fn meaning(&self, area: Area) -> Area {
        let owned = self.research.owned;
        match area {
            Area::Factories if !Item::Factory.is_allowed(owned) => self.meaning(Area::Research),
            Area::Research if crate::rules::campaign::outer_space::research::is_complete(owned) => {
                Area::Weapons
            }
            Area::Factories | Area::Research | Area::Weapons => area,
        }
    }

    /// 6.2.4: into the title that is begun, then into the next ones.
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

    /// 6.2.5: what comes first rounds up.
    fn build_factories(&mut self, block: Block) -> u32 {
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

    /// What so many more of an item cost (DR-25).
    fn price(&self, item: Item, count: u32) -> u32 {
        let before = if item == Item::Scout { self.scouts } else { 0 };
        item.price(before + count, self.research.owned) - item.price(before, self.research.owned)
    }

    /// What can be bought here: no ships under siege, no bases on a conquered colony.
    pub(super) fn goods(&self) -> impl Iterator<Item = Item> + use<> {
        let owned = self.research.owned;
        let (besieged, held) = (self.colony.is_besieged(), self.held);
        let fits = move |item: &Item| {
            let base = matches!(item, Item::MissileBase | Item::AdvancedMissileBase);
            item.is_allowed(owned) && if base { !held } else { !besieged }
        };
        WEAPONS.into_iter().filter(fits)
    }

    /// 6.2.3: whether a shield can be bought.
    pub(super) fn lacks_shield(&self) -> bool {
        !self.held && !self.colony.shield && Item::PlanetShield.is_allowed(self.research.owned)
    }

    /// 6.2.3, 6.2.7: weapons: a shield if it is named, as many of the dearest as the budget pays,
    /// then cheaper ones.
    fn arm(&mut self, block: Block) -> Result<u32, Refusal> {
        let mut spent = self.raise_shield(block);
        let left = block.budget - spent;
        let dearest = self.goods().filter(|&item| self.price(item, 1) <= left).last();
        if let Some(item) = dearest {
            let count = crate::rules::most::most(left, |count| self.price(item, count) <= left);
            for _ in 0..count {
                self.expect(item)?;
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

    fn raise_shield(&mut self, block: Block) -> u32 {
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

    /// 6.2.3: the next weapon that is named must be the dearest.
    fn expect(&mut self, item: Item) -> Result<(), Refusal> {
        match self.wishes.pop_front() {
            Some(named) if named != item => refuse(
                "not-dearest",
                "space-6.2",
                format!("First as many as possible of the dearest: {item}."),
            ),
            None if self.named => refuse(
                "not-dearest",
                "space-6.2",
                format!("As many as possible are bought: {item}."),
            ),
            _ => Ok(()),
        }
    }

    /// The next weapon: the one that is named, or the dearest within what is needed, or the
    /// cheapest.
    fn choose(&mut self, open: &[Item], needed: u32, first: bool) -> Result<Item, Refusal> {
        match self.wishes.pop_front() {
            Some(item) if open.contains(&item) => Ok(item),
            Some(item) => refuse(
                "not-affordable",
                "space-6.2",
                format!("A {item} cannot be bought here now."),
            ),
            None if self.named && first => refuse(
                "below-budget",
                "space-6.2",
                format!("{needed} i.p. more are to be spent on weapons."),
            ),
            None => {
                let within = open.iter().rev().find(|&&item| self.price(item, 1) <= needed);
                Ok(within.or(open.first()).copied().unwrap_or(Item::Scout))
            }
        }
    }
}

/// What one of an item costs.
const fn each(item: Item) -> u32 {
    item.price(1, crate::tables::technology::TechSet::NONE)
}
