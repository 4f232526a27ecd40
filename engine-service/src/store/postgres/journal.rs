//! Journals: appending to them, and reading them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use bytes::Bytes;
use deadpool_postgres::ClientWrapper as Client;
use futures_util::future::{BoxFuture, try_join_all};
use tokio_postgres::Error;

use super::columns::{Entries, Games, Lasts, Members, Ratings, Snapshots, Values};
use super::{to_i64, to_u64};
use crate::store::{Append, GameRow, Loaded, StoreError};

/// Locks the games of a batch in the order of their ids, and reads where they stand.
const LOCK: &str = "SELECT game_id, last, row_digest, members_digest FROM game WHERE game_id = ANY ($1::text[])
                    ORDER BY game_id FOR UPDATE";

/// Where a locked game stands.
struct Standing {
    last: u64,
    row: i64,
    members: i64,
}

/// Tells a value from others, so that what has not changed is not written. Another version of this program may come to
/// another digest; then it writes once more than it must.
fn digest(value: &impl Hash) -> i64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish().cast_signed()
}

/// The digests of a row without its members, and of its members.
pub(super) fn digests(row: &GameRow) -> (i64, i64) {
    let GameRow { kind, name, status, private, sandbox, seats, open_seats, created, due, .. } = row;
    let told = (kind, name, status, private, sandbox, seats, open_seats, created, due);
    (digest(&(told, row.wants_automation, &row.progress)), digest(&row.members))
}

/// Appends to different games, all in one transaction; each has a result of its own. An error is that of the whole batch, of
/// which then nothing is written, unless the connection broke while it was committed.
///
/// Two flights: the first locks the games and reads where they stand, the second writes for those that stand where they are
/// expected to, and commits. An append that comes too late disturbs no other. No statement compares the batch with itself, and
/// each touches its table by the key, so a batch costs as much as it has rows.
pub(super) async fn append(client: &Client, batch: &[&Append]) -> Result<Vec<Result<(), StoreError>>, Error> {
    let appended = try_to_append(client, batch).await;
    if appended.is_err() {
        // A connection that is broken goes no further anyway.
        let _ = client.batch_execute("ROLLBACK").await;
    }
    appended
}

async fn try_to_append(client: &Client, batch: &[&Append]) -> Result<Vec<Result<(), StoreError>>, Error> {
    let standings = lock(client, batch).await?;
    let mut columns = Columns::default();
    let mut results = Vec::with_capacity(batch.len());
    for append in batch {
        let standing = standings.get(&append.row.game_id);
        let result = judge(append, standing);
        if result.is_ok() {
            columns.add(append, standing);
        }
        results.push(result);
    }
    write(client, &columns).await?;
    Ok(results)
}

/// Begins the transaction.
async fn lock(client: &Client, batch: &[&Append]) -> Result<HashMap<String, Standing>, Error> {
    let games: Vec<&str> = batch.iter().map(|append| append.row.game_id.as_str()).collect();
    let statement = client.prepare_cached(LOCK).await?;
    let values: Values<'_> = vec![&games];
    let (begin, rows) = tokio::join!(biased; client.batch_execute("BEGIN"), client.query(&statement, &values));
    begin?;
    let standing =
        |row: &tokio_postgres::Row| Standing { last: to_u64(row.get(1)), row: row.get(2), members: row.get(3) };
    Ok(rows?.iter().map(|row| (row.get(0), standing(row))).collect())
}

/// Whether an append may be made to a game that stands so, or is not there.
fn judge(append: &Append, standing: Option<&Standing>) -> Result<(), StoreError> {
    let (expected, is_creation) = (append.expected, append.secret.is_some());
    match standing {
        None if !is_creation => Err(StoreError::NotFound),
        None if expected > 0 => Err(StoreError::LostRace { expected, actual: 0 }),
        Some(Standing { last, .. }) if is_creation || *last != expected => {
            Err(StoreError::LostRace { expected, actual: *last })
        }
        _ => Ok(()),
    }
}

/// The rows that a batch writes, table by table.
#[derive(Default)]
struct Columns<'a> {
    created: Games<'a>,
    /// Games of which the directory says the same as before: all that moves is the end of the journal.
    advanced: Lasts<'a>,
    changed: Games<'a>,
    entries: Entries<'a>,
    snapshots: Snapshots<'a>,
    /// Games whose members change, and all members that they have from now on.
    crews: Vec<&'a str>,
    members: Members<'a>,
    ratings: Ratings<'a>,
}

impl<'a> Columns<'a> {
    fn add(&mut self, append: &'a Append, standing: Option<&Standing>) {
        let Append { expected, entries, row, snapshot, ratings, .. } = append;
        let game_id = row.game_id.as_str();
        let last = expected + entries.len() as u64;
        let (row_digest, members_digest) = digests(row);
        match standing {
            None => self.created.add(append, last, (row_digest, members_digest)),
            Some(was) if (was.row, was.members) == (row_digest, members_digest) => self.advanced.add(game_id, last),
            Some(_) => self.changed.add(append, last, (row_digest, members_digest)),
        }
        if standing.is_none_or(|was| was.members != members_digest) {
            if standing.is_some() {
                self.crews.push(game_id);
            }
            self.members.add(row);
        }
        for (number, entry) in (expected + 1..).zip(entries) {
            self.entries.add(game_id, number, entry);
        }
        if let Some(snapshot) = snapshot {
            self.snapshots.add(game_id, last, snapshot);
        }
        for (player_id, change) in ratings {
            self.ratings.add(player_id, *change);
        }
    }

    /// The statements, and the values of each, for what there is to write.
    fn statements(&self) -> Vec<(&'static str, Values<'_>)> {
        let crews: Values<'_> = vec![&self.crews];
        let leaving: Values<'_> = [&crews[..], &self.members.places()].concat();
        let all = [
            (CREATE, self.created.is_empty(), self.created.values()),
            (ADVANCE, self.advanced.is_empty(), self.advanced.values()),
            (CHANGE, self.changed.is_empty(), self.changed.values()),
            (LEAVE, self.crews.is_empty(), leaving),
            (STAY, self.crews.is_empty() || self.members.is_empty(), self.members.values()),
            (JOIN, self.members.is_empty(), self.members.values()),
            (WRITE, self.entries.is_empty(), self.entries.values()),
            (PICTURE, self.snapshots.is_empty(), self.snapshots.values()),
            (RATE, self.ratings.is_empty(), self.ratings.values()),
        ];
        all.into_iter().filter(|(_, is_idle, _)| !is_idle).map(|(sql, _, values)| (sql, values)).collect()
    }
}

const CREATE: &str = "
    INSERT INTO game (game_id, last, secret, kind, name, status, private, sandbox, seats, open_seats, created, due,
                      wants_automation, progress, row_digest, members_digest)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::text[], $5::text[], $6::integer[], $7::boolean[],
                         $8::boolean[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::boolean[],
                         $14::text[], $15::bigint[], $16::bigint[])";
const ADVANCE: &str = "
    UPDATE game g SET last = a.last FROM unnest($1::text[], $2::bigint[]) AS a (game_id, last) WHERE g.game_id = a.game_id";
/// A game keeps its secret.
const CHANGE: &str = "
    UPDATE game g SET last = a.last, kind = a.kind, name = a.name, status = a.status, private = a.private,
                      sandbox = a.sandbox, seats = a.seats, open_seats = a.open_seats, created = a.created, due = a.due,
                      wants_automation = a.wants_automation, progress = a.progress, row_digest = a.row_digest,
                      members_digest = a.members_digest
    FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::text[], $5::text[], $6::integer[], $7::boolean[],
                $8::boolean[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::boolean[],
                $14::text[], $15::bigint[], $16::bigint[])
        AS a (game_id, last, secret, kind, name, status, private, sandbox, seats, open_seats, created, due,
              wants_automation, progress, row_digest, members_digest)
    WHERE g.game_id = a.game_id";
const LEAVE: &str = "
    DELETE FROM member WHERE game_id = ANY ($1::text[]) AND (game_id, player_id, seat) NOT IN (
        SELECT game_id, player_id, seat FROM unnest($2::text[], $3::text[], $4::bigint[]) AS a (game_id, player_id, seat))";
const STAY: &str = "
    UPDATE member m SET invited = a.invited, your_decision = a.your_decision, deadline = a.deadline
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::boolean[], $6::bigint[])
        AS a (game_id, player_id, seat, invited, your_decision, deadline)
    WHERE m.game_id = a.game_id AND m.player_id = a.player_id AND m.seat = a.seat
        AND (m.invited, m.your_decision, m.deadline) IS DISTINCT FROM (a.invited, a.your_decision, a.deadline)";
const JOIN: &str = "
    INSERT INTO member (game_id, player_id, seat, invited, your_decision, deadline)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::boolean[], $6::bigint[])
    ON CONFLICT DO NOTHING";
const WRITE: &str = "
    INSERT INTO entry (game_id, number, body) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])";
const PICTURE: &str = "
    INSERT INTO snapshot (game_id, number, body) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])
    ON CONFLICT (game_id) DO UPDATE SET number = excluded.number, body = excluded.body
        WHERE snapshot.number < excluded.number";
const RATE: &str = "
    UPDATE account c SET dedication = c.dedication + r.change
    FROM (SELECT player_id, sum(change)::integer AS change
          FROM unnest($1::text[], $2::integer[]) AS x (player_id, change) GROUP BY player_id) r
    WHERE c.player_id = r.player_id";

/// Writes and commits, in one flight.
async fn write(client: &Client, columns: &Columns<'_>) -> Result<(), Error> {
    let mut prepared = Vec::new();
    for (sql, values) in columns.statements() {
        prepared.push((client.prepare_cached(sql).await?, values));
    }
    let mut flight: Vec<BoxFuture<'_, Result<(), Error>>> = Vec::new();
    for (statement, values) in &prepared {
        flight.push(Box::pin(async move { client.execute(statement, values).await.map(drop) }));
    }
    // After a statement that failed this undoes all.
    flight.push(Box::pin(client.batch_execute("COMMIT")));
    try_join_all(flight).await?;
    Ok(())
}

/// The number of the last entry of a game, if it is there.
async fn last(client: &Client, game_id: &str) -> Result<Option<u64>, Error> {
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
    // The game stays where it is meanwhile, so no snapshot is left of one that is being removed.
    let sql = "INSERT INTO snapshot (game_id, number, body)
               SELECT game_id, $2, $3 FROM game WHERE game_id = $1 AND last >= $2 FOR SHARE
               ON CONFLICT (game_id) DO UPDATE SET number = excluded.number, body = excluded.body
               WHERE snapshot.number < excluded.number";
    let statement = client.prepare_cached(sql).await?;
    if client.execute(&statement, &[&game_id, &to_i64(number), &snapshot]).await? == 0 {
        let actual = last(client, game_id).await?.ok_or(StoreError::NotFound)?;
        if number > actual {
            return Err(StoreError::LostRace { expected: number, actual });
        }
    }
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
