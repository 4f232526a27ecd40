//! Star Empires: 2 to 60 empires conquer a galaxy in fog of war, by secret orders that are carried
//! out at once.
//!
//! A module is named after the chapter of the rules that it plays; a section's number stands where
//! it is enforced, and so does that of a ruling (R1 to R80).
//!
//! | chapter | module |
//! | --- | --- |
//! | 2 the galaxy, how it is made | `galaxy`, `objects`, `generator`, `setup` |
//! | 3 the map: coordinates and frames | `geometry` |
//! | 3 the map: what an empire was told | `chart`, `view`, `report` |
//! | 4.1, 4.2, 4.3 components, hulls, classes | `operational`, `hull`, `class` |
//! | 4.4, 4.5 names, serial numbers, transponders | `name`, `ship`, `empire` |
//! | 5 diplomacy | `empire` |
//! | 6 orders, and what becomes of them | `order`, `validate`, `ledger`, `reason` |
//! | 6 orders as text, and as sentences to choose from | `text`, `offers` |
//! | 6 the turn | `update`, `section`, `index`, `news` |
//! | 6.1 to 6.8 its phases | `phases`, one module each |
//! | 6.1 the game master | `master`, `obey` |
//! | 1, 7 victory, homeless empires | `victory` |
//!
//! **Invariant.** The truth is the [`Galaxy`], in galactic coordinates and with ids that are places
//! in arrays. What an empire knows is its [`Knowledge`] and what is its own, in its own frame and
//! by names. Nothing is ever shown from the truth that was not told: a view is made of knowledge,
//! and knowledge changes by the events that the empire gets.
//!
//! **Invariant.** An update is a pure function of position and dice: ids decide every order of
//! doing, and hash maps are asked but never walked.
//!
//! **Invariant.** Messages of the contract occur in `wire`, and in what `#[wire(..)]` says on a
//! type, and nowhere else.

// Tests may look for one thing and pass over the rest; the rules may not.
#![cfg_attr(
    not(test),
    deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)
)]

mod change;
mod chart;
mod class;
mod describe;
mod diplomacy;
mod empire;
mod event;
mod exponential;
mod finish;
mod galaxy;
mod game;
mod generator;
mod geometry;
mod goals;
mod hull;
mod ids;
mod index;
mod integrity;
mod ledger;
mod master;
mod name;
mod news;
mod obey;
mod objects;
mod offers;
mod operational;
mod options;
mod order;
mod own;
mod phases;
mod position;
mod reason;
mod report;
mod rulebook;
mod sample;
mod scan;
mod section;
mod settings;
mod setup;
mod ship;
#[cfg(test)]
mod testing;
mod text;
mod transform;
mod update;
mod validate;
mod victory;
mod view;
mod walk;
mod warnings;
mod wire;

pub use chart::{
    Chart, ChartChange, FleetSeen, PortalSeen, SectorSeen, ShipSeen, Status, StormSeen, WorldSeen,
};
pub use class::{BadDesign, Class, Design, SIZE_MAX, STARBASE, STOCK, stock};
pub use describe::{
    Ships, because, check_sentence, deed_words, explain, news_sentence, percent,
    report as report_text, result_sentence, size_sentence,
};
pub use empire::{Empire, Grant, Granted, Serials};
pub use event::{Event, GalaxyChange, MasterResult, ShipRow};
pub use galaxy::Galaxy;
pub use geometry::{Coord, FARTHEST, Frame, STEPS, Sector};
pub use hull::{Hull, RATING_MAX, Ratings};
pub use ids::{ClassId, Id, IdSet, PortalId, ShipId, StormId, WorldId};
pub use master::{
    AllianceNames, Astronomics, AstronomicsStep, Fluctuation, KnownKind, MasterOrder, NewOwner,
    ObjectKind, WAITING_MAX,
};
pub use name::{LONGEST_NAME, Name};
pub use objects::{
    COLLAPSE_MAX, Pattern, Portal, RU_MAX, STEPS_MAX, STORM_MAX, Siege, Storm, World,
};
pub use operational::Damage;
pub use options::{EMPIRES, EmpireNames, Generator, Options, RADIUS_MAX, Scenario};
pub use order::{
    Amount, Crews, Fault, ITEMS_MAX, LINES_MAX, Line, Names, Naming, Order, Phase, Scans,
    Selection, Sense, Sheet, Spot, Unread,
};
pub use position::{Ending, Knowledge, StarEmpires};
pub use reason::{Check, Fate, Reason, Remark, Verdict};
pub use report::{Deed, Item, LineResult, News, Picture, Report, ShipNamed, Source};
pub use section::Section;
pub use ship::{Carrier, Code, Serial, Ship, handle};
pub use view::{
    ClassTable, EmpireSeen, EmpireStatus, EmpireView, GrantSeen, Insight, KnownChange, MasterView,
    Navigation, NavigationTable, OwnShip, Strength, View,
};
