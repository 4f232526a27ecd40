//! Extraction of one offer with everything that it refers to.

use super::{Draft, Kind, ListId, Offer, Offers, Slot, ValueId};

impl<O: Clone> Offers<O> {
    /// Returns one offer with the stocks, and only the values, lists and headings it refers to.
    #[must_use]
    pub fn alone(&self, offer: &Offer<O>) -> Self {
        let mut draft = Draft::new();
        draft.group(self.heading(offer));
        let places = self.values_in(&mut draft, &offer.places);
        let pieces = self.values_in(&mut draft, &offer.pieces);
        let slots: Vec<Slot> =
            offer.slots.iter().map(|slot| self.slot_in(&mut draft, slot.clone())).collect();
        let kept = draft.offer("", "", "", "");
        *kept = Offer { places, pieces, slots, group: kept.group, ..offer.clone() };
        Self { sheet: self.sheet, stocks: self.stocks.clone(), ..draft.incomplete() }
    }

    fn values_in(&self, draft: &mut Draft<O>, ids: &[ValueId]) -> Vec<ValueId> {
        let values = ids.iter().filter_map(|id| self.value(*id));
        values.map(|value| draft.add(value.clone())).collect()
    }

    fn slot_in(&self, draft: &mut Draft<O>, mut slot: Slot) -> Slot {
        let mut moved = |list: &mut ListId| {
            let values = self.values_in(draft, self.list(*list));
            *list = draft.list(values);
        };
        match &mut slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                moved(&mut picks.list);
            }
            Kind::Free(free) => {
                if let Some(taken) = &mut free.taken {
                    moved(taken);
                }
            }
            Kind::Number(_) | Kind::Shares(_) => {}
        }
        slot
    }
}

impl<O> Offers<O> {
    pub(crate) fn values_of(&self, slot: &Slot) -> &[ValueId] {
        match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => self.list(picks.list),
            Kind::Number(_) | Kind::Shares(_) | Kind::Free(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Stock, Value};
    use super::*;

    #[test]
    fn an_extracted_offer_keeps_everything_it_refers_to() {
        let mut draft = Draft::<u8>::new();
        draft.group("Elsewhere");
        let far = draft.value("Far", "");
        let other = draft.place("it", "where", [far]);
        draft.offer("look", "look {it}", "Look at {it}", "1").slot(other);
        draft.group("Here");
        let places = [draft.value("Bur", "Burgundy"), draft.value("Pic", "")];
        let paris = draft.value("Par", "Paris");
        let to = draft.place("to", "where to", places);
        let stock = draft.stock(Stock::new("Paris", 2, "builds"));
        let army = draft.add(Value { stock: Some(stock), ..Value::new("A Par", "") });
        draft
            .offer("move", "A Par - {to}", "Paris moves to {to}", "2")
            .slot(to)
            .at([paris])
            .of([army]);
        let offers = Offers { sheet: true, ..draft.complete() };
        let alone = offers.alone(&offers.list[1]);
        assert_eq!(alone.check(), Ok(()));
        let [offer] = alone.list.as_slice() else { panic!("one offer: {alone:?}") };
        assert_eq!((alone.values.len(), alone.lists.len(), alone.sheet), (4, 1, true));
        assert_eq!(alone.heading(offer), "Here");
        let lines = |offers: &Offers<u8>, offer: &Offer<u8>| -> Vec<String> {
            let filled = offers.fillings(offer).map(|chosen| offers.say(offer, &chosen).unwrap());
            filled.collect()
        };
        assert_eq!(lines(&alone, offer), lines(&offers, &offers.list[1]));
        let paid = alone.value(offer.pieces[0]).and_then(|value| alone.stock(value.stock?));
        assert_eq!(paid.map(|stock| stock.name.as_str()), Some("Paris"));
        let text = |id| alone.value(id).map(|value| value.text.as_str());
        assert_eq!((text(offer.places[0]), text(offer.pieces[0])), (Some("Par"), Some("A Par")));
    }
}
