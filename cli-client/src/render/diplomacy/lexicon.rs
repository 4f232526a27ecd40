//! Completion of orders: the next word of every legal order that begins as what is typed.

use heliopause_diplomacy::{Command, Diplomacy, Insight, View};
use heliopause_kernel::Game;

use crate::render::Lexicon;

/// The legal orders of a seat in their notation.
#[derive(Clone, Debug, Default)]
pub(super) struct Orders(Vec<String>);

impl Orders {
    /// The legal orders of the viewer; none for those who play no seat.
    pub(super) fn new(view: &View) -> Self {
        let Insight::Seat(seat, _) = view.insight else { return Self::default() };
        // The others' orders do not matter for what is legal.
        let choices = Diplomacy::sample(view, &mut || 0).choices(seat);
        let listed = Diplomacy::listed(&choices).into_iter();
        Self(
            listed
                .map(|listed| Diplomacy::notate(&listed.order))
                .filter(|text| *text != Command::Clear.to_string())
                .collect(),
        )
    }
}

impl Lexicon for Orders {
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let wanted = typed.to_lowercase();
        let mut next: Vec<String> = Vec::new();
        for order in &self.0 {
            let begins = order.get(..wanted.len()).is_some_and(|part| part.to_lowercase() == wanted);
            if !begins {
                continue;
            }
            // A unit is completed as a whole: its letter alone says nothing.
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
