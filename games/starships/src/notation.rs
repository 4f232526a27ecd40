//! The grammar of orders: one order per line, keywords in any letter case, comments after `#`.
//! `forms` declares each order once. Reading, writing and offers follow from it.

use std::fmt;

use heliopause_kernel::offer::{Argument, Choice, Form, Sort, Weight, fill};
use heliopause_kernel::{Hex, Malformed, Seat, quoted};

use crate::board::Place;
use crate::order::{Agreement, Means, Order, Promise};
use crate::pieces::{BaseId, BaseNumber, Piece, Serial, ShipId, Target, letter};
use crate::table::MAX_PLAYERS;
use crate::view::View;

/// An order's form, the heading of its offer, and its arguments. Without a heading, the offer is
/// under the name of its piece.
pub(crate) struct Formed {
    pub(crate) form: Form,
    pub(crate) heading: &'static str,
    pub(crate) values: Vec<(&'static str, Value)>,
}

struct Reader {
    notations: &'static [&'static str],
    read: fn(&mut Line<'_>) -> Read<Order>,
}

/// Declares orders: the order with its arguments, key, weight, rule and heading of its offer;
/// then its notation, perhaps another one, its label, and the argument that the offer asks for.
/// The order is a pattern for writing and an expression for reading. The arguments are in the order
/// of the notation.
macro_rules! forms {
    ($(
        $order:ident $fields:tt ($($argument:ident),*)
            $key:literal $weight:ident $rule:literal $heading:literal
            $notation:literal $(or $other:literal)?, $label:literal
            $(, $choice:ident $question:literal)?;
    )+) => {
        pub(crate) fn form_of(order: &Order) -> Formed {
            match *order {
                $(Order::$order $fields => Formed {
                    form: Form {
                        key: $key,
                        weight: Weight::$weight,
                        rule: $rule,
                        notation: $notation,
                        label: $label,
                        choice: None$(.or(Some(Choice {
                            argument: stringify!($choice),
                            slot: "it",
                            question: $question,
                        })))?,
                    },
                    heading: $heading,
                    values: vec![$((stringify!($argument), Value::from($argument))),*],
                },)+
            }
        }

        const READERS: &[Reader] = &[$(Reader {
            notations: &[$notation $(, $other)?],
            read: |line| {
                $(let $argument = line.argument(stringify!($argument))?;)*
                line.end()?;
                Ok(Order::$order $fields)
            },
        }),+];
    };
}

forms! {
    Build { count, base: BaseNumber::First } (count) "build" Main "3.1" "Build"
        "build {count}", "Build starships on your base: {count}", count "how many";
    Build { count, base } (count, base) "build" Main "3.1" "Build"
        "build {count} on base{base}", "Build starships on your second base: {count}",
        count "how many";
    Move { ship, to } (ship, to) "move" Main "4" ""
        "move {ship} to {to}", "Move {ship} to {to}", to "where to";
    Warp { ship, via, to } (ship, via, to) "warp" Usual "4" ""
        "warp {ship} via {via} to {to}", "Warp {ship} through {via} to {to}", to "where to";
    MoveBase { base, via: None, to } (base, to) "move-base" Usual "4.4" ""
        "base{base} to {to}", "Move the base{base} to {to}", to "where to";
    MoveBase { base, via: Some(via), to } (base, via, to) "move-base" Usual "4.4" ""
        "base{base} via {via} to {to}", "Move the base{base} through {via} to {to}", to "where to";
    Settle { base: BaseNumber::First } () "settle" Main "4.4" ""
        "settle", "Settle the base here";
    Settle { base } (base) "settle" Main "4.4" ""
        "settle base{base}", "Settle the base here";
    Attempt { piece, means: Means::Diplomacy } (piece) "diplomacy" Main "4.2" ""
        "diplomacy {piece}", "{piece} tries diplomacy (50%)";
    Attempt { piece, means: Means::Force } (piece) "force" Usual "4.2" ""
        "force {piece}", "{piece} tries force (75%; lost if it fails)";
    Attack { piece, target } (piece, target) "attack" Usual "6" ""
        "attack {piece} {target}", "{piece} attacks {target}", target "whom";
    FightOn {} () "fight-on" Main "6" "Battle"
        "again", "Fight another round";
    Withdraw {} () "withdraw" Usual "R9" "Battle"
        "withdraw", "Withdraw";
    Fire {} () "fire" Main "8" "Battle"
        "fire", "Fire at the Death Star (50%)";
    HoldFire {} () "hold-fire" Usual "8" "Battle"
        "hold fire", "Hold fire";
    FaceUp { at } (at) "face-up" Minor "3.2" "Markers"
        "face up {at}", "Turn {at} face up", at "which";
    Mark { at } (at) "mark" Minor "3.7" "Markers"
        "mark {at}" or "colonize {at}", "Place your ownership marker in {at} as a bluff",
        at "where";
    Unmark { at } (at) "take-up" Minor "3.7" "Markers"
        "take up {at}", "Remove your ownership marker from {at}", at "where";
    Give { at, to } (at, to) "give" Grave "9" "Gifts"
        "give {at} to {to}", "Give {at} to {to}", to "to whom";
    End {} () "end" End "3.3" "The turn"
        "end", "End the turn";
    Vote { against, withdrawn: false } (against) "exile" Minor "R36" "Diplomacy"
        "exile {against}", "Vote to exile {against}", against "whom";
    Vote { against, withdrawn: true } (against) "unexile" Minor "R36" "Diplomacy"
        "unexile {against}", "Withdraw the vote against {against}", against "whom";
    Offer { agreement, to } (agreement, to) "offer" Usual "3.5" "Diplomacy"
        "offer {agreement} {to}", "Offer {agreement} to {to}", to "whom";
    Accept { agreement, from } (agreement, from) "accept" Usual "3.5" "Diplomacy"
        "accept {agreement} {from}", "Accept {agreement} with {from}", from "whom";
    Retract { agreement, to } (agreement, to) "retract" Minor "3.5" "Diplomacy"
        "retract {agreement} {to}", "Withdraw the offer of {agreement} to {to}", to "whom";
    EndPartnership {} () "end-partnership" Grave "R41" "Diplomacy"
        "end partnership", "End the partnership";
    Pledge { promise, to, until } (promise, to, until) "pledge" Minor "3.5" "Diplomacy"
        "pledge {promise} to {to} until {until}", "Promise {to}: {promise}, until round {until}";
    Sacrifice { ship } (ship) "sacrifice" Main "5" "You must choose"
        "sacrifice {ship}", "Remove {ship}", ship "which";
    ChooseShip { ship } (ship) "choose-starship" Main "R13" "You must choose"
        "choose {ship}", "Take {ship}", ship "which";
    ChoosePlanet { at } (at) "choose-planet" Main "R13" "You must choose"
        "choose {at}", "The planet in {at}", at "which";
    Zone { at } (at) "zone" Main "R37" "Death Zones"
        "zone {at}", "Place a Death Zone in {at}", at "where";
    Grow { from, to } (from, to) "grow" Main "R15" "Death Zones"
        "grow {from} to {to}", "Grow from {from} into {to}", to "where to";
    Stop {} () "stop" End "8" "Death Zones"
        "stop", "Place no more zones";
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formed = form_of(self);
        let argument = |&(name, value): &(&'static str, Value)| value.argument(name);
        let arguments: Vec<Argument> = formed.values.iter().map(argument).collect();
        f.write_str(&fill(formed.form.notation, &arguments, |argument| &argument.text))
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAttack => f.write_str("no-attack"),
            Self::GivePlanet(at) => write!(f, "planet {at}"),
            Self::KeepOut(at) => write!(f, "keep-out {at}"),
            Self::NoExileVote => f.write_str("no-exile"),
        }
    }
}

/// The value of an argument.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Place(Place),
    Ship(ShipId),
    Base(BaseNumber),
    Piece(Piece),
    Target(Target),
    Player(Seat),
    Agreement(Agreement),
    Promise(Promise),
    Number(u8),
}

macro_rules! value_from {
    ($($kind:ident($of:ty)),+) => {
        $(impl From<$of> for Value {
            fn from(value: $of) -> Self {
                Self::$kind(value)
            }
        })+
    };
}

value_from!(
    Place(Place),
    Ship(ShipId),
    Base(BaseNumber),
    Piece(Piece),
    Target(Target),
    Player(Seat),
    Agreement(Agreement),
    Promise(Promise),
    Number(u8)
);

impl Value {
    /// Returns the argument with this name, labelled as in the notation.
    pub(crate) fn argument(self, name: &'static str) -> Argument {
        let (text, sort) = match self {
            Self::Place(at) => (at.to_string(), Sort::Place),
            Self::Ship(ship) => (ship.to_string(), Sort::Piece),
            Self::Base(BaseNumber::First) => (String::new(), Sort::Word),
            Self::Base(BaseNumber::Second) => (" 2".to_owned(), Sort::Word),
            Self::Piece(piece) => (piece.to_string(), Sort::Piece),
            Self::Target(target) => (target.to_string(), Sort::Piece),
            Self::Player(seat) => (letter(seat).to_string(), Sort::Word),
            Self::Agreement(agreement) => (agreement.to_string(), Sort::Word),
            Self::Promise(promise) => (promise.to_string(), Sort::Word),
            Self::Number(number) => (number.to_string(), Sort::Number(number.into())),
        };
        Argument { name, label: text.clone(), text, sort }
    }
}

/// Parses orders, one per line. `base` without an owner is a base of the viewer.
pub(crate) fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
    let own_seat = view.seat().unwrap_or(Seat::at(0));
    let mut orders = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let (words, end) = split(line, number(index + 1))?;
        if words.is_empty() {
            continue;
        }
        orders.push(parse_line(&words, own_seat).map_err(|(at, expected)| {
            let (column, found) = match words.get(at) {
                Some((column, word)) => (*column, word.to_string()),
                None => (end, "the end of the line".to_owned()),
            };
            let message = format!("expected {expected}, found {found}");
            Malformed::text(number(index + 1), column, message)
        })?);
    }
    Ok(orders)
}

/// Reads an order in the first form that fits. The error names what the forms that fit the most
/// words expect next.
fn parse_line(words: &[(u32, Token)], own_seat: Seat) -> Read<Order> {
    let mut furthest = 0;
    let mut expected: Vec<String> = Vec::new();
    for (reader, template) in notations() {
        let mut line = Line { words, next: 0, template, own_seat };
        match (reader.read)(&mut line) {
            Ok(order) => return Ok(order),
            Err((at, _)) if at < furthest => {}
            Err((at, what)) => {
                if at > furthest {
                    (furthest, expected) = (at, Vec::new());
                }
                if !expected.contains(&what) {
                    expected.push(what);
                }
            }
        }
    }
    let expected = if furthest == 0 { orders_to_expect() } else { expected.join(" or ") };
    Err((furthest, expected))
}

fn notations() -> impl Iterator<Item = (&'static Reader, &'static str)> {
    READERS.iter().flat_map(|reader| reader.notations.iter().map(move |&text| (reader, text)))
}

fn orders_to_expect() -> String {
    let mut orders: Vec<&str> = Vec::new();
    for (_, notation) in notations() {
        let keywords = notation.split('{').next().unwrap_or_default().trim_end();
        let verb = keywords.split(' ').next();
        if orders.iter().all(|other| other.split(' ').next() != verb) {
            orders.push(keywords);
        }
    }
    format!("an order ({})", orders.join(", "))
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Text(String),
    Hex(i16, i16),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Hex(q, r) => write!(f, "({q},{r})"),
        }
    }
}

/// Splits a line into words and hexes with their columns, and returns the column of its end.
fn split(line: &str, line_number: u32) -> Result<(Vec<(u32, Token)>, u32), Malformed> {
    let mut words = Vec::new();
    let letters: Vec<char> = line.chars().take_while(|&letter| letter != '#').collect();
    let (mut at, mut end) = (0, 1);
    while at < letters.len() {
        if letters[at].is_whitespace() {
            at += 1;
            continue;
        }
        let begin = at;
        let column = number(begin + 1);
        if letters[at] == '(' {
            while at < letters.len() && letters[at] != ')' {
                at += 1;
            }
            at = (at + 1).min(letters.len());
            let inside: String = letters[begin..at].iter().collect();
            words.push((column, read_hex(&inside, line_number, column)?));
        } else {
            while at < letters.len() && !letters[at].is_whitespace() && letters[at] != '(' {
                at += 1;
            }
            let text: String = letters[begin..at].iter().collect();
            words.push((column, Token::Text(text.to_lowercase())));
        }
        end = number(at + 1);
    }
    Ok((words, end))
}

/// A result, or the index of the word that does not fit and what is expected there.
type Read<T> = Result<T, (usize, String)>;

/// A line that is read along a notation.
struct Line<'a> {
    words: &'a [(u32, Token)],
    next: usize,
    /// The rest of the notation.
    template: &'static str,
    own_seat: Seat,
}

impl Line<'_> {
    /// Reads the keywords up to the next argument, and the argument.
    fn argument<T: Operand>(&mut self, name: &str) -> Read<T> {
        let (keywords, rest) = self.template.split_once('{').unwrap_or((self.template, ""));
        self.keywords(keywords)?;
        self.template = rest.split_once('}').map_or("", |(_, rest)| rest);
        T::read(self, name)
    }

    /// Reads the last keywords. Nothing may follow.
    fn end(&mut self) -> Read<()> {
        self.keywords(self.template)?;
        if self.next == self.words.len() { Ok(()) } else { self.expected("the end of the line") }
    }

    fn keywords(&mut self, keywords: &str) -> Read<()> {
        for keyword in keywords.split_whitespace() {
            if !self.skip(keyword) {
                return self.expected(format!("\"{keyword}\""));
            }
        }
        Ok(())
    }

    fn expected<T>(&self, what: impl Into<String>) -> Read<T> {
        Err((self.next, what.into()))
    }

    fn peek(&self) -> Option<&str> {
        match self.words.get(self.next) {
            Some((_, Token::Text(text))) => Some(text),
            _ => None,
        }
    }

    fn skip(&mut self, keyword: &str) -> bool {
        let found = self.peek() == Some(keyword);
        self.next += usize::from(found);
        found
    }

    /// Reads a word that `read` accepts.
    fn word<T>(&mut self, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Read<T> {
        match self.peek().and_then(read) {
            Some(value) => {
                self.next += 1;
                Ok(value)
            }
            None => self.expected(what),
        }
    }
}

trait Operand: Sized {
    fn read(line: &mut Line<'_>, name: &str) -> Read<Self>;
}

impl Operand for Place {
    fn read(line: &mut Line<'_>, _: &str) -> Read<Self> {
        let Some(&(_, Token::Hex(q, r))) = line.words.get(line.next) else {
            return line.expected("a hex such as (1,0)");
        };
        match Self::new(Hex::new(q, r)) {
            Some(place) => {
                line.next += 1;
                Ok(place)
            }
            None => line.expected("a hex at most 3 steps from Earth"),
        }
    }
}

impl Operand for u8 {
    fn read(line: &mut Line<'_>, name: &str) -> Read<Self> {
        let what = if name == "until" { "a round" } else { "a number of starships" };
        line.word(what, |text| text.parse().ok())
    }
}

impl Operand for Seat {
    fn read(line: &mut Line<'_>, _: &str) -> Read<Self> {
        line.word("a player, A to F", |text| {
            let mut letters = text.chars();
            letters.next().and_then(seat_of_letter).filter(|_| letters.next().is_none())
        })
    }
}

impl Operand for ShipId {
    fn read(line: &mut Line<'_>, _: &str) -> Read<Self> {
        line.word("a starship such as A1", read_ship)
    }
}

impl Operand for BaseNumber {
    fn read(line: &mut Line<'_>, _: &str) -> Read<Self> {
        if line.skip("2") {
            return Ok(Self::Second);
        }
        line.skip("1");
        Ok(Self::First)
    }
}

impl Operand for Piece {
    fn read(line: &mut Line<'_>, name: &str) -> Read<Self> {
        if line.skip("base") {
            let number = BaseNumber::read(line, name)?;
            let owner = if line.skip("of") { Seat::read(line, name)? } else { line.own_seat };
            return Ok(Self::Base(BaseId { owner, number }));
        }
        line.word("a starship such as A1, or a base", read_ship).map(Self::Ship)
    }
}

impl Operand for Target {
    fn read(line: &mut Line<'_>, name: &str) -> Read<Self> {
        if line.skip("death") {
            return line.keywords("star").map(|()| Self::DeathStar);
        }
        if line.peek() == Some("base") {
            return Piece::read(line, name).map(Self::Piece);
        }
        let ship = line.word("a target such as B2, base of B, or death star", read_ship);
        ship.map(|ship| Self::Piece(Piece::Ship(ship)))
    }
}

impl Operand for Agreement {
    fn read(line: &mut Line<'_>, _: &str) -> Read<Self> {
        line.word("\"peace\" or \"partnership\"", |text| text.parse().ok())
    }
}

impl Operand for Promise {
    fn read(line: &mut Line<'_>, name: &str) -> Read<Self> {
        if line.skip("no-attack") {
            Ok(Self::NoAttack)
        } else if line.skip("no-exile") {
            Ok(Self::NoExileVote)
        } else if line.skip("planet") {
            Place::read(line, name).map(Self::GivePlanet)
        } else if line.skip("keep-out") {
            Place::read(line, name).map(Self::KeepOut)
        } else {
            line.expected("\"no-attack\", \"no-exile\", \"planet (q,r)\" or \"keep-out (q,r)\"")
        }
    }
}

fn seat_of_letter(letter: char) -> Option<Seat> {
    let index = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
    (index < MAX_PLAYERS).then(|| Seat::at(index))
}

fn read_ship(text: &str) -> Option<ShipId> {
    let mut letters = text.chars();
    let owner = seat_of_letter(letters.next()?)?;
    let digits = letters.as_str();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().map(|serial| ShipId { owner, serial: Serial(serial) })
}

fn read_hex(text: &str, line: u32, column: u32) -> Result<Token, Malformed> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let numbers = inside.and_then(|inside| inside.split_once(','));
    let parsed = numbers.and_then(|(q, r)| Some((q.trim().parse().ok()?, r.trim().parse().ok()?)));
    match parsed {
        Some((q, r)) => Ok(Token::Hex(q, r)),
        None => Err(Malformed::text(
            line,
            column,
            format!("expected a hex such as (1,0), found {}", quoted(text)),
        )),
    }
}
