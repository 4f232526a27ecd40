//! Offers as a numbered menu: each filling of an offer is a line, as long as they can be counted on
//! a page; the others are one line with their slots.

use heliopause_kernel::offer::{Kind, Offer, Offers, Slot, Weight};
use heliopause_proto::v1::{GameOrder, GetOffersResponse};
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
    /// Whether a menu asks again.
    #[serde(skip)]
    pub grave: bool,
}

impl Menu {
    /// The menu of what is offered.
    pub fn read(response: &GetOffersResponse) -> Result<Self, Failure> {
        let Some(message) = &response.offers else { return Ok(Self::default()) };
        let offers = offers::read(message).map_err(|fault| {
            Failure::failed(format!("The offers of this game cannot be read: {fault}."))
                .because("BAD_OFFERS")
        })?;
        let complete = offers.complete;
        Ok(Self {
            lines: offers.list.iter().flat_map(|offer| lines(&offers, offer)).collect(),
            complete,
        })
    }

    /// The line with a number, which must be an order.
    pub fn pick(&self, number: usize) -> Result<&Line, Failure> {
        let line =
            number.checked_sub(1).and_then(|index| self.lines.get(index)).ok_or_else(|| {
                let there = match self.lines.len() {
                    0 => "there are none".into(),
                    last => format!("they go from 1 to {last}"),
                };
                Failure::failed(format!("There is no choice {number}; {there}."))
                    .because("NO_SUCH_CHOICE")
            })?;
        if line.open.is_empty() {
            return Ok(line);
        }
        let open = line.open.join("\n  ");
        let told = format!(
            "Choice {number} is to be filled in. Write it as an order:\n  {}\n  {open}",
            line.notation
        );
        Err(Failure::failed(told).because("OPEN_CHOICE"))
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
        grave: offer.weight == Weight::Grave,
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
        return vec![Line { notation, label, open, ..line }];
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
                format!("{} {}-{}", share.name(), share.least, share.most)
            };
            let all: Vec<String> = shares.shares.iter().map(one).collect();
            format!("{}; together {} to {}", all.join(", "), shares.least, shares.most)
        }
        Kind::Free(free) => {
            format!("{} to {} characters, such as {}", free.least, free.most, free.example)
        }
    };
    let optional = if slot.optional { ", or nothing" } else { "" };
    format!("{}: {taken}{optional}", slot.label)
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::offer::{Draft, Range};
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
        let told = |number| menu.pick(number).map(|line| line.notation.clone());
        assert_eq!(told(1).unwrap(), "A Par - Bur");
        assert_eq!(menu.lines[0].label, "Army Paris moves to Burgundy");
        assert_eq!(told(2).unwrap(), "A Par - Pic");
        assert!(menu.pick(3).unwrap().order.is_some() && menu.lines[2].heading == "Army Paris");
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
        let fault = menu.pick(1).unwrap_err().to_string();
        assert!(fault.contains("build {count}") && fault.contains("how many: 1 to 900"), "{fault}");
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
