//! What orders cost, and what is available to pay for them.

use std::collections::BTreeSet;
use std::fmt;

use super::{Chosen, Kind, Offer, Offers, Phrase, Value, ValueId};

/// The units of all games. The contract lists them for clients.
pub const UNITS: [&str; 8] =
    ["RU", "t", "i.p.", "half points", "builds", "removals", "starships", "fuel"];

/// An amount of something, such as 12 RU.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amount {
    pub amount: u32,
    pub unit: Phrase,
}

impl Amount {
    pub fn new(amount: u32, unit: impl Into<Phrase>) -> Self {
        Self { amount, unit: unit.into() }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount, self.unit)
    }
}

/// What orders spend, such as the RU of a world.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stock {
    pub name: String,
    /// The available amount, before orders that are kept until the phase closes.
    pub available: Amount,
    /// Whether an order that costs more is legal, and is executed as far as the stock pays.
    pub partial: bool,
}

impl Stock {
    pub fn new(name: impl Into<String>, amount: u32, unit: impl Into<Phrase>) -> Self {
        Self { name: name.into(), available: Amount::new(amount, unit), partial: false }
    }
}

/// An index into the stocks of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StockId(pub u32);

/// The cost of a filled offer, and the stocks that pay for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cost {
    pub amount: i64,
    pub available: i64,
    pub unit: Phrase,
    pub stocks: BTreeSet<StockId>,
    /// Whether an order that costs more than is available is legal.
    pub partial: bool,
}

impl<O> Offers<O> {
    pub fn stock(&self, id: StockId) -> Option<&Stock> {
        self.stocks.get(id.0 as usize)
    }

    /// Returns the amounts and the note of a value as text, such as "10 RU, 15 t".
    pub fn facts(&self, value: &Value) -> String {
        let stock = value.stock.and_then(|id| self.stock(id));
        let amounts = value.price.iter().chain(&value.size).map(ToString::to_string);
        let stock = stock.map(|stock| format!("{} available", stock.available));
        let note = (!value.note.is_empty()).then(|| value.note.clone());
        amounts.chain(stock).chain(note).collect::<Vec<_>>().join(", ")
    }

    /// Returns the cost of an offer with these choices, one per slot. Empty slots cost nothing.
    /// Returns `None` without a stock, or if the offer has no prices.
    pub fn cost(&self, offer: &Offer<O>, chosen: &[Chosen]) -> Option<Cost> {
        let picked = chosen.iter().flat_map(|chosen| match chosen {
            Chosen::Values(values) => values.as_slice(),
            _ => &[],
        });
        let picked: Vec<&Value> = picked.filter_map(|id| self.value(*id)).collect();
        let stocks: BTreeSet<StockId> =
            picked.iter().filter_map(|value| value.stock).chain(offer.stock).collect();
        let payers = || stocks.iter().filter_map(|id| self.stock(*id));
        let unit = payers().next()?.available.unit.clone();
        if !self.is_priced(offer, true) {
            return None;
        }
        let (mut amount, mut times) = (i64::from(offer.price), 1);
        for (slot, chosen) in offer.slots.iter().zip(chosen) {
            match (&slot.kind, chosen) {
                (Kind::Number(range), Chosen::Number(number)) if range.multiplies => {
                    times *= i64::from(*number);
                }
                (Kind::Number(range), Chosen::Number(number)) => {
                    amount += i64::from(range.cost) * i64::from(*number);
                }
                (Kind::Shares(shares), Chosen::Numbers(numbers)) => {
                    let shares = shares.shares.iter().zip(numbers);
                    amount += shares.map(|(share, number)| share.cost_of(*number)).sum::<i64>();
                }
                _ => {}
            }
        }
        let prices = picked.iter().filter_map(|value| value.price.as_ref());
        amount += times * prices.map(|price| i64::from(price.amount)).sum::<i64>();
        if offer.divisor > 0 {
            // Rounded up. `div_ceil` of signed integers is unstable.
            amount = (amount.max(1) - 1) / i64::from(offer.divisor) + 1;
        }
        let available = payers().map(|stock| i64::from(stock.available.amount)).sum();
        let partial = payers().any(|stock| stock.partial);
        Some(Cost { amount, available, unit, stocks, partial })
    }

    /// Returns whether an offer has prices. Shares without a stock only limit their sum.
    fn is_priced(&self, offer: &Offer<O>, with_shares: bool) -> bool {
        let has_price = |id: &ValueId| self.value(*id).is_some_and(|value| value.price.is_some());
        let is_priced = |kind: &Kind| match kind {
            Kind::Number(range) => range.cost > 0,
            Kind::Shares(shares) => shares
                .shares
                .iter()
                .any(|one| !one.costs.is_empty() || (with_shares && one.cost > 0)),
            Kind::Free(_) => false,
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                self.list(picks.list).iter().any(has_price)
            }
        };
        offer.price > 0 || offer.slots.iter().any(|slot| is_priced(&slot.kind))
    }

    /// Checks that each price has a stock, and that the prices and stocks of an offer have one
    /// unit.
    pub(super) fn check_cost(&self, offer: &Offer<O>) -> Result<(), String> {
        let values = offer.slots.iter().flat_map(|slot| self.values_of(slot));
        let values: Vec<&Value> = values.filter_map(|id| self.value(*id)).collect();
        let mut units: BTreeSet<&str> = BTreeSet::new();
        for id in values.iter().filter_map(|value| value.stock).chain(offer.stock) {
            let stock = self.stock(id).ok_or_else(|| format!("stock {} does not exist", id.0))?;
            units.insert(&stock.available.unit);
        }
        if units.is_empty() && self.is_priced(offer, false) {
            return Err("a price has no stock that pays it".to_owned());
        }
        let prices = values.iter().filter_map(|value| value.price.as_ref());
        units.extend(prices.map(|price| price.unit.as_ref()));
        if units.len() > 1 || units.contains("") {
            return Err(format!("prices and stocks must have one unit, found {units:?}"));
        }
        Ok(())
    }
}
