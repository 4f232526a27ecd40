//! The writer of orders as text. The text can be read back.
// The macro passes a reference to each part.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

use std::fmt;

use super::STRICT;
use super::reader::is_keyword;
use crate::class::Design;
use crate::geometry::Sector;
use crate::hull::{Hull, Ratings};
use crate::master::{MasterOrder, NewOwner};
use crate::name::Name;
use crate::objects::Pattern;
use crate::order::{Amount, Crews, Naming, Order, Scans, Selection, Sheet, Spot};

pub(crate) fn notate(order: &Order) -> String {
    match order {
        Order::Sheet(sheet) => sheet.to_string(),
        Order::Master(order) => order.to_string(),
    }
}

/// A name as written in orders: quoted if it is a keyword.
struct Word(Name);

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.as_str();
        if is_keyword(name) { write!(f, "\"{name}\"") } else { f.write_str(name) }
    }
}

pub(crate) fn word(name: Name) -> String {
    Word(name).to_string()
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        if self.strict {
            f.write_str(STRICT)?;
            gap = "\n";
        }
        self.lines
            .iter()
            .try_for_each(|line| write!(f, "{}{line}", std::mem::replace(&mut gap, "\n")))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At(at) => write!(f, "{at}"),
            Self::Object(name) => write!(f, "@{}", Word(name)),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Max => f.write_str("MAX"),
        }
    }
}

impl fmt::Display for MasterOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Astronomics(order) => write!(f, "{order}"),
            Self::Withdraw { index } => write!(f, "WITHDRAW {}", index.saturating_add(1)),
            Self::ApplyNow => f.write_str("APPLY NOW"),
            Self::SetAlliances { alliances } => {
                f.write_str("ALLIANCES")?;
                alliances.iter().enumerate().try_for_each(|(index, alliance)| {
                    f.write_str(if index == 0 { "" } else { " /" })?;
                    Writer(f).names(&alliance.empires, "")
                })
            }
        }
    }
}

pub(super) struct Writer<'a, 'f>(pub &'a mut fmt::Formatter<'f>);

impl Writer<'_, '_> {
    pub(super) fn put(&mut self, part: impl fmt::Display) -> fmt::Result {
        write!(self.0, " {part}")
    }

    fn each<T: fmt::Display>(&mut self, parts: impl IntoIterator<Item = T>) -> fmt::Result {
        parts.into_iter().try_for_each(|part| self.put(part))
    }

    pub(super) fn flag(&mut self, is_there: &bool, word: &str) -> fmt::Result {
        if *is_there { self.put(word) } else { Ok(()) }
    }

    pub(super) fn choice<T: PartialEq>(
        &mut self,
        value: &T,
        words: &[(&str, T)],
        _: &str,
    ) -> fmt::Result {
        self.each(words.iter().find(|(_, other)| other == value).map(|(word, _)| word))
    }

    pub(super) fn choice_if<T: PartialEq + Default>(
        &mut self,
        value: &T,
        words: &[(&str, T)],
    ) -> fmt::Result {
        if *value == T::default() { Ok(()) } else { self.choice(value, words, "") }
    }

    pub(super) fn name(&mut self, name: &Name, _: &str) -> fmt::Result {
        self.put(Word(*name))
    }

    pub(super) fn name_if(&mut self, name: &Option<Name>, _: &str) -> fmt::Result {
        self.each(name.map(Word))
    }

    pub(super) fn names(&mut self, names: &[Name], _: &str) -> fmt::Result {
        self.each(names.iter().copied().map(Word))
    }

    pub(super) fn names_before(&mut self, names: &[Name], what: &str, word: &str) -> fmt::Result {
        self.names(names, what)?;
        self.put(word)
    }

    pub(super) fn excepted(&mut self, names: &[Name], what: &str) -> fmt::Result {
        self.each((!names.is_empty()).then_some("EXCEPT"))?;
        self.names(names, what)
    }

    pub(super) fn number(&mut self, number: &u32, _: &str) -> fmt::Result {
        self.put(number)
    }

    pub(super) fn short(&mut self, number: &u16, _: &str) -> fmt::Result {
        self.put(number)
    }

    pub(super) fn given(&mut self, number: &Option<u32>, word: &str, _: &str) -> fmt::Result {
        self.each(number.map(|number| format!("{word} {number}")))
    }

    pub(super) fn collapsed(&mut self, turns: &u32) -> fmt::Result {
        self.given(&(*turns > 0).then_some(*turns), "COLLAPSED", "")
    }

    pub(super) fn sector(&mut self, at: &Sector) -> fmt::Result {
        self.put(at)
    }

    pub(super) fn spot(&mut self, spot: &Spot) -> fmt::Result {
        self.put(spot)
    }

    pub(super) fn selection(&mut self, ships: &Selection) -> fmt::Result {
        match ships {
            Selection::Ships(names) => self.names(names, ""),
            Selection::All { at, except } => {
                self.put(at)?;
                self.excepted(except, "")
            }
        }
    }

    pub(super) fn amount(&mut self, amount: &Amount) -> fmt::Result {
        self.put(amount)
    }

    pub(super) fn naming(&mut self, naming: &Naming) -> fmt::Result {
        match naming {
            Naming::Listed(names) => self.names(names, ""),
            Naming::Numbered(base) => self.put(format_args!("{}*", Word(*base))),
        }
    }

    pub(super) fn crews(&mut self, crews: &Crews) -> fmt::Result {
        let Crews::Some { ships, classes } = crews else { return self.put("ALL") };
        self.names(ships, "")?;
        self.each(classes.iter().map(|&class| format!("@{}", Word(class))))
    }

    pub(super) fn scans(&mut self, scans: &Scans) -> fmt::Result {
        match scans {
            Scans::All => self.put("ALL"),
            Scans::Places(places) => self.each(places),
            Scans::Classes(classes) => {
                self.put("CLASS")?;
                self.names(classes, "")
            }
            Scans::Ships(ships) => self.names(ships, ""),
        }
    }

    pub(super) fn hull(&mut self, hull: &Hull) -> fmt::Result {
        self.put(hull)
    }

    pub(super) fn ratings(&mut self, ratings: &Ratings) -> fmt::Result {
        self.each(ratings.list())
    }

    pub(super) fn design(&mut self, design: &Design) -> fmt::Result {
        match design {
            Design::Ship(hull, ratings) => {
                self.hull(hull)?;
                self.ratings(ratings)
            }
            Design::Missile { guns, tonnage } => self.put(format_args!("missile {guns} {tonnage}")),
        }
    }

    pub(super) fn owner(&mut self, owner: &NewOwner) -> fmt::Result {
        match owner {
            NewOwner::Unchanged => Ok(()),
            NewOwner::Nobody => self.put("NONE"),
            NewOwner::Empire(empire) => self.put(Word(*empire)),
        }
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) -> fmt::Result {
        match pattern {
            Pattern::Constant => self.put("CONSTANT"),
            Pattern::Random => self.put("RANDOM"),
            Pattern::Cyclic(steps) => {
                self.put("CYCLE")?;
                self.each(steps.iter())
            }
        }
    }

    pub(super) fn fluctuation(&mut self, pattern: &Option<Pattern>) -> fmt::Result {
        pattern.as_ref().map_or(Ok(()), |pattern| self.pattern(pattern))
    }
}
