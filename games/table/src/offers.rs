//! Offers over the wire, in one format for all games.

use std::collections::{BTreeMap, HashMap};

use heliopause_kernel::Malformed;
use heliopause_kernel::offer::{
    Amount, FreeText, GroupId, Kind, ListId, Offer, Offers, Phrase, Picks, Range, Share, Shares,
    Slot, Stock, StockId, Value, ValueId, Weight,
};
use heliopause_proto::v1::{self as proto, GameOrder, slot};

/// Encodes offers as a message.
pub fn write(offers: Offers<GameOrder>) -> proto::Offers {
    let mut slots = Slots::default();
    let list = offers.list.into_iter().map(|offer| write_offer(offer, &mut slots)).collect();
    let texts = |text: fn(&Value) -> &String| {
        let texts = (0..).zip(&offers.values).map(|(index, value)| (index, text(value).clone()));
        texts.filter(|(_, text)| !text.is_empty()).collect()
    };
    let amounts = |amount: fn(&Value) -> &Option<Amount>| {
        let amount = |(index, value)| Some((index, write_amount(amount(value).as_ref()?)));
        (0..).zip(&offers.values).filter_map(amount).collect()
    };
    let stock = |(index, value): (u32, &Value)| Some((index, value.stock?.0));
    proto::Offers {
        offers: list,
        complete: offers.complete,
        sheet: offers.sheet,
        labels: texts(|value| &value.label),
        notes: texts(|value| &value.note),
        prices: amounts(|value| &value.price),
        sizes: amounts(|value| &value.size),
        value_stocks: (0..).zip(&offers.values).filter_map(stock).collect(),
        stocks: offers.stocks.iter().map(write_stock).collect(),
        values: offers.values.into_iter().map(|value| value.text).collect(),
        lists: offers.lists.iter().map(|list| proto::OfferList { values: numbers(list) }).collect(),
        groups: offers.groups,
        slots: slots.table,
    }
}

#[derive(Default)]
struct Slots {
    table: Vec<proto::Slot>,
    known: HashMap<Slot, u32>,
}

impl Slots {
    fn index(&mut self, slot: Slot) -> u32 {
        *self.known.entry(slot).or_insert_with_key(|slot| {
            self.table.push(write_slot(slot.clone()));
            self.table.len() as u32 - 1
        })
    }
}

/// Decodes untrusted offers. Checks that all references are valid and that every slot can be
/// filled.
pub fn read(message: &proto::Offers) -> Result<Offers<GameOrder>, Malformed> {
    let slots: Vec<Slot> = message.slots.iter().map(read_slot).collect::<Result<_, _>>()?;
    let text =
        |texts: &BTreeMap<u32, String>, index| texts.get(&index).cloned().unwrap_or_default();
    let values = (0..).zip(&message.values).map(|(index, value)| Value {
        text: value.clone(),
        label: text(&message.labels, index),
        note: text(&message.notes, index),
        price: message.prices.get(&index).map(read_amount),
        size: message.sizes.get(&index).map(read_amount),
        stock: message.value_stocks.get(&index).copied().map(StockId),
    });
    let offers = Offers {
        list: message
            .offers
            .iter()
            .map(|offer| read_offer(offer, &slots))
            .collect::<Result<_, _>>()?,
        complete: message.complete,
        sheet: message.sheet,
        values: values.collect(),
        lists: message.lists.iter().map(|list| ids(&list.values)).collect(),
        groups: message.groups.clone(),
        stocks: message.stocks.iter().map(read_stock).collect(),
    };
    offers.check().map_err(|fault| Malformed::field("offers", fault))?;
    Ok(offers)
}

fn numbers(ids: &[ValueId]) -> Vec<u32> {
    ids.iter().map(|id| id.0).collect()
}

fn ids(numbers: &[u32]) -> Vec<ValueId> {
    numbers.iter().map(|number| ValueId(*number)).collect()
}

fn write_offer(offer: Offer<GameOrder>, slots: &mut Slots) -> proto::Offer {
    proto::Offer {
        key: offer.key.into_owned(),
        title: offer.title.into_owned(),
        notation: offer.notation.into_owned(),
        label: offer.label.into_owned(),
        slots: offer.slots.into_iter().map(|slot| slots.index(slot)).collect(),
        places: numbers(&offer.places),
        pieces: numbers(&offer.pieces),
        rule: offer.rule.into_owned(),
        group: offer.group.0,
        weight: write_weight(offer.weight).into(),
        order: offer.order,
        stock: offer.stock.map(|stock| stock.0),
        price: offer.price,
        divisor: offer.divisor,
    }
}

fn read_offer(message: &proto::Offer, slots: &[Slot]) -> Result<Offer<GameOrder>, Malformed> {
    let slot = |index: &u32| slots.get(*index as usize).cloned();
    let slots: Option<Vec<Slot>> = message.slots.iter().map(slot).collect();
    let slots =
        slots.ok_or_else(|| Malformed::field("offers.offers.slots", "this slot does not exist"))?;
    Ok(Offer {
        key: message.key.clone().into(),
        title: message.title.clone().into(),
        notation: message.notation.clone().into(),
        label: message.label.clone().into(),
        slots,
        places: ids(&message.places),
        pieces: ids(&message.pieces),
        rule: message.rule.clone().into(),
        group: GroupId(message.group),
        weight: read_weight(message.weight()),
        order: message.order.clone(),
        stock: message.stock.map(StockId),
        price: message.price,
        divisor: message.divisor,
    })
}

fn write_amount(amount: &Amount) -> proto::Amount {
    proto::Amount { amount: amount.amount, unit: amount.unit.clone().into_owned() }
}

fn read_amount(message: &proto::Amount) -> Amount {
    Amount::new(message.amount, message.unit.clone())
}

fn write_stock(stock: &Stock) -> proto::Stock {
    let Stock { name, available, partial } = stock;
    let available = Some(write_amount(available));
    proto::Stock { name: name.clone(), available, partial: *partial }
}

fn read_stock(message: &proto::Stock) -> Stock {
    let available = message.available.as_ref().map_or_else(|| Amount::new(0, ""), read_amount);
    Stock { name: message.name.clone(), available, partial: message.partial }
}

fn write_weight(weight: Weight) -> proto::OfferWeight {
    match weight {
        Weight::Main => proto::OfferWeight::Main,
        Weight::Usual => proto::OfferWeight::Usual,
        Weight::Minor => proto::OfferWeight::Minor,
        Weight::End => proto::OfferWeight::End,
        Weight::Grave => proto::OfferWeight::Grave,
    }
}

fn read_weight(weight: proto::OfferWeight) -> Weight {
    match weight {
        proto::OfferWeight::Main => Weight::Main,
        proto::OfferWeight::Usual | proto::OfferWeight::Unspecified => Weight::Usual,
        proto::OfferWeight::Minor => Weight::Minor,
        proto::OfferWeight::End => Weight::End,
        proto::OfferWeight::Grave => Weight::Grave,
    }
}

fn write_slot(slot: Slot) -> proto::Slot {
    proto::Slot {
        name: slot.name.into_owned(),
        label: slot.label.into_owned(),
        optional: slot.optional,
        text: slot.text.into_owned(),
        phrase: slot.phrase.into_owned(),
        kind: Some(write_kind(slot.kind)),
    }
}

fn write_kind(kind: Kind) -> slot::Kind {
    match kind {
        Kind::Places(picks) => slot::Kind::Places(write_picks(picks)),
        Kind::Pieces(picks) => slot::Kind::Pieces(write_picks(picks)),
        Kind::Words(picks) => slot::Kind::Words(write_picks(picks)),
        Kind::Number(Range { least, most, step, cost, multiplies }) => {
            let multiplies_prices = multiplies;
            slot::Kind::Number(proto::NumberRange { least, most, step, cost, multiplies_prices })
        }
        Kind::Shares(shares) => slot::Kind::Shares(proto::NumberShares {
            shares: shares.shares.into_iter().map(write_share).collect(),
            least: shares.least,
            most: shares.most,
            separator: shares.separator.into_owned(),
            zeros: shares.zeros,
        }),
        Kind::Free(free) => slot::Kind::Free(proto::FreeText {
            least: free.least,
            most: free.most,
            alphabet: free.alphabet.into_owned(),
            first_characters: free.initials.into_owned(),
            lines: free.lines,
            used_texts: free.taken.map(|list| list.0),
            example: free.example.into_owned(),
        }),
    }
}

fn write_picks(picks: Picks) -> proto::Picks {
    let Picks { list, least, most, separator } = picks;
    proto::Picks { list: list.0, least, most, separator: separator.into_owned() }
}

fn write_share(share: Share) -> proto::NumberShare {
    let Share { text, label, phrase, singular, least, most, cost, costs } = share;
    let [text, label] = [text, label].map(Phrase::into_owned);
    let [phrase, singular] = [phrase, singular].map(Phrase::into_owned);
    proto::NumberShare { text, label, phrase, singular, least, most, cost, costs }
}

fn read_slot(message: &proto::Slot) -> Result<Slot, Malformed> {
    let kind = message.kind.as_ref().ok_or_else(|| {
        Malformed::field(
            "offers.slots.kind",
            format!("slot {} has a kind of choice that this client does not support", message.name),
        )
    })?;
    Ok(Slot {
        name: message.name.clone().into(),
        label: message.label.clone().into(),
        optional: message.optional,
        text: message.text.clone().into(),
        phrase: message.phrase.clone().into(),
        kind: read_kind(kind),
    })
}

fn read_kind(kind: &slot::Kind) -> Kind {
    match kind {
        slot::Kind::Places(picks) => Kind::Places(read_picks(picks)),
        slot::Kind::Pieces(picks) => Kind::Pieces(read_picks(picks)),
        slot::Kind::Words(picks) => Kind::Words(read_picks(picks)),
        slot::Kind::Number(range) => {
            let (cost, multiplies) = (range.cost, range.multiplies_prices);
            let (least, most, step) = (range.least, range.most, range.step);
            Kind::Number(Range { least, most, step, cost, multiplies })
        }
        slot::Kind::Shares(shares) => Kind::Shares(Shares {
            shares: shares.shares.iter().map(read_share).collect(),
            least: shares.least,
            most: shares.most,
            separator: shares.separator.clone().into(),
            zeros: shares.zeros,
        }),
        slot::Kind::Free(free) => Kind::Free(FreeText {
            least: free.least,
            most: free.most,
            alphabet: free.alphabet.clone().into(),
            initials: free.first_characters.clone().into(),
            lines: free.lines,
            taken: free.used_texts.map(ListId),
            example: free.example.clone().into(),
        }),
    }
}

fn read_picks(picks: &proto::Picks) -> Picks {
    let separator = picks.separator.clone().into();
    Picks { list: ListId(picks.list), least: picks.least, most: picks.most, separator }
}

fn read_share(share: &proto::NumberShare) -> Share {
    Share {
        text: share.text.clone().into(),
        label: share.label.clone().into(),
        phrase: share.phrase.clone().into(),
        singular: share.singular.clone().into(),
        least: share.least,
        most: share.most,
        cost: share.cost,
        costs: share.costs.clone(),
    }
}
