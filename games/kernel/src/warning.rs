//! Warnings about omissions and risks.

use crate::offer::{Offer, Offers, Phrase, ValueId};

/// Maximum number of warnings at once.
pub const WARNINGS_MAX: usize = 8;
/// Number of items that [`list_some`] names before it counts the rest.
const NAMED_MAX: usize = 5;

/// A warning about an omission or a risk. One warning covers all affected pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind, one of [`Game::WARNINGS`](crate::Game::WARNINGS).
    pub code: &'static str,
    pub sentence: String,
    pub rule: &'static str,
    /// The offer that would resolve the warning, if any.
    pub mend: Option<Mend>,
}

/// A reference to the first offer of the seat that has this key and is for this place or piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    pub key: &'static str,
    /// A place or piece in the game's notation. Empty for any.
    pub about: Phrase,
}

impl Warning {
    pub fn new(code: &'static str, rule: &'static str, sentence: impl Into<String>) -> Self {
        Self { code, sentence: sentence.into(), rule, mend: None }
    }

    /// Warns about these items: "Two ships are idle: Argo and Beagle." The texts continue the
    /// number for one item and for several. Returns `None` without items.
    pub fn about(
        code: &'static str,
        rule: &'static str,
        [one, many]: [&str; 2],
        items: &[String],
    ) -> Option<Self> {
        let sentence = format!("{}: {}.", counted(items.len(), one, many), list_some(items));
        (!items.is_empty()).then(|| Self::new(code, rule, sentence))
    }

    /// Adds a reference to the first offer with this key.
    #[must_use]
    pub fn mended_by(self, key: &'static str) -> Self {
        self.mended_at(key, "")
    }

    /// Adds a reference to the first offer with this key for this place or piece.
    #[must_use]
    pub fn mended_at(self, key: &'static str, about: impl Into<Phrase>) -> Self {
        Self { mend: Some(Mend { key, about: about.into() }), ..self }
    }
}

impl<O> Offers<O> {
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

/// Joins items: names the first few and counts the rest.
pub fn list_some(things: &[String]) -> String {
    let more = things.len().saturating_sub(NAMED_MAX);
    // A single remaining item is named, because its count would not be shorter.
    if more < 2 {
        return crate::listed(things);
    }
    format!("{} and {more} more", things[..NAMED_MAX].join(", "))
}

/// Formats a count for use within a sentence: in words up to ten, in digits above. 0 is "no".
pub fn in_words(count: usize) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(count).map_or_else(|| count.to_string(), ToString::to_string)
}

/// Formats a count and its noun for the start of a sentence: "Two ships", "12 ships".
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
    fn long_lists_are_shortened() {
        assert_eq!(list_some(&names(2)), "T1 and T2");
        assert_eq!(list_some(&names(6)), "T1, T2, T3, T4, T5 and T6");
        assert_eq!(list_some(&names(7)), "T1, T2, T3, T4, T5 and 2 more");
        assert_eq!(list_some(&names(25)), "T1, T2, T3, T4, T5 and 20 more");
        assert_eq!(counted(1, "army has", "armies have"), "One army has");
        assert_eq!(counted(25, "army has", "armies have"), "25 armies have");
    }

    #[test]
    fn a_warning_refers_to_the_offer_that_resolves_it() {
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
