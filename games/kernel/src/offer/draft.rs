//! A builder of offers that share values and lists.

use std::collections::BTreeMap;

use super::{
    GroupId, Kind, ListId, Offer, Offers, Phrase, Picks, Slot, Stock, StockId, Value, ValueId,
    Weight,
};

/// A builder of offers. Repeated values and lists are stored once.
///
/// ```
/// use heliopause_kernel::offer::{Chosen, Draft};
///
/// let mut draft = Draft::<()>::new();
/// let (earth, mars) = (draft.value("E", "Earth"), draft.value("M", "Mars"));
/// let to = draft.place("to", "to where", [earth, mars]);
/// draft.offer("fly", "fly {to}", "Fly to {to}", "3.1").slot(to);
/// let offers = draft.complete();
///
/// assert_eq!(offers.check(), Ok(()));
/// let fly = &offers.list[0];
/// assert_eq!(offers.fill(fly, &[Chosen::Values(vec![mars])]).unwrap(), "fly M");
/// assert_eq!(offers.say(fly, &[Chosen::Values(vec![earth])]).unwrap(), "Fly to Earth");
/// ```
#[derive(Clone, Debug)]
pub struct Draft<O> {
    offers: Offers<O>,
    values: BTreeMap<Value, ValueId>,
    lists: BTreeMap<Vec<ValueId>, ListId>,
    group: GroupId,
}

/// Returns a key as a title: "build-one" becomes "Build one".
fn title_of(key: &str) -> String {
    let mut chars = key.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars.map(|char| if char == '-' { ' ' } else { char })).collect()
}

impl<O> Default for Draft<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O> Draft<O> {
    pub fn new() -> Self {
        Self {
            offers: Offers::default(),
            values: BTreeMap::new(),
            lists: BTreeMap::new(),
            group: GroupId::default(),
        }
    }

    /// Sets the heading of the following offers.
    pub fn group(&mut self, heading: impl Into<String>) {
        let heading = heading.into();
        let known = self.offers.groups.iter().position(|other| *other == heading);
        let index = known.unwrap_or_else(|| {
            self.offers.groups.push(heading);
            self.offers.groups.len() - 1
        });
        self.group = GroupId(id(index));
    }

    pub fn value(&mut self, text: impl Into<String>, label: impl Into<String>) -> ValueId {
        self.add(Value::new(text, label))
    }

    /// Adds a value with facts that help to choose, such as a price.
    pub fn add(&mut self, mut value: Value) -> ValueId {
        if value.label == value.text {
            value.label.clear();
        }
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        let new = ValueId(id(self.offers.values.len()));
        self.offers.values.push(value.clone());
        self.values.insert(value, new);
        new
    }

    pub fn stock(&mut self, stock: Stock) -> StockId {
        let stocks = &mut self.offers.stocks;
        let known = stocks.iter().position(|other| *other == stock);
        StockId(id(known.unwrap_or_else(|| {
            stocks.push(stock);
            stocks.len() - 1
        })))
    }

    pub fn list(&mut self, values: impl IntoIterator<Item = ValueId>) -> ListId {
        let values: Vec<ValueId> = values.into_iter().collect();
        if let Some(known) = self.lists.get(&values) {
            return *known;
        }
        let new = ListId(id(self.offers.lists.len()));
        self.offers.lists.push(values.clone());
        self.lists.insert(values, new);
        new
    }

    pub fn place(
        &mut self,
        name: impl Into<Phrase>,
        label: impl Into<Phrase>,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Slot {
        Slot::new(name, label, Kind::Places(Picks::one(self.list(values))))
    }

    pub fn piece(
        &mut self,
        name: impl Into<Phrase>,
        label: impl Into<Phrase>,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Slot {
        Slot::new(name, label, Kind::Pieces(Picks::one(self.list(values))))
    }

    pub fn word(
        &mut self,
        name: impl Into<Phrase>,
        label: impl Into<Phrase>,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Slot {
        Slot::new(name, label, Kind::Words(Picks::one(self.list(values))))
    }

    /// Adds an offer under the current heading. Returns the offer, to add slots and other details.
    pub fn offer(
        &mut self,
        key: impl Into<Phrase>,
        notation: impl Into<Phrase>,
        label: impl Into<Phrase>,
        rule: impl Into<Phrase>,
    ) -> &mut Offer<O> {
        if self.offers.groups.is_empty() {
            self.group("");
        }
        let key = key.into();
        let offer = Offer {
            title: title_of(&key).into(),
            key,
            notation: notation.into(),
            label: label.into(),
            slots: Vec::new(),
            places: Vec::new(),
            pieces: Vec::new(),
            rule: rule.into(),
            group: self.group,
            weight: Weight::Usual,
            order: None,
            stock: None,
            price: 0,
            divisor: 0,
        };
        self.offers.list.push(offer);
        self.offers.list.last_mut().expect("it was just put there")
    }

    /// Finishes a complete list: there are no other legal orders.
    pub fn complete(self) -> Offers<O> {
        Offers { complete: true, ..self.offers }
    }

    /// Finishes an incomplete list: there may be other legal orders.
    pub fn incomplete(self) -> Offers<O> {
        Offers { complete: false, ..self.offers }
    }
}

impl<O> Offer<O> {
    pub fn slot(&mut self, slot: Slot) -> &mut Self {
        debug_assert!(
            self.slots.iter().all(|other| other.name != slot.name),
            "the slot name {} is used twice in an offer",
            slot.name
        );
        debug_assert!(self.order.is_none(), "an order that stands as it is has nothing to fill in");
        self.slots.push(slot);
        self
    }

    /// Replaces the title, which by default is derived from the key.
    pub fn titled(&mut self, title: impl Into<Phrase>) -> &mut Self {
        self.title = title.into();
        self
    }

    pub fn weighs(&mut self, weight: Weight) -> &mut Self {
        self.weight = weight;
        self
    }

    /// Sets the stock that pays, and the part of the cost that is the same for every filling.
    pub fn paid_by(&mut self, stock: StockId, price: u32) -> &mut Self {
        (self.stock, self.price) = (Some(stock), price);
        self
    }

    /// Divides the cost, rounding it up.
    pub fn divided_by(&mut self, divisor: u32) -> &mut Self {
        self.divisor = divisor;
        self
    }

    pub fn at(&mut self, places: impl IntoIterator<Item = ValueId>) -> &mut Self {
        self.places.extend(places);
        self
    }

    pub fn of(&mut self, pieces: impl IntoIterator<Item = ValueId>) -> &mut Self {
        self.pieces.extend(pieces);
        self
    }

    pub fn is(&mut self, order: O) -> &mut Self {
        debug_assert!(self.slots.is_empty(), "an order with slots does not stand as it is");
        self.order = Some(order);
        self
    }
}

fn id(index: usize) -> u32 {
    u32::try_from(index).expect("a seat is offered fewer things than that")
}
