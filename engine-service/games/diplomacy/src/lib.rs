//! Diplomacy, and "...It Came From Outer Space!", which plays it with spacecraft: one adjudicator
//! for both.
//!
//! A module is named after what the rulebook calls it; a rule's number stands where it is enforced.
//! Numbers with a `D` are the base game's, plain numbers and those with an `R` are those of the
//! game with spacecraft, and numbers such as `4.A.2` are choices between ways to adjudicate, as the
//! adjudicator test cases number them.
//!
//! | chapter | module |
//! | --- | --- |
//! | D1 map; units and owners on it | `board`, `position` |
//! | D2 calendar | `table`, `referee`, `turn_end` |
//! | D3 orders, what is legal | `order`, `notation`, `movement::legality`, `convoy`, `fault` |
//! | D4 resolution, 2 beaming | `movement::field`, `movement::resolve`, `movement::outcome` |
//! | D7, 5 retreats | `retreat` |
//! | 3 colonies, 6 owners | `turn_end` |
//! | D8, 6 adjustments | `adjustment` |
//! | D9, R20, R22 options | `options` |
//! | phases apart from any game | `adjudication` |
//!
//! **Invariant.** The game changes only by events, through the same functions by which views follow
//! them.
//!
//! **Invariant.** Messages of the contract occur in `#[wire(..)]`, which says of a type how it
//! travels, and in `wire`, where it takes more words; nowhere else.
//!
//! **Invariant.** Everything but the orders of the phase is public, so orders are judged by public
//! facts and the seat's own orders alone.
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
mod settings;
mod sheet;
mod table;
mod turn_end;
mod view;
mod warnings;
mod wire;

pub use adjudication::{Line, Resolution, Resolving, Situation, Verdict};
pub use adjustment::{
    Adjusted, Allowance, adjust, allowance, is_owed, judge as judge_adjustment, sites,
};
pub use board::{
    Coast, NODES, Node, Nodes, PROVINCES, Province, Provinces, STANDARD_POWERS, Terrain, centers,
    seas, standard_powers,
};
pub use choices::{Choices, Group};
pub use command::{Command, Sheet};
pub use describe::{Names, result as explain};
pub use event::{AdjustedLine, Event};
pub use fault::Fault;
pub use game::Diplomacy;
pub use movement::{
    Aftermath, Against, Attempt, Barred, Dislodged, Given, Ground, Helpers, Movement, Origin,
    Outcome, Report, Task,
};
pub use notation::read_orders;
pub use options::{
    FEWEST_PLAYERS, FIRST_YEAR, LAST_YEAR, Leftover, MOST_EMPIRES, Options, PressRule,
};
pub use order::{Named, Order, Place, Site};
pub use position::{Code, Kind, Position, Power, SPACECRAFT, Unit, Variant};
pub use retreat::{Fate, RetreatReport, judge as judge_retreat, resolve as resolve_retreats};
pub use sheet::{MOST_LINES, MOST_SITUATIONS};
pub use table::{Ending, Phase, Table};
pub use turn_end::{
    CenterTaken, ColonizeReport, Colonizing, colonize, free_colonies, take_centers,
};
pub use view::{Insight, View};
pub use wire::adjudicate;
