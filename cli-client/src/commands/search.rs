//! The filters of `games`.

use clap::{Args, ValueEnum};
use heliopause_proto::v1::{GameStatus, ListGamesRequest};
use prost_types::Timestamp;

use crate::input::parse_date;

/// The games to search for.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct Filters {
    /// Only this kind.
    #[arg(long)]
    pub kind: Option<String>,
    /// Only games in which this player has a seat.
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Only games in this state.
    #[arg(long, value_enum)]
    pub state: Option<State>,
    /// Only rated games, or only unrated ones.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub rated: Option<bool>,
    /// Only games created at this time or later, for example 2026-11-30 (UTC).
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub created_after: Option<Timestamp>,
    /// Only games created before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub created_before: Option<Timestamp>,
    /// Only games that ended with a result at this time or later.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub ended_after: Option<Timestamp>,
    /// Only games that ended with a result before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub ended_before: Option<Timestamp>,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum State {
    /// Players can still join.
    Forming = GameStatus::Forming as isize,
    /// In progress.
    Running = GameStatus::Running as isize,
    /// No deadlines pass.
    Paused = GameStatus::Paused as isize,
    /// Over, with a result.
    Ended = GameStatus::Ended as isize,
    /// Over, without a result.
    Canceled = GameStatus::Cancelled as isize,
}

impl Filters {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the request for the games whose titles contain `search`.
    pub(super) fn request(self, search: String) -> ListGamesRequest {
        ListGamesRequest {
            search,
            kind: self.kind.unwrap_or_default(),
            player: self.player.unwrap_or_default(),
            status: self.state.map_or(0, |state| state as i32),
            rated: self.rated,
            created_from_time: self.created_after,
            created_before_time: self.created_before,
            ended_from_time: self.ended_after,
            ended_before_time: self.ended_before,
            ..ListGamesRequest::default()
        }
    }
}

/// Parses a date in UTC, or a time such as "2026-11-30T18:00Z".
fn time(text: &str) -> Result<Timestamp, String> {
    let time = parse_date(text).ok_or_else(expected)?;
    Ok(Timestamp { seconds: time.as_second(), nanos: time.subsec_nanosecond() })
}

fn expected() -> String {
    "expected a date such as 2026-11-30, or a time such as 2026-11-30T18:00Z".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_in_utc_or_exact() {
        let seconds = |text| time(text).map(|time| time.seconds);
        assert_eq!(seconds("1970-01-02"), Ok(86_400));
        assert_eq!(seconds("1970-01-02T01:00Z"), Ok(90_000));
        assert_eq!(seconds("1970-01-02T01:00+01:00"), Ok(86_400));
        for wrong in ["", "yesterday", "1970-13-01", "1970-01-02T01:00", "1"] {
            assert_eq!(seconds(wrong), Err(expected()), "{wrong}");
        }
    }

    #[test]
    fn filters_become_a_request() {
        let filters = Filters {
            player: Some("Ann".to_owned()),
            state: Some(State::Canceled),
            rated: Some(false),
            ended_after: Some(Timestamp { seconds: 5, nanos: 0 }),
            ..Filters::default()
        };
        assert!(!filters.is_empty() && Filters::default().is_empty());
        let request = filters.request("cup".to_owned());
        assert_eq!((request.search.as_str(), request.player.as_str()), ("cup", "Ann"));
        assert_eq!((request.status(), request.rated), (GameStatus::Cancelled, Some(false)));
        assert_eq!(request.ended_from_time.map(|time| time.seconds), Some(5));
    }
}
