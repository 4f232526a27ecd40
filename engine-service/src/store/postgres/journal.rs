//! Journals: appending to them, and reading them.

use std::collections::HashMap;

use bytes::Bytes;
use deadpool_postgres::ClientWrapper as Client;
use tokio_postgres::types::ToSql;

use super::{to_i64, to_u64};
use crate::store::{Append, Loaded, StoreError};

/// A batch of appends to different games as one statement, which is one transaction and one round trip.
///
/// `head` locks the games in the order of their ids and reads where they stand now, so what follows is done only for those
/// that stand where they are expected to (`won`). An append that comes too late disturbs no other.
const APPEND: &str = "
WITH ask AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[], $6::text[], $7::integer[],
                         $8::boolean[], $9::boolean[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
                         $14::boolean[], $15::text[])
        AS a (game_id, expected, last, secret, kind, name, status, private, sandbox, seats, open_seats, created, due,
              wants_automation, progress)
), head AS (
    SELECT game_id, last FROM game WHERE game_id = ANY ($1) ORDER BY game_id FOR UPDATE
), laid AS (
    INSERT INTO game (game_id, secret, last, kind, name, status, private, sandbox, seats, open_seats, created, due,
                      wants_automation, progress)
    SELECT game_id, secret, last, kind, name, status, private, sandbox, seats, open_seats, created, due,
           wants_automation, progress
    FROM ask WHERE secret IS NOT NULL AND expected = 0 ORDER BY game_id
    ON CONFLICT DO NOTHING RETURNING game_id
), ahead AS (
    UPDATE game g SET last = a.last, kind = a.kind, name = a.name, status = a.status, private = a.private,
                      sandbox = a.sandbox, seats = a.seats, open_seats = a.open_seats, created = a.created, due = a.due,
                      wants_automation = a.wants_automation, progress = a.progress
    FROM ask a JOIN head h ON h.game_id = a.game_id
    WHERE g.game_id = a.game_id AND a.secret IS NULL AND h.last = a.expected RETURNING g.game_id
), won AS (
    SELECT game_id FROM laid UNION ALL SELECT game_id FROM ahead
), written AS (
    INSERT INTO entry (game_id, number, body)
    SELECT e.game_id, e.number, e.body FROM unnest($16::text[], $17::bigint[], $18::bytea[]) AS e (game_id, number, body)
    JOIN won ON won.game_id = e.game_id
), pictured AS (
    INSERT INTO snapshot (game_id, number, body)
    SELECT s.game_id, s.number, s.body FROM unnest($19::text[], $20::bigint[], $21::bytea[]) AS s (game_id, number, body)
    JOIN won ON won.game_id = s.game_id
    ON CONFLICT (game_id) DO UPDATE SET number = excluded.number, body = excluded.body
        WHERE snapshot.number < excluded.number
), place AS (
    SELECT m.* FROM unnest($22::text[], $23::text[], $24::bigint[], $25::boolean[], $26::boolean[], $27::bigint[])
        AS m (game_id, player_id, seat, invited, your_decision, deadline)
    JOIN won ON won.game_id = m.game_id
), gone AS (
    DELETE FROM member m USING won WHERE m.game_id = won.game_id AND NOT EXISTS (
        SELECT 1 FROM place p WHERE p.game_id = m.game_id AND p.player_id = m.player_id AND p.seat = m.seat)
), seated AS (
    INSERT INTO member (game_id, player_id, seat, invited, your_decision, deadline)
    SELECT game_id, player_id, seat, invited, your_decision, deadline FROM place
    ON CONFLICT (game_id, player_id, seat)
        DO UPDATE SET invited = excluded.invited, your_decision = excluded.your_decision, deadline = excluded.deadline
        WHERE (member.invited, member.your_decision, member.deadline)
              IS DISTINCT FROM (excluded.invited, excluded.your_decision, excluded.deadline)
), rated AS (
    UPDATE account c SET dedication = c.dedication + r.change
    FROM (SELECT x.player_id, sum(x.change)::integer AS change
          FROM unnest($28::text[], $29::text[], $30::integer[]) AS x (game_id, player_id, change)
          JOIN won ON won.game_id = x.game_id GROUP BY x.player_id) r
    WHERE c.player_id = r.player_id
)
SELECT a.game_id, h.last, won.game_id IS NOT NULL
FROM ask a LEFT JOIN head h ON h.game_id = a.game_id LEFT JOIN won ON won.game_id = a.game_id
";

/// Appends of a batch as the columns that [`APPEND`] takes.
#[derive(Default)]
struct Columns<'a> {
    game_id: Vec<&'a str>,
    expected: Vec<i64>,
    last: Vec<i64>,
    secret: Vec<Option<&'a [u8]>>,
    kind: Vec<&'a str>,
    name: Vec<&'a str>,
    status: Vec<i32>,
    private: Vec<bool>,
    sandbox: Vec<bool>,
    seats: Vec<i64>,
    open_seats: Vec<i64>,
    created: Vec<i64>,
    due: Vec<Option<i64>>,
    wants_automation: Vec<bool>,
    progress: Vec<&'a str>,
    entries: (Vec<&'a str>, Vec<i64>, Vec<&'a [u8]>),
    snapshots: (Vec<&'a str>, Vec<i64>, Vec<&'a [u8]>),
    members: Members<'a>,
    ratings: (Vec<&'a str>, Vec<&'a str>, Vec<i32>),
}

#[derive(Default)]
struct Members<'a> {
    game_id: Vec<&'a str>,
    player_id: Vec<&'a str>,
    seat: Vec<i64>,
    invited: Vec<bool>,
    your_decision: Vec<bool>,
    deadline: Vec<Option<i64>>,
}

impl<'a> Columns<'a> {
    fn add(&mut self, append: &'a Append) {
        let row = &append.row;
        let game_id = row.game_id.as_str();
        let last = append.expected + append.entries.len() as u64;
        self.game_id.push(game_id);
        self.expected.push(to_i64(append.expected));
        self.last.push(to_i64(last));
        self.secret.push(append.secret.as_ref().map(<[u8; 32]>::as_slice));
        self.kind.push(&row.kind);
        self.name.push(&row.name);
        self.status.push(row.status);
        self.private.push(row.private);
        self.sandbox.push(row.sandbox);
        self.seats.push(row.seats.into());
        self.open_seats.push(row.open_seats.into());
        self.created.push(row.created);
        self.due.push(row.due);
        self.wants_automation.push(row.wants_automation);
        self.progress.push(&row.progress);
        for (number, entry) in (append.expected + 1..).zip(&append.entries) {
            self.entries.0.push(game_id);
            self.entries.1.push(to_i64(number));
            self.entries.2.push(entry);
        }
        if let Some(snapshot) = &append.snapshot {
            self.snapshots.0.push(game_id);
            self.snapshots.1.push(to_i64(last));
            self.snapshots.2.push(snapshot);
        }
        for member in &row.members {
            self.members.game_id.push(game_id);
            self.members.player_id.push(&member.player_id);
            self.members.seat.push(member.seat.into());
            self.members.invited.push(member.invited);
            self.members.your_decision.push(member.your_decision);
            self.members.deadline.push(member.deadline);
        }
        for (player_id, change) in &append.ratings {
            self.ratings.0.push(game_id);
            self.ratings.1.push(player_id);
            self.ratings.2.push(*change);
        }
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 30] {
        let members = &self.members;
        [
            &self.game_id,
            &self.expected,
            &self.last,
            &self.secret,
            &self.kind,
            &self.name,
            &self.status,
            &self.private,
            &self.sandbox,
            &self.seats,
            &self.open_seats,
            &self.created,
            &self.due,
            &self.wants_automation,
            &self.progress,
            &self.entries.0,
            &self.entries.1,
            &self.entries.2,
            &self.snapshots.0,
            &self.snapshots.1,
            &self.snapshots.2,
            &members.game_id,
            &members.player_id,
            &members.seat,
            &members.invited,
            &members.your_decision,
            &members.deadline,
            &self.ratings.0,
            &self.ratings.1,
            &self.ratings.2,
        ]
    }
}

/// What the database tells of an append.
struct Standing {
    /// The number of the game's last entry before; `None` if the game was not there.
    last: Option<u64>,
    won: bool,
}

/// Appends to different games, all in one transaction; each has a result of its own. An error is that of the whole batch, of
/// which then nothing is written.
pub(super) async fn append(
    client: &Client,
    batch: &[&Append],
) -> Result<Vec<Result<(), StoreError>>, tokio_postgres::Error> {
    let mut columns = Columns::default();
    for append in batch {
        columns.add(append);
    }
    let statement = client.prepare_cached(APPEND).await?;
    let rows = client.query(&statement, &columns.values()).await?;
    let standings: HashMap<String, Standing> = rows
        .iter()
        .map(|row| (row.get(0), Standing { last: row.get::<_, Option<i64>>(1).map(to_u64), won: row.get(2) }))
        .collect();
    let mut results = Vec::with_capacity(batch.len());
    for append in batch {
        results.push(match standings.get(&append.row.game_id) {
            Some(Standing { won: true, .. }) => Ok(()),
            Some(Standing { last: Some(actual), .. }) => {
                Err(StoreError::LostRace { expected: append.expected, actual: *actual })
            }
            _ if append.secret.is_none() => Err(StoreError::NotFound),
            _ => Err(StoreError::LostRace {
                expected: append.expected,
                actual: last(client, &append.row.game_id).await?.unwrap_or(0),
            }),
        });
    }
    Ok(results)
}

/// The number of the last entry of a game, if it is there.
async fn last(client: &Client, game_id: &str) -> Result<Option<u64>, tokio_postgres::Error> {
    let row = client
        .query_opt(&client.prepare_cached("SELECT last FROM game WHERE game_id = $1").await?, &[&game_id])
        .await?;
    Ok(row.map(|row| to_u64(row.get(0))))
}

/// Keeps a snapshot, unless a newer one is there.
pub(super) async fn put_snapshot(
    client: &Client,
    game_id: &str,
    number: u64,
    snapshot: &[u8],
) -> Result<(), StoreError> {
    let actual = last(client, game_id).await?.ok_or(StoreError::NotFound)?;
    if number > actual {
        return Err(StoreError::LostRace { expected: number, actual });
    }
    let sql = "INSERT INTO snapshot (game_id, number, body) VALUES ($1, $2, $3)
               ON CONFLICT (game_id) DO UPDATE SET number = excluded.number, body = excluded.body
               WHERE snapshot.number < excluded.number";
    client.execute(&client.prepare_cached(sql).await?, &[&game_id, &to_i64(number), &snapshot]).await?;
    Ok(())
}

/// Removes games altogether, their rows last: so a game is there as long as anything of it is.
pub(super) async fn remove(client: &Client, game_ids: &[String]) -> Result<(), StoreError> {
    let sql = "WITH head AS (SELECT game_id FROM game WHERE game_id = ANY ($1) ORDER BY game_id FOR UPDATE),
               entries AS (DELETE FROM entry e USING head h WHERE e.game_id = h.game_id),
               snapshots AS (DELETE FROM snapshot s USING head h WHERE s.game_id = h.game_id),
               members AS (DELETE FROM member m USING head h WHERE m.game_id = h.game_id)
               DELETE FROM game g USING head h WHERE g.game_id = h.game_id";
    client.execute(sql, &[&game_ids]).await?;
    Ok(())
}

/// The entries after a number.
pub(super) async fn entries(
    client: &Client,
    game_id: &str,
    after: u64,
    limit: usize,
    bytes_max: usize,
) -> Result<Vec<Bytes>, StoreError> {
    // The first entry comes whatever its size; those after it as long as all together are not too many bytes.
    let sql = "SELECT body FROM (
                   SELECT number, body, sum(length(body)) OVER (ORDER BY number) AS bytes,
                          row_number() OVER (ORDER BY number) AS place
                   FROM (SELECT number, body FROM entry WHERE game_id = $1 AND number > $2 ORDER BY number LIMIT $3) page
               ) counted
               WHERE place = 1 OR bytes <= $4 ORDER BY number";
    let (limit, bytes_max) = (to_i64(limit as u64), to_i64(bytes_max as u64));
    let rows =
        client.query(&client.prepare_cached(sql).await?, &[&game_id, &to_i64(after), &limit, &bytes_max]).await?;
    if rows.is_empty() && last(client, game_id).await?.is_none() {
        return Err(StoreError::NotFound);
    }
    Ok(rows.iter().map(|row| Bytes::from(row.get::<_, Vec<u8>>(0))).collect())
}

/// What a game is loaded from. One statement, so that the snapshot and the last number are of the same moment.
pub(super) async fn load(client: &Client, game_id: &str) -> Result<Loaded, StoreError> {
    let sql = "SELECT g.secret, g.last, s.number, s.body FROM game g LEFT JOIN snapshot s ON s.game_id = g.game_id
               WHERE g.game_id = $1";
    let row = client.query_opt(&client.prepare_cached(sql).await?, &[&game_id]).await?.ok_or(StoreError::NotFound)?;
    let secret: Vec<u8> = row.get(0);
    let snapshot = row.get::<_, Option<i64>>(2).zip(row.get::<_, Option<Vec<u8>>>(3));
    Ok(Loaded {
        secret: secret.try_into().map_err(|_| StoreError::Damaged("a game's secret has another length".to_owned()))?,
        last: to_u64(row.get(1)),
        snapshot: snapshot.map(|(number, body)| (to_u64(number), Bytes::from(body))),
    })
}
