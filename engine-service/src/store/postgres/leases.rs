//! Tables of expiring rows that coordinate the engines: claims of due games, leases of decisions,
//! the profiles that workers play, and the engines' reports. All times are the database's.

use std::time::Duration;

use deadpool_postgres::ClientWrapper as Client;

use super::{execute, one, rows, to_i64, to_u64};
use crate::store::shared::{OpenDecision, Profile, ValidToken};
use crate::store::{Millis, Result};

pub(super) async fn time(client: &Client) -> Result<Millis> {
    let sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    Ok(one(client, sql, &[]).await?.get(0))
}

/// Claims due games and returns the claimed ones. Of two concurrent callers, the second waits for
/// the first and finds its claim.
pub(super) async fn claim(
    client: &Client,
    due: &[(String, Millis)],
    lasting: Duration,
) -> Result<Vec<String>> {
    let sql = include_str!("sql/claim_due.sql");
    let (games, times): (Vec<&str>, Vec<i64>) =
        due.iter().map(|(game_id, due)| (game_id.as_str(), *due)).unzip();
    let rows = rows(client, sql, &[&games, &times, &lasting.as_secs_f64()]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Leases decisions, and returns a fence or `None` for each. A newer decision of a seat voids the
/// lease of an older one, but not the other way round. The fence is drawn after the row is locked.
/// Otherwise the fence could be lower than the fence of the replaced lease.
pub(super) async fn lease(
    client: &Client,
    decisions: &[OpenDecision],
    lasting: Duration,
) -> Result<Vec<Option<u64>>> {
    let sql = include_str!("sql/lease.sql");
    let games: Vec<&str> = decisions.iter().map(|decision| decision.game_id.as_str()).collect();
    let column =
        |value: fn(&OpenDecision) -> i64| decisions.iter().map(value).collect::<Vec<i64>>();
    let seats = column(|decision| decision.seat.into());
    let votes = column(|decision| to_i64(decision.vote));
    let phases = column(|decision| to_i64(decision.phase));
    let revisions = column(|decision| to_i64(decision.revision));
    let rows =
        rows(client, sql, &[&games, &seats, &votes, &phases, &revisions, &lasting.as_secs_f64()])
            .await?;
    let fence = |decision: &OpenDecision| {
        let same = |row: &&tokio_postgres::Row| {
            row.get::<_, &str>(0) == decision.game_id
                && row.get::<_, i64>(1) == i64::from(decision.seat)
                && row.get::<_, i64>(2) == to_i64(decision.vote)
        };
        rows.iter().find(same).map(|row| to_u64(row.get(3)))
    };
    Ok(decisions.iter().map(fence).collect())
}

pub(super) async fn renew(client: &Client, fences: &[u64], lasting: Duration) -> Result<Vec<u64>> {
    let sql = "UPDATE lease SET expires = now() + make_interval(secs => $2)
               WHERE fence = ANY ($1) AND expires > now() RETURNING fence";
    let fences: Vec<i64> = fences.iter().map(|&fence| to_i64(fence)).collect();
    let rows = rows(client, sql, &[&fences, &lasting.as_secs_f64()]).await?;
    Ok(rows.iter().map(|row| to_u64(row.get(0))).collect())
}

/// Ends leases. Their rows remain for a while, so that older decisions cannot be leased.
pub(super) async fn give_back(client: &Client, fences: &[u64]) -> Result<()> {
    let sql = "UPDATE lease SET expires = now() - interval '1 millisecond' WHERE fence = ANY ($1) \
        AND expires > now()";
    let fences: Vec<i64> = fences.iter().map(|&fence| to_i64(fence)).collect();
    execute(client, sql, &[&fences]).await?;
    Ok(())
}

pub(super) async fn remove_all_of(client: &Client, game_id: &str) -> Result<()> {
    let sql = "DELETE FROM lease WHERE game_id = $1";
    execute(client, sql, &[&game_id]).await?;
    Ok(())
}

/// Removes leases that expired more than ten minutes ago. Searches only the lowest fences, which
/// belong to the oldest leases. An index on the expiry time would have to be updated at every
/// extension.
async fn remove_expired(client: &Client) -> Result<()> {
    let sql = include_str!("sql/remove_expired_leases.sql");
    execute(client, sql, &[]).await?;
    Ok(())
}

/// Replaces the profiles played in a process, and returns the profiles played in other processes.
/// Also removes expired leases, because this function is called regularly.
pub(super) async fn announce(
    client: &Client,
    process: &str,
    profiles: &[Profile],
    lasting: Duration,
) -> Result<Vec<Profile>> {
    remove_expired(client).await?;
    let sql = include_str!("sql/announce.sql");
    let column = |value: fn(&Profile) -> &str| profiles.iter().map(value).collect::<Vec<&str>>();
    let kinds = column(|profile| &profile.kind);
    let names = column(|profile| &profile.name);
    let levels = column(|profile| &profile.level);
    let rows =
        rows(client, sql, &[&process, &kinds, &names, &levels, &lasting.as_secs_f64()]).await?;
    Ok(rows
        .iter()
        .map(|row| Profile { kind: row.get(0), name: row.get(1), level: row.get(2) })
        .collect())
}

pub(super) async fn report(
    client: &Client,
    process: &str,
    record: &[u8],
    lasting: Duration,
) -> Result<Vec<Vec<u8>>> {
    let sql = include_str!("sql/report.sql");
    let rows = rows(client, sql, &[&process, &record, &lasting.as_secs_f64()]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub(super) async fn valid(client: &Client, token_ids: &[String]) -> Result<Vec<ValidToken>> {
    let sql = "SELECT t.token_id, a.role FROM token t JOIN account a ON a.player_id = t.player_id
               WHERE t.token_id = ANY ($1) AND NOT a.banned";
    let rows = rows(client, sql, &[&token_ids]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
