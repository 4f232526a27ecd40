//! The interface between a game's rules and its bots, tournaments and votes.

use heliopause_games::Enveloped;
use heliopause_kernel::{Edition, Emitted, Outcome, Seat, Viewer};

use crate::bot::Bot;

/// A game that bots play.
pub trait Playable: Enveloped {
    /// Returns the profiles that seats can have in one of the
    /// [`Game::editions`](heliopause_kernel::Game::editions).
    fn profiles(edition: &Edition<Self::Options>) -> &'static [&'static str];

    /// Returns the meaning of a score in a tournament, for the report.
    fn score(edition: &Edition<Self::Options>) -> &'static str;

    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>>;

    /// Returns a bot that attacks one neighbor with all forces from the start, as an opponent in
    /// tournaments. Games without such a bot return `None`.
    fn rusher() -> Option<&'static dyn Bot<Self>> {
        None
    }

    /// All proposals that bots of this game answer, one per line. Empty if there are none.
    const PROPOSALS: &'static str = "";

    /// Returns legal orders to use if a bot's answer is rejected, least harmful first.
    fn fallbacks(view: &Self::View) -> Vec<Self::Order>;

    /// Returns the options of a tournament's games. `turns` limits games that would otherwise
    /// continue indefinitely.
    fn tournament_options(edition: &Edition<Self::Options>, _turns: Option<u32>) -> Self::Options {
        edition.options.clone()
    }

    /// Returns the number of rejected lines of an accepted order sheet. Other orders have no lines.
    fn rejected(_emitted: &Emitted<Self::Event>) -> u64 {
        0
    }

    /// Returns each player's [`score`](Playable::score), in seat order.
    fn scores(&self, outcome: &Outcome) -> Vec<f64>;

    fn has_won(outcome: &Outcome, seat: Seat) -> bool {
        outcome.winners.contains(seat)
    }

    /// Returns a player's standing for votes, proportional to the player's success.
    fn standing(&self, seat: Seat) -> f64;

    /// Number of rounds without a change in holdings that counts as a stalemate.
    const PATIENCE: u32;

    /// Returns the number of the round, and all visible items with their holders.
    fn holdings(view: &Self::View) -> (u32, Vec<(usize, Option<Seat>)>);

    fn rounds(&self) -> u32 {
        Self::holdings(&self.view(Viewer::Spectator)).0
    }

    fn automaton_won(&self) -> bool {
        false
    }

    /// Returns the name of the result. `None` unless the game is for one player and names its
    /// results.
    fn grade(&self) -> Option<&'static str> {
        None
    }
}

pub(crate) fn edition<G: Playable>(kind: &str) -> Option<Edition<G::Options>> {
    G::editions().into_iter().find(|edition| edition.id == kind)
}
