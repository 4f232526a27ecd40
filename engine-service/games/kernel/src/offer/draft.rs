//! Making offers.

use std::collections::BTreeMap;

use super::{GroupId, Kind, ListId, Offer, Offers, Phrase, Picks, Slot, Value, ValueId, Weight};

/// Offers that are being made. What is said twice is kept once.
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

impl<O> Default for Draft<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O> Draft<O> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            offers: Offers::default(),
            values: BTreeMap::new(),
            lists: BTreeMap::new(),
            group: GroupId::default(),
        }
    }

    /// Later offers stand under this heading.
    pub fn group(&mut self, heading: impl Into<String>) {
        let heading = heading.into();
        let known = self.offers.groups.iter().position(|other| *other == heading);
        let index = known.unwrap_or_else(|| {
            self.offers.groups.push(heading);
            self.offers.groups.len() - 1
        });
        self.group = GroupId(id(index));
    }

    /// A value, by its text in the notation and its name for people.
    pub fn value(&mut self, text: impl Into<String>, label: impl Into<String>) -> ValueId {
        let (text, label) = (text.into(), label.into());
        let label = if label == text { String::new() } else { label };
        let value = Value { text, label };
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        let new = ValueId(id(self.offers.values.len()));
        self.offers.values.push(value.clone());
        self.values.insert(value, new);
        new
    }

    /// A list of values.
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

    /// One of these places.
    pub fn place(
        &mut self,
        name: impl Into<Phrase>,
        label: impl Into<Phrase>,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Slot {
        Slot::new(name, label, Kind::Places(Picks::one(self.list(values))))
    }

    /// One of these pieces.
    pub fn piece(
        &mut self,
        name: impl Into<Phrase>,
        label: impl Into<Phrase>,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Slot {
        Slot::new(name, label, Kind::Pieces(Picks::one(self.list(values))))
    }

    /// One of these words.
    pub fn word(
        &mut self,
        name: impl Into<Phrase>,
        label: impl Into<Phrase>,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Slot {
        Slot::new(name, label, Kind::Words(Picks::one(self.list(values))))
    }

    /// An offer under the present heading, as it stands or to be changed.
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
        let offer = Offer {
            key: key.into(),
            notation: notation.into(),
            label: label.into(),
            slots: Vec::new(),
            places: Vec::new(),
            pieces: Vec::new(),
            rule: rule.into(),
            group: self.group,
            weight: Weight::Usual,
            order: None,
        };
        self.offers.list.push(offer);
        self.offers.list.last_mut().expect("it was just put there")
    }

    /// The offers, which are all that there is to order.
    pub fn complete(self) -> Offers<O> {
        Offers { complete: true, ..self.offers }
    }

    /// The offers; other orders may be legal too.
    pub fn incomplete(self) -> Offers<O> {
        Offers { complete: false, ..self.offers }
    }
}

impl<O> Offer<O> {
    /// With this slot.
    pub fn slot(&mut self, slot: Slot) -> &mut Self {
        debug_assert!(
            self.slots.iter().all(|other| other.name != slot.name),
            "templates tell slots by their names, and {} is taken",
            slot.name
        );
        debug_assert!(self.order.is_none(), "an order that stands as it is has nothing to fill in");
        self.slots.push(slot);
        self
    }

    /// Weighing so much.
    pub fn weighs(&mut self, weight: Weight) -> &mut Self {
        self.weight = weight;
        self
    }

    /// About these places.
    pub fn at(&mut self, places: impl IntoIterator<Item = ValueId>) -> &mut Self {
        self.places.extend(places);
        self
    }

    /// About these pieces.
    pub fn of(&mut self, pieces: impl IntoIterator<Item = ValueId>) -> &mut Self {
        self.pieces.extend(pieces);
        self
    }

    /// This order, as there is nothing to fill in.
    pub fn is(&mut self, order: O) -> &mut Self {
        debug_assert!(self.slots.is_empty(), "an order with slots does not stand as it is");
        self.order = Some(order);
        self
    }
}

fn id(index: usize) -> u32 {
    u32::try_from(index).expect("a seat is offered fewer things than that")
}
