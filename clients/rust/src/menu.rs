//! Offers as a numbered menu. If there are only a few ways to fill an offer, each way is a line.
//! Otherwise the offer is one line with open slots.

use std::collections::{BTreeSet, HashMap};

use heliopause_kernel::offer::{Amount, Chosen, Kind, Offer, Offers, Slot, StockId, Value, Weight};
use heliopause_proto::v1::{self as proto, GameOrder, GetOffersResponse};
use heliopause_table::offers;
use serde::Serialize;

use crate::failure::Failure;

const WAYS_MAX: u64 = 400;
/// The maximum number of lines for an offer with several slots, whose combinations make a long
/// list.
const COMBINED_MAX: u64 = 24;
const VALUES_MAX: usize = 24;
/// The maximum number of choices to show in the label of a line.
const FEW: usize = 3;

/// The orders that a seat can give, as numbered lines.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// The lines, numbered from 1.
    pub lines: Vec<Line>,
    /// Whether the menu covers all possible orders.
    pub complete: bool,
    offers: Offers<GameOrder>,
    /// The orders that are kept until the phase closes.
    standing: Vec<String>,
}

/// A line of a menu.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The keyword for orders of this form.
    pub key: String,
    /// The order in the game's notation, with `{name}` for each open slot.
    pub notation: String,
    pub label: String,
    pub rule: String,
    pub heading: String,
    /// Descriptions of the open slots. Empty if the line is an order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// The order, if the offer contains one.
    #[serde(skip)]
    pub order: Option<GameOrder>,
    #[serde(skip)]
    pub slots: Vec<OpenSlot>,
    #[serde(skip)]
    pub weight: Weight,
    /// What the order costs, if its offer has prices. Absent while slots are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// The cost of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    pub amount: i64,
    /// What is available, before orders that are kept until the phase closes.
    pub available: i64,
    pub unit: String,
}

/// An open slot of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSlot {
    pub name: String,
    pub optional: bool,
    /// The slot as written in the notation, with the text around its value. An omitted slot is
    /// removed with this text.
    pub written: String,
}

impl OpenSlot {
    fn placeholder(&self) -> String {
        format!("{{{}}}", self.name)
    }
}

impl Line {
    /// Returns whether to ask for confirmation before giving the order.
    pub fn is_grave(&self) -> bool {
        self.weight == Weight::Grave
    }
}

impl Menu {
    pub fn read(response: &GetOffersResponse) -> Result<Self, Failure> {
        let Some(offers) = &response.offers else { return Ok(Self::default()) };
        Self::with(offers, response.current_orders.clone())
    }

    pub fn of(message: &proto::Offers) -> Result<Self, Failure> {
        Self::with(message, Vec::new())
    }

    fn with(message: &proto::Offers, standing: Vec<String>) -> Result<Self, Failure> {
        let offers = offers::read(message).map_err(|fault| {
            Failure::failed(format!("This client cannot read the offers of this game: {fault}."))
                .because("BAD_OFFERS")
        })?;
        let complete = offers.complete;
        let mut lines: Vec<Line> =
            offers.list.iter().flat_map(|offer| lines(&offers, offer, &standing)).collect();
        debug_assert!(
            lines.iter().all(|line| line.slots.len() == line.open.len()),
            "a line describes each of its slots"
        );
        // Sort headings by the most important weight of their lines. The numbers of a heading's
        // lines are consecutive.
        let mut headings: HashMap<String, (Weight, usize)> = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            let heading = headings.entry(line.heading.clone()).or_insert((line.weight, index));
            heading.0 = line.weight.min(heading.0);
        }
        lines.sort_by_key(|line| headings.get(&line.heading).copied());
        Ok(Self { lines, complete, offers, standing })
    }

    /// Returns what an order costs and what it leaves, as a sentence. `None` if it costs nothing or
    /// no offer produces it.
    pub fn cost_words(&self, order: &str) -> Option<String> {
        let cost = self.offers.cost_of(order).filter(|cost| cost.amount > 0)?;
        let (amount, available, unit) = (cost.amount, cost.available, &cost.unit);
        let left = available - spent(&self.offers, &self.standing, &cost.stocks) - amount;
        let rest = match left {
            0.. => format!("{left} of {available} {unit} left"),
            _ => format!("{} {unit} more than is left", -left),
        };
        Some(format!("Costs {amount} {unit}; {rest}."))
    }

    /// Returns a line by its number, with `words` filled into its open slots. The last slot takes
    /// all remaining words. If there are fewer words than slots, the last optional slots are
    /// omitted. Returns an error if the line does not exist, if a required slot lacks a word, or if
    /// there are words but no slots. Without words, a line with slots is an error that describes
    /// the slots, even if all are optional.
    pub fn pick(&self, number: usize, words: &[String]) -> Result<Line, Failure> {
        let line =
            number.checked_sub(1).and_then(|index| self.lines.get(index)).ok_or_else(|| {
                let there = match self.lines.len() {
                    0 => "there are no choices".into(),
                    last => format!("the choices are 1 to {last}"),
                };
                Failure::failed(format!("Choice {number} does not exist; {there}."))
                    .because("NO_SUCH_CHOICE")
            })?;
        if line.slots.is_empty() && !words.is_empty() {
            let notation = &line.notation;
            let told =
                format!("Choice {number} (`{notation}`) takes no values. Type only `{number}`.");
            return Err(Failure::failed(told).because("NO_SUCH_CHOICE"));
        }
        let missing = line.slots.len().saturating_sub(words.len());
        let optional = line.slots.iter().rev().filter(|slot| slot.optional);
        let omitted: Vec<&OpenSlot> = optional.take(missing).collect();
        let notation = omitted
            .iter()
            .fold(line.notation.clone(), |notation, slot| notation.replace(&slot.written, ""));
        let is_optional = omitted.len() == missing;
        if !is_optional || (words.is_empty() && missing > 0) {
            let open = line.open.join("\n  ");
            let blank = |slot: &OpenSlot| {
                let blank = slot.placeholder();
                if slot.optional { format!("[{blank}]") } else { blank }
            };
            let blanks: Vec<String> = line.slots.iter().map(blank).collect();
            let lead = if is_optional {
                format!(
                    "Choice {number} takes optional values. To omit them, type `{notation}`. To \
                     give them, type"
                )
            } else {
                format!("Choice {number} needs more values. Type")
            };
            let (blanks, order) = (blanks.join(" "), &line.notation);
            let told = format!("{lead} `{number} {blanks}` or the order:\n  {order}\n  {open}");
            return Err(Failure::failed(told).because("OPEN_CHOICE"));
        }
        let filled: Vec<&OpenSlot> =
            line.slots.iter().filter(|slot| !omitted.contains(slot)).collect();
        let notation = filled.iter().enumerate().fold(notation, |notation, (index, slot)| {
            let is_last = index + 1 == filled.len();
            let value = if is_last { words[index..].join(" ") } else { words[index].clone() };
            notation.replace(&slot.placeholder(), &value)
        });
        Ok(Line { notation, ..line.clone() })
    }
}

/// Returns what orders spend of these stocks.
fn spent(offers: &Offers<GameOrder>, orders: &[String], stocks: &BTreeSet<StockId>) -> i64 {
    let costs = orders.iter().filter_map(|order| offers.cost_of(order));
    costs.filter(|cost| !cost.stocks.is_disjoint(stocks)).map(|cost| cost.amount).sum()
}

/// Returns the price and the stock of an offer for the end of its label, or an empty string.
fn stock_words(offers: &Offers<GameOrder>, offer: &Offer<GameOrder>, orders: &[String]) -> String {
    let Some(id) = offer.stock else { return String::new() };
    let Some(stock) = offers.stock(id) else { return String::new() };
    let Amount { amount, unit } = &stock.available;
    let left = i64::from(*amount) - spent(offers, orders, &BTreeSet::from([id]));
    let price = match offer.price {
        0 => String::new(),
        price => format!("{price} {unit} or more, "),
    };
    format!(" ({price}{left} {unit} left)")
}

fn lines(offers: &Offers<GameOrder>, offer: &Offer<GameOrder>, standing: &[String]) -> Vec<Line> {
    let line = Line {
        key: offer.key.to_string(),
        notation: offer.notation.to_string(),
        label: offer.label.to_string(),
        rule: offer.rule.to_string(),
        heading: match offers.heading(offer) {
            "" => "Orders".to_owned(),
            heading => heading.to_owned(),
        },
        open: Vec::new(),
        order: offer.order.clone(),
        slots: Vec::new(),
        weight: offer.weight,
        cost: None,
    };
    let ways_max = if offer.slots.len() > 1 { COMBINED_MAX } else { WAYS_MAX };
    if offers.ways(offer).is_none_or(|ways| ways > ways_max) {
        let open = offer
            .slots
            .iter()
            .map(|slot| format!("{{{}}}: {}", slot.name, takes(offers, offer, slot)))
            .collect();
        let asked = |label: String, slot: &Slot| {
            let mark = if slot.optional { ", optional" } else { "" };
            let choice = few(offers, slot).unwrap_or_else(|| slot.label.to_string());
            put(&label, slot, &slot.phrase, &format!("[{choice}{mark}]"))
        };
        let placeholder = |slot: &Slot| format!("{{{}}}", slot.name);
        let written = |text: String, slot: &Slot| put(&text, slot, &slot.text, &placeholder(slot));
        let label = offer.slots.iter().fold(line.label, asked);
        let label = label + &stock_words(offers, offer, standing);
        let notation = offer.slots.iter().fold(line.notation, written);
        let open_slot = |slot: &Slot| OpenSlot {
            name: slot.name.to_string(),
            optional: slot.optional,
            written: put(&placeholder(slot), slot, &slot.text, &placeholder(slot)),
        };
        let slots = offer.slots.iter().map(open_slot).collect();
        return vec![Line { notation, label, open, slots, ..line }];
    }
    let filled = |chosen: Vec<_>| {
        let notation = offers.fill(offer, &chosen).ok()?;
        let said = offers.say(offer, &chosen).ok()?;
        let facts = facts(offers, offer, &chosen);
        let label = if facts.is_empty() { said } else { format!("{said}: {}", facts.join("; ")) };
        let cost = offers.cost(offer, &chosen).map(|cost| Cost {
            amount: cost.amount,
            available: cost.available,
            unit: cost.unit.into_owned(),
        });
        Some(Line { notation, label, cost, ..line.clone() })
    };
    offers.fillings(offer).filter_map(filled).collect()
}

/// Returns the choices of a slot, "Lion or Mule", if there are so few that they can replace its
/// label.
fn few(offers: &Offers<GameOrder>, slot: &Slot) -> Option<String> {
    let (Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks)) = &slot.kind else {
        return None;
    };
    let list = offers.list(picks.list);
    if list.len() > FEW || picks.most > 1 {
        return None;
    }
    let texts: Option<Vec<&str>> =
        list.iter().map(|id| offers.value(*id).map(|value| &*value.text)).collect();
    texts.map(|texts| texts.join(" or ")).filter(|text| !text.is_empty())
}

fn put(sentence: &str, slot: &Slot, around: &str, choice: &str) -> String {
    let around = if around.is_empty() { "{}" } else { around };
    sentence.replace(&format!("{{{}}}", slot.name), &around.replace("{}", choice))
}

/// Returns the facts of the chosen values, except of a piece without alternatives: the offer's
/// label describes it.
fn facts(offers: &Offers<GameOrder>, offer: &Offer<GameOrder>, chosen: &[Chosen]) -> Vec<String> {
    let is_only = |slot: &Slot| match &slot.kind {
        Kind::Pieces(picks) => offers.list(picks.list).len() == 1,
        _ => false,
    };
    let chosen = offer.slots.iter().zip(chosen).filter(|(slot, _)| !is_only(slot));
    let values = chosen.flat_map(|(_, chosen)| match chosen {
        Chosen::Values(values) => values.as_slice(),
        _ => &[],
    });
    let facts = values.filter_map(|id| offers.value(*id)).map(|value| offers.facts(value));
    let mut facts: Vec<String> = facts.filter(|facts| !facts.is_empty()).collect();
    facts.dedup();
    facts
}

/// Lists values, grouped by their facts. The facts follow the values.
fn named(offers: &Offers<GameOrder>, values: &[&Value]) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for value in values {
        let facts = offers.facts(value);
        match groups.iter_mut().find(|(other, _)| *other == facts) {
            Some((_, texts)) => texts.push(&value.text),
            None => groups.push((facts, vec![&value.text])),
        }
    }
    let group = |(facts, texts): (String, Vec<&str>)| {
        let runs = runs(&texts);
        let more = runs.len().saturating_sub(VALUES_MAX);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let facts = if facts.is_empty() { facts } else { format!(" ({facts})") };
        let shown = &runs[..runs.len().min(VALUES_MAX)];
        format!("{}{more}{facts}", shown.join(", "))
    };
    groups.into_iter().map(group).collect::<Vec<_>>().join(", ")
}

/// Writes consecutive numbers as ranges: "#1", "#2", "#3" become "#1-3".
fn runs(texts: &[&str]) -> Vec<String> {
    let number = |text: &str| text.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok());
    let run = |run: &[&str]| match run {
        [first, .., last] if run.len() > 2 => format!("{first}-{}", last.trim_start_matches('#')),
        run => run.join(", "),
    };
    let follows = |left: &&str, right: &&str| {
        number(left).zip(number(right)).is_some_and(|(left, right)| left + 1 == right)
    };
    texts.chunk_by(follows).map(run).collect()
}

fn takes(offers: &Offers<GameOrder>, offer: &Offer<GameOrder>, slot: &Slot) -> String {
    let taken = match &slot.kind {
        Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
            let list = offers.list(picks.list);
            let values = list.iter().filter_map(|id| offers.value(*id)).collect::<Vec<_>>();
            let count = match (picks.least, picks.most) {
                (1, 1) => String::new(),
                (least, most) if least == most => format!("{least} of "),
                (least, most) => format!("{least} to {most} of "),
            };
            format!("{count}{}", named(offers, &values))
        }
        Kind::Number(range) => {
            let steps =
                if range.step > 1 { format!(" in steps of {}", range.step) } else { String::new() };
            let cost = match (range.cost, offer.divisor) {
                (0, _) | (1, 0 | 1) => String::new(),
                (cost, 0 | 1) => format!(" ({cost} each)"),
                (cost, divisor) => format!(" ({cost} for {divisor})"),
            };
            format!("{} to {}{steps}{cost}", range.least, range.most)
        }
        Kind::Shares(shares) => {
            let one = |share: &heliopause_kernel::offer::Share| {
                let cost =
                    if share.cost > 1 { format!(" ({} each)", share.cost) } else { String::new() };
                format!("{} {} to {}{cost}", share.name(), share.least, share.most)
            };
            let all = shares.shares.iter().map(one).collect::<Vec<_>>().join(", ");
            // If no value has a cost, the sum is not limited.
            if shares.shares.iter().all(|share| share.cost == 0) {
                all
            } else {
                format!("{all}; together {} to {}", shares.least, shares.most)
            }
        }
        Kind::Free(free) => {
            format!("{} to {} characters, such as {}", free.least, free.most, free.example)
        }
    };
    let optional = if slot.optional { ", or nothing" } else { "" };
    let asked = if slot.label.starts_with("which of ") { "which" } else { &*slot.label };
    if asked == slot.name {
        return format!("{taken}{optional}");
    }
    format!("{asked}: {taken}{optional}")
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::offer::{Amount, Draft, Picks, Range, Share, Shares, Stock};
    use heliopause_proto::v1::GameOrder;

    use super::*;

    fn menu(make: impl FnOnce(&mut Draft<GameOrder>)) -> Menu {
        let mut draft = Draft::new();
        make(&mut draft);
        Menu::of(&offers::write(draft.complete())).unwrap()
    }

    #[test]
    fn an_order_is_picked_by_its_number_from_one() {
        let menu = menu(|draft| {
            draft.group("Army Paris");
            let places = [draft.value("Bur", "Burgundy"), draft.value("Pic", "")];
            let slot = draft.place("place", "where to", places);
            let label = "Army Paris moves to {place}";
            draft.offer("move", "A Par - {place}", label, "D3.2").slot(slot);
            draft.offer("hold", "A Par H", "Army Paris holds", "D3").is(GameOrder::default());
        });
        let told = |number| menu.pick(number, &[]).map(|line| line.notation);
        assert_eq!(told(1).unwrap(), "A Par - Bur");
        assert_eq!(menu.lines[0].label, "Army Paris moves to Burgundy");
        assert_eq!(told(2).unwrap(), "A Par - Pic");
        assert_eq!(menu.lines[2].heading, "Army Paris");
        assert!(menu.pick(3, &[]).unwrap().order.is_some());
        assert!(told(0).is_err() && told(4).is_err());
    }

    #[test]
    fn offers_with_many_fillings_are_one_line_with_slots() {
        let menu = menu(|draft| {
            let slot = |most| Slot::new("count", "how many", Kind::Number(Range::of(1..=most)));
            draft.offer("build", "build {count}", "Build {count} starships", "3.1").slot(slot(900));
            let places = [draft.value("Bur", "Burgundy"), draft.value("Pic", "")];
            let place = draft.place("place", "where", places);
            let via = slot(900).optional().within(" via {}", ", through {}");
            let label = "Send to {place}{count}";
            draft.offer("send", "send to {place}{count}", label, "").slot(place).slot(via);
            let length = slot(900).optional().within(" for {}", " for {}");
            draft.offer("stand", "stand{count}", "Stand{count}", "").slot(length);
        });
        assert_eq!(menu.lines.len(), 3);
        assert_eq!(menu.lines[0].label, "Build [how many] starships");
        assert_eq!(menu.lines[1].notation, "send to {place} via {count}");
        assert_eq!(menu.lines[1].label, "Send to [Bur or Pic], through [how many, optional]");
        let open = ["{place}: where: Bur, Pic", "{count}: how many: 1 to 900, or nothing"];
        assert_eq!(menu.lines[1].open, open);
        let filled = |number, words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            menu.pick(number, &words).map(|line| line.notation)
        };
        assert_eq!(filled(1, &["20"]).unwrap(), "build 20");
        assert_eq!(filled(2, &["Bur", "3"]).unwrap(), "send to Bur via 3");
        assert_eq!(filled(2, &["Bur"]).unwrap(), "send to Bur");
        let fault = filled(2, &[]).unwrap_err().to_string();
        assert!(fault.contains("more values. Type `2 {place} [{count}]` or"), "{fault}");
        let fault = filled(3, &[]).unwrap_err().to_string();
        let told = "omit them, type `stand`. To give them, type `3 [{count}]` or";
        assert!(fault.contains(told), "{fault}");
        assert_eq!(filled(3, &["7"]).unwrap(), "stand for 7");
        let fault = menu.pick(1, &[]).unwrap_err().to_string();
        assert!(fault.contains("build {count}") && fault.contains("how many: 1 to 900"), "{fault}");
    }

    #[test]
    fn facts_follow_values_and_numbers_are_ranges() {
        let menu = menu(|draft| {
            let ships = ["#1", "#2", "#3", "#5", "#6"].map(|text| {
                let note = if text < "#5" { "scout" } else { "corvette" };
                draft.add(Value { note: note.to_owned(), ..Value::new(text, "") })
            });
            let picks = Picks { list: draft.list(ships), least: 1, most: 5, separator: ",".into() };
            let ships = Slot::new("ships", "which", Kind::Pieces(picks));
            let count = Slot::new("count", "how many", Kind::Number(Range::of(1..=900)));
            draft.offer("move", "move {ships} {count}", "Move", "9").slot(ships).slot(count);
            let [price, size] =
                [(40, "RU"), (9, "t")].map(|(at, unit)| Some(Amount::new(at, unit)));
            let class = [draft.add(Value { price, size, ..Value::new("Lion", "") })];
            let class = draft.word("class", "class", class);
            let stock = draft.stock(Stock::new("Sol", 50, "RU"));
            let offer = draft.offer("build", "build {class}", "Build {class}", "3");
            offer.slot(class).paid_by(stock, 0);
        });
        let ships = "{ships}: which: 1 to 5 of #1-3 (scout), #5, #6 (corvette)";
        assert_eq!(menu.lines[0].open[0], ships);
        assert_eq!(menu.lines[1].label, "Build Lion: 40 RU, 9 t");
        let cost = serde_json::to_value(&menu.lines[1].cost).unwrap();
        assert_eq!(cost, serde_json::json!({"amount": 40, "available": 50, "unit": "RU"}));
        assert_eq!(menu.lines[0].cost, None);
        // A piece without alternatives is in the label, so its note says nothing new.
        let menu = self::menu(|draft| {
            let ship = [draft.add(Value { note: "S".to_owned(), ..Value::new("#6", "") })];
            let ship = Kind::Pieces(Picks::one(draft.list(ship)));
            let stars = ["Wolf", "Mira"].map(|star| draft.value(star, ""));
            let star = draft.place("star", "star", stars);
            let ship = Slot::new("ship", "which", ship);
            draft
                .offer("move", "move {ship} to {star}", "Move S6 to {star}", "")
                .slot(ship)
                .slot(star);
        });
        assert_eq!(menu.lines[0].label, "Move S6 to Wolf");
    }

    #[test]
    fn open_lines_show_what_is_left_of_their_stock() {
        let mut draft = Draft::new();
        let stock = draft.stock(Stock::new("Sol", 20, "i.p."));
        let number = |name: &'static str, range| Slot::new(name, "how many", Kind::Number(range));
        let paid = Range { cost: 1, ..Range::of(1..=900) };
        let offer = draft.offer("build", "build {n}", "Build {n}", "3");
        offer.slot(number("n", Range { cost: 3, ..paid })).paid_by(stock, 0);
        let offer = draft.offer("finish", "finish {n}", "Finish {n}", "3");
        offer.slot(number("n", paid)).paid_by(stock, 10);
        let offer = draft.offer("repair", "repair {n}", "Repair {n}", "3");
        offer.slot(number("n", paid)).paid_by(stock, 0).divided_by(2);
        let response = GetOffersResponse {
            offers: Some(offers::write(draft.complete())),
            current_orders: vec!["build 2".to_owned(), "stay".to_owned()],
            ..GetOffersResponse::default()
        };
        let menu = Menu::read(&response).unwrap();
        let labels: Vec<&str> = menu.lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(
            labels,
            [
                "Build [how many] (14 i.p. left)",
                "Finish [how many] (10 i.p. or more, 14 i.p. left)",
                "Repair [how many] (14 i.p. left)",
            ]
        );
        let open: Vec<&str> = menu.lines.iter().map(|line| line.open[0].as_str()).collect();
        assert_eq!(open[0], "{n}: how many: 1 to 900 (3 each)");
        assert_eq!(open[2], "{n}: how many: 1 to 900 (1 for 2)");
        let told = |order| menu.cost_words(order).unwrap_or_default();
        assert_eq!(told("repair 5"), "Costs 3 i.p.; 11 of 20 i.p. left.");
        assert_eq!(told("finish 5"), "Costs 15 i.p.; 1 i.p. more than is left.");
        assert_eq!([told("stay"), told("repair 0")], ["", ""]);
    }

    #[test]
    fn shares_without_a_cost_have_no_sum() {
        let share = |name: &'static str, cost| {
            let (text, label) = ("".into(), name.into());
            Share { text, label, least: 1, most: 95, cost, ..Share::default() }
        };
        let open = |costs: [u32; 2], most| {
            let shares = vec![share("guns", costs[0]), share("dp", costs[1])];
            let shares = Shares { shares, least: 0, most, separator: " ".into(), zeros: true };
            let menu = menu(|draft| {
                let slot = Slot::new("ratings", "ratings", Kind::Shares(shares));
                draft.offer("design", "DESIGN {ratings}", "Design {ratings}", "6.5.2").slot(slot);
            });
            menu.lines[0].open[0].clone()
        };
        assert_eq!(open([0, 0], 0), "{ratings}: guns 1 to 95, dp 1 to 95");
        let told = "{ratings}: guns 1 to 95, dp 1 to 95 (3 each); together 0 to 12";
        assert_eq!(open([1, 3], 12), told);
    }

    #[test]
    fn main_orders_come_first() {
        let menu = menu(|draft| {
            let order = GameOrder::default;
            draft.group("Moves");
            draft.offer("move", "move A1", "Move A1", "").is(order());
            draft.offer("end", "end", "End the turn", "").is(order()).weighs(Weight::End);
            draft.group("Markers");
            draft.offer("mark", "mark", "Put a marker", "").is(order());
            draft.offer("colonize", "colonize", "", "").is(order()).weighs(Weight::Main);
        });
        let keys = |menu: &Menu| menu.lines.iter().map(|line| line.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&menu), ["mark", "colonize", "move", "end"]);
        let menu = self::menu(|draft| {
            for (group, key) in [("A", "move"), ("B", "drop"), ("A", "form"), ("B", "send")] {
                draft.group(group);
                draft.offer(key, key, key, "").is(GameOrder::default());
            }
        });
        assert_eq!(keys(&menu), ["move", "form", "drop", "send"], "a group has a range of numbers");
    }

    #[test]
    fn inconsistent_offers_are_rejected() {
        let mut draft = Draft::<GameOrder>::new();
        draft.offer("move", "move {where}", "", "");
        assert!(Menu::of(&offers::write(draft.complete())).is_err());
    }
}
