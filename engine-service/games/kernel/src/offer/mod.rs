//! A seat's possible orders, as sentences with slots.
//!
//! | module | what it is |
//! | --- | --- |
//! | `draft` | making offers, with shared parts written once |
//! | `fill` | filling slots: by choice, at random, one filling after the other |
//! | `read` | which offer makes an order |
//! | `check` | whether offers hold together |
//! | `alone` | one offer without the others |
//!
//! **Invariant.** Slots are independent: every filling that keeps to the slots of an offer is an
//! order that [`Game::judge`](crate::Game::judge) accepts. If the values of one slot depend on
//! another, there are several offers.

mod alone;
mod check;
mod draft;
mod fill;
mod read;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use draft::Draft;
pub use fill::{Chosen, Misfit};

/// A text that is mostly fixed.
pub type Phrase = Cow<'static, str>;

/// All that a seat may order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offers<O> {
    /// The offers, in the order in which a menu shows them.
    pub list: Vec<Offer<O>>,
    /// Whether every legal order can be made of one, up to other ways of writing it.
    pub complete: bool,
    /// Whether filled offers are lines of one order sheet.
    pub sheet: bool,
    /// The values of slots, and the places and pieces that offers are about.
    pub values: Vec<Value>,
    /// The lists that slots are filled from.
    pub lists: Vec<Vec<ValueId>>,
    /// Headings.
    pub groups: Vec<String>,
}

/// Which of the values of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(pub u32);

/// Which of the lists of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ListId(pub u32);

/// Which of the headings of [`Offers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GroupId(pub u32);

/// A value that can be chosen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value {
    /// As the notation writes it.
    pub text: String,
    /// Its name for people; empty if that is the same.
    pub label: String,
}

impl Value {
    /// Its name for people.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.text } else { &self.label }
    }
}

/// How much an order weighs for the player who chooses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Weight {
    /// The subject of the decision.
    Main,
    /// A usual order beside it.
    #[default]
    Usual,
    /// Seldom wanted.
    Minor,
    /// Orders nothing more.
    End,
    /// Costs dearly or cannot be undone.
    Grave,
}

/// A sentence with slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer<O> {
    /// The word for offers of this shape within the game.
    pub key: Phrase,
    /// The order in the notation of the game, with `{name}` for each slot.
    pub notation: Phrase,
    /// Its effect, for people, with the same slots.
    pub label: Phrase,
    pub slots: Vec<Slot>,
    /// The places that it is about, besides those of its slots.
    pub places: Vec<ValueId>,
    /// The pieces that it is about, besides those of its slots.
    pub pieces: Vec<ValueId>,
    /// The rule that allows it.
    pub rule: Phrase,
    /// Under which heading it stands.
    pub group: GroupId,
    /// How much it weighs.
    pub weight: Weight,
    /// The order, where there is no slot to fill.
    pub order: Option<O>,
}

/// Something to be filled in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    pub name: Phrase,
    /// The question, in few words.
    pub label: Phrase,
    /// Whether it may be left empty.
    pub optional: bool,
    /// The text around the choice in the notation, with `{}` for it; empty is the choice alone.
    pub text: Phrase,
    /// The same for the label.
    pub phrase: Phrase,
    /// Its possible content.
    pub kind: Kind,
}

impl Slot {
    /// A slot that must be filled.
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

    /// The same with something written around the choice, in the notation and in the label.
    #[must_use]
    pub fn within(self, text: impl Into<Phrase>, phrase: impl Into<Phrase>) -> Self {
        Self { text: text.into(), phrase: phrase.into(), ..self }
    }

    /// The same, but it may be left empty.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// The possible content of a slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Places(Picks),
    Pieces(Picks),
    Words(Picks),
    Number(Range),
    /// Several numbers with a sum.
    Shares(Shares),
    /// Text that the player writes.
    Free(FreeText),
}

/// One or several values of a list, none twice.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Picks {
    pub list: ListId,
    /// The fewest, from 1.
    pub least: u32,
    /// The most, not more than the list has.
    pub most: u32,
    /// The separator between several.
    pub separator: Phrase,
}

impl Picks {
    /// One value of a list.
    pub fn one(list: ListId) -> Self {
        Self { list, least: 1, most: 1, separator: "".into() }
    }
}

/// Numbers from `least` in steps up to `most`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    pub least: i32,
    pub most: i32,
    /// From one to the next; at least 1.
    pub step: u32,
}

impl Range {
    /// Every number of a range.
    pub fn of(numbers: std::ops::RangeInclusive<i32>) -> Self {
        debug_assert!(!numbers.is_empty(), "a slot without a number cannot be filled");
        Self { least: *numbers.start(), most: *numbers.end(), step: 1 }
    }

    /// How many numbers there are.
    pub fn len(self) -> u64 {
        let between = i64::from(self.most) - i64::from(self.least);
        u64::try_from(between).map_or(0, |between| between / u64::from(self.step.max(1)) + 1)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.most < self.least
    }

    /// The number at a place, from 0.
    pub fn nth(self, index: u64) -> Option<i32> {
        let above = i64::try_from(index.checked_mul(u64::from(self.step.max(1)))?).ok()?;
        let number = i64::from(self.least).checked_add(above)?;
        i32::try_from(number).ok().filter(|number| *number <= self.most)
    }

    /// Whether a number is one of them.
    pub fn contains(self, number: i32) -> bool {
        let above = i64::from(number) - i64::from(self.least);
        (self.least..=self.most).contains(&number) && above % i64::from(self.step.max(1)) == 0
    }
}

/// Several numbers with a sum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shares {
    /// The numbers, in the order in which they are written.
    pub shares: Vec<Share>,
    /// The least sum.
    pub least: i32,
    pub most: i32,
    /// The separator between the numbers.
    pub separator: Phrase,
    /// Whether a number that is 0 is written.
    pub zeros: bool,
}

/// One of several numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Share {
    /// The text for it, with `{}` for the number.
    pub text: Phrase,
    /// Its meaning, for people; empty if the text says it.
    pub label: Phrase,
    pub least: i32,
    pub most: i32,
    /// The weight of one in the sum.
    pub cost: u32,
}

impl Share {
    /// Its meaning.
    pub fn name(&self) -> Phrase {
        if self.label.is_empty() {
            self.text.replace("{}", "").trim().to_owned().into()
        } else {
            self.label.clone()
        }
    }
}

/// Text that the player writes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FreeText {
    /// The fewest characters, from 1.
    pub least: u32,
    /// The most characters.
    pub most: u32,
    /// The characters that may stand in it; empty is all that can be seen.
    pub alphabet: Phrase,
    /// The characters that may begin it; empty is all that may stand in it.
    pub initials: Phrase,
    /// The most lines.
    pub lines: u32,
    /// Texts that are taken, in any case.
    pub taken: Option<ListId>,
    /// One that will do.
    pub example: Phrase,
}

impl<O> Offers<O> {
    /// A value.
    pub fn value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.0 as usize)
    }

    /// The values of a list.
    pub fn list(&self, id: ListId) -> &[ValueId] {
        self.lists.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The heading of an offer.
    pub fn heading(&self, offer: &Offer<O>) -> &str {
        self.groups.get(offer.group.0 as usize).map_or("", String::as_str)
    }

    /// The same offers with their orders written otherwise.
    pub fn map<P>(self, mut write: impl FnMut(O) -> P) -> Offers<P> {
        let Self { list, complete, sheet, values, lists, groups } = self;
        let list = list
            .into_iter()
            .map(|offer| {
                let Offer {
                    key,
                    notation,
                    label,
                    slots,
                    places,
                    pieces,
                    rule,
                    group,
                    weight,
                    order,
                } = offer;
                let order = order.map(&mut write);
                Offer { key, notation, label, slots, places, pieces, rule, group, weight, order }
            })
            .collect();
        Offers { list, complete, sheet, values, lists, groups }
    }
}

impl<O> Default for Offers<O> {
    /// Nothing, and there is nothing else.
    fn default() -> Self {
        Self {
            list: Vec::new(),
            complete: true,
            sheet: false,
            values: Vec::new(),
            lists: Vec::new(),
            groups: Vec::new(),
        }
    }
}

/// A part of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part<'a> {
    /// Written as it is.
    Fixed(&'a str),
    Slot(&'a str),
}

/// The parts of a template.
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

/// The text before and behind the choice in a template with `{}`.
fn around(template: &str) -> (&str, &str) {
    if template.is_empty() { ("", "") } else { template.split_once("{}").unwrap_or((template, "")) }
}
