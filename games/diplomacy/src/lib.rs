//! Diplomacy, and "...It Came From Outer Space!", which adds spacecraft: one adjudicator for both.
//!
//! Modules use the terms of the rulebook, and code cites the rule that it enforces. Numbers with a
//! `D` are rules of the base game. Plain numbers and those with an `R` are rules of the game with
//! spacecraft. Numbers such as `4.A.2` are choices between ways to adjudicate, as in the
//! adjudicator test cases (DATC).
//!
//! | chapter | module |
//! | --- | --- |
//! | D1 map; units and owners on it | `board`, `position` |
//! | D2 calendar | `table`, `referee`, `turn_end` |
//! | D3 orders, what is legal | `order`, `notation`, `movement::legality`, `convoy`, `fault` |
//! | D3.8 conditional orders | `conditional` |
//! | D4 resolution, 2 beaming | `movement::field`, `movement::resolve`, `movement::outcome` |
//! | D7, 5 retreats | `retreat` |
//! | 3 colonies, 6 owners | `turn_end` |
//! | D8, 6 adjustments | `adjustment` |
//! | D9, R20, R22 options | `options` |
//! | phases without a game | `adjudication` |
//!
//! **Invariant.** Only events change the game. Games and views apply them with the same functions.
//!
//! **Invariant.** Only `#[wire(..)]` attributes and the module `wire` use messages of the contract.
//! The attributes define how a type is encoded, and `wire` has the longer conversions.
//!
//! **Invariant.** Everything except orders that wait for their phase is public. The legality of an order
//! therefore depends only on public facts and the seat's own orders.
//!
//! ```
//! use heliopause_diplomacy::{Given, Movement, Position, Unit, Variant, read_orders};
//! use heliopause_kernel::Seat;
//!
//! let (france, germany) = (Seat::at(0), Seat::at(1));
//! let codes = ["FRA", "GER"].map(|code| code.parse().unwrap());
//! let mut position = Position::empty(Variant::Standard, codes);
//! position.put(Unit::read(france, "A Par").unwrap());
//! position.put(Unit::read(germany, "A Mun").unwrap());
//! let order = |seat, text| Given { seat, order: read_orders(text).unwrap()[0] };
//! let orders = [order(france, "A Par - Bur"), order(germany, "A Mun - Bur")];
//! let movement = Movement::resolve(&position, &orders);
//! assert_eq!(movement.reports(&orders)[0].outcome.name(), "bounced");
//! assert_eq!(movement.aftermath().position, position);
//! ```

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod adjudication;
mod adjustment;
mod board;
mod choices;
mod command;
mod conditional;
mod convoy;
mod describe;
mod event;
mod fault;
mod game;
mod integrity;
mod movement;
mod notation;
mod offers;
mod options;
mod order;
mod position;
mod reckoning;
mod referee;
mod retreat;
mod rulebook;
mod sample;
mod sentences;
mod sheet;
mod table;
mod turn_end;
mod view;
mod warnings;
mod wire;

pub use adjudication::{Line, Resolution, Resolving, Situation, Verdict};
pub use adjustment::{
    Adjusted, Allowance, adjust, allowance, has_adjustment, judge as judge_adjustment, sites,
};
pub use board::{
    Coast, NODES, Node, Nodes, PROVINCES, Province, Provinces, STANDARD_POWERS, Terrain, centers,
    seas, standard_powers,
};
pub use choices::{Choices, Group};
pub use command::{Command, Sheet};
pub use conditional::Conditional;
pub use describe::{Names, result as explain};
pub use event::{AdjustedLine, Event};
pub use fault::Fault;
pub use game::Diplomacy;
pub use movement::{
    Aftermath, Against, Attempt, Barred, Dislodged, Given, Ground, Helpers, Movement, Origin,
    Outcome, Report, Task,
};
pub use notation::read_orders;
pub use options::{EMPIRES_MAX, FIRST_YEAR, LAST_YEAR, Leftover, Options, PLAYERS_MIN, PressRule};
pub use order::{Named, Order, Place, Site};
pub use position::{Code, Kind, Position, Power, SPACECRAFT, Unit, Variant};
pub use retreat::{Fate, RetreatReport, judge as judge_retreat, resolve as resolve_retreats};
pub use sheet::{LINES_MAX, SITUATIONS_MAX};
pub use table::{EndReason, Ending, Phase, Table};
pub use turn_end::{
    CenterTaken, ColonizeReport, Colonizing, colonize, free_colonies, take_centers,
};
pub use view::{Insight, View};
pub use wire::adjudicate;
