//! The text notation of orders: one order per line, keywords in any letter case, comments after
//! `#`.
//!
//! | order | example |
//! | --- | --- |
//! | build starships | `build 2`, `build 1 on base 2` |
//! | move, warp | `move A1 to (2,-1)`, `warp A1 via (1,0) to (2,0)` |
//! | move, settle a base | `base to (1,0)`, `base via (1,0) to (2,0)`, `settle`, `settle base 2` |
//! | take a planet | `diplomacy A1`, `force A1`, `force base` |
//! | attack | `attack A1 B2`, `attack A1 base of B`, `attack A1 death star` |
//! | in battle | `again`, `withdraw`, `fire`, `hold fire` |
//! | markers | `face up (1,0)`, `mark (1,0)` or `colonize (1,0)`, `take up (1,0)` |
//! | give a planet | `give (1,0) to C` |
//! | exile | `exile B`, `unexile B` |
//! | agreements | `offer peace B`, `accept partnership B`, `retract peace B`, `end partnership` |
//! | pledges | `pledge no-attack to B until 9`, `pledge planet (1,0) to B until 9`, |
//! | | `pledge keep-out (1,0) to B until 9`, `pledge no-exile to B until 9` |
//! | when asked | `sacrifice A3`, `choose B2`, `choose (1,0)` |
//! | Death Star | `zone (2,-1)`, `grow (2,-1) to (1,-1)`, `stop` |
//! | end the turn | `end` |

use std::fmt;

use heliopause_kernel::{Hex, Malformed, Seat, quoted};

use crate::board::Place;
use crate::order::{Agreement, Means, Order, Promise};
use crate::pieces::{BaseId, BaseNumber, Piece, Serial, ShipId, Target, letter};
use crate::table::MAX_PLAYERS;
use crate::view::View;

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Build { count, base: BaseNumber::First } => write!(f, "build {count}"),
            Self::Build { count, base } => write!(f, "build {count} on base {}", base.number()),
            Self::Move { ship, to } => write!(f, "move {ship} to {to}"),
            Self::Warp { ship, via, to } => write!(f, "warp {ship} via {via} to {to}"),
            Self::MoveBase { base, via, to } => {
                write!(f, "{}", OwnBase(base))?;
                via.map_or(Ok(()), |via| write!(f, " via {via}"))?;
                write!(f, " to {to}")
            }
            Self::Settle { base: BaseNumber::First } => f.write_str("settle"),
            Self::Settle { base } => write!(f, "settle {}", OwnBase(base)),
            Self::Attempt { piece, means: Means::Diplomacy } => write!(f, "diplomacy {piece}"),
            Self::Attempt { piece, means: Means::Force } => write!(f, "force {piece}"),
            Self::Attack { piece, target } => write!(f, "attack {piece} {target}"),
            Self::FightOn => f.write_str("again"),
            Self::Withdraw => f.write_str("withdraw"),
            Self::Fire => f.write_str("fire"),
            Self::HoldFire => f.write_str("hold fire"),
            Self::FaceUp { at } => write!(f, "face up {at}"),
            Self::Mark { at } => write!(f, "mark {at}"),
            Self::Unmark { at } => write!(f, "take up {at}"),
            Self::Give { at, to } => write!(f, "give {at} to {}", letter(to)),
            Self::End => f.write_str("end"),
            Self::Vote { against, withdrawn: false } => write!(f, "exile {}", letter(against)),
            Self::Vote { against, .. } => write!(f, "unexile {}", letter(against)),
            Self::Offer { to, agreement } => {
                write!(f, "offer {} {}", agreement.as_str(), letter(to))
            }
            Self::Accept { from, agreement } => {
                write!(f, "accept {} {}", agreement.as_str(), letter(from))
            }
            Self::Retract { to, agreement } => {
                write!(f, "retract {} {}", agreement.as_str(), letter(to))
            }
            Self::EndPartnership => f.write_str("end partnership"),
            Self::Pledge { to, promise, until } => {
                write!(f, "pledge {promise} to {} until {until}", letter(to))
            }
            Self::Sacrifice { ship } => write!(f, "sacrifice {ship}"),
            Self::ChooseShip { ship } => write!(f, "choose {ship}"),
            Self::ChoosePlanet { at } => write!(f, "choose {at}"),
            Self::Zone { at } => write!(f, "zone {at}"),
            Self::Grow { from, to } => write!(f, "grow {from} to {to}"),
            Self::Stop => f.write_str("stop"),
        }
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

struct OwnBase(BaseNumber);

impl fmt::Display for OwnBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BaseNumber::First => f.write_str("base"),
            BaseNumber::Second => f.write_str("base 2"),
        }
    }
}

/// Parses orders, one per line. `base` without an owner is a base of the viewer.
pub(crate) fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
    let own_seat = view.seat().unwrap_or(Seat::at(0));
    let mut orders = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut reader = LineParser::new(line, number, own_seat)?;
        if reader.words.is_empty() {
            continue;
        }
        let order = reader.order()?;
        reader.end()?;
        orders.push(order);
    }
    Ok(orders)
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

struct LineParser {
    words: Vec<(u32, Token)>,
    next: usize,
    line: u32,
    end_column: u32,
    own_seat: Seat,
}

const ORDERS: &str = "an order (build, move, warp, base, settle, diplomacy, force, attack, again, \
    withdraw, fire, hold \
                      fire, face up, mark, take up, give, end, exile, unexile, offer, accept, \
                      retract, pledge, \
                      sacrifice, choose, zone, grow, stop)";

impl LineParser {
    fn new(line: &str, number: u32, own_seat: Seat) -> Result<Self, Malformed> {
        let mut reader = Self { words: Vec::new(), next: 0, line: number, end_column: 1, own_seat };
        let letters: Vec<char> = line.chars().take_while(|&letter| letter != '#').collect();
        let mut at = 0;
        while at < letters.len() {
            if letters[at].is_whitespace() {
                at += 1;
                continue;
            }
            let begin = at;
            let column = u32::try_from(begin + 1).unwrap_or(u32::MAX);
            if letters[at] == '(' {
                while at < letters.len() && letters[at] != ')' {
                    at += 1;
                }
                at = (at + 1).min(letters.len());
                let inside: String = letters[begin..at].iter().collect();
                reader.words.push((column, read_hex(&inside, number, column)?));
            } else {
                while at < letters.len() && !letters[at].is_whitespace() && letters[at] != '(' {
                    at += 1;
                }
                let text: String = letters[begin..at].iter().collect();
                reader.words.push((column, Token::Text(text.to_lowercase())));
            }
            reader.end_column = u32::try_from(at + 1).unwrap_or(u32::MAX);
        }
        Ok(reader)
    }

    fn expected<T>(&self, what: &str) -> Result<T, Malformed> {
        match self.words.get(self.next) {
            Some((column, word)) => {
                Err(Malformed::text(self.line, *column, format!("expected {what}, found {word}")))
            }
            None => Err(Malformed::text(
                self.line,
                self.end_column,
                format!("expected {what}, found the end of the line"),
            )),
        }
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

    fn keyword(&mut self, keyword: &str) -> Result<(), Malformed> {
        if self.skip(keyword) { Ok(()) } else { self.expected(&format!("\"{keyword}\"")) }
    }

    fn place(&mut self) -> Result<Place, Malformed> {
        match self.words.get(self.next) {
            Some(&(_, Token::Hex(q, r))) => match Place::new(Hex::new(q, r)) {
                Some(place) => {
                    self.next += 1;
                    Ok(place)
                }
                None => self.expected("a hex at most 3 steps from Earth"),
            },
            _ => self.expected("a hex such as (1,0)"),
        }
    }

    fn number(&mut self, what: &str) -> Result<u8, Malformed> {
        match self.peek().and_then(|text| text.parse().ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    fn seat(&mut self) -> Result<Seat, Malformed> {
        let seat = self.peek().and_then(|text| {
            let mut letters = text.chars();
            letters.next().and_then(seat_of_letter).filter(|_| letters.next().is_none())
        });
        match seat {
            Some(seat) => {
                self.next += 1;
                Ok(seat)
            }
            None => self.expected("a player, A to F"),
        }
    }

    fn ship(&mut self) -> Result<ShipId, Malformed> {
        match self.peek().and_then(read_ship) {
            Some(ship) => {
                self.next += 1;
                Ok(ship)
            }
            None => self.expected("a starship such as A1"),
        }
    }

    fn base_number(&mut self) -> BaseNumber {
        if self.skip("2") {
            return BaseNumber::Second;
        }
        self.skip("1");
        BaseNumber::First
    }

    fn piece(&mut self) -> Result<Piece, Malformed> {
        if self.skip("base") {
            let number = self.base_number();
            let owner = if self.skip("of") { self.seat()? } else { self.own_seat };
            return Ok(Piece::Base(BaseId { owner, number }));
        }
        match self.peek().and_then(read_ship) {
            Some(_) => self.ship().map(Piece::Ship),
            None => self.expected("a starship such as A1, or a base"),
        }
    }

    fn target(&mut self) -> Result<Target, Malformed> {
        if self.skip("death") {
            self.keyword("star")?;
            return Ok(Target::DeathStar);
        }
        if self.peek() == Some("base") || self.peek().and_then(read_ship).is_some() {
            return self.piece().map(Target::Piece);
        }
        self.expected("a target such as B2, base of B, or death star")
    }

    fn order(&mut self) -> Result<Order, Malformed> {
        let Some(verb) = self.peek().map(str::to_owned) else { return self.expected(ORDERS) };
        self.next += 1;
        match verb.as_str() {
            "build" => self.build(),
            "move" => Ok(Order::Move { ship: self.ship()?, to: self.to()? }),
            "warp" => {
                let ship = self.ship()?;
                self.keyword("via")?;
                Ok(Order::Warp { ship, via: self.place()?, to: self.to()? })
            }
            "base" => {
                let base = self.base_number();
                let via = if self.skip("via") { Some(self.place()?) } else { None };
                Ok(Order::MoveBase { base, via, to: self.to()? })
            }
            "settle" => {
                let base = if self.skip("base") { self.base_number() } else { BaseNumber::First };
                Ok(Order::Settle { base })
            }
            "diplomacy" => Ok(Order::Attempt { piece: self.piece()?, means: Means::Diplomacy }),
            "force" => Ok(Order::Attempt { piece: self.piece()?, means: Means::Force }),
            "attack" => Ok(Order::Attack { piece: self.piece()?, target: self.target()? }),
            "again" => Ok(Order::FightOn),
            "withdraw" => Ok(Order::Withdraw),
            "fire" => Ok(Order::Fire),
            "hold" => self.keyword("fire").map(|()| Order::HoldFire),
            "end" if self.skip("partnership") => Ok(Order::EndPartnership),
            "end" => Ok(Order::End),
            _ => self.other_order(&verb),
        }
    }

    fn other_order(&mut self, verb: &str) -> Result<Order, Malformed> {
        match verb {
            "face" => {
                self.keyword("up")?;
                Ok(Order::FaceUp { at: self.place()? })
            }
            "mark" | "colonize" => Ok(Order::Mark { at: self.place()? }),
            "take" => {
                self.keyword("up")?;
                Ok(Order::Unmark { at: self.place()? })
            }
            "give" => {
                let at = self.place()?;
                self.keyword("to")?;
                Ok(Order::Give { at, to: self.seat()? })
            }
            "exile" => Ok(Order::Vote { against: self.seat()?, withdrawn: false }),
            "unexile" => Ok(Order::Vote { against: self.seat()?, withdrawn: true }),
            "offer" => {
                let agreement = self.agreement()?;
                Ok(Order::Offer { to: self.seat()?, agreement })
            }
            "accept" => {
                let agreement = self.agreement()?;
                Ok(Order::Accept { from: self.seat()?, agreement })
            }
            "retract" => {
                let agreement = self.agreement()?;
                Ok(Order::Retract { to: self.seat()?, agreement })
            }
            "pledge" => self.pledge(),
            "sacrifice" => Ok(Order::Sacrifice { ship: self.ship()? }),
            "choose" => self.choose(),
            "zone" => Ok(Order::Zone { at: self.place()? }),
            "grow" => Ok(Order::Grow { from: self.place()?, to: self.to()? }),
            "stop" => Ok(Order::Stop),
            _ => {
                self.next -= 1;
                self.expected(ORDERS)
            }
        }
    }

    fn to(&mut self) -> Result<Place, Malformed> {
        self.keyword("to")?;
        self.place()
    }

    fn build(&mut self) -> Result<Order, Malformed> {
        let count = self.number("a number of starships")?;
        let mut base = BaseNumber::First;
        if self.skip("on") {
            self.keyword("base")?;
            base = self.base_number();
        }
        Ok(Order::Build { count, base })
    }

    fn agreement(&mut self) -> Result<Agreement, Malformed> {
        if self.skip("peace") {
            Ok(Agreement::Peace)
        } else if self.skip("partnership") {
            Ok(Agreement::Partnership)
        } else {
            self.expected("\"peace\" or \"partnership\"")
        }
    }

    fn pledge(&mut self) -> Result<Order, Malformed> {
        let promise = if self.skip("no-attack") {
            Promise::NoAttack
        } else if self.skip("no-exile") {
            Promise::NoExileVote
        } else if self.skip("planet") {
            Promise::GivePlanet(self.place()?)
        } else if self.skip("keep-out") {
            Promise::KeepOut(self.place()?)
        } else {
            return self
                .expected("\"no-attack\", \"no-exile\", \"planet (q,r)\" or \"keep-out (q,r)\"");
        };
        self.keyword("to")?;
        let to = self.seat()?;
        self.keyword("until")?;
        Ok(Order::Pledge { to, promise, until: self.number("a round")? })
    }

    fn choose(&mut self) -> Result<Order, Malformed> {
        if self.peek().and_then(read_ship).is_some() {
            return Ok(Order::ChooseShip { ship: self.ship()? });
        }
        match self.words.get(self.next) {
            Some((_, Token::Hex(..))) => Ok(Order::ChoosePlanet { at: self.place()? }),
            _ => self.expected("a starship such as B2, or a hex such as (1,0)"),
        }
    }

    fn end(&self) -> Result<(), Malformed> {
        if self.next == self.words.len() { Ok(()) } else { self.expected("the end of the line") }
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
