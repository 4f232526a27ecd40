//! A seat's possible orders, as sentences with slots.
//!
//! **Invariant.** Slots are independent: every valid filling of an offer's slots is an order that
//! [`Game::judge`](crate::Game::judge) accepts. If the values of a slot depend on another slot,
//! there are several offers.

mod alone;
mod check;
mod cost;
mod draft;
mod fill;
mod form;
mod read;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use cost::{Amount, Cost, Stock, StockId, UNITS};
pub use draft::Draft;
pub use fill::{Chosen, FillError};
pub use form::{Argument, Choice, Form, Sentence, Sort, fill};

/// A string, usually static.
pub type Phrase = Cow<'static, str>;

/// The possible orders of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offers<O> {
    pub list: Vec<Offer<O>>,
    /// Whether every legal order matches an offer, apart from alternative notations.
    pub complete: bool,
    pub sheet: bool,
    /// The values of slots, and the places and pieces of offers.
    pub values: Vec<Value>,
    pub lists: Vec<Vec<ValueId>>,
    pub groups: Vec<String>,
    pub stocks: Vec<Stock>,
}

/// An index into the values of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(pub u32);

/// An index into the lists of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ListId(pub u32);

/// An index into the headings of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GroupId(pub u32);

/// A value for a slot.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Value {
    pub text: String,
    /// The display name. Empty if equal to `text`.
    pub label: String,
    /// A fact that helps to choose and is not an amount. May be empty.
    pub note: String,
    pub price: Option<Amount>,
    pub size: Option<Amount>,
    /// The stock that pays if the value is chosen.
    pub stock: Option<StockId>,
}

impl Value {
    pub fn new(text: impl Into<String>, label: impl Into<String>) -> Self {
        Self { text: text.into(), label: label.into(), ..Self::default() }
    }

    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.text } else { &self.label }
    }
}

/// The importance of an offer for the player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Weight {
    /// An offer about the subject of the decision.
    Main,
    #[default]
    Usual,
    Minor,
    End,
    Grave,
}

/// A possible order, as a sentence with slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer<O> {
    /// A keyword that identifies offers of this form within the game.
    pub key: Phrase,
    /// What the order does, in one to three words: "Build ships".
    pub title: Phrase,
    /// The order in the game's notation, with `{name}` for each slot.
    pub notation: Phrase,
    /// The order's effect as a sentence, with the same slots.
    pub label: Phrase,
    pub slots: Vec<Slot>,
    pub places: Vec<ValueId>,
    pub pieces: Vec<ValueId>,
    pub rule: Phrase,
    pub group: GroupId,
    pub weight: Weight,
    /// The order, if there are no slots.
    pub order: Option<O>,
    /// The stock that pays.
    pub stock: Option<StockId>,
    /// The part of the cost that is the same for every filling.
    pub price: u32,
    /// By what to divide the cost. 0 and 1 mean not to divide it.
    pub divisor: u32,
}

/// A part of an offer that the player fills in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    pub name: Phrase,
    pub label: Phrase,
    pub optional: bool,
    /// The notation around the choice, with `{}` for the choice. May be empty.
    pub text: Phrase,
    /// The sentence's words around the choice, with `{}` for the choice. May be empty.
    pub phrase: Phrase,
    pub kind: Kind,
}

impl Slot {
    pub fn new(name: impl Into<Phrase>, label: impl Into<Phrase>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            optional: false,
            text: "".into(),
            phrase: "".into(),
            kind,
        }
    }

    /// Adds text around the choice, in the notation and in the sentence.
    #[must_use]
    pub fn within(self, text: impl Into<Phrase>, phrase: impl Into<Phrase>) -> Self {
        Self { text: text.into(), phrase: phrase.into(), ..self }
    }

    #[must_use]
    pub fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// The allowed content of a slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Places(Picks),
    Pieces(Picks),
    Words(Picks),
    Number(Range),
    Shares(Shares),
    Free(FreeText),
}

/// One or more different values of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Picks {
    pub list: ListId,
    pub least: u32,
    /// Maximum number of values, at most the length of the list.
    pub most: u32,
    pub separator: Phrase,
}

impl Picks {
    pub fn one(list: ListId) -> Self {
        Self { list, least: 1, most: 1, separator: "".into() }
    }
}

/// Numbers from `least` to `most` in steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    pub least: i32,
    pub most: i32,
    pub step: u32,
    /// The cost of each unit.
    pub cost: u32,
    /// Whether the prices of chosen values count as many times as the number.
    pub multiplies: bool,
}

impl Range {
    pub fn of(numbers: std::ops::RangeInclusive<i32>) -> Self {
        debug_assert!(!numbers.is_empty(), "a slot without a number cannot be filled");
        let (least, most) = numbers.into_inner();
        Self { least, most, step: 1, cost: 0, multiplies: false }
    }

    pub fn len(self) -> u64 {
        let between = i64::from(self.most) - i64::from(self.least);
        u64::try_from(between).map_or(0, |between| between / u64::from(self.step.max(1)) + 1)
    }

    pub fn is_empty(self) -> bool {
        self.most < self.least
    }

    pub fn nth(self, index: u64) -> Option<i32> {
        let above = i64::try_from(index.checked_mul(u64::from(self.step.max(1)))?).ok()?;
        let number = i64::from(self.least).checked_add(above)?;
        i32::try_from(number).ok().filter(|number| *number <= self.most)
    }

    pub fn contains(self, number: i32) -> bool {
        let above = i64::from(number) - i64::from(self.least);
        (self.least..=self.most).contains(&number) && above % i64::from(self.step.max(1)) == 0
    }
}

/// Several numbers with a limited sum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shares {
    pub shares: Vec<Share>,
    pub least: i32,
    pub most: i32,
    pub separator: Phrase,
    pub zeros: bool,
}

/// One of the numbers of [`Shares`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Share {
    /// The notation, with `{}` for the number.
    pub text: Phrase,
    /// The display name. Empty if the words need no explanation.
    pub label: Phrase,
    /// The words in the sentence, with `{}` for the number. Empty if equal to `text`.
    pub phrase: Phrase,
    /// The words for the number 1 in the sentence. Empty if they follow from the others.
    pub singular: Phrase,
    pub least: i32,
    pub most: i32,
    /// The contribution of each unit to the sum.
    pub cost: u32,
    /// The costs of the numbers from `least` to `most`, if they are not proportional.
    pub costs: Vec<i32>,
}

impl Share {
    pub fn name(&self) -> Phrase {
        if self.label.is_empty() {
            self.words().replace("{}", "").trim().to_owned().into()
        } else {
            self.label.clone()
        }
    }

    fn words(&self) -> &Phrase {
        if self.phrase.is_empty() { &self.text } else { &self.phrase }
    }

    /// Returns what a number costs.
    fn cost_of(&self, number: i32) -> i64 {
        let index = i64::from(number) - i64::from(self.least);
        let own = usize::try_from(index).ok().and_then(|index| self.costs.get(index));
        i64::from(self.cost) * i64::from(number) + own.map_or(0, |&cost| i64::from(cost))
    }
}

/// Free text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FreeText {
    /// Minimum length in characters, at least 1.
    pub least: u32,
    pub most: u32,
    /// Allowed characters. Empty allows all visible ones.
    pub alphabet: Phrase,
    /// Allowed first characters. Empty allows all of `alphabet`.
    pub initials: Phrase,
    pub lines: u32,
    /// Strings already in use, ignoring case.
    pub taken: Option<ListId>,
    pub example: Phrase,
}

impl<O> Offers<O> {
    pub fn value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.0 as usize)
    }

    pub fn list(&self, id: ListId) -> &[ValueId] {
        self.lists.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub fn heading(&self, offer: &Offer<O>) -> &str {
        self.groups.get(offer.group.0 as usize).map_or("", String::as_str)
    }

    pub fn map<P>(self, mut write: impl FnMut(O) -> P) -> Offers<P> {
        let Self { list, complete, sheet, values, lists, groups, stocks } = self;
        let with_order = |offer: Offer<O>| Offer {
            key: offer.key,
            title: offer.title,
            notation: offer.notation,
            label: offer.label,
            slots: offer.slots,
            places: offer.places,
            pieces: offer.pieces,
            rule: offer.rule,
            group: offer.group,
            weight: offer.weight,
            order: offer.order.map(&mut write),
            stock: offer.stock,
            price: offer.price,
            divisor: offer.divisor,
        };
        let list = list.into_iter().map(with_order).collect();
        Offers { list, complete, sheet, values, lists, groups, stocks }
    }
}

impl<O> Default for Offers<O> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            complete: true,
            sheet: false,
            values: Vec::new(),
            lists: Vec::new(),
            groups: Vec::new(),
            stocks: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part<'a> {
    Fixed(&'a str),
    Slot(&'a str),
}

fn parts(template: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let begin = rest.find('{').unwrap_or(rest.len());
        if begin > 0 {
            let (fixed, after) = rest.split_at(begin);
            rest = after;
            return Some(Part::Fixed(fixed));
        }
        let end = rest.find('}').unwrap_or(rest.len());
        let name = &rest[1..end];
        rest = rest.get(end + 1..).unwrap_or_default();
        Some(Part::Slot(name))
    })
}

fn around(template: &str) -> (&str, &str) {
    if template.is_empty() { ("", "") } else { template.split_once("{}").unwrap_or((template, "")) }
}
