//! All games that can be played, in one list: [`games!`]. The table, the renderers and the bots go
//! by it.
//!
//! **Invariant.** No other place names the games one by one. What a program needs of each game is a
//! trait that the game's own module there implements for the type of its rules.

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

/// Hands the games to a macro: of each its arm of the envelope and the type of its rules, in the
/// order in which they are listed.
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

/// The same with the game to copy, in builds that publish it.
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

/// A game whose messages have an arm of their own in the envelope.
pub trait Enveloped: Wire {
    /// Puts options into the envelope.
    fn seal_options(message: Self::OptionsMessage) -> GameOptions;
    /// Puts an event into the envelope.
    fn seal_event(message: Self::EventMessage) -> GameEvent;
    /// Puts a view into the envelope.
    fn seal_view(message: Self::ViewMessage) -> GameView;
    /// Puts an order into the envelope.
    fn seal_order(message: Self::OrderMessage) -> GameOrder;
    /// Puts a position into the envelope.
    fn seal_position(message: Self::PositionMessage) -> GamePosition;
    /// Reads the options in an envelope; an empty one means those of the edition.
    fn open_options(
        edition: &Edition<Self::Options>,
        envelope: &GameOptions,
    ) -> Result<Self::Options, Malformed>;
    /// Reads the order in an envelope.
    fn open_order(envelope: &GameOrder) -> Result<Self::Order, Malformed>;
    /// Reads the position in an envelope.
    fn open_position(envelope: &GamePosition) -> Result<Self, Malformed>;
    /// The event in an envelope; none if it is another game's.
    fn own_event(envelope: &GameEvent) -> Option<&Self::EventMessage>;
    /// The view in an envelope; none if it is another game's.
    fn own_view(envelope: &GameView) -> Option<&Self::ViewMessage>;
}

/// Ties each game to its arm of the envelope.
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
        /// The field of envelopes, in proto3 JSON, that holds the messages of a kind of game:
        /// `stellarConquest` for `fate-of-empire`, which is played by its rules.
        pub fn field_of(kind: &str) -> Option<String> {
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
    fn a_kind_is_found_in_the_envelope_of_its_rules() {
        assert_eq!(field_of("fate-of-empire").as_deref(), Some("stellarConquest"));
        assert_eq!(field_of("starships-at-large").as_deref(), Some("starshipsAtLarge"));
        assert_eq!(field_of("chess"), None);
    }
}
