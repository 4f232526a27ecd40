//! Offers as a numbered menu: each filling of an offer is a line, as long as they can be counted on
//! a page; the others are one line with their slots.

use std::collections::HashMap;

use heliopause_kernel::offer::{Kind, Offer, Offers, Slot, Weight};
use heliopause_proto::v1::{self as proto, GameOrder, GetOffersResponse};
use heliopause_table::offers;
use serde::Serialize;

use crate::failure::Failure;

/// An offer that can be filled in more ways than this is one line.
const WAYS_MAX: u64 = 400;
/// The same of an offer with several slots: every combination of them says little that the sentence
/// does not.
const COMBINED_MAX: u64 = 24;
/// So many values of a slot are named when it is asked for; the others are counted.
const VALUES_MAX: usize = 24;

/// What may be ordered, line by line.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// The lines, numbered from 1.
    pub lines: Vec<Line>,
    /// Whether these are all.
    pub complete: bool,
}

/// A line of a menu.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The word for orders like this one.
    pub key: String,
    /// The order in the notation of the game; with `{name}` where something is still to be chosen.
    pub notation: String,
    /// What it does.
    pub label: String,
    /// The rule that allows it.
    pub rule: String,
    /// Under which heading it stands.
    pub heading: String,
    /// What is still to be chosen, slot by slot; none if it is an order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// The order, where the offer holds it.
    #[serde(skip)]
    pub order: Option<GameOrder>,
    /// The names of what is still to be chosen.
    #[serde(skip)]
    pub slots: Vec<String>,
    /// How much it weighs.
    #[serde(skip)]
    pub weight: Weight,
}

impl Line {
    /// Whether a menu asks again.
    pub fn is_grave(&self) -> bool {
        self.weight == Weight::Grave
    }
}

impl Menu {
    /// The menu of what is offered.
    pub fn read(response: &GetOffersResponse) -> Result<Self, Failure> {
        response.offers.as_ref().map_or_else(|| Ok(Self::default()), Self::of)
    }

    /// The menu of these offers.
    pub fn of(message: &proto::Offers) -> Result<Self, Failure> {
        let offers = offers::read(message).map_err(|fault| {
            Failure::failed(format!("The offers of this game cannot be read: {fault}."))
                .because("BAD_OFFERS")
        })?;
        let complete = offers.complete;
        let mut lines: Vec<Line> =
            offers.list.iter().flat_map(|offer| lines(&offers, offer)).collect();
        debug_assert!(
            lines.iter().all(|line| line.slots.len() == line.open.len()),
            "a line says what each of its slots takes"
        );
        // What a decision is about stands first, with all that stands under the same heading.
        let mut weights: HashMap<String, Weight> = HashMap::new();
        for line in &lines {
            let weight = weights.entry(line.heading.clone()).or_insert(line.weight);
            *weight = line.weight.min(*weight);
        }
        lines.sort_by_key(|line| weights.get(&line.heading).copied());
        Ok(Self { lines, complete })
    }

    /// The order of the line with a number, its slots filled with these words: the last one with
    /// all that are left.
    pub fn pick(&self, number: usize, words: &[String]) -> Result<Line, Failure> {
        let line =
            number.checked_sub(1).and_then(|index| self.lines.get(index)).ok_or_else(|| {
                let there = match self.lines.len() {
                    0 => "there are none".into(),
                    last => format!("they go from 1 to {last}"),
                };
                Failure::failed(format!("There is no choice {number}; {there}."))
                    .because("NO_SUCH_CHOICE")
            })?;
        if line.slots.is_empty() && !words.is_empty() {
            let told = format!("Choice {number} is an order already: `{}`.", line.notation);
            return Err(Failure::failed(told).because("NO_SUCH_CHOICE"));
        }
        if words.len() < line.slots.len() {
            let open = line.open.join("\n  ");
            let blanks: Vec<String> = line.slots.iter().map(|slot| format!("{{{slot}}}")).collect();
            let told = format!(
                "Choice {number} is to be filled in: type `{number} {}`, or the order:\n  {}\n  \
                 {open}",
                blanks.join(" "),
                line.notation
            );
            return Err(Failure::failed(told).because("OPEN_CHOICE"));
        }
        let notation =
            line.slots.iter().enumerate().fold(line.notation.clone(), |notation, (index, slot)| {
                let is_last = index + 1 == line.slots.len();
                let value = if is_last { words[index..].join(" ") } else { words[index].clone() };
                notation.replace(&format!("{{{slot}}}"), &value)
            });
        Ok(Line { notation, ..line.clone() })
    }
}

/// The lines of an offer.
fn lines(offers: &Offers<GameOrder>, offer: &Offer<GameOrder>) -> Vec<Line> {
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
    };
    let ways_max = if offer.slots.len() > 1 { COMBINED_MAX } else { WAYS_MAX };
    if offers.ways(offer).is_none_or(|ways| ways > ways_max) {
        let open = offer
            .slots
            .iter()
            .map(|slot| format!("{{{}}}: {}", slot.name, takes(offers, slot)))
            .collect();
        // What is to be chosen is asked for in the sentence, within the words that go with it.
        let asked = |label: String, slot: &Slot| {
            put(&label, slot, &slot.phrase, &format!("[{}]", slot.label))
        };
        let written =
            |text: String, slot: &Slot| put(&text, slot, &slot.text, &format!("{{{}}}", slot.name));
        let label = offer.slots.iter().fold(line.label, asked);
        let notation = offer.slots.iter().fold(line.notation, written);
        let slots = offer.slots.iter().map(|slot| slot.name.to_string()).collect();
        return vec![Line { notation, label, open, slots, ..line }];
    }
    let filled = |chosen: Vec<_>| {
        let notation = offers.fill(offer, &chosen).ok()?;
        let label = offers.say(offer, &chosen).ok()?;
        Some(Line { notation, label, ..line.clone() })
    };
    offers.fillings(offer).filter_map(filled).collect()
}

/// Puts a choice into a sentence, with what is written around it.
fn put(sentence: &str, slot: &Slot, around: &str, choice: &str) -> String {
    let around = if around.is_empty() { "{}" } else { around };
    sentence.replace(&format!("{{{}}}", slot.name), &around.replace("{}", choice))
}

/// What a slot takes, for people.
fn takes(offers: &Offers<GameOrder>, slot: &Slot) -> String {
    let taken = match &slot.kind {
        Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
            let list = offers.list(picks.list);
            let named = list.iter().take(VALUES_MAX).filter_map(|id| offers.value(*id));
            let named: Vec<&str> = named.map(|value| value.text.as_str()).collect();
            let more = list.len().saturating_sub(VALUES_MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let count = match (picks.least, picks.most) {
                (1, 1) => String::new(),
                (least, most) if least == most => format!("{least} of "),
                (least, most) => format!("{least} to {most} of "),
            };
            format!("{count}{}{more}", named.join(", "))
        }
        Kind::Number(range) => {
            let steps =
                if range.step > 1 { format!(" in steps of {}", range.step) } else { String::new() };
            format!("{} to {}{steps}", range.least, range.most)
        }
        Kind::Shares(shares) => {
            let one = |share: &heliopause_kernel::offer::Share| {
                let cost =
                    if share.cost > 1 { format!(" ({} each)", share.cost) } else { String::new() };
                format!("{} {} to {}{cost}", share.name(), share.least, share.most)
            };
            let all = shares.shares.iter().map(one).collect::<Vec<_>>().join(", ");
            // Numbers without a cost have no sum.
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
    // The things themselves follow.
    let asked = if slot.label.starts_with("which of ") { "which" } else { &slot.label };
    format!("{asked}: {taken}{optional}")
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::offer::{Draft, Range, Share, Shares};
    use heliopause_proto::v1::GameOrder;

    use super::*;

    fn menu(make: impl FnOnce(&mut Draft<GameOrder>)) -> Menu {
        let mut draft = Draft::new();
        make(&mut draft);
        let response = GetOffersResponse {
            offers: Some(offers::write(draft.complete())),
            ..GetOffersResponse::default()
        };
        Menu::read(&response).unwrap()
    }

    #[test]
    fn an_order_is_picked_by_its_number_from_one() {
        let menu = menu(|draft| {
            draft.group("Army Paris");
            let places = [draft.value("Bur", "Burgundy"), draft.value("Pic", "")];
            let slot = draft.place("place", "where to", places);
            draft
                .offer("move", "A Par - {place}", "Army Paris moves to {place}", "D3.2")
                .slot(slot);
            draft.offer("hold", "A Par H", "Army Paris holds", "D3").is(GameOrder::default());
        });
        let told = |number| menu.pick(number, &[]).map(|line| line.notation);
        assert_eq!(told(1).unwrap(), "A Par - Bur");
        assert_eq!(menu.lines[0].label, "Army Paris moves to Burgundy");
        assert_eq!(told(2).unwrap(), "A Par - Pic");
        assert!(
            menu.pick(3, &[]).unwrap().order.is_some() && menu.lines[2].heading == "Army Paris"
        );
        assert!(told(0).is_err() && told(4).is_err());
    }

    #[test]
    fn what_cannot_be_listed_is_one_line_that_says_what_it_takes() {
        let menu = menu(|draft| {
            let slot = |most| Slot::new("count", "how many", Kind::Number(Range::of(1..=most)));
            draft.offer("build", "build {count}", "Build {count} starships", "3.1").slot(slot(900));
            let places = [draft.value("Bur", "Burgundy"), draft.value("Pic", "")];
            let place = draft.place("place", "where", places);
            let via = slot(900).optional().within(" via {}", ", through {}");
            draft
                .offer("send", "send to {place}{count}", "Send to {place}{count}", "")
                .slot(place)
                .slot(via);
        });
        assert_eq!(menu.lines.len(), 2);
        assert_eq!(menu.lines[0].label, "Build [how many] starships");
        assert_eq!(menu.lines[1].notation, "send to {place} via {count}");
        assert_eq!(menu.lines[1].label, "Send to [where], through [how many]");
        assert_eq!(
            menu.lines[1].open,
            ["{place}: where: Bur, Pic", "{count}: how many: 1 to 900, or nothing"]
        );
        let filled = |number, words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            menu.pick(number, &words).map(|line| line.notation)
        };
        assert_eq!(filled(1, &["20"]).unwrap(), "build 20");
        assert_eq!(filled(2, &["Bur", "3"]).unwrap(), "send to Bur via 3");
        assert!(filled(2, &["Bur"]).is_err(), "one of two");
        let fault = menu.pick(1, &[]).unwrap_err().to_string();
        assert!(fault.contains("build {count}") && fault.contains("how many: 1 to 900"), "{fault}");
    }

    #[test]
    fn shares_without_a_cost_have_no_sum() {
        let share = |name: &'static str, cost| Share {
            text: "".into(),
            label: name.into(),
            least: 1,
            most: 95,
            cost,
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
        assert_eq!(open([0, 0], 0), "{ratings}: ratings: guns 1 to 95, dp 1 to 95");
        assert_eq!(
            open([1, 3], 12),
            "{ratings}: ratings: guns 1 to 95, dp 1 to 95 (3 each); together 0 to 12"
        );
    }

    #[test]
    fn what_a_decision_is_about_stands_first() {
        let menu = menu(|draft| {
            draft.group("Moves");
            draft.offer("move", "move A1", "Move A1", "").is(GameOrder::default());
            draft
                .offer("end", "end", "End the turn", "")
                .is(GameOrder::default())
                .weighs(Weight::End);
            draft.group("Markers");
            draft.offer("mark", "mark", "Put a marker", "").is(GameOrder::default());
            draft
                .offer("colonize", "colonize", "Colonize", "")
                .is(GameOrder::default())
                .weighs(Weight::Main);
        });
        let keys: Vec<&str> = menu.lines.iter().map(|line| line.key.as_str()).collect();
        assert_eq!(keys, ["mark", "colonize", "move", "end"]);
    }

    #[test]
    fn offers_that_do_not_hold_together_are_refused() {
        let mut draft = Draft::<GameOrder>::new();
        draft.offer("move", "move {where}", "", "");
        let response = GetOffersResponse {
            offers: Some(offers::write(draft.complete())),
            ..GetOffersResponse::default()
        };
        assert!(Menu::read(&response).is_err());
    }
}
