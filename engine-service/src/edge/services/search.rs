//! The filters of `ListGames`.
//!
//! **Invariant.** A search by player finds a game only if a reader of the game may see that the
//! player has a seat in it, and only if the player shows games to others.

use std::ops::Range;

use heliopause_proto::v1::ListGamesRequest;
use heliopause_table::registry;
use prost_types::Timestamp;

use super::paging;
use super::tables::CallContext;
use crate::failure::{Failure, Result};
use crate::store::{GameQuery, Millis};

impl CallContext<'_> {
    /// Returns the query of a request, or `None` if the player of the search hides games.
    pub(super) async fn search(&self, request: &ListGamesRequest) -> Result<Option<GameQuery>> {
        let ListGamesRequest { created_from_time, created_before_time, .. } = request;
        let ListGamesRequest { ended_from_time, ended_before_time, .. } = request;
        if !request.kind.is_empty() {
            registry::kind_or_fault(&request.kind)?;
        }
        let query = GameQuery {
            kind: (!request.kind.is_empty()).then(|| request.kind.clone()),
            status: (request.status != 0).then_some(request.status),
            joinable: request.joinable,
            search: paging::search(&request.search)?,
            visible_to: Some(self.player_id().to_owned()),
            rated: request.rated,
            created: times("created", *created_from_time, *created_before_time)?,
            ended: times("ended", *ended_from_time, *ended_before_time)?,
            ..GameQuery::default()
        };
        if request.player.is_empty() {
            return Ok(Some(query));
        }
        let found = self.accounts.find_existing(&request.player).await;
        let player_id = found.map_err(|failure| failure.in_field("player"))?.player_id;
        if player_id != self.player_id() && self.ratings.hides_games(&player_id).await? {
            return Ok(None);
        }
        Ok(Some(GameQuery { seated: Some(player_id), ..query }))
    }
}

/// Returns the times between two limits, or `None` without limits.
fn times(
    what: &str,
    from: Option<Timestamp>,
    before: Option<Timestamp>,
) -> Result<Option<Range<Millis>>> {
    if from.is_none() && before.is_none() {
        return Ok(None);
    }
    let times = from.map_or(Millis::MIN, millis)..before.map_or(Millis::MAX, millis);
    if times.is_empty() {
        let text = "The end of the range of times must be later than its start.";
        return Err(Failure::field(format!("{what}_before_time"), text));
    }
    Ok(Some(times))
}

fn millis(time: Timestamp) -> Millis {
    time.seconds.saturating_mul(1_000).saturating_add(Millis::from(time.nanos / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_start_and_an_end() {
        let at = |seconds| Some(Timestamp { seconds, nanos: 5_000_000 });
        assert_eq!(times("ended", None, None).unwrap(), None);
        assert_eq!(times("ended", at(1), at(2)).unwrap(), Some(1_005..2_005));
        assert_eq!(times("ended", at(1), None).unwrap(), Some(1_005..Millis::MAX));
        let far = times("ended", at(i64::MIN), at(i64::MAX)).unwrap().unwrap();
        assert_eq!(far.end, Millis::MAX);
        for (from, before) in [(at(2), at(1)), (at(1), at(1))] {
            let refused = times("ended", from, before).unwrap_err();
            let status = tonic::Status::from(refused);
            let details = String::from_utf8_lossy(status.details());
            assert!(details.contains("ended_before_time"), "{details}");
        }
    }
}
