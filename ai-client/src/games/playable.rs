//! What a game brings along to be played by bots.

use heliopause_games::Enveloped;
use heliopause_kernel::{Edition, Emitted, Outcome, Seat};

use crate::bot::Bot;

/// What a game brings along to be played by bots.
pub trait Playable: Enveloped {
    /// The profiles that the seats of one of the
    /// [`Game::editions`](heliopause_kernel::Game::editions) can be played under.
    fn profiles(edition: &Edition<Self::Options>) -> &'static [&'static str];

    /// What a score in a tournament is, for the report.
    fn score(edition: &Edition<Self::Options>) -> &'static str;

    /// The bot that plays a profile.
    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>>;

    /// Legal orders to fall back on when a bot's own answer was refused, the most harmless first.
    fn fallbacks(view: &Self::View) -> Vec<Self::Order>;

    /// The options of a tournament's games. `turns` bounds how long they last, in games that would
    /// otherwise go on until a game master ends them.
    fn tournament_options(edition: &Edition<Self::Options>, _turns: Option<u32>) -> Self::Options {
        edition.options.clone()
    }

    /// How many parts of an accepted order were rejected, in games where an order is a sheet of
    /// many.
    fn rejected(_told: &Emitted<Self::Event>) -> u64 {
        0
    }

    /// Each player's score in a tournament when the game is over, in seat order; see
    /// [`Playable::score`].
    fn scores(&self, outcome: &Outcome) -> Vec<f64>;

    /// Whether a player is said to have won, once the game is over.
    fn has_won(outcome: &Outcome, seat: Seat) -> bool {
        outcome.winners.contains(seat)
    }

    /// How a player stands, from 0: what its votes go by. Twice as much is twice as good.
    fn standing(&self, seat: Seat) -> f64;

    /// After how many rounds in which nothing changed hands a game is a stalemate.
    const PATIENCE: u32;

    /// The round that a view shows, and everything that is held in it as far as its seat sees: what,
    /// and by whom.
    fn holdings(view: &Self::View) -> (u32, Vec<(usize, Option<Seat>)>);

    /// How many rounds were played.
    fn rounds(&self) -> u32;

    /// Whether the game, once over, was won by a seat that only automation plays.
    fn automaton_won(&self) -> bool;

    /// How a game for one player names its result, once over.
    fn grade(&self) -> Option<&'static str> {
        None
    }
}

/// The edition with an id.
pub(crate) fn edition<G: Playable>(kind: &str) -> Option<Edition<G::Options>> {
    G::editions().into_iter().find(|edition| edition.id == kind)
}
