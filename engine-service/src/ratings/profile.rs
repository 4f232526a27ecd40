//! Profiles and leaderboards, read from the records.

use heliopause_proto::store::v1::{LadderResults, PlayedGames, RatingPoint, StoredRating};
use heliopause_proto::v1::{
    Favourite, HeadToHead, LadderResult, LadderSize, Privacy, Rating, RatingSample, Reliability,
};
use prost_types::Duration;

use super::results::ladder;
use super::tally::{board, is_provisional, points};
use super::{BOT, RATING, Ratings};
use crate::host::timestamp;
use crate::store::{RecordQuery, Result};

const FAVOURITES: usize = 5;
/// The rating before the first game, in thousandths of a point.
const START_RATING: i64 = 1_500_000;

/// The results of a player, as far as others may see them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) results: Vec<LadderResult>,
    pub(crate) reliability: Option<Reliability>,
}

/// A rating of a leaderboard.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    /// The key and the id of the record, from which the list continues.
    pub(crate) place: (String, String),
    pub(crate) entity: String,
    pub(crate) rating: Rating,
    pub(crate) won: u32,
    pub(crate) drawn: u32,
}

impl Ranked {
    /// Returns the profile and level of automation, or `None` for a player.
    pub(crate) fn automation(&self) -> Option<(&str, &str)> {
        self.entity.strip_prefix(BOT)?.split_once('/')
    }
}

impl Ratings {
    pub(crate) async fn statistics(&self, player_id: &str, hide: Privacy) -> Result<Statistics> {
        let (_, played) = self.played(player_id).await?;
        let mut results = Vec::new();
        for known in &played.ladders {
            let mut result = LadderResult::default();
            let (kind, size) = parts(&known.ladder);
            (result.kind, result.size) = (kind.to_owned(), size.into());
            if !hide.hide_results {
                (result.won, result.drawn, result.lost) = (known.won, known.drawn, known.lost);
                result.abandoned = known.abandoned;
                result.favourites = favourites(known);
            }
            if known.rated > 0 && !hide.hide_ratings {
                let (_, stored) = self.rating(&known.ladder, player_id).await?;
                result.rating = shown(&stored);
                result.history = stored.history.iter().map(sample).collect();
            }
            if !hide.hide_results || result.rating.is_some() {
                results.push(result);
            }
        }
        results.sort_by(|one, other| (&one.kind, one.size).cmp(&(&other.kind, other.size)));
        let reliability = (!hide.hide_results).then(|| reliability(&played));
        Ok(Statistics { results, reliability })
    }

    /// Returns the rating of a player or a bot in thousandths of a point, or that of the start.
    pub(crate) async fn value(&self, kind: &str, seats: usize, entity: &str) -> Result<i64> {
        let (_, stored) = self.rating(&ladder(kind, seats), entity).await?;
        Ok(stored.current.map_or(START_RATING, |current| current.rating))
    }

    /// Returns the rating of a player or a bot on a ladder, or `None` if there is none.
    pub(crate) async fn rating_of(
        &self,
        kind: &str,
        size: LadderSize,
        entity: &str,
    ) -> Result<Option<Rating>> {
        let seats = if size == LadderSize::Two { 2 } else { 3 };
        Ok(shown(&self.rating(&ladder(kind, seats), entity).await?.1))
    }

    pub(crate) async fn head_to_head(
        &self,
        player_id: &str,
        other: &str,
    ) -> Result<Option<HeadToHead>> {
        let (_, played) = self.played(player_id).await?;
        let found = played.opponents.into_iter().find(|opponent| opponent.player_id == other);
        Ok(found.map(|found| HeadToHead { won: found.won, drawn: found.drawn, lost: found.lost }))
    }

    /// Returns the ratings of a ladder after a place of the list, best first.
    pub(crate) async fn leaderboard(
        &self,
        kind: &str,
        size: LadderSize,
        after: (String, String),
        limit: usize,
    ) -> Result<Vec<Ranked>> {
        let seats = if size == LadderSize::Two { 2 } else { 3 };
        let board = board(&ladder(kind, seats));
        let first = (board.clone(), String::new());
        let query = RecordQuery {
            space: RATING.to_owned(),
            after: if after.0.starts_with(&board) { after } else { first },
            // Provisional and hidden ratings have greater keys.
            until: Some(format!("{board}:")),
            limit,
        };
        let mut ranked = Vec::new();
        for found in self.store.records(query).await? {
            let stored: StoredRating = found.message()?;
            let (won, drawn) = (stored.won, stored.drawn);
            if let Some(rating) = shown(&stored) {
                let place = (found.key, found.id);
                ranked.push(Ranked { place, entity: stored.entity, rating, won, drawn });
            }
        }
        Ok(ranked)
    }
}

fn parts(ladder: &str) -> (&str, LadderSize) {
    let (kind, size) = ladder.split_once('/').unwrap_or((ladder, ""));
    let size = match size {
        "1" => LadderSize::One,
        "2" => LadderSize::Two,
        _ => LadderSize::Several,
    };
    (kind, size)
}

fn shown(stored: &StoredRating) -> Option<Rating> {
    let current = stored.current.as_ref()?;
    let (value, deviation) = points(current);
    let provisional = is_provisional(current);
    Some(Rating { value, deviation, provisional, games: stored.games })
}

fn sample(point: &RatingPoint) -> RatingSample {
    let (value, deviation) = points(point);
    RatingSample { time: Some(timestamp(point.time)), value, deviation }
}

fn favourites(known: &LadderResults) -> Vec<Favourite> {
    let mut choices: Vec<_> = known.choices.iter().rev().collect();
    // The sort is stable, so the most recent of equally frequent choices comes first.
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.games));
    let favourite = |choice: &heliopause_proto::store::v1::PlayedChoice| Favourite {
        role: choice.role.clone(),
        opening: choice.opening.clone(),
        games: choice.games,
        won: choice.won,
    };
    choices.into_iter().take(FAVOURITES).map(favourite).collect()
}

fn reliability(played: &PlayedGames) -> Reliability {
    let mut seconds = played.decision_seconds.clone();
    seconds.sort_unstable();
    let median = (!seconds.is_empty()).then(|| seconds[seconds.len() / 2]);
    Reliability {
        answered: played.answered,
        missed: played.missed,
        median_time: median.map(|seconds| Duration { seconds: seconds.into(), nanos: 0 }),
    }
}
