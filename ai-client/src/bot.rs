//! The interface between a game's bots and their callers: a worker or a tournament.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use heliopause_kernel::{Game, Seat};
use serde::Serialize;

/// A bot's playing strength. A level limits work, not time, so a bot plays the same on every
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Makes random legal choices. The baseline in tournaments, and the opponent for a first game.
    Random,
    Standard,
    Strong,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Random, Self::Standard, Self::Strong];

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

/// The error for a string that is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown level {0:?}; the levels are random, standard and strong")]
pub struct NoSuchLevel(String);

impl FromStr for Level {
    type Err = NoSuchLevel;

    /// Parses a level's name. An empty name means the default level.
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

/// A flag that the caller sets when it no longer needs a bot's answer.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A decision to make, with everything that the bot may use.
#[derive(Debug)]
pub struct Question<'a, G: Game> {
    pub view: &'a G::View,
    pub level: Level,
    /// A random seed for this decision, unknown to opponents.
    pub seed: &'a [u8],
    pub memo: &'a [u8],
    /// The latest events that the seat received, oldest first. Some may already have been in the
    /// previous question, and some since then may be missing.
    pub recent: &'a [G::Event],
    pub stop: &'a Stop,
}

/// A bot's answer to a [`Question`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<G: Game> {
    /// Immediate orders are submitted one by one while the decision is open.
    pub orders: Vec<G::Order>,
    pub ready: bool,
    /// The memo for the next question. `None` keeps the current memo.
    pub memo: Option<Vec<u8>>,
}

impl<G: Game> Answer<G> {
    pub fn order(order: G::Order) -> Self {
        Self { orders: vec![order], ready: false, memo: None }
    }
}

/// A message that the seat received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedMessage {
    /// Later messages of a seat have higher numbers.
    pub number: u64,
    /// `None` for the game master and for anonymous senders.
    pub from: Option<Seat>,
    pub text: String,
}

/// A message that a bot sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub to: Vec<Seat>,
    pub text: String,
}

impl Reply {
    const BYTES_MAX: usize = 480;

    /// Joins lines to a message for one seat. Omits duplicates, and lines that would make the
    /// message too long.
    pub fn of(to: Seat, lines: &[&str]) -> Self {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if !lines[..index].contains(line) && text.len() + line.len() < Self::BYTES_MAX {
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(line);
            }
        }
        Self { to: vec![to], text }
    }
}

/// The bot for one profile of a game, at every level.
pub trait Bot<G: Game>: Sync {
    /// Answers a question. The answer depends only on the question unless the stop flag is set.
    fn decide(&self, question: &Question<'_, G>) -> Answer<G>;

    /// Answers a question and received messages. The result depends only on the arguments. The
    /// messages may include some that the bot has already answered.
    fn correspond(
        &self,
        question: &Question<'_, G>,
        _messages: &[ReceivedMessage],
    ) -> (Answer<G>, Vec<Reply>) {
        (self.decide(question), Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_round_trip_through_text() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("".parse(), Ok(Level::Standard));
        assert!("Strong".parse::<Level>().is_err());
    }
}
