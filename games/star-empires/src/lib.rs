//! Star Empires: 2 to 60 empires conquer a galaxy in fog of war, with secret orders that are
//! executed simultaneously.
//!
//! Modules are named after the chapters of the rules that they implement. The code cites the
//! section or ruling (R1 to R80) that it enforces.
//!
//! | chapter | module |
//! | --- | --- |
//! | 2 the galaxy and its generation | `galaxy`, `objects`, `generator`, `setup` |
//! | 3 the map: coordinates and frames | `geometry` |
//! | 3 the map: what an empire sees | `chart`, `view`, `report` |
//! | 4.1, 4.2, 4.3 components, hulls, classes | `operational`, `hull`, `class` |
//! | 4.4, 4.5 names, serial numbers, transponders | `name`, `ship`, `empire` |
//! | 5 diplomacy | `diplomacy`, `empire` |
//! | 6 orders and their results | `order`, `validate`, `ledger`, `reason` |
//! | 6 orders as text and as offers | `text`, `offers` |
//! | 6 the turn | `update`, `section`, `index`, `news` |
//! | 6.1 to 6.8 its phases | `phases`, one module per chapter, and `scan` |
//! | 6.1 the game master | `master`, `master_execution` |
//! | 1, 7 victory, homeless empires | `victory` |
//!
//! **Invariant.** The true state is the [`Galaxy`], in galactic coordinates and with ids that
//! are array indices. An empire has its [`Knowledge`] and its own ships, classes and contacts,
//! in its own frame and by name. Views contain nothing else of the galaxy, and knowledge changes
//! only through events that the empire receives.
//!
//! **Invariant.** An update is a pure function of position and dice. Ids determine every order of
//! execution, and hash maps are never iterated.
//!
//! **Invariant.** Only the modules `wire` and `fields` and `#[wire(..)]` attributes use messages of
//! the contract.
//!
//! **Tests.** The situations of the rules are scenario files in `tests/scenarios/star-empires` of
//! the workspace, played on an engine. Unit tests cover only cases that scenarios do not.

// Tests may use wildcard patterns. All other code must match exhaustively.
#![cfg_attr(
    not(test),
    deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)
)]

mod change;
mod chart;
mod class;
mod cursor;
mod describe;
mod diplomacy;
mod empire;
mod event;
mod exponential;
mod fields;
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
mod master_execution;
mod name;
mod news;
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
mod warnings;
mod wire;

pub use chart::{
    Chart, ChartChange, FleetSeen, PortalSeen, SectorSeen, ShipSeen, Status, StormSeen, WorldSeen,
};
pub use class::{BadDesign, Class, Design, SIZE_MAX, STARBASE, STOCK, stock};
pub use describe::{
    Ships, check_sentence, deed_phrase, explain, news_sentence, percent, reason_phrase,
    report as report_text, result_sentence, size_sentence,
};
pub use empire::{Empire, Grant, Granted, Serials};
pub use event::{Event, GalaxyChange, MasterResult, ShipRow};
pub use galaxy::Galaxy;
pub use geometry::{Coord, FARTHEST, Frame, STEPS, Sector};
pub use hull::{Hull, RATING_MAX, Ratings};
pub use ids::{ClassId, EMPIRES, Id, IdSet, PortalId, ShipId, StormId, WorldId};
pub use master::{
    AllianceNames, Astronomics, Fluctuation, KnownKind, MasterOrder, NewOwner, ObjectKind,
    WAITING_MAX,
};
pub use name::{LONGEST_NAME, Name};
pub use objects::{
    COLLAPSE_MAX, Pattern, Portal, RU_MAX, STEPS_MAX, STORM_MAX, Siege, Storm, World,
};
pub use operational::Damage;
pub use options::{EmpireNames, Generator, Options, RADIUS_MAX, Scenario};
pub use order::{
    Amount, Crews, Fault, ITEMS_MAX, LINES_MAX, Line, Names, Naming, Order, Phase, Scans,
    Selection, Sense, Sheet, Spot, Unread,
};
pub use position::{Ending, Knowledge, StarEmpires};
pub use reason::{Check, Fate, Reason, Remark, Verdict};
pub use report::{Deed, Item, LineResult, News, Picture, Report, Ru, ShipNamed, Source};
pub use section::Section;
pub use ship::{Carrier, Code, Serial, Ship, handle};
pub use view::{
    ClassTable, EmpireSeen, EmpireStatus, EmpireView, GrantSeen, Insight, KnownChange, MasterView,
    Navigation, NavigationTable, OwnShip, Strength, View,
};
