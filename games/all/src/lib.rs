//! The list of all playable games: [`games!`]. The table, the renderers and the bots use it.
//!
//! **Invariant.** Games are listed nowhere else. A program that needs something from each game
//! defines a trait and implements it for the rules types, in a module per game.

use heliopause_kernel::{Edition, Game, Malformed, Wire};
use heliopause_proto::v1::{
    GameEvent, GameOptions, GameOrder, GamePosition, GameView, game_event, game_options,
    game_order, game_position, game_view,
};

pub use heliopause_diplomacy::Diplomacy;
pub use heliopause_slingshot as slingshot;
pub use heliopause_star_empires::StarEmpires;
pub use heliopause_starships::Starships;
pub use heliopause_stellar_conquest::StellarConquest;

/// Passes each game to a macro, in listing order, as its envelope variant and its rules type.
#[macro_export]
macro_rules! games {
    ($with:ident) => {
        $crate::published! { $with
            StarshipsAtLarge: $crate::Starships;
            StarEmpires: $crate::StarEmpires;
            StellarConquest: $crate::StellarConquest;
            Diplomacy: $crate::Diplomacy;
        }
    };
}

/// Adds the template game in builds that include it.
#[doc(hidden)]
#[cfg(feature = "template")]
#[macro_export]
macro_rules! published {
    ($with:ident $($games:tt)+) => {
        $with! { $($games)+ Slingshot: $crate::slingshot::Slingshot; }
    };
}

#[doc(hidden)]
#[cfg(not(feature = "template"))]
#[macro_export]
macro_rules! published {
    ($with:ident $($games:tt)+) => {
        $with! { $($games)+ }
    };
}

/// A game whose messages have their own variant in the envelope.
pub trait Enveloped: Wire {
    fn seal_options(message: Self::OptionsMessage) -> GameOptions;
    fn seal_event(message: Self::EventMessage) -> GameEvent;
    fn seal_view(message: Self::ViewMessage) -> GameView;
    fn seal_order(message: Self::OrderMessage) -> GameOrder;
    fn seal_position(message: Self::PositionMessage) -> GamePosition;
    /// Reads the options in an envelope. An empty envelope means the default options of the
    /// edition. Options of another game are an error.
    fn open_options(
        edition: &Edition<Self::Options>,
        envelope: &GameOptions,
    ) -> Result<Self::Options, Malformed>;
    fn open_order(envelope: &GameOrder) -> Result<Self::Order, Malformed>;
    fn open_position(envelope: &GamePosition) -> Result<Self, Malformed>;
    /// Returns the event in an envelope, or `None` if it belongs to another game.
    fn own_event(envelope: &GameEvent) -> Option<&Self::EventMessage>;
    fn own_view(envelope: &GameView) -> Option<&Self::ViewMessage>;
}

macro_rules! enveloped {
    ($($arm:ident: $game:ty;)+) => {
        $(impl Enveloped for $game {
            fn seal_options(message: Self::OptionsMessage) -> GameOptions {
                GameOptions { game: Some(game_options::Game::$arm(message)) }
            }
            fn seal_event(message: Self::EventMessage) -> GameEvent {
                GameEvent { game: Some(game_event::Game::$arm(message)) }
            }
            fn seal_view(message: Self::ViewMessage) -> GameView {
                GameView { game: Some(game_view::Game::$arm(message)) }
            }
            fn seal_order(message: Self::OrderMessage) -> GameOrder {
                GameOrder { game: Some(game_order::Game::$arm(message)) }
            }
            fn seal_position(message: Self::PositionMessage) -> GamePosition {
                GamePosition { game: Some(game_position::Game::$arm(message)) }
            }
            fn open_options(
                edition: &Edition<Self::Options>,
                envelope: &GameOptions,
            ) -> Result<Self::Options, Malformed> {
                match &envelope.game {
                    Some(game_options::Game::$arm(message)) => Self::read_options_of(edition, message),
                    None => Ok(edition.options.clone()),
                    _ => Err(other_game::<Self>("options.game")),
                }
            }
            fn open_order(envelope: &GameOrder) -> Result<Self::Order, Malformed> {
                match &envelope.game {
                    Some(game_order::Game::$arm(message)) => Self::read_order(message),
                    _ => Err(other_game::<Self>("orders.orders.game")),
                }
            }
            fn open_position(envelope: &GamePosition) -> Result<Self, Malformed> {
                match &envelope.game {
                    Some(game_position::Game::$arm(message)) => Self::read_position(message),
                    _ => Err(other_game::<Self>("position.game")),
                }
            }
            fn own_event(envelope: &GameEvent) -> Option<&Self::EventMessage> {
                match &envelope.game {
                    Some(game_event::Game::$arm(message)) => Some(message),
                    _ => None,
                }
            }
            fn own_view(envelope: &GameView) -> Option<&Self::ViewMessage> {
                match &envelope.game {
                    Some(game_view::Game::$arm(message)) => Some(message),
                    _ => None,
                }
            }
        })+
    };
}
games!(enveloped);
#[cfg(not(feature = "template"))]
enveloped! { Slingshot: slingshot::Slingshot; }

fn other_game<G: Game>(field: &'static str) -> Malformed {
    Malformed::field(field, format!("Must hold the message of {}, whose kind this game is.", G::ID))
}

macro_rules! fields {
    ($($arm:ident: $game:ty;)+) => {
        /// Returns the name of the proto3 JSON field that contains a game's messages in envelopes.
        /// Variants use the field of their rules type: `stellarConquest` for `fate-of-empire`.
        pub fn envelope_field(kind: &str) -> Option<String> {
            $(if <$game as Game>::editions().iter().any(|edition| edition.id == kind) {
                let (first, rest) = stringify!($arm).split_at(1);
                return Some(first.to_lowercase() + rest);
            })+
            None
        }
    };
}
games!(fields);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_uses_the_envelope_field_of_its_rules() {
        assert_eq!(envelope_field("fate-of-empire").as_deref(), Some("stellarConquest"));
        assert_eq!(envelope_field("starships-at-large").as_deref(), Some("starshipsAtLarge"));
        assert_eq!(envelope_field("chess"), None);
    }
}
