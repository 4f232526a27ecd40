//! Writes orders as text that reads back.

use std::fmt;

use super::STRICT;
use super::master::KNOWN;
use super::reader::is_keyword;
use crate::class::Design;
use crate::hull::Ratings;
use crate::master::{Astronomics, MasterOrder, NewOwner};
use crate::name::Name;
use crate::objects::Pattern;
use crate::order::{Amount, Crews, Line, Naming, Order, Scans, Selection, Sense, Sheet, Spot};

/// An order as text: a sheet one line a line.
pub(crate) fn notate(order: &Order) -> String {
    match order {
        Order::Sheet(sheet) => sheet.to_string(),
        Order::Master(order) => order.to_string(),
    }
}

/// A name as orders write it: one that is also a keyword between quotes.
struct Word(Name);

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.as_str();
        if is_keyword(name) { write!(f, "\"{name}\"") } else { f.write_str(name) }
    }
}

/// A name as orders write it.
pub(crate) fn word(name: Name) -> String {
    Word(name).to_string()
}

/// Names, each with a blank before it.
struct Words<'a>(&'a [Name]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&name| write!(f, " {}", Word(name)))
    }
}

/// A keyword and the names behind it; nothing if there are none.
struct Listed<'a>(&'static str, &'a [Name]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() { Ok(()) } else { write!(f, " {}{}", self.0, Words(self.1)) }
    }
}

/// A name that may be missing, with a blank before it.
struct Optional(Option<Name>);

impl fmt::Display for Optional {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, " {}", Word(name)))
    }
}

struct Rated(Ratings);

impl fmt::Display for Rated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [guns, dp, engines, scan, racks] = self.0.list();
        write!(f, "{guns} {dp} {engines} {scan} {racks}")
    }
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

/// With a blank before it.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ships(names) => write!(f, "{}", Words(names)),
            Self::All { at, except } => write!(f, " {at}{}", Listed("EXCEPT", except)),
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

/// With a blank before it, if there is anything.
impl fmt::Display for Naming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(names) => write!(f, "{}", Words(names)),
            Self::Numbered(base) => write!(f, " {}*", Word(*base)),
        }
    }
}

/// With a blank before it.
impl fmt::Display for Crews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(" ALL"),
            Self::Some { ships, classes } => {
                write!(f, "{}", Words(ships))?;
                classes.iter().try_for_each(|&class| write!(f, " @{}", Word(class)))
            }
        }
    }
}

/// With a blank before it.
impl fmt::Display for Scans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(" ALL"),
            Self::Places(places) => places.iter().try_for_each(|place| write!(f, " {place}")),
            Self::Classes(classes) => write!(f, "{}", Listed("CLASS", classes)),
            Self::Ships(ships) => write!(f, "{}", Words(ships)),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phase().as_str())?;
        match self {
            Self::Unload { ships } => write!(f, "{}", Words(ships)),
            Self::Load { ships, carrier } => write!(f, "{} ONTO {}", Words(ships), Word(*carrier)),
            Self::Destruct { ships } => write!(f, "{ships}"),
            Self::Fire { sense, ships, at } => {
                let sense = if *sense == Sense::Ascending { " ASC" } else { "" };
                write!(f, "{sense}{ships} AT{}", Words(at))
            }
            Self::Transmit { portals: names, to } | Self::Give { classes: names, to } => {
                write!(f, "{} TO{}", Words(names), Words(to))
            }
            Self::Move { ships, to } => write!(f, "{ships} TO {to}"),
            Self::Traverse { ships, entry, exit } => {
                write!(f, "{ships} THROUGH {}{}", Word(*entry), Optional(*exit))
            }
            Self::Design { world, class, design } => {
                write!(f, " {} {} ", Word(*world), Word(*class))?;
                match *design {
                    Design::Ship(hull, ratings) => write!(f, "{hull} {}", Rated(ratings)),
                    Design::Missile { guns, tonnage } => write!(f, "missile {guns} {tonnage}"),
                }
            }
            Self::Build { world, count, class, naming } => {
                write!(f, " {} {count} {}{naming}", Word(*world), Word(*class))
            }
            Self::Repair { ship, dp, worlds } => {
                write!(f, " {} {dp}{}", Word(*ship), Words(worlds))
            }
            Self::Toggle { public, ships } => {
                write!(f, " {}{ships}", if *public { "PUBLIC" } else { "PRIVATE" })
            }
            Self::Conceal { ships, from } => write!(f, "{ships} FROM{}", Words(from)),
            Self::Identify { ships, to } => write!(f, "{ships} TO{}", Words(to)),
            Self::Pool { world, except } => {
                write!(f, " {}{}", Word(*world), Listed("EXCEPT", except))
            }
            Self::Transfer { from, amount, to, recipient } => {
                write!(f, " {} {amount} {}{}", Word(*from), Word(*to), Optional(*recipient))
            }
            Self::Deny { scans, to } | Self::Authorize { scans, to } => {
                write!(f, "{scans} TO{}", Words(to))
            }
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
                    let gap = if index == 0 { "" } else { " /" };
                    write!(f, "{gap}{}", Words(&alliance.empires))
                })
            }
        }
    }
}

/// The word for a value of a table.
fn word_for<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, other)| other == value).map_or("", |(word, _)| word)
}

fn mode(public: bool) -> &'static str {
    if public { "PUBLIC" } else { "PRIVATE" }
}

/// How a storm fluctuates, with a blank before it.
struct Fluctuates<'a>(&'a Pattern);

impl fmt::Display for Fluctuates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Pattern::Constant => f.write_str(" CONSTANT"),
            Pattern::Random => f.write_str(" RANDOM"),
            Pattern::Cyclic(steps) => {
                f.write_str(" CYCLE")?;
                steps.iter().try_for_each(|step| write!(f, " {step}"))
            }
        }
    }
}

impl fmt::Display for Astronomics {
    #[expect(clippy::too_many_lines, reason = "one arm for each order")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RemoveConnection { entry, exit } => {
                write!(f, "REMOVECONNECTION {} {}", Word(*entry), Word(*exit))
            }
            Self::RemoveObjects { kind, names } => {
                write!(f, "REMOVEOBJECT {kind}{}", Words(names))
            }
            Self::RemoveShips { empire, ships } => {
                write!(f, "REMOVESHIP {}{}", Word(*empire), Words(ships))
            }
            Self::RelocateObject { kind, name, to } => {
                write!(f, "RELOCATEOBJECT {kind} {} {to}", Word(*name))
            }
            Self::RelocateShips { empire, ships, to } => {
                write!(f, "RELOCATESHIP {}{} TO {to}", Word(*empire), Words(ships))
            }
            Self::AddConnection { entry, exit } => {
                write!(f, "ADDCONNECTION {} {}", Word(*entry), Word(*exit))
            }
            Self::ModifyWorld { name, production, stockpile, owner } => {
                write!(f, "MODIFYWORLD {} {production} {stockpile}", Word(*name))?;
                match *owner {
                    NewOwner::Unchanged => Ok(()),
                    NewOwner::Nobody => f.write_str(" NONE"),
                    NewOwner::Empire(empire) => write!(f, " {}", Word(empire)),
                }
            }
            Self::ModifyStorm { name, rating, pattern } => {
                write!(f, "MODIFYSTORM {} {rating}", Word(*name))?;
                pattern.as_ref().map_or(Ok(()), |pattern| write!(f, "{}", Fluctuates(pattern)))
            }
            Self::ModifyShip { empire, ship, dp, public } => {
                write!(f, "MODIFYSHIP {} {} {dp} {}", Word(*empire), Word(*ship), mode(*public))
            }
            Self::CollapsePortal { portal, turns } => {
                write!(f, "COLLAPSE {} {turns}", Word(*portal))
            }
            Self::RemoveKnown { kind, names, empires } => {
                write!(
                    f,
                    "REMOVEKNOWN {}{} FROM{}",
                    word_for(&KNOWN, kind),
                    Words(names),
                    Words(empires)
                )
            }
            Self::AddKnown { kind, names, empires } => {
                write!(
                    f,
                    "ADDKNOWN {}{} TO{}",
                    word_for(&KNOWN, kind),
                    Words(names),
                    Words(empires)
                )
            }
            Self::AddClass { name, hull, ratings, tonnage, cost, unbuildable } => {
                write!(f, "ADDSHIPCLASS {} {hull} {}", Word(*name), Rated(*ratings))?;
                tonnage.map_or(Ok(()), |tonnage| write!(f, " TONNAGE {tonnage}"))?;
                cost.map_or(Ok(()), |cost| write!(f, " COST {cost}"))?;
                if *unbuildable { f.write_str(" UNBUILDABLE") } else { Ok(()) }
            }
            Self::AddPortal { at, name, collapse_turns } => {
                write!(f, "ADDPORTAL {at} {}", Word(*name))?;
                if *collapse_turns > 0 { write!(f, " COLLAPSED {collapse_turns}") } else { Ok(()) }
            }
            Self::AddStorm { at, name, rating, pattern } => {
                write!(f, "ADDSTORM {at} {} {rating}{}", Word(*name), Fluctuates(pattern))
            }
            Self::AddWorld { at, name, production, stockpile, owner } => {
                write!(
                    f,
                    "ADDWORLD {at} {} {production} {stockpile}{}",
                    Word(*name),
                    Optional(*owner)
                )
            }
            Self::AddShips { at, empire, count, class, dp, public, naming } => {
                let (empire, class) = (Word(*empire), Word(*class));
                write!(f, "ADDSHIP {at} {empire} {count} {class} {dp} {}{naming}", mode(*public))
            }
        }
    }
}
