//! Help on orders and their completion, from text files.
//!
//! In a file of orders, a line `= NAME...` starts the help on the order with these names. In a file
//! of completions, a line `ORDER AFTER PLACE: WORDS` is a rule: the words at a place of an order,
//! after a keyword. `*` matches all, a comma separates alternatives, and the first matching rule
//! applies. `@NAME` stands for a list of names.

use std::collections::HashMap;

use crate::Lexicon;

/// Returns the help on an order. Names match in any case.
pub fn help(orders: &str, word: &str) -> Option<String> {
    let mut entries = entries(orders);
    let found = entries.find(|(names, _)| matches(names, ' ', word.trim()));
    found.map(|(_, text)| text.trim_end().to_owned())
}

/// Returns the first name of each order.
pub fn verbs(orders: &str) -> impl Iterator<Item = &str> {
    entries(orders).filter_map(|(names, _)| names.split(' ').next())
}

fn entries(orders: &str) -> impl Iterator<Item = (&str, &str)> {
    let entries = orders.strip_prefix("= ").unwrap_or(orders).split("\n= ");
    entries.filter_map(|entry| entry.split_once('\n'))
}

fn matches(names: &str, separator: char, word: &str) -> bool {
    names.split(separator).any(|name| name == "*" || name.eq_ignore_ascii_case(word))
}

/// Completes orders word by word with the words that rules allow.
#[derive(Clone, Debug)]
pub struct Completion {
    pub rules: &'static str,
    pub verbs: Vec<String>,
    /// The keywords that rules refer to. If empty, rules refer to the previous word.
    pub keywords: &'static [&'static str],
    pub lists: HashMap<&'static str, Vec<String>>,
}

impl Completion {
    fn is_keyword(&self, word: &str) -> bool {
        self.keywords.is_empty() || self.keywords.iter().any(|it| it.eq_ignore_ascii_case(word))
    }

    fn allowed(&self, before: &[&str]) -> Vec<String> {
        let Some((verb, rest)) = before.split_first() else { return self.verbs.clone() };
        let keyword = rest.iter().copied().rev().find(|word| self.is_keyword(word));
        let (keyword, place) = (keyword.unwrap_or_default(), before.len().to_string());
        let words = self.rules.lines().find_map(|line| {
            let (rule, words) = line.split_once(": ")?;
            let mut cells = rule.split(' ');
            let applies = [verb, keyword, &place]
                .iter()
                .all(|word| cells.next().is_some_and(|cell| matches(cell, ',', word)));
            applies.then_some(words)
        });
        let listed = |word: &str| match word.strip_prefix('@') {
            Some(list) => self.lists.get(list).cloned().unwrap_or_default(),
            None => vec![word.to_owned()],
        };
        words.into_iter().flat_map(|words| words.split(' ')).flat_map(listed).collect()
    }
}

impl Lexicon for Completion {
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let before: Vec<&str> = typed[..start].split_whitespace().collect();
        let part = typed[start..].to_lowercase();
        let mut fitting = self.allowed(&before);
        fitting.retain(|word| word.to_lowercase().starts_with(&part));
        // A word other than a keyword is rarely repeated within an order.
        fitting.retain(|word| {
            self.is_keyword(word) || !before.iter().any(|it| it.eq_ignore_ascii_case(word))
        });
        (start, fitting)
    }
}
