//! Notes 4.3, 12.1: the syntax of each order. A table lists the parts of an order as written.
//! [`Reader`] reads the parts and [`Writer`] writes them.

use std::fmt;

use heliopause_kernel::{Malformed, vocabulary};

use super::reader::Reader;
use super::write::Writer;
use crate::master::{Astronomics, KnownKind, ObjectKind};
use crate::order::{Line, Phase, Sense};

const SHIP: &str = "a ship";
const EMPIRE: &str = "an empire";
const WORLD: &str = "a world";
const PORTAL: &str = "a portal";
const CLASS: &str = "a class";

const SENSES: [(&str, Sense); 2] = [("ASC", Sense::Ascending), ("DESC", Sense::Descending)];

const MODES: [(&str, bool); 2] = [("PUBLIC", true), ("PRIVATE", false)];
const MODE: &str = "PUBLIC or PRIVATE";

const OBJECTS: [(&str, ObjectKind); 3] =
    [("world", ObjectKind::World), ("portal", ObjectKind::Portal), ("storm", ObjectKind::Storm)];
const OBJECT: &str = "world, portal or storm";

const KNOWN: [(&str, KnownKind); 6] = [
    ("world", KnownKind::Object(ObjectKind::World)),
    ("portal", KnownKind::Object(ObjectKind::Portal)),
    ("storm", KnownKind::Object(ObjectKind::Storm)),
    ("navdata", KnownKind::Navigation),
    ("shipclass", KnownKind::Class),
    ("contact", KnownKind::Contact),
];
const KNOWLEDGE: &str = "world, portal, storm, navdata, shipclass or contact";

/// Declares orders by their fields. After a field's colon come the method that reads and writes the
/// field, and an optional keyword.
macro_rules! forms {
    ($type:ident by $key:ident: $keys:ident { $(
        $variant:ident { $($field:ident: $part:ident ($($what:expr),*) $($word:literal)?),* }
    )* }) => {
        impl $type {
            pub const fn $key(&self) -> $keys {
                match self {
                    $(Self::$variant { .. } => $keys::$variant,)*
                }
            }

            pub(super) fn read(key: $keys, reader: &mut Reader<'_>) -> Result<Self, Malformed> {
                Ok(match key {
                    $($keys::$variant => {
                        $(
                            let $field = reader.$part($($what),*)?;
                            $(reader.need($word)?;)?
                        )*
                        Self::$variant { $($field),* }
                    })*
                })
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.$key().as_str())?;
                let writer = &mut Writer(f);
                match self {
                    $(Self::$variant { $($field),* } => {
                        $(
                            writer.$part($field $(, $what)*)?;
                            $(writer.put($word)?;)?
                        )*
                    })*
                }
                Ok(())
            }
        }
    };
}

forms! { Line by phase: Phase {
    Unload { ships: names(SHIP) }
    Load { ships: names_before(SHIP, "ONTO"), carrier: name("a carrier") }
    Destruct { ships: selection() }
    Fire { sense: choice_if(&SENSES), ships: selection() "AT", at: names(EMPIRE) }
    Transmit { portals: names_before(PORTAL, "TO"), to: names(EMPIRE) }
    Move { ships: selection() "TO", to: spot() }
    Traverse { ships: selection() "THROUGH", entry: name(PORTAL), exit: name_if(PORTAL) }
    Design { world: name(WORLD), class: name("a name for the class"), design: design() }
    Give { classes: names_before(CLASS, "TO"), to: names(EMPIRE) }
    Build { world: name(WORLD), count: amount(), class: name(CLASS), naming: naming() }
    Repair { ship: name(SHIP), dp: amount(), worlds: names(WORLD) }
    Toggle { public: choice(&MODES, MODE), ships: crews() }
    Conceal { ships: crews() "FROM", from: names(EMPIRE) }
    Identify { ships: crews() "TO", to: names(EMPIRE) }
    Pool { world: name(WORLD), except: excepted(WORLD) }
    Transfer { from: name(WORLD), amount: amount(), to: name(WORLD), recipient: name_if(EMPIRE) }
    Deny { scans: scans() "TO", to: names(EMPIRE) }
    Authorize { scans: scans() "TO", to: names(EMPIRE) }
} }

vocabulary! {
    /// First words of the game master's orders that wait for the update, in the order of execution.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Verb in any case {
        RemoveConnection = "REMOVECONNECTION",
        RemoveObjects = "REMOVEOBJECT",
        RemoveShips = "REMOVESHIP",
        RelocateObject = "RELOCATEOBJECT",
        RelocateShips = "RELOCATESHIP",
        AddClass = "ADDSHIPCLASS",
        AddPortal = "ADDPORTAL",
        AddStorm = "ADDSTORM",
        AddWorld = "ADDWORLD",
        AddConnection = "ADDCONNECTION",
        AddShips = "ADDSHIP",
        ModifyWorld = "MODIFYWORLD",
        ModifyStorm = "MODIFYSTORM",
        ModifyShip = "MODIFYSHIP",
        CollapsePortal = "COLLAPSE",
        RemoveKnown = "REMOVEKNOWN",
        AddKnown = "ADDKNOWN",
    }
}

forms! { Astronomics by verb: Verb {
    RemoveConnection { entry: name(PORTAL), exit: name(PORTAL) }
    RemoveObjects { kind: choice(&OBJECTS, OBJECT), names: names("an object") }
    RemoveShips { empire: name(EMPIRE), ships: names(SHIP) }
    RelocateObject { kind: choice(&OBJECTS, OBJECT), name: name("an object"), to: sector() }
    RelocateShips { empire: name(EMPIRE), ships: names(SHIP) "TO", to: sector() }
    AddClass {
        name: name("a name for the class"), hull: hull(), ratings: ratings(),
        tonnage: given("TONNAGE", "a tonnage"), cost: given("COST", "a cost"),
        unbuildable: flag("UNBUILDABLE")
    }
    AddPortal { at: sector(), name: name("a name for the portal"), collapse_turns: collapsed() }
    AddStorm {
        at: sector(), name: name("a name for the storm"), rating: number("a rating"),
        pattern: pattern()
    }
    AddWorld {
        at: sector(), name: name("a name for the world"), production: number("a production value"),
        stockpile: number("a stockpile"), owner: name_if(EMPIRE)
    }
    AddConnection { entry: name(PORTAL), exit: name(PORTAL) }
    AddShips {
        at: sector(), empire: name(EMPIRE), count: number("a number of ships"), class: name(CLASS),
        dp: short("damage points"), public: choice(&MODES, MODE), naming: naming()
    }
    ModifyWorld {
        name: name(WORLD), production: number("a production value"),
        stockpile: number("a stockpile"), owner: owner()
    }
    ModifyStorm { name: name("a storm"), rating: number("a rating"), pattern: fluctuation() }
    ModifyShip {
        empire: name(EMPIRE), ship: name(SHIP), dp: short("damage points"),
        public: choice(&MODES, MODE)
    }
    CollapsePortal { portal: name(PORTAL), turns: number("a number of turns") }
    RemoveKnown {
        kind: choice(&KNOWN, KNOWLEDGE), names: names("the name of a known item") "FROM",
        empires: names(EMPIRE)
    }
    AddKnown {
        kind: choice(&KNOWN, KNOWLEDGE), names: names("the name of a known item") "TO",
        empires: names(EMPIRE)
    }
} }
