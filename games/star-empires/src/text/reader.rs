//! The parser of order lines. The parser reads the parts of a line in sequence. Errors state what
//! was expected.

use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::{Malformed, quoted};

use super::lexer::{Kind, Token, column};
use super::syntax::Verb;
use crate::class::Design;
use crate::geometry::{Coord, FARTHEST, Sector};
use crate::hull::{Hull, Ratings};
use crate::master::{AllianceNames, Astronomics, MasterOrder, NewOwner};
use crate::name::{LONGEST_NAME, Name};
use crate::objects::{Pattern, STEPS_MAX};
use crate::order::{Amount, Crews, Line, Names, Naming, Phase, Scans, Selection, Spot};

/// The keywords of orders. A name that equals a keyword must be quoted.
static KEYWORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let words = "ALL ASC AT CLASS COLLAPSED CONSTANT COST CYCLE DESC EXCEPT FROM MAX NONE ONTO \
        PRIVATE PUBLIC RANDOM THROUGH TO TONNAGE UNBUILDABLE";
    words.split(' ').collect()
});

const RATINGS: [&str; 5] = ["guns", "damage points", "engines", "scan", "racks"];

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

    fn expected<T>(&self, what: &str) -> Result<T, Malformed> {
        self.fault(|found| format!("expected {what}, found {found}"))
    }

    fn fault<T>(&self, message: impl FnOnce(&str) -> String) -> Result<T, Malformed> {
        let (at, found) = if let Some(token) = self.token(0) {
            (token.start as usize, quoted(self.text(token)))
        } else {
            let last = self.tokens.last().map_or(0, |token| token.end as usize);
            let quoted = self.tokens.last().is_some_and(|token| token.kind == Kind::Quoted);
            (last + usize::from(quoted), "the end of the line".to_owned())
        };
        Err(Malformed::text(self.number, column(self.line, at), message(&found)))
    }

    fn is_done(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub(super) fn end(&self) -> Result<(), Malformed> {
        if self.is_done() { Ok(()) } else { self.expected("the end of the line") }
    }

    fn is_word(&self, word: &str) -> bool {
        let token = self.token(0).filter(|token| token.kind == Kind::Word);
        token.is_some_and(|token| self.text(token).eq_ignore_ascii_case(word))
    }

    fn is_sign(&self, ahead: usize, sign: u8) -> bool {
        self.token(ahead).is_some_and(|token| token.kind == Kind::Sign(sign))
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.next += usize::from(found);
        found
    }

    fn take_sign(&mut self, sign: u8) -> bool {
        let found = self.is_sign(0, sign);
        self.next += usize::from(found);
        found
    }

    /// Moves back one token, which the next error then reports.
    fn back(&mut self) {
        self.next = self.next.saturating_sub(1);
    }

    fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| self.is_word(word))?;
        self.next += 1;
        Some(found.1)
    }

    fn is_name(&self) -> bool {
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
            None => self.fault(|found| {
                format!(
                    "expected {what} (1 to {LONGEST_NAME} letters, digits and underscores), \
                     found {found}"
                )
            }),
        }
    }

    pub(super) fn names(&mut self, what: &str) -> Result<Names, Malformed> {
        let mut names = vec![self.name(what)?];
        while self.is_name() {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn is_coord(&self) -> bool {
        self.is_sign(0, b'(') || self.is_sign(1, b',')
    }

    fn signed(&mut self, what: &str) -> Result<i32, Malformed> {
        self.parsed(what, |kind| matches!(kind, Kind::Word | Kind::Signed))
    }

    pub(super) fn number(&mut self, what: &str) -> Result<u32, Malformed> {
        self.parsed(what, |kind| kind == Kind::Word)
    }

    fn parsed<T: FromStr>(
        &mut self,
        what: &str,
        is_number: fn(Kind) -> bool,
    ) -> Result<T, Malformed> {
        let number = self.token(0).filter(|token| is_number(token.kind));
        match number.and_then(|token| self.text(token).parse().ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    fn coord(&mut self) -> Result<Coord, Malformed> {
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

    fn spot_if(&mut self) -> Result<Option<Spot>, Malformed> {
        if self.take_sign(b'@') {
            return self.name("a world, portal or storm").map(|name| Some(Spot::Object(name)));
        }
        if self.is_coord() { self.coord().map(|at| Some(Spot::At(at))) } else { Ok(None) }
    }

    pub(super) fn line(&mut self) -> Result<Line, Malformed> {
        let words = Phase::ALL.map(|phase| (phase.as_str(), phase));
        let Some(phase) = self.one_of(&words) else {
            let [most @ .., (last, _)] = &words;
            let most = most.map(|(word, _)| word).join(", ");
            return self.expected(&format!("an order: {most} or {last}"));
        };
        Line::read(phase, self)
    }

    /// Notes 12.1: reads an order of the game master.
    pub(super) fn master_order(&mut self) -> Result<MasterOrder, Malformed> {
        if let Some(verb) = self.one_of(&Verb::ALL.map(|verb| (verb.as_str(), verb))) {
            return Astronomics::read(verb, self).map(MasterOrder::Astronomics);
        }
        if self.take("WITHDRAW") {
            return match self.number("the number of a waiting order")? {
                0 => {
                    self.back();
                    self.expected("a number of 1 or more")
                }
                number => Ok(MasterOrder::Withdraw { index: number as usize - 1 }),
            };
        }
        if self.take("APPLY") {
            return self.need("NOW").map(|()| MasterOrder::ApplyNow);
        }
        if self.take("ALLIANCES") {
            return self.alliances();
        }
        self.expected(
            "an order of the game master such as ADDWORLD, REMOVESHIP, MODIFYSTORM, COLLAPSE, \
             ADDKNOWN, WITHDRAW, APPLY NOW or ALLIANCES",
        )
    }

    fn alliances(&mut self) -> Result<MasterOrder, Malformed> {
        let mut alliances = Vec::new();
        while alliances.is_empty() && !self.is_done() || self.take_sign(b'/') {
            alliances.push(AllianceNames { empires: self.names("an empire")? });
        }
        Ok(MasterOrder::SetAlliances { alliances })
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the macro expects a `Result` for every part")]
impl Reader<'_> {
    pub(super) fn need(&mut self, word: &str) -> Result<(), Malformed> {
        if self.take(word) { Ok(()) } else { self.expected(word) }
    }

    pub(super) fn flag(&mut self, word: &str) -> Result<bool, Malformed> {
        Ok(self.take(word))
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        words: &[(&str, T)],
        what: &str,
    ) -> Result<T, Malformed> {
        let Some(found) = self.one_of(words) else { return self.expected(what) };
        Ok(found)
    }

    pub(super) fn choice_if<T: Copy + Default>(
        &mut self,
        words: &[(&str, T)],
    ) -> Result<T, Malformed> {
        Ok(self.one_of(words).unwrap_or_default())
    }

    pub(super) fn name_if(&mut self, what: &str) -> Result<Option<Name>, Malformed> {
        if self.is_name() { self.name(what).map(Some) } else { Ok(None) }
    }

    pub(super) fn names_before(&mut self, what: &str, word: &str) -> Result<Names, Malformed> {
        let names = self.names(what)?;
        if self.take(word) { Ok(names) } else { self.expected(&format!("{what} or {word}")) }
    }

    pub(super) fn excepted(&mut self, what: &str) -> Result<Names, Malformed> {
        if self.take("EXCEPT") { self.names(what) } else { Ok(Names::new()) }
    }

    pub(super) fn short(&mut self, what: &str) -> Result<u16, Malformed> {
        let number = self.number(what)?;
        if let Ok(number) = u16::try_from(number) {
            return Ok(number);
        }
        self.back();
        self.expected(&format!("{what} up to 65535"))
    }

    pub(super) fn given(&mut self, word: &str, what: &str) -> Result<Option<u32>, Malformed> {
        self.take(word).then(|| self.number(what)).transpose()
    }

    pub(super) fn collapsed(&mut self) -> Result<u32, Malformed> {
        Ok(self.given("COLLAPSED", "a number of turns")?.unwrap_or(0))
    }

    pub(super) fn sector(&mut self) -> Result<Sector, Malformed> {
        let first = self.next;
        let coord = self.coord()?;
        let sector = Sector::new(coord.o, coord.y);
        if sector.is_in_bounds() {
            return Ok(sector);
        }
        self.next = first;
        self.expected(&format!("a sector at most {FARTHEST} sectors from the center"))
    }

    /// Reads a sector or an object. The `@` before an object is optional.
    pub(super) fn spot(&mut self) -> Result<Spot, Malformed> {
        match self.spot_if()? {
            Some(spot) => Ok(spot),
            None => self.name("a sector, world, portal or storm").map(Spot::Object),
        }
    }

    pub(super) fn selection(&mut self) -> Result<Selection, Malformed> {
        match self.spot_if()? {
            Some(at) => Ok(Selection::All { at, except: self.excepted("a ship")? }),
            None => self.names("a sector, an object (@Name), or ship names").map(Selection::Ships),
        }
    }

    pub(super) fn amount(&mut self) -> Result<Amount, Malformed> {
        if self.take("MAX") {
            return Ok(Amount::Max);
        }
        match self.number("a number or MAX")? {
            0 => {
                self.back();
                self.expected("a number of 1 or more, or MAX")
            }
            number => Ok(Amount::Number(number)),
        }
    }

    pub(super) fn naming(&mut self) -> Result<Naming, Malformed> {
        if self.is_sign(1, b'*') {
            let base = self.name("a base for the names")?;
            self.take_sign(b'*');
            return Ok(Naming::Numbered(base));
        }
        let names = if self.is_name() { self.names("a name")? } else { Names::new() };
        Ok(Naming::Listed(names))
    }

    pub(super) fn crews(&mut self) -> Result<Crews, Malformed> {
        if self.take("ALL") {
            return Ok(Crews::All);
        }
        let (mut ships, mut classes) = (Names::new(), Names::new());
        loop {
            if self.take_sign(b'@') {
                classes.push(self.name("a class")?);
            } else if self.is_name() {
                ships.push(self.name("a ship")?);
            } else if ships.is_empty() && classes.is_empty() {
                return self.expected("ALL, ship names, or classes (@Name)");
            } else {
                return Ok(Crews::Some { ships, classes });
            }
        }
    }

    pub(super) fn scans(&mut self) -> Result<Scans, Malformed> {
        if self.take("ALL") {
            return Ok(Scans::All);
        }
        if self.take("CLASS") {
            return self.names("a class").map(Scans::Classes);
        }
        let mut places = Vec::new();
        while let Some(spot) = self.spot_if()? {
            places.push(spot);
        }
        if places.is_empty() {
            let what = "ALL, sectors, objects (@Name), CLASS with class names, or ship names";
            return self.names(what).map(Scans::Ships);
        }
        Ok(Scans::Places(places))
    }

    pub(super) fn hull(&mut self) -> Result<Hull, Malformed> {
        let what = "a hull: capital_ship, gunship, orbital, transport, scout, wing or missile";
        self.choice(&Hull::ALL.map(|hull| (hull.as_str(), hull)), what)
    }

    pub(super) fn ratings(&mut self) -> Result<Ratings, Malformed> {
        let mut ratings = [0; 5];
        for (rating, what) in ratings.iter_mut().zip(RATINGS) {
            *rating = self.short(what)?;
        }
        Ok(Ratings::of(ratings))
    }

    pub(super) fn design(&mut self) -> Result<Design, Malformed> {
        let hull = self.hull()?;
        if hull == Hull::Missile {
            let (guns, tonnage) = (self.short("guns")?, self.number("tonnage")?);
            return Ok(Design::Missile { guns, tonnage });
        }
        Ok(Design::Ship(hull, self.ratings()?))
    }

    pub(super) fn owner(&mut self) -> Result<NewOwner, Malformed> {
        if self.take("NONE") {
            return Ok(NewOwner::Nobody);
        }
        Ok(self.name_if("an empire")?.map_or(NewOwner::Unchanged, NewOwner::Empire))
    }

    pub(super) fn pattern(&mut self) -> Result<Pattern, Malformed> {
        Ok(self.fluctuation()?.unwrap_or_default())
    }

    pub(super) fn fluctuation(&mut self) -> Result<Option<Pattern>, Malformed> {
        let plain = [("RANDOM", Pattern::Random), ("CONSTANT", Pattern::Constant)];
        if let Some((_, pattern)) = plain.into_iter().find(|(word, _)| self.take(word)) {
            return Ok(Some(pattern));
        }
        if !self.take("CYCLE") {
            return Ok(None);
        }
        let steps: Vec<i32> = std::iter::from_fn(|| self.signed("a step").ok()).collect();
        let count = steps.len();
        if count == 0 {
            return self.expected(&format!("1 to {STEPS_MAX} steps"));
        }
        if count > STEPS_MAX {
            self.back();
            let fault = format!("{count} steps are too many; the maximum is {STEPS_MAX}");
            return self.fault(|_| fault);
        }
        Ok(Some(Pattern::Cyclic(steps.into())))
    }
}

pub(super) fn is_keyword(word: &str) -> bool {
    // Fast path: most names end in a digit, but no keyword does.
    let letter = word.as_bytes().last().is_some_and(u8::is_ascii_alphabetic);
    letter && KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}
