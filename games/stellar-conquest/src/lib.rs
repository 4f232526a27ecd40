//! Stellar Conquest: 2 to 4 players explore, settle and conquer 54 stars in 44 turns. The variants
//! are The Fate of Empire, in which one player leads an expedition against pirates, independent
//! worlds and Swarms, and Alone in Outer Space, in which dice and decrees replace decisions of the
//! players.
//!
//! Each module uses only modules below it in this table.
//!
//! | module | content |
//! | --- | --- |
//! | `game`, `editions` | the implementation of the kernel's game, and the variants offered |
//! | `client` | client support: `choices`, `offers`, `guidance`, `notation`, `describe`, `sample` |
//! | `rules` | the chapters of the rulebook, and the turn that calls them |
//! | `rules::battle` | chapters 12 and 13; `stages` is the state table of a battle |
//! | `rules::campaign` | changes made by variants: `facts`, `hooks`, `fate`, `outer_space` |
//! | `wire` | positions and views in wire format, and traits that cannot be derived |
//! | `state` | the position, the knowledge of each seat, orders, events |
//! | `tables` | printed data: board, stars, cards, ships, prices, odds, technologies, rulebook |
//!
//! Modules in `rules` are named after their chapters. The number of a rule or ruling is cited where
//! it is enforced (`BR`: rulings of the base game, `FR`: The Fate of Empire, `DR`: Alone in Outer
//! Space).
//!
//! | chapter | module |
//! | --- | --- |
//! | 3 setup | `setup` |
//! | 4 a player-turn | `turn` |
//! | 5, 8 movement, destinations | `movement`; routes, clouds (6): `tables` |
//! | 7 command posts and range | `movement::range`, `movement::posts` |
//! | 9 task forces | `movement::task_forces` |
//! | 10 hidden information | `inspection`; knowledge of a seat: `state::power` |
//! | 11 exploration | `exploration` |
//! | 12 ship combat | `battle`: `combat`, `line`, `round`, `withdrawal`, `course` |
//! | 13 colony attack | `battle::assault` |
//! | 14, 15 siege, conquest | `conquest`, `colonies` |
//! | 16 colonization | `colonisation` |
//! | 17 production | `production`, `ledger`, `arrivals` |
//! | 18 research | `research` |
//! | 19 victory | `victory` |
//! | 20 standing orders, defaults | `battle::defaults`, `battle::fire`, `deadline` |
//! | space 1 variations | `battle::shields`; options |
//! | all orders | `orders`: dispatches each order to its chapter |
//!
//! **Invariant.** The game changes only by events, applied by the same functions that update views.
//! A seat's knowledge is exactly the events published to it. Public and private facts are separate
//! events. Orders are judged from that knowledge alone.
//!
//! **Invariant.** Only `rules::campaign` decides what a variant changes.
//!
//! **Invariant.** Protobuf messages occur only in `wire`, in `#[wire(..)]` attributes, and in the
//! modules that these attributes name.

// Tests may use wildcard patterns. The rules may not.
#![cfg_attr(
    not(test),
    deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)
)]

mod client;
mod editions;
mod game;
mod rules;
mod state;
mod tables;
#[cfg(test)]
mod testing;
mod wire;

pub use client::choices::kinds::{
    Choices, ColonyChoices, DecreeChoices, LandingChoices, ListedOrder, PlaceChoices,
    PrescribedChoices, ProductionChoices, RaidChoices, RouteChoice, VoyageChoices, WithdrawChoices,
};
pub use rules::campaign::fate::pirates::InterchangeableTargets;
pub use rules::campaign::{fate, outer_space};
pub use rules::inspection::GLIMPSES_MAX;
pub use rules::most::most;
pub use rules::movement::range::{Command, RANGE};
pub use rules::setup::{BONUS, STARTING_FLEET};
pub use state::battle::{
    Battle, BattleStage, Condition, Pursuit, Shot, Side, Subject, Unit, UnitId, Volley,
};
pub use state::campaign::fate::{Fate, FateEvent, Level};
pub use state::campaign::politics::Politics;
pub use state::campaign::politics_event::PoliticsEvent;
pub use state::campaign::{Campaign, CampaignStage, Grade};
pub use state::chart::{Chart, ColonySeen, People};
pub use state::colony::{Bases, Colony, Hold, Occupation, Watch};
pub use state::event::{
    BattleEvent, Cause, Change, ColonyEvent, Event, Gone, OwnEvent, RiskRoll, Source, TableEvent,
};
pub use state::groups::{Grouping, Groups};
pub use state::options::{Options, Variant};
pub use state::order::{Factories, Order, RaidOrder, Voyage, Withdrawal};
pub use state::position::StellarConquest;
pub use state::power::{Glimpse, Killed, Power, Prize, Sighting};
pub use state::research::{BadPayment, Research};
pub use state::secrets::{HiddenSighting, Secrets};
pub use state::sheet::{
    Build, ColonyPlan, LINES_MAX, Outfit, Payment, PostPlan, ProductionSheet, Sheet, Spending,
};
pub use state::shields::ShieldState;
pub use state::ship::{Hull, Load, Marker, Ship, ShipNumber};
pub use state::standing::{FirePolicy, RefugePolicy, ScuttlePolicy, StandingOrders, StayPolicy};
pub use state::table::{Ending, Post, Stage, TURNS, Table, is_production_turn};
pub use state::view::{Insight, Truth, View};
pub use tables::attack_table::{Arm, Odds, odds};
pub use tables::board::{COLUMNS, Direction, ENTRY_HEXES, NoSuchPlace, PLACES, Place};
pub use tables::cards::{CARD_COUNT, CardId, Planet, PlanetId, PlanetType, StarCard};
pub use tables::prices::{Item, factory_limit};
pub use tables::routes::{
    DirectRoutes, LegalRoute, LegalRoutes, RouteFilter, Routes, is_legal_route, may_avoid_clouds,
    this_turn,
};
pub use tables::ships::{Fleet, ShipKind};
pub use tables::stars::{NoSuchStar, PLANETS_MAX, STAR_COUNT, StarColor, StarId};
pub use tables::technology::{Class, Predecessor, Tech, TechSet, Title};
