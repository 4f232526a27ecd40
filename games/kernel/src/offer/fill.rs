//! Filling slots: by choice, at random, or by enumeration.

use std::fmt;

use super::{
    FreeText, Kind, Offer, Offers, Part, Picks, Range, Shares, Slot, Value, ValueId, around, parts,
};

/// The content of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    Empty,
    Values(Vec<ValueId>),
    Number(i32),
    Numbers(Vec<i32>),
    Text(String),
}

/// The error for content that a slot does not accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FillError {
    pub slot: String,
    pub message: String,
}

impl fmt::Display for FillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.slot, self.message)
    }
}

impl std::error::Error for FillError {}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Notation,
    Label,
}

impl<O> Offers<O> {
    /// Returns the order in the game's notation with these choices, one per slot.
    pub fn fill(&self, offer: &Offer<O>, chosen: &[Chosen]) -> Result<String, FillError> {
        self.checked(offer, chosen)?;
        Ok(self.written(offer, chosen, Style::Notation))
    }

    /// Returns the sentence of an offer with these choices, one per slot.
    pub fn say(&self, offer: &Offer<O>, chosen: &[Chosen]) -> Result<String, FillError> {
        self.checked(offer, chosen)?;
        Ok(self.written(offer, chosen, Style::Label))
    }

    /// Returns the number of ways to fill an offer. `None` if a slot cannot be enumerated (several
    /// values, shares or free text) or the number overflows.
    pub fn ways(&self, offer: &Offer<O>) -> Option<u64> {
        offer.slots.iter().try_fold(1_u64, |ways, slot| ways.checked_mul(self.ways_of(slot)?))
    }

    /// Returns the filling of an offer with this index, from 0. `None` if there is none.
    pub fn way(&self, offer: &Offer<O>, mut index: u64) -> Option<Vec<Chosen>> {
        let mut chosen = Vec::with_capacity(offer.slots.len());
        // The last slot varies fastest, like digits.
        for slot in offer.slots.iter().rev() {
            let ways = self.ways_of(slot)?;
            chosen.push(self.way_of(slot, index.checked_rem(ways)?)?);
            index /= ways;
        }
        chosen.reverse();
        (index == 0).then_some(chosen)
    }

    /// Returns all ways to fill an offer. Empty if they cannot be enumerated.
    pub fn fillings<'a>(
        &'a self,
        offer: &'a Offer<O>,
    ) -> impl Iterator<Item = Vec<Chosen>> + use<'a, O> {
        (0..self.ways(offer).unwrap_or(0)).map_while(|index| self.way(offer, index))
    }

    /// Returns the fillings of all offers that have at most `ways_max` ways, in the game's
    /// notation.
    pub fn lines(&self, ways_max: u64) -> impl Iterator<Item = String> {
        let few = move |offer: &&Offer<O>| self.ways(offer).is_some_and(|ways| ways <= ways_max);
        let filled = move |offer| {
            self.fillings(offer).map(move |chosen| self.written(offer, &chosen, Style::Notation))
        };
        self.list.iter().filter(few).flat_map(filled)
    }

    pub fn at_random(&self, offer: &Offer<O>, rng: &mut dyn FnMut() -> u64) -> Vec<Chosen> {
        self.by_chance(offer, Extent::Any, rng)
    }

    /// Fills an offer at random with the largest allowed values, to test the bounds.
    pub fn fullest(&self, offer: &Offer<O>, rng: &mut dyn FnMut() -> u64) -> Vec<Chosen> {
        self.by_chance(offer, Extent::Most, rng)
    }

    fn by_chance(
        &self,
        offer: &Offer<O>,
        extent: Extent,
        rng: &mut dyn FnMut() -> u64,
    ) -> Vec<Chosen> {
        offer.slots.iter().map(|slot| self.slot_by_chance(slot, extent, rng)).collect()
    }

    fn ways_of(&self, slot: &Slot) -> Option<u64> {
        let ways = match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                if picks.most > 1 {
                    return None;
                }
                self.list(picks.list).len() as u64
            }
            Kind::Number(range) => range.len(),
            Kind::Shares(_) | Kind::Free(_) => return None,
        };
        Some(ways + u64::from(slot.optional))
    }

    fn way_of(&self, slot: &Slot, index: u64) -> Option<Chosen> {
        let index = match (slot.optional, index) {
            (true, 0) => return Some(Chosen::Empty),
            (true, index) => index - 1,
            (false, index) => index,
        };
        match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                let value = self.list(picks.list).get(usize::try_from(index).ok()?)?;
                Some(Chosen::Values(vec![*value]))
            }
            Kind::Number(range) => range.nth(index).map(Chosen::Number),
            Kind::Shares(_) | Kind::Free(_) => None,
        }
    }

    fn checked(&self, offer: &Offer<O>, chosen: &[Chosen]) -> Result<(), FillError> {
        let misfit =
            |slot: &Slot, message: String| FillError { slot: slot.name.to_string(), message };
        for (index, slot) in offer.slots.iter().enumerate() {
            let chosen = chosen.get(index).unwrap_or(&Chosen::Empty);
            self.checked_slot(slot, chosen).map_err(|message| misfit(slot, message))?;
        }
        Ok(())
    }

    fn checked_slot(&self, slot: &Slot, chosen: &Chosen) -> Result<(), String> {
        match (&slot.kind, chosen) {
            (_, Chosen::Empty) if slot.optional => Ok(()),
            (_, Chosen::Empty) => Err("a value is required.".to_owned()),
            (
                Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks),
                Chosen::Values(values),
            ) => self.checked_picks(picks, values),
            (Kind::Number(range), Chosen::Number(number)) => checked_number(*range, *number),
            (Kind::Shares(shares), Chosen::Numbers(numbers)) => checked_shares(shares, numbers),
            (Kind::Free(free), Chosen::Text(text)) => self.checked_text(free, text),
            _ => Err("this slot expects another type of value.".to_owned()),
        }
    }

    fn checked_picks(&self, picks: &Picks, values: &[ValueId]) -> Result<(), String> {
        let list = self.list(picks.list);
        let strange = values.iter().find(|value| !list.contains(value));
        if let Some(strange) = strange {
            let name = self.value(*strange).map_or("", Value::name);
            return Err(format!("{name:?} is not one of the choices."));
        }
        if (1..values.len()).any(|index| values[..index].contains(&values[index])) {
            return Err("each value can be chosen only once.".to_owned());
        }
        within("values", values.len() as i64, i64::from(picks.least), i64::from(picks.most))
    }

    fn checked_text(&self, free: &FreeText, text: &str) -> Result<(), String> {
        within(
            "characters",
            text.chars().count() as i64,
            i64::from(free.least),
            i64::from(free.most),
        )?;
        within("lines", text.lines().count() as i64, 1, i64::from(free.lines.max(1)))?;
        let stray = |letters: &str, letter: char| !letters.is_empty() && !letters.contains(letter);
        if let Some(letter) = text.chars().find(|letter| stray(&free.alphabet, *letter)) {
            return Err(format!("{letter:?} is not allowed."));
        }
        if let Some(letter) = text.chars().next().filter(|letter| stray(&free.initials, *letter)) {
            return Err(format!("{letter:?} is not allowed at the start."));
        }
        if self.is_taken(free, text) {
            return Err(format!("{text:?} is taken."));
        }
        Ok(())
    }

    pub(super) fn is_taken(&self, free: &FreeText, text: &str) -> bool {
        let taken = free.taken.map_or(&[][..], |list| self.list(list));
        let same = |id: &ValueId| {
            self.value(*id).is_some_and(|value| value.text.to_lowercase() == text.to_lowercase())
        };
        taken.iter().any(same)
    }

    fn written(&self, offer: &Offer<O>, chosen: &[Chosen], style: Style) -> String {
        let template = if style == Style::Notation { &offer.notation } else { &offer.label };
        let mut text = String::with_capacity(template.len() + 16);
        for part in parts(template) {
            match part {
                Part::Fixed(fixed) => text.push_str(fixed),
                Part::Slot(name) => {
                    let slot = offer.slots.iter().zip(chosen).find(|(slot, _)| slot.name == name);
                    if let Some((slot, chosen)) = slot {
                        self.write_slot(slot, chosen, style, &mut text);
                    }
                }
            }
        }
        text
    }

    fn write_slot(&self, slot: &Slot, chosen: &Chosen, style: Style, text: &mut String) {
        let Some(inner) = self.inner(slot, chosen, style) else { return };
        let (before, behind) =
            around(if style == Style::Notation { &slot.text } else { &slot.phrase });
        text.push_str(before);
        text.push_str(&inner);
        text.push_str(behind);
    }

    fn inner(&self, slot: &Slot, chosen: &Chosen, style: Style) -> Option<String> {
        match (chosen, &slot.kind) {
            (
                Chosen::Values(values),
                Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks),
            ) => {
                let separator =
                    if style == Style::Notation { picks.separator.as_ref() } else { ", " };
                let values = values.iter().filter_map(|id| self.value(*id));
                let written = |value: &Value| match style {
                    Style::Notation => value.text.clone(),
                    Style::Label => value.name().to_owned(),
                };
                Some(values.map(written).collect::<Vec<_>>().join(separator))
            }
            (Chosen::Number(number), _) => Some(number.to_string()),
            (Chosen::Numbers(numbers), Kind::Shares(shares)) => {
                Some(write_shares(shares, numbers, style))
            }
            (Chosen::Text(text), _) => Some(text.clone()),
            _ => None,
        }
    }

    fn slot_by_chance(&self, slot: &Slot, extent: Extent, rng: &mut dyn FnMut() -> u64) -> Chosen {
        if extent == Extent::Any && slot.optional && rng().is_multiple_of(2) {
            return Chosen::Empty;
        }
        match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                let mut left = self.list(picks.list).to_vec();
                let span = u64::from(picks.most.saturating_sub(picks.least)) + 1;
                let count = u64::from(picks.least) + extent.below(span, rng);
                let mut taken = Vec::new();
                while (taken.len() as u64) < count && !left.is_empty() {
                    taken.push(left.swap_remove((rng() % left.len() as u64) as usize));
                }
                Chosen::Values(taken)
            }
            Kind::Number(range) => {
                let index = extent.below(range.len().max(1), rng);
                Chosen::Number(range.nth(index).unwrap_or(range.least))
            }
            Kind::Shares(shares) => match shares_by_chance(shares, extent, rng) {
                numbers
                    if !shares.zeros
                        && slot.optional
                        && numbers.iter().all(|number| *number == 0) =>
                {
                    Chosen::Empty
                }
                numbers => Chosen::Numbers(numbers),
            },
            Kind::Free(free) => Chosen::Text(self.text_at_random(free, rng)),
        }
    }

    fn text_at_random(&self, free: &FreeText, rng: &mut dyn FnMut() -> u64) -> String {
        const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
        let alphabet = if free.alphabet.is_empty() { LETTERS } else { &free.alphabet };
        let initials = if free.initials.is_empty() { alphabet } else { &free.initials };
        let letters = |text: &str| text.chars().collect::<Vec<char>>();
        let (alphabet, initials) = (letters(alphabet), letters(initials));
        for _ in 0..16 {
            let length =
                free.least + (rng() % u64::from(free.most.saturating_sub(free.least) + 1)) as u32;
            let letter = |place: u32, draw: u64| {
                let letters = if place == 0 { &initials } else { &alphabet };
                letters[(draw % letters.len() as u64) as usize]
            };
            let text: String = (0..length).map(|place| letter(place, rng())).collect();
            if self.checked_text(free, &text).is_ok() {
                return text;
            }
        }
        free.example.to_string()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Any,
    Most,
}

impl Extent {
    fn below(self, span: u64, rng: &mut dyn FnMut() -> u64) -> u64 {
        match self {
            Self::Any => rng() % span,
            Self::Most => span - 1,
        }
    }
}

fn within(what: &str, count: i64, least: i64, most: i64) -> Result<(), String> {
    if (least..=most).contains(&count) {
        Ok(())
    } else if least == most {
        Err(format!("{what}: expected {least}, found {count}."))
    } else {
        Err(format!("{what}: expected {least} to {most}, found {count}."))
    }
}

fn checked_number(range: Range, number: i32) -> Result<(), String> {
    if range.contains(number) {
        return Ok(());
    }
    let steps = if range.step > 1 { format!(" in steps of {}", range.step) } else { String::new() };
    Err(format!("expected {} to {}{steps}, found {number}.", range.least, range.most))
}

fn checked_shares(shares: &Shares, numbers: &[i32]) -> Result<(), String> {
    if numbers.len() != shares.shares.len() {
        return Err(format!("expected {} numbers, found {}.", shares.shares.len(), numbers.len()));
    }
    for (share, number) in shares.shares.iter().zip(numbers) {
        checked_number(Range::of(share.least..=share.most), *number)
            .map_err(|fault| format!("{}: {fault}", share.name()))?;
    }
    if !shares.zeros && numbers.iter().all(|number| *number == 0) {
        return Err("at least one number must be above 0.".to_owned());
    }
    within("sum", sum(shares, numbers), i64::from(shares.least), i64::from(shares.most))
}

pub(super) fn sum(shares: &Shares, numbers: &[i32]) -> i64 {
    shares
        .shares
        .iter()
        .zip(numbers)
        .map(|(share, number)| i64::from(share.cost) * i64::from(*number))
        .sum()
}

fn write_shares(shares: &Shares, numbers: &[i32], style: Style) -> String {
    let written =
        shares.shares.iter().zip(numbers).filter(|(_, number)| shares.zeros || **number != 0);
    let is_label = style == Style::Label;
    let one = |(share, number): (&super::Share, &i32)| {
        if is_label && *number == 1 && !share.singular.is_empty() {
            return share.singular.to_string();
        }
        let (before, behind) = around(if is_label { share.words() } else { &share.text });
        format!("{before}{number}{behind}")
    };
    let separator = if is_label { ", " } else { shares.separator.as_ref() };
    written.map(one).collect::<Vec<_>>().join(separator)
}

/// Returns random numbers for the shares, with a random or the largest sum.
fn shares_by_chance(shares: &Shares, extent: Extent, rng: &mut dyn FnMut() -> u64) -> Vec<i32> {
    let mut numbers: Vec<i32> = shares.shares.iter().map(|share| share.least).collect();
    let span = (i64::from(shares.most) - i64::from(shares.least)).max(0) as u64 + 1;
    let goal = i64::from(shares.least) + extent.below(span, rng) as i64;
    for round in 0..4 * shares.shares.len() {
        let index = (rng() % shares.shares.len().max(1) as u64) as usize;
        let share = &shares.shares[index];
        let left = goal - sum(shares, &numbers);
        let room = i64::from(share.most) - i64::from(numbers[index]);
        let most = if share.cost == 0 { room } else { room.min(left / i64::from(share.cost)) };
        if most <= 0 {
            continue;
        }
        let raise = if round % 2 == 0 { 1 + (rng() % most as u64) as i64 } else { most.min(1) };
        numbers[index] += raise as i32;
    }
    for (index, share) in shares.shares.iter().enumerate() {
        let is_wanted = |sum: i64| {
            let is_room = extent == Extent::Most && sum + i64::from(share.cost) <= goal;
            share.cost > 0 && (sum < i64::from(shares.least) || is_room)
        };
        while numbers[index] < share.most && is_wanted(sum(shares, &numbers)) {
            numbers[index] += 1;
        }
    }
    if !shares.zeros && numbers.iter().all(|number| *number == 0) {
        let cheap = |share: &&super::Share| {
            share.most > 0 && i64::from(share.cost) <= i64::from(shares.most)
        };
        if let Some(index) = shares.shares.iter().position(|share| cheap(&share)) {
            numbers[index] = 1;
        }
    }
    numbers
}
