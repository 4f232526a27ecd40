//! Completion of orders: the next word of each legal order that starts with the typed text.

use heliopause_diplomacy::{Diplomacy, View};

use crate::Lexicon;

#[derive(Clone, Debug, Default)]
pub(super) struct Orders(Vec<String>);

impl Orders {
    pub(super) fn new(view: &View) -> Self {
        let groups = Diplomacy::choices_of(view).groups;
        let orders = groups.iter().flat_map(|group| &group.orders);
        Self(orders.map(ToString::to_string).collect())
    }
}

impl Lexicon for Orders {
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let wanted = typed.to_lowercase();
        let mut next: Vec<String> = Vec::new();
        for order in &self.0 {
            let begins =
                order.get(..wanted.len()).is_some_and(|part| part.to_lowercase() == wanted);
            if !begins {
                continue;
            }
            // The letter and the location of a unit are completed together, because the letter
            // alone is ambiguous.
            let rest = &order[start..];
            let words = if start == 0 { 2 } else { 1 };
            let end = rest.match_indices(' ').nth(words - 1).map_or(rest.len(), |(at, _)| at);
            let word = rest[..end].to_owned();
            if !next.contains(&word) {
                next.push(word);
            }
        }
        (start, next)
    }
}
