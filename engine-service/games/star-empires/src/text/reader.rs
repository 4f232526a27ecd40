//! Reads the parts of a line in turn, and says what was expected where one is missing.

use heliopause_kernel::{Malformed, quoted};

use super::lexer::{Kind, Token, column};
use crate::geometry::{Coord, Sector};
use crate::name::{LONGEST_NAME, Name};
use crate::order::{Amount, Names, Naming};

/// Words that have a meaning within orders. A name that is one of them is written between quotes.
pub(super) const KEYWORDS: [&str; 21] = [
    "ALL",
    "ASC",
    "AT",
    "CLASS",
    "COLLAPSED",
    "CONSTANT",
    "COST",
    "CYCLE",
    "DESC",
    "EXCEPT",
    "FROM",
    "MAX",
    "NONE",
    "ONTO",
    "PRIVATE",
    "PUBLIC",
    "RANDOM",
    "THROUGH",
    "TO",
    "TONNAGE",
    "UNBUILDABLE",
];

/// A line that is being read.
pub(super) struct Reader<'a> {
    line: &'a str,
    number: u32,
    tokens: &'a [Token],
    next: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(line: &'a str, number: u32, tokens: &'a [Token]) -> Self {
        Self { line, number, tokens, next: 0 }
    }

    fn token(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.next + ahead).copied()
    }

    fn text(&self, token: Token) -> &'a str {
        &self.line[token.start as usize..token.end as usize]
    }

    /// A fault at the next token, or at the end of the line.
    pub(super) fn expected<T>(&self, what: &str) -> Result<T, Malformed> {
        self.fault_at(0, |found| format!("Expected {what}, found {found}."))
    }

    fn fault_at<T>(
        &self,
        ahead: usize,
        message: impl FnOnce(&str) -> String,
    ) -> Result<T, Malformed> {
        let (at, found) = if let Some(token) = self.token(ahead) {
            (token.start as usize, quoted(self.text(token)))
        } else {
            let last = self.tokens.last().map_or(0, |token| token.end as usize);
            let quoted = self.tokens.last().is_some_and(|token| token.kind == Kind::Quoted);
            (last + usize::from(quoted), "the end of the line".to_owned())
        };
        Err(Malformed::text(self.number, column(self.line, at), message(&found)))
    }

    /// Whether nothing is left.
    pub(super) fn is_done(&self) -> bool {
        self.next >= self.tokens.len()
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), Malformed> {
        if self.is_done() { Ok(()) } else { self.expected("the end of the order") }
    }

    fn is_word(&self, ahead: usize, word: &str) -> bool {
        let token = self.token(ahead).filter(|token| token.kind == Kind::Word);
        token.is_some_and(|token| self.text(token).eq_ignore_ascii_case(word))
    }

    fn is_sign(&self, ahead: usize, sign: u8) -> bool {
        self.token(ahead).is_some_and(|token| token.kind == Kind::Sign(sign))
    }

    /// Takes a keyword, if it comes next.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.is_word(0, word);
        self.next += usize::from(found);
        found
    }

    /// Takes a sign, if it comes next.
    pub(super) fn take_sign(&mut self, sign: u8) -> bool {
        let found = self.is_sign(0, sign);
        self.next += usize::from(found);
        found
    }

    /// A keyword that must come next.
    pub(super) fn need(&mut self, word: &str) -> Result<(), Malformed> {
        if self.take(word) { Ok(()) } else { self.expected(word) }
    }

    /// The word that begins the order, for a table of orders.
    pub(super) fn verb(&mut self) -> Option<&'a str> {
        let token = self.token(0).filter(|token| token.kind == Kind::Word)?;
        self.next += 1;
        Some(self.text(token))
    }

    /// Goes back to the verb, to complain about it.
    pub(super) fn back(&mut self) {
        self.next = self.next.saturating_sub(1);
    }

    /// One of a few words; `None` goes nowhere.
    pub(super) fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| self.is_word(0, word))?;
        self.next += 1;
        Some(found.1)
    }

    /// Whether a name comes next: a quoted one, or a word that is no keyword.
    pub(super) fn is_name(&self) -> bool {
        match self.token(0) {
            Some(token) if token.kind == Kind::Quoted => true,
            Some(token) if token.kind == Kind::Word => !is_keyword(self.text(token)),
            _ => false,
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name, Malformed> {
        let Some(token) = self.token(0).filter(|_| self.is_name()) else {
            return self.expected(what);
        };
        match Name::new(self.text(token)) {
            Some(name) => {
                self.next += 1;
                Ok(name)
            }
            None => self.fault_at(0, |found| {
                format!(
                    "Expected {what}: 1 to {LONGEST_NAME} letters, digits and underscores; \
                    found {found}."
                )
            }),
        }
    }

    /// A name, if one comes next.
    pub(super) fn name_if(&mut self, what: &str) -> Result<Option<Name>, Malformed> {
        if self.is_name() { self.name(what).map(Some) } else { Ok(None) }
    }

    /// Names up to whatever is none; at least one.
    pub(super) fn names(&mut self, what: &str) -> Result<Names, Malformed> {
        let mut names = vec![self.name(what)?];
        while self.is_name() {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Whether a sector comes next: in parentheses, or two numbers with a comma.
    pub(super) fn is_coord(&self) -> bool {
        self.is_sign(0, b'(') || self.is_sign(1, b',')
    }

    fn signed(&mut self, what: &str) -> Result<i32, Malformed> {
        let number = self.token(0).filter(|token| matches!(token.kind, Kind::Word | Kind::Signed));
        match number.and_then(|token| self.text(token).parse().ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    /// A step of a cyclic storm, if one comes next.
    pub(super) fn step(&mut self) -> Option<i32> {
        self.signed("a step").ok()
    }

    /// A sector in the empire's own frame.
    pub(super) fn coord(&mut self) -> Result<Coord, Malformed> {
        let open = self.take_sign(b'(');
        let o = self.signed("a coordinate")?;
        if !self.take_sign(b',') {
            return self.expected("a comma between the coordinates");
        }
        let y = self.signed("a coordinate")?;
        let (Ok(o), Ok(y)) = (i16::try_from(o), i16::try_from(y)) else {
            self.back();
            return self.expected("coordinates from -32768 to 32767");
        };
        if open && !self.take_sign(b')') {
            return self.expected("a closing parenthesis");
        }
        Ok(Coord::new(o, y))
    }

    /// A galactic sector.
    pub(super) fn sector(&mut self) -> Result<Sector, Malformed> {
        let first = self.next;
        let coord = self.coord()?;
        let sector = Sector::new(coord.o, coord.y);
        if sector.is_in_bounds() {
            return Ok(sector);
        }
        self.next = first;
        self.expected("a sector at most 10000 away from the centre")
    }

    /// A whole number without a sign.
    pub(super) fn number(&mut self, what: &str) -> Result<u32, Malformed> {
        let number = self.token(0).filter(|token| token.kind == Kind::Word);
        match number.and_then(|token| self.text(token).parse().ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    /// A whole number that is not large.
    pub(super) fn short(&mut self, what: &str) -> Result<u16, Malformed> {
        let number = self.number(what)?;
        if let Ok(number) = u16::try_from(number) {
            return Ok(number);
        }
        self.back();
        self.expected(&format!("{what} up to 65535"))
    }

    pub(super) fn amount(&mut self) -> Result<Amount, Malformed> {
        if self.take("MAX") {
            return Ok(Amount::Max);
        }
        match self.number("a number or MAX")? {
            0 => {
                self.back();
                self.expected("a number from 1, or MAX")
            }
            number => Ok(Amount::Number(number)),
        }
    }

    /// Names for new ships, or the base of numbered ones; to the end of the line.
    pub(super) fn naming(&mut self) -> Result<Naming, Malformed> {
        if self.is_sign(1, b'*') {
            let base = self.name("the base of names")?;
            self.take_sign(b'*');
            return Ok(Naming::Numbered(base));
        }
        if self.is_name() {
            self.names("a name").map(Naming::Listed)
        } else {
            Ok(Naming::Listed(Names::new()))
        }
    }
}

/// Whether a word has a meaning of its own within orders.
pub(super) fn is_keyword(word: &str) -> bool {
    // Most names end in a digit, and no keyword does.
    let letter = word.as_bytes().last().is_some_and(u8::is_ascii_alphabetic);
    letter && KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}
