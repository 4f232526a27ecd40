//! Search for the offer that produces an order.

use super::{
    FreeText, Kind, Offer, Offers, Part, Picks, Range, Shares, Slot, ValueId, around, parts,
};

impl<O> Offers<O> {
    /// Returns the first offer that produces this order in exactly the game's notation.
    pub fn that_makes(&self, order: &str) -> Option<&Offer<O>> {
        self.list.iter().find(|offer| self.makes(offer, order))
    }

    pub fn makes(&self, offer: &Offer<O>, order: &str) -> bool {
        let parts: Vec<Part<'_>> = parts(&offer.notation).collect();
        self.follows(offer, &parts, order)
    }

    fn follows(&self, offer: &Offer<O>, parts: &[Part<'_>], text: &str) -> bool {
        let Some((first, rest)) = parts.split_first() else { return text.is_empty() };
        match *first {
            Part::Fixed(fixed) => {
                text.strip_prefix(fixed).is_some_and(|text| self.follows(offer, rest, text))
            }
            Part::Slot(name) => {
                let Some(slot) = offer.slots.iter().find(|slot| slot.name == name) else {
                    return false;
                };
                self.slot_follows(slot, text, &|behind| self.follows(offer, rest, behind))
            }
        }
    }

    fn slot_follows(&self, slot: &Slot, text: &str, then: &dyn Fn(&str) -> bool) -> bool {
        if slot.optional && then(text) {
            return true;
        }
        let (before, behind) = around(&slot.text);
        let Some(text) = text.strip_prefix(before) else { return false };
        let end = |text: &str| text.strip_prefix(behind).is_some_and(then);
        match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                self.picks_follow(picks, &mut Vec::new(), text, &end)
            }
            Kind::Number(range) => number(*range, text, &end),
            Kind::Shares(shares) => shares_follow(shares, &mut Vec::new(), text, &end),
            Kind::Free(free) => self.text_follows(free, text, &end),
        }
    }

    fn picks_follow(
        &self,
        picks: &Picks,
        taken: &mut Vec<ValueId>,
        text: &str,
        then: &dyn Fn(&str) -> bool,
    ) -> bool {
        let separator = if taken.is_empty() { "" } else { picks.separator.as_ref() };
        let Some(text) = text.strip_prefix(separator) else { return false };
        for id in self.list(picks.list) {
            let Some(value) = self.value(*id) else { continue };
            let Some(rest) = text.strip_prefix(value.text.as_str()) else { continue };
            if taken.contains(id) {
                continue;
            }
            taken.push(*id);
            let count = taken.len() as u64;
            let done = count >= u64::from(picks.least) && then(rest);
            if done
                || (count < u64::from(picks.most) && self.picks_follow(picks, taken, rest, then))
            {
                return true;
            }
            taken.pop();
        }
        false
    }

    fn text_follows(&self, free: &FreeText, text: &str, then: &dyn Fn(&str) -> bool) -> bool {
        let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let stray = |letters: &str, letter: char| !letters.is_empty() && !letters.contains(letter);
        for (index, end) in ends.enumerate() {
            let (own, rest) = text.split_at(end);
            let last = own.chars().next_back().unwrap_or_default();
            let begins_wrong = index == 0 && stray(&free.initials, last);
            if begins_wrong || stray(&free.alphabet, last) || index as u64 >= u64::from(free.most) {
                return false;
            }
            if index as u64 + 1 >= u64::from(free.least) && !self.is_taken(free, own) && then(rest)
            {
                return true;
            }
        }
        false
    }
}

/// Parses a number at the start of a text. Rejects leading zeros, `-0` and a plus sign.
fn read_number(text: &str) -> Option<(i32, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let length = text.len() - digits.len() + digits.bytes().take_while(u8::is_ascii_digit).count();
    let (own, rest) = text.split_at(length);
    own.parse::<i32>().ok().filter(|number| number.to_string() == own).map(|number| (number, rest))
}

fn number(range: Range, text: &str, then: &dyn Fn(&str) -> bool) -> bool {
    read_number(text).is_some_and(|(number, rest)| range.contains(number) && then(rest))
}

fn shares_follow(
    shares: &Shares,
    numbers: &mut Vec<i32>,
    text: &str,
    then: &dyn Fn(&str) -> bool,
) -> bool {
    let Some(share) = shares.shares.get(numbers.len()) else {
        let sum: i64 = shares
            .shares
            .iter()
            .zip(&*numbers)
            .map(|(share, n)| i64::from(share.cost) * i64::from(*n))
            .sum();
        let some = shares.zeros || numbers.iter().any(|number| *number != 0);
        return some
            && (i64::from(shares.least)..=i64::from(shares.most)).contains(&sum)
            && then(text);
    };
    if !shares.zeros && share.least <= 0 && share.most >= 0 {
        numbers.push(0);
        if shares_follow(shares, numbers, text, then) {
            return true;
        }
        numbers.pop();
    }
    let first =
        if shares.zeros { numbers.is_empty() } else { numbers.iter().all(|number| *number == 0) };
    let separator = if first { "" } else { shares.separator.as_ref() };
    let (before, behind) = around(&share.text);
    let read = || {
        let (number, rest) = read_number(text.strip_prefix(separator)?.strip_prefix(before)?)?;
        Some((number, rest.strip_prefix(behind)?))
    };
    let Some((number, rest)) = read() else { return false };
    if !(share.least..=share.most).contains(&number) || (number == 0 && !shares.zeros) {
        return false;
    }
    numbers.push(number);
    let found = shares_follow(shares, numbers, rest, then);
    numbers.pop();
    found
}
