//! What a seat leaves undone, or risks.

use crate::offer::{Offer, Offers, Phrase, ValueId};

/// At most so many warnings are told at once.
pub const WARNINGS_MAX: usize = 8;
/// At most so many things are named in a warning; the others are counted.
const NAMED_MAX: usize = 5;

/// Something that a seat leaves undone, or risks: one for each kind of omission, however many
/// pieces it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its kind, one of [`Game::WARNINGS`](crate::Game::WARNINGS).
    pub code: &'static str,
    /// A sentence for the seat.
    pub sentence: String,
    /// The rule that makes it a loss or a risk.
    pub rule: &'static str,
    /// Which offer of the seat would mend it, if one would.
    pub mend: Option<Mend>,
}

/// Names an offer of the seat: the first one with this key that is about this place or piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// The key of the offer.
    pub key: &'static str,
    /// A place or piece that it is about or can be filled with, as the notation writes it; empty is
    /// any.
    pub about: Phrase,
}

impl Warning {
    /// A warning that no offer mends.
    pub fn new(code: &'static str, rule: &'static str, sentence: impl Into<String>) -> Self {
        Self { code, sentence: sentence.into(), rule, mend: None }
    }

    /// The first offer with this key would mend it.
    #[must_use]
    pub fn mended_by(self, key: &'static str) -> Self {
        self.mended_at(key, "")
    }

    /// The first offer with this key that is about this place or piece would mend it.
    #[must_use]
    pub fn mended_at(self, key: &'static str, about: impl Into<Phrase>) -> Self {
        Self { mend: Some(Mend { key, about: about.into() }), ..self }
    }
}

impl<O> Offers<O> {
    /// The offer that is named, if the seat has it.
    pub fn mending(&self, mend: &Mend) -> Option<&Offer<O>> {
        let is_named = |id: &ValueId| self.value(*id).is_some_and(|value| value.text == mend.about);
        let is_about = |offer: &&Offer<O>| {
            mend.about.is_empty()
                || offer.pieces.iter().chain(&offer.places).any(is_named)
                || offer.slots.iter().any(|slot| self.values_of(slot).iter().any(is_named))
        };
        let mut list = self.list.iter().filter(|offer| offer.key == mend.key);
        list.find(is_about)
    }
}

/// Things in a warning: the first few by name, the others counted.
pub fn some_of(things: &[String]) -> String {
    let more = things.len().saturating_sub(NAMED_MAX);
    // To count a single one takes as much room as its name.
    if more < 2 {
        return crate::listed(things);
    }
    format!("{} and {more} more", things[..NAMED_MAX].join(", "))
}

/// A number as people write it in a sentence.
pub fn in_words(count: usize) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(count).map_or_else(|| count.to_string(), ToString::to_string)
}

/// The same at the beginning of a sentence.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    let number = in_words(count);
    let (first, rest) = number.split_at(1);
    format!("{}{rest} {}", first.to_uppercase(), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offer::Draft;

    fn names(count: usize) -> Vec<String> {
        (1..=count).map(|number| format!("T{number}")).collect()
    }

    #[test]
    fn many_things_are_named_in_part() {
        assert_eq!(some_of(&names(2)), "T1 and T2");
        assert_eq!(some_of(&names(6)), "T1, T2, T3, T4, T5 and T6");
        assert_eq!(some_of(&names(7)), "T1, T2, T3, T4, T5 and 2 more");
        assert_eq!(some_of(&names(25)), "T1, T2, T3, T4, T5 and 20 more");
        assert_eq!(counted(1, "army has", "armies have"), "One army has");
        assert_eq!(counted(25, "army has", "armies have"), "25 armies have");
    }

    #[test]
    fn a_warning_names_the_offer_that_would_mend_it() {
        let mut draft = Draft::<u8>::new();
        let paris = draft.value("A Par", "");
        let brest = draft.value("F Bre", "");
        draft.offer("hold", "A Par H", "", "").of([paris]).is(1);
        draft.offer("hold", "F Bre H", "", "").of([brest]).is(2);
        let slot = draft.place("place", "where", [paris]);
        draft.offer("move", "{place}", "", "").slot(slot);
        let offers = draft.complete();
        let mended = |warning: Warning| {
            let mend = warning.mend.expect("it names an offer");
            offers.mending(&mend).map(|offer| offer.notation.to_string())
        };
        let warning = || Warning::new("idle", "D3", "It is idle.");
        assert_eq!(mended(warning().mended_by("hold")).as_deref(), Some("A Par H"));
        assert_eq!(mended(warning().mended_at("hold", "F Bre")).as_deref(), Some("F Bre H"));
        assert_eq!(mended(warning().mended_at("move", "A Par")).as_deref(), Some("{place}"));
        assert_eq!(mended(warning().mended_at("move", "F Bre")), None);
    }
}
