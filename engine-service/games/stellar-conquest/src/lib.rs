//! Stellar Conquest: 2 to 4 players explore, settle and conquer 54 stars in 44 turns. And The Fate
//! of Empire, in which one player leads an expedition against pirates, independent worlds and
//! Swarms.
//!
//! A room has a folder. Each one uses the rooms below it and knows nothing of those above.
//!
//! | room | what is in it |
//! | --- | --- |
//! | `game`, `editions` | the game as the kernel plays it, and the variants that it is offered as |
//! | `client` | what serves clients: `choices`, `offers`, `counsel`, `notation`, `describe`, `sample` |
//! | `rules` | the chapters of the rulebook, and the turn that calls them |
//! | `rules::battle` | chapters 12 and 13: `stages` is the table by which a battle goes |
//! | `rules::campaign` | what articles replace and add: `facts`, `seams`, `fate`, `outer_space` |
//! | `state` | what there is: the position, what each seat knows, orders, events |
//! | `tables` | what is printed: board, stars, cards, ships, prices, odds, technologies, the rulebook |
//! | `wire` | passage over the wire, beside `state` and `tables` |
//!
//! In `rules` a module is named after the chapter that it plays; a rule's number stands where it is
//! enforced, and so does that of a ruling (BR-1 to BR-31 of the base game, FR-1 to FR-28 of The
//! Fate of Empire).
//!
//! | chapter | module |
//! | --- | --- |
//! | 3 setup | `setup` |
//! | 4 a player-turn | `turn` |
//! | 5, 8 movement, destinations | `movement`; routes, clouds (6): `tables` |
//! | 7 command posts and range | `movement::range`, `movement::posts` |
//! | 9 task forces | `movement::task_forces` |
//! | 10 hidden information | `inspection`; what a seat knows: `state::power` |
//! | 11 exploration | `exploration` |
//! | 12 ship combat | `battle`: `combat`, `line`, `round`, `withdrawal`, `course` |
//! | 13 colony attack | `battle::assault` |
//! | 14, 15 siege, conquest | `conquest`, `colonies` |
//! | 16 colonisation | `colonisation` |
//! | 17 production | `production`, `ledger`, `arrivals` |
//! | 18 research | `research` |
//! | 19 victory | `victory` |
//! | 20 standing orders, defaults | `battle::defaults`, `battle::fire`, `deadline` |
//! | space 1 variations | `battle::shields`; options |
//! | all orders | `orders`: by which chapter each is judged and resolved |
//!
//! **Invariant.** The game changes only by events, through the same functions by which views follow
//! them: a seat's knowledge is exactly what it was told. Public facts and private ones are separate
//! events. Orders are judged from that knowledge alone.
//!
//! **Invariant.** What an article changes is asked of `rules::campaign`, and decided there alone.
//!
//! **Invariant.** Messages of the contract occur in `wire`, and in what `#[wire(..)]` says on a
//! type, and nowhere else.

// Tests may look for one thing and pass over the rest; the rules may not.
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

pub use client::choices::kinds::Choices;
pub use client::choices::kinds::ColonyChoices;
pub use client::choices::kinds::DecreeChoices;
pub use client::choices::kinds::LandingChoices;
pub use client::choices::kinds::Listed;
pub use client::choices::kinds::PlaceChoices;
pub use client::choices::kinds::PrescribedChoices;
pub use client::choices::kinds::ProductionChoices;
pub use client::choices::kinds::RaidChoices;
pub use client::choices::kinds::RouteChoice;
pub use client::choices::kinds::VoyageChoices;
pub use client::choices::kinds::WithdrawChoices;
pub use client::counsel::{Account, Accounts};
pub use rules::campaign::fate::pirates::AlikeTargets;
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
pub use state::colony::{Bases, Colony, Hold, Occupation, Watch};
pub use state::event::{
    BattleEvent, Cause, Change, ColonyEvent, Event, Gone, OwnEvent, RiskRoll, Source, TableEvent,
};
pub use state::options::{Options, Variant};
pub use state::order::{Factories, Order, Sortie, Voyage, Withdrawal};
pub use state::position::StellarConquest;
pub use state::power::{Chart, ColonySeen, Glimpse, Killed, People, Power, Prize, Sighting};
pub use state::research::{BadPayment, Research};
pub use state::secrets::{Kept, Secrets};
pub use state::sheet::{
    Build, ColonyPlan, LINES_MAX, Outfit, Payment, PostPlan, ProductionSheet, Sheet, Spending,
};
pub use state::shields::ShieldState;
pub use state::ship::{Hull, Load, Marker, Ship, ShipNumber};
pub use state::standing::{FirePolicy, RefugePolicy, ScuttlePolicy, StandingOrders, StayPolicy};
pub use state::table::{Ending, Grouping, Groups, Post, Stage, TURNS, Table, is_production_turn};
pub use state::view::{Insight, Truth, View};
pub use tables::attack_table::{Arm, Odds, odds};
pub use tables::board::{COLUMNS, Direction, ENTRY_HEXES, NoSuchPlace, PLACES, Place};
pub use tables::cards::{CARD_COUNT, CardId, Planet, PlanetId, PlanetType, STAR_CARDS, StarCard};
pub use tables::prices::{Item, factory_limit};
pub use tables::routes::{
    Detour, Fan, Routes, Way, Ways, is_legal_route, may_round_clouds, this_turn,
};
pub use tables::ships::{Fleet, ShipKind};
pub use tables::stars::{Colour, NoSuchStar, PLANETS_MAX, STAR_COUNT, STARS, Star, StarId};
pub use tables::technology::{Class, Predecessor, Tech, TechSet, Title};
