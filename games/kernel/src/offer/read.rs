//! Search for the offer that produces an order, and for its choices.

use std::collections::BTreeMap;

use super::{
    Chosen, Cost, FreeText, Kind, Offer, Offers, Part, Phrase, Picks, Shares, Slot, ValueId,
    around, fill::sum, parts,
};

/// The choices of slots by name. `None` if a text does not follow the notation.
type Found = Option<BTreeMap<Phrase, Chosen>>;

impl<O> Offers<O> {
    /// Returns the first offer that produces this order in exactly the game's notation.
    pub fn that_makes(&self, order: &str) -> Option<&Offer<O>> {
        self.list.iter().find(|offer| self.makes(offer, order))
    }

    pub fn makes(&self, offer: &Offer<O>, order: &str) -> bool {
        self.choices_in(offer, order).is_some()
    }

    /// Returns the choices, one per slot, with which an offer produces this order.
    pub fn choices_in(&self, offer: &Offer<O>, order: &str) -> Option<Vec<Chosen>> {
        let parts: Vec<Part<'_>> = parts(&offer.notation).collect();
        let mut found = self.follows(offer, &parts, order)?;
        offer.slots.iter().map(|slot| found.remove(&slot.name)).collect()
    }

    /// Returns what an order costs, if an offer produces it.
    pub fn cost_of(&self, order: &str) -> Option<Cost> {
        let offer = self.that_makes(order)?;
        self.cost(offer, &self.choices_in(offer, order)?)
    }

    fn follows(&self, offer: &Offer<O>, parts: &[Part<'_>], text: &str) -> Found {
        let Some((first, rest)) = parts.split_first() else {
            return text.is_empty().then(BTreeMap::new);
        };
        match *first {
            Part::Fixed(fixed) => self.follows(offer, rest, text.strip_prefix(fixed)?),
            Part::Slot(name) => {
                let slot = offer.slots.iter().find(|slot| slot.name == name)?;
                self.slot_follows(slot, text, &|behind| self.follows(offer, rest, behind))
            }
        }
    }

    fn slot_follows(&self, slot: &Slot, text: &str, then: &dyn Fn(&str) -> Found) -> Found {
        if slot.optional
            && let Some(mut found) = then(text)
        {
            found.insert(slot.name.clone(), Chosen::Empty);
            return Some(found);
        }
        let (before, behind) = around(&slot.text);
        let text = text.strip_prefix(before)?;
        let end = |text: &str| then(text.strip_prefix(behind)?);
        let (mut found, chosen) = match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                let mut taken = Vec::new();
                (self.picks_follow(picks, &mut taken, text, &end)?, Chosen::Values(taken))
            }
            Kind::Number(range) => {
                let (number, rest) = read_number(text).filter(|(it, _)| range.contains(*it))?;
                (end(rest)?, Chosen::Number(number))
            }
            Kind::Shares(shares) => {
                let mut numbers = Vec::new();
                (shares_follow(shares, &mut numbers, text, &end)?, Chosen::Numbers(numbers))
            }
            Kind::Free(free) => self.text_follows(free, text, &end)?,
        };
        found.insert(slot.name.clone(), chosen);
        Some(found)
    }

    /// Leaves the chosen values in `taken` if the text follows.
    fn picks_follow(
        &self,
        picks: &Picks,
        taken: &mut Vec<ValueId>,
        text: &str,
        then: &dyn Fn(&str) -> Found,
    ) -> Found {
        let separator = if taken.is_empty() { "" } else { picks.separator.as_ref() };
        let text = text.strip_prefix(separator)?;
        for id in self.list(picks.list) {
            let Some(value) = self.value(*id) else { continue };
            let Some(rest) = text.strip_prefix(value.text.as_str()) else { continue };
            if taken.contains(id) {
                continue;
            }
            taken.push(*id);
            let count = taken.len() as u64;
            let mut found = (count >= u64::from(picks.least)).then(|| then(rest)).flatten();
            if found.is_none() && count < u64::from(picks.most) {
                found = self.picks_follow(picks, taken, rest, then);
            }
            if found.is_some() {
                return found;
            }
            taken.pop();
        }
        None
    }

    fn text_follows(
        &self,
        free: &FreeText,
        text: &str,
        then: &dyn Fn(&str) -> Found,
    ) -> Option<(BTreeMap<Phrase, Chosen>, Chosen)> {
        let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let stray = |letters: &str, letter: char| !letters.is_empty() && !letters.contains(letter);
        for (index, end) in ends.enumerate() {
            let (own, rest) = text.split_at(end);
            let last = own.chars().next_back().unwrap_or_default();
            let begins_wrong = index == 0 && stray(&free.initials, last);
            if begins_wrong || stray(&free.alphabet, last) || index as u64 >= u64::from(free.most) {
                return None;
            }
            if index as u64 + 1 >= u64::from(free.least)
                && !self.is_taken(free, own)
                && let Some(found) = then(rest)
            {
                return Some((found, Chosen::Text(own.to_owned())));
            }
        }
        None
    }
}

/// Parses a number at the start of a text. Rejects leading zeros, `-0` and a plus sign.
fn read_number(text: &str) -> Option<(i32, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let length = text.len() - digits.len() + digits.bytes().take_while(u8::is_ascii_digit).count();
    let (own, rest) = text.split_at(length);
    own.parse::<i32>().ok().filter(|number| number.to_string() == own).map(|number| (number, rest))
}

/// Leaves the numbers in `numbers` if the text follows.
fn shares_follow(
    shares: &Shares,
    numbers: &mut Vec<i32>,
    text: &str,
    then: &dyn Fn(&str) -> Found,
) -> Found {
    let Some(share) = shares.shares.get(numbers.len()) else {
        let some = shares.zeros || numbers.iter().any(|number| *number != 0);
        let sum = sum(shares, numbers);
        let fits = (i64::from(shares.least)..=i64::from(shares.most)).contains(&sum);
        return if some && fits { then(text) } else { None };
    };
    if !shares.zeros && share.least <= 0 && share.most >= 0 {
        numbers.push(0);
        let found = shares_follow(shares, numbers, text, then);
        if found.is_some() {
            return found;
        }
        numbers.pop();
    }
    let first =
        if shares.zeros { numbers.is_empty() } else { numbers.iter().all(|number| *number == 0) };
    let separator = if first { "" } else { shares.separator.as_ref() };
    let (before, behind) = around(&share.text);
    let (number, rest) = read_number(text.strip_prefix(separator)?.strip_prefix(before)?)?;
    let rest = rest.strip_prefix(behind)?;
    if !(share.least..=share.most).contains(&number) || (number == 0 && !shares.zeros) {
        return None;
    }
    numbers.push(number);
    let found = shares_follow(shares, numbers, rest, then);
    if found.is_none() {
        numbers.pop();
    }
    found
}
