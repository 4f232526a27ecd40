//! Starships at Large: one to six players explore the 36 face-down hexes around Earth, allied or
//! not, and may activate the Death Star.
//!
//! Modules are named after the chapters of the rulebook. Comments give the number of a rule where
//! it is enforced.
//!
//! | chapter | module |
//! | --- | --- |
//! | 1 board and markers | `board`, `markers` |
//! | 2 players, their pieces | `pieces`, `table` |
//! | 3 a player-turn | `turn`; public information: `table`; hidden information: `knowledge` |
//! | 3.7, 4.1, 4.2 planets | `planets` |
//! | 4 movement and discovery | `movement`, `bases` |
//! | 5 sponsors | `sponsors` |
//! | 6 combat | `combat` |
//! | 7 Alliance, exile, word | `alliance`, `word` |
//! | 8 Death Star | `death_star` |
//! | 9 victory | `victory` |
//! | 12 options and defaults | `options`, `defaults` |
//!
//! **Invariant.** The game changes only through events, by the functions that also update views.
//! The private information of a seat is therefore exactly what the seat has received. Orders are
//! judged by that and the public information alone.
//!
//! **Invariant.** Messages of the contract occur only in `#[wire(..)]` and in the module `wire`.
//! The attribute maps a type to a message of the same structure. The module converts all other
//! types.
//!
//! ```
//! use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Viewer};
//! use heliopause_starships::{Options, Starships};
//!
//! let mut dice = Dice::new([7; 32]);
//! let setup = Setup { options: Options::default(), players: 3 };
//! let (mut game, _) = Starships::new(&setup, &mut dice).unwrap();
//! let first = game.on_turn().unwrap();
//! let view = game.view(Viewer::Seat(first));
//! let orders = Starships::parse(&view, "end").unwrap();
//! game.submit(Actor::Seat(first), orders[0], &mut dice).unwrap();
//! assert_ne!(game.on_turn(), Some(first));
//! ```

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod alliance;
mod bases;
mod board;
mod choices;
mod combat;
mod death_star;
mod defaults;
mod describe;
mod event;
mod game;
mod goals;
mod integrity;
mod judge;
mod knowledge;
mod markers;
mod movement;
mod notation;
mod offers;
mod options;
mod order;
mod pieces;
mod planets;
mod referee;
mod sample;
mod sheet;
mod sponsors;
mod table;
mod turn;
mod update;
mod victory;
mod view;
mod warnings;
mod wire;
mod word;

pub use board::{PLACES, Place, Places, RADIUS};
pub use choices::{Choices, PledgeChoices};
pub use event::{
    BattleEvent, Cause, DeathStarEvent, Event, MoveEvent, PlanetEvent, StandingEvent, TurnEvent,
    WordEvent,
};
pub use game::Starships;
pub use knowledge::{Offer, Offers, Owed, Own, Pledge, Secrets};
pub use markers::{Marker, Mix, planet_name};
pub use options::{MAX_ROUNDS, Options};
pub use order::{Agreement, Means, Order, Promise};
pub use pieces::{
    Base, BaseId, BaseNumber, Condition, Done, Piece, Serial, Ship, ShipId, Station, Target, letter,
};
pub use table::{
    Battle, Breach, Credits, DeathStar, Die, EndReason, Ending, HiddenRoll, MAX_PLAYERS, Note,
    Purpose, Resume, Stage, Status, Table, Tokens,
};
pub use view::{Insight, View};
