//! Parts of orders whose messages have another shape.
//!
//! What can be read can also be written as text: lists are never empty, numbers never 0.

use heliopause_kernel::message;
use heliopause_kernel::wire::{Part, Read, Result, Write, field, inside, missing, rows, wrong, wrong_field};
use heliopause_proto::star_empires::v1 as proto;

use super::{names, some_names};
use crate::class::Design;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::order::{Crews, ITEMS_MAX, Line, Naming, Scans, Selection, Sheet};

/// A sheet does not name too many things.
pub(crate) fn few_items(sheet: &Sheet) -> Result<()> {
    let items: usize = sheet.lines.iter().map(Line::items).sum();
    if items <= ITEMS_MAX { Ok(()) } else { wrong("its lines name too many things") }
}

/// What is wrong with a line that cannot be read.
pub(crate) mod sentence {
    use heliopause_kernel::wire::{Result, wrong};

    /// The longest, in characters.
    const LONGEST: usize = 500;

    pub(crate) fn read(message: &String) -> Result<String> {
        if message.chars().count() > LONGEST { wrong("its message is too long") } else { Ok(message.clone()) }
    }

    pub(crate) fn write(sentence: &str) -> String {
        sentence.chars().take(LONGEST).collect()
    }
}

impl Read<proto::Selection> for Selection {
    fn read(message: &proto::Selection) -> Result<Self> {
        let excepted = || inside("excepted", names::read(&message.excepted));
        match &message.at {
            None if message.excepted.is_empty() => inside("ships", some_names::read(&message.ships)).map(Self::Ships),
            Some(at) if message.ships.is_empty() => Ok(Self::All { at: field("at", at)?, except: excepted()? }),
            None | Some(_) => wrong("give ships, or a place with the ships that are left out"),
        }
    }
}

impl Write<proto::Selection> for Selection {
    fn write(&self) -> proto::Selection {
        match self {
            Self::Ships(ships) => proto::Selection { ships: ships.write(), at: None, excepted: Vec::new() },
            Self::All { at, except } => {
                proto::Selection { ships: Vec::new(), at: at.write(), excepted: except.write() }
            }
        }
    }
}

message!(Selection, proto::Selection);

impl Read<proto::Crews> for Crews {
    fn read(message: &proto::Crews) -> Result<Self> {
        let some = !(message.ships.is_empty() && message.classes.is_empty());
        match (message.all, some) {
            (true, false) => Ok(Self::All),
            (false, true) => Ok(Self::Some {
                ships: inside("ships", names::read(&message.ships))?,
                classes: inside("classes", names::read(&message.classes))?,
            }),
            (true, true) | (false, false) => wrong("give all ships, or some ships and classes"),
        }
    }
}

impl Write<proto::Crews> for Crews {
    fn write(&self) -> proto::Crews {
        match self {
            Self::All => proto::Crews { all: true, ships: Vec::new(), classes: Vec::new() },
            Self::Some { ships, classes } => {
                proto::Crews { all: false, ships: ships.write(), classes: classes.write() }
            }
        }
    }
}

message!(Crews, proto::Crews);

impl Read<proto::Scans> for Scans {
    fn read(message: &proto::Scans) -> Result<Self> {
        let proto::Scans { all, places, ships, classes } = message;
        match (*all, places.is_empty(), ships.is_empty(), classes.is_empty()) {
            (true, true, true, true) => Ok(Self::All),
            (false, false, true, true) => inside("places", rows(places, ITEMS_MAX)).map(Self::Places),
            (false, true, false, true) => inside("ships", names::read(ships)).map(Self::Ships),
            (false, true, true, false) => inside("classes", names::read(classes)).map(Self::Classes),
            _ => wrong("give exactly one: everything, places, ships or classes"),
        }
    }
}

impl Write<proto::Scans> for Scans {
    fn write(&self) -> proto::Scans {
        let mut message = proto::Scans::default();
        match self {
            Self::All => message.all = true,
            Self::Places(places) => message.places = places.write(),
            Self::Classes(classes) => message.classes = classes.write(),
            Self::Ships(ships) => message.ships = ships.write(),
        }
        message
    }
}

message!(Scans, proto::Scans);

/// Of a missile only the guns are read.
impl Part<proto::Design> for Design {
    fn read_part(message: &proto::Design) -> Result<Self> {
        match field("hull", &message.hull)? {
            Hull::Missile => {
                let Some(ratings) = &message.ratings else { return inside("ratings", missing()) };
                let guns = inside("ratings", field("guns", &ratings.guns))?;
                Ok(Self::Missile { guns, tonnage: message.tonnage })
            }
            hull => Ok(Self::Ship(hull, field("ratings", &message.ratings)?)),
        }
    }

    fn write_part(&self, message: &mut proto::Design) {
        let (hull, ratings, tonnage) = match *self {
            Self::Ship(hull, ratings) => (hull, ratings, 0),
            Self::Missile { guns, tonnage } => (Hull::Missile, Ratings { guns, ..Hull::Missile.base() }, tonnage),
        };
        (message.hull, message.ratings, message.tonnage) = (hull.write(), ratings.write(), tonnage);
    }
}

/// Names, or the base of numbered ones, in messages that have both.
macro_rules! naming {
    ($message:ty) => {
        impl Part<$message> for Naming {
            fn read_part(message: &$message) -> Result<Self> {
                let base: Option<Name> = field("base", &message.base)?;
                match base {
                    None => inside("names", names::read(&message.names)).map(Self::Listed),
                    Some(base) if message.names.is_empty() => Ok(Self::Numbered(base)),
                    Some(_) => wrong_field("base", "give names or a base for them"),
                }
            }

            fn write_part(&self, message: &mut $message) {
                match self {
                    Self::Listed(names) => message.names = names.write(),
                    Self::Numbered(base) => message.base = base.write(),
                }
            }
        }
    };
}
naming!(proto::Build);
naming!(proto::AddShips);
