//! Settings for tournaments and the ladder of bots.

use serde::Deserialize;

use super::{ConfigError, Settings};

/// The maximum number of ladder games per hour: one each 5 seconds.
const LADDER_MAX: u32 = 720;

/// The accounts that may create tournaments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentHosts {
    /// Admins, and players except guests
    #[default]
    Players,
    /// Only admins
    Admins,
}

/// The settings for tournaments and the ladder of bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentSettings {
    pub hosts: TournamentHosts,
    /// The number of games between registered bots that the engine schedules per hour; 0 for none.
    pub ladder_games_per_hour: u32,
}

impl TournamentSettings {
    pub(super) fn of(settings: &Settings) -> Result<Self, ConfigError> {
        let ladder_games_per_hour = settings.bot_ladder.unwrap_or(0);
        if ladder_games_per_hour > LADDER_MAX {
            return Err(ConfigError::TooManyLadderGames(ladder_games_per_hour, LADDER_MAX));
        }
        Ok(Self { hosts: settings.tournaments.unwrap_or_default(), ladder_games_per_hour })
    }
}
