//! A cursor over the words of an order.

use std::fmt::Display;
use std::str::FromStr;

use heliopause_kernel::{Malformed, quoted};

use crate::client::notation::words::number;
use crate::state::View;

pub(super) type Read<T> = Result<T, Malformed>;

/// A cursor over the words of one line, in which `:`, `;` and `|` count as words.
pub(super) struct Reader<'a> {
    words: Vec<(u32, String)>,
    next: usize,
    line: u32,
    end: u32,
    pub(super) view: &'a View,
}

const KEYWORDS: [&str; 6] = ["via", "to", "avoid", "clouds", "lose", "stop"];

impl<'a> Reader<'a> {
    pub(super) fn new(text: &str, line: u32, view: &'a View) -> Self {
        let text = text.split("//").next().unwrap_or_default();
        let mut words: Vec<(u32, String)> = Vec::new();
        let mut column = 0;
        let mut open = false;
        for letter in text.chars() {
            column += 1;
            let apart = matches!(letter, ':' | ';' | '|');
            if letter.is_whitespace() {
                open = false;
            } else if open && !apart {
                if let Some((_, word)) = words.last_mut() {
                    word.extend(letter.to_lowercase());
                }
            } else {
                words.push((column, letter.to_lowercase().collect()));
                open = !apart;
            }
        }
        Self { words, next: 0, line, end: column + 1, view }
    }

    pub(super) fn expected<T>(&self, what: &str) -> Read<T> {
        let (column, found) = match self.words.get(self.next) {
            Some((column, word)) => (*column, quoted(word)),
            None => (self.end, "the end of the line".to_owned()),
        };
        Err(Malformed::text(self.line, column, format!("expected {what}, found {found}")))
    }

    pub(super) fn peek(&self) -> Option<&str> {
        self.words.get(self.next).map(|(_, word)| word.as_str())
    }

    /// Returns to the word before.
    pub(super) fn back(&mut self) {
        self.next -= 1;
    }

    pub(super) fn skip(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.next += usize::from(found);
        found
    }

    pub(super) fn keyword(&mut self, word: &str) -> Read<()> {
        if self.skip(word) { Ok(()) } else { self.expected(&format!("\"{word}\"")) }
    }

    pub(super) fn take<T>(&mut self, what: &str, read: impl Fn(&str) -> Option<T>) -> Read<T> {
        match self.peek().and_then(read) {
            Some(value) => {
                self.next += 1;
                Ok(value)
            }
            None => self.expected(what),
        }
    }

    pub(super) fn number<T: TryFrom<u32>>(&mut self, what: &str) -> Read<T> {
        self.take(what, |word| T::try_from(number(word)?).ok())
    }

    /// Reads a word of a vocabulary.
    pub(super) fn one_of<T: Display + FromStr>(&mut self, all: &[T]) -> Read<T> {
        let words: Vec<String> = all.iter().map(ToString::to_string).collect();
        self.take(&words.join(", "), |word| word.parse().ok())
    }

    pub(super) fn many<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        while let Some(value) = self.peek().filter(|word| !KEYWORDS.contains(word)).and_then(&read)
        {
            self.next += 1;
            found.push(value);
        }
        found
    }

    /// Reads entries up to the end of the line, or up to the end of a colony's part of a sheet.
    pub(super) fn entries(
        &mut self,
        separator: &str,
        mut entry: impl FnMut(&mut Self) -> Read<()>,
    ) -> Read<()> {
        while self.peek().is_some_and(|word| word != "|" || separator == "|") {
            entry(self)?;
            if !self.skip(separator) {
                break;
            }
        }
        Ok(())
    }
}
