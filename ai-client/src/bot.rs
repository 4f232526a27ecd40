//! The interface between a game's bots and whoever asks them: a worker or a tournament.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use heliopause_kernel::{Game, Seat};

/// How well a bot plays. A level is a budget of work, never of time, so that it plays the same on
/// every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Any legal choice: the yardstick, and the opponent for a first game.
    Random,
    /// Rules of thumb, at once.
    Standard,
    /// Looks ahead over states that its seat thinks possible.
    Strong,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Self; 3] = [Self::Random, Self::Standard, Self::Strong];

    /// The name in the contract and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Standard => "standard",
            Self::Strong => "strong",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchLevel(String);

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no level {:?}; there are random, standard and strong", self.0)
    }
}

impl std::error::Error for NoSuchLevel {}

impl FromStr for Level {
    type Err = NoSuchLevel;

    /// Reads a name; the empty one is the default level, as in the contract.
    fn from_str(name: &str) -> Result<Self, NoSuchLevel> {
        match name {
            "" => Ok(Self::Standard),
            _ => Self::ALL
                .into_iter()
                .find(|level| level.as_str() == name)
                .ok_or_else(|| NoSuchLevel(name.to_owned())),
        }
    }
}

/// Tells a thinking bot that nobody wants its answer any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Not stopped yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the bot at its next look.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether to stop. What the bot answers then is thrown away, so this never changes a decision.
    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One decision that a bot is asked for, with everything that it may use.
#[derive(Debug)]
pub struct Question<'a, G: Game> {
    /// What the seat may know, what it is asked included.
    pub view: &'a G::View,
    /// How well to play.
    pub level: Level,
    /// Randomness for this decision, unknown to opponents.
    pub seed: &'a [u8],
    /// What the seat's last answer left.
    pub memo: &'a [u8],
    /// The latest events of the game that the seat received, oldest first. They may reach back
    /// before the seat's last answer, and need not reach back to it.
    pub recent: &'a [G::Event],
    /// Set when nobody wants the answer any more.
    pub stop: &'a Stop,
}

/// What a bot orders.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<G: Game> {
    /// The orders. Those that are resolved at once are taken one by one, as far as the decision
    /// stays open.
    pub orders: Vec<G::Order>,
    /// Whether the seat is ready, in revisable decisions.
    pub ready: bool,
    /// What the next question shall bring back; `None` keeps what there was.
    pub memo: Option<Vec<u8>>,
}

impl<G: Game> Answer<G> {
    /// One order that is resolved at once, with nothing to remember.
    pub fn order(order: G::Order) -> Self {
        Self { orders: vec![order], ready: false, memo: None }
    }
}

/// What was written to the seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its number among the seat's messages: later ones have higher numbers.
    pub number: u64,
    /// Who wrote it; `None` for the game master, and for somebody who hides.
    pub from: Option<Seat>,
    pub text: String,
}

/// What a bot writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub to: Vec<Seat>,
    pub text: String,
}

/// A player of one kind of game under one profile, at every level.
pub trait Bot<G: Game>: Sync {
    /// Decides. A function of the question alone, its stop flag aside.
    fn decide(&self, question: &Question<'_, G>) -> Answer<G>;

    /// Decides, and writes to others: a function of the question and of what was written to the
    /// seat lately, which may hold letters that were answered before. A bot without words just
    /// decides.
    fn correspond(
        &self,
        question: &Question<'_, G>,
        _letters: &[Letter],
    ) -> (Answer<G>, Vec<Reply>) {
        (self.decide(question), Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("".parse(), Ok(Level::Standard));
        assert!("Strong".parse::<Level>().is_err());
    }
}
