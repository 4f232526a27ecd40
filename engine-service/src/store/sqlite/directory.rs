//! Queries on the directory of games.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params_from_iter};

use super::{to_i64, to_u64};
use crate::store::checksums::{self, Checksum};
use crate::store::quota::{Quota, Usage};
use crate::store::{
    Counts, ENDED_STATUSES, GameQuery, GameRow, Member, Millis, Result, SEARCHED_MAX, Size,
    StoreError,
};

const COLUMNS: &str = "g.key, g.game_id, g.kind, g.name, g.status, g.private, g.sandbox, g.seats, \
    g.open_seats, \
                       g.created, g.due, g.wants_automation, g.progress, g.sum, g.members_sum, \
                       g.host, g.asleep_since, g.ended, g.rated, g.names_hidden";

struct Found {
    key: i64,
    row: GameRow,
    sum: Checksum,
    members_sum: Checksum,
}

impl Found {
    fn whole(self, connection: &Connection) -> Result<GameRow> {
        let row = GameRow { members: members(connection, self.key)?, ..self.row };
        checksums::check_row(&row, self.sum, self.members_sum)?;
        Ok(row)
    }
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    let game = GameRow {
        game_id: row.get(1)?,
        kind: row.get(2)?,
        name: row.get(3)?,
        status: row.get(4)?,
        private: row.get(5)?,
        sandbox: row.get(6)?,
        seats: row.get(7)?,
        open_seats: row.get(8)?,
        created: row.get(9)?,
        due: row.get(10)?,
        wants_automation: row.get(11)?,
        progress: row.get(12)?,
        host: row.get(15)?,
        asleep_since: row.get(16)?,
        ended: row.get(17)?,
        rated: row.get(18)?,
        names_hidden: row.get(19)?,
        members: Vec::new(),
    };
    Ok(Found { key: row.get(0)?, row: game, sum: row.get(13)?, members_sum: row.get(14)? })
}

fn members(connection: &Connection, key: i64) -> Result<Vec<Member>> {
    let mut statement = connection.prepare_cached(
        "SELECT player_id, seat, invited, your_decision, deadline FROM member WHERE game = ?1 \
         ORDER BY seat, player_id",
    )?;
    let members = statement.query_map([key], |row| {
        Ok(Member {
            player_id: row.get(0)?,
            seat: row.get(1)?,
            invited: row.get(2)?,
            your_decision: row.get(3)?,
            deadline: row.get(4)?,
        })
    })?;
    Ok(members.collect::<Result<_, _>>()?)
}

pub(super) fn game(connection: &Connection, game_id: &str) -> Result<(i64, GameRow)> {
    let sql = format!("SELECT {COLUMNS} FROM game g WHERE g.game_id = ?1");
    let found = connection
        .prepare_cached(&sql)?
        .query_row([game_id], found)
        .optional()?
        .ok_or(StoreError::NotFound)?;
    Ok((found.key, found.whole(connection)?))
}

pub(super) fn keys(connection: &Connection) -> Result<Vec<(i64, String)>> {
    let mut statement =
        connection.prepare("SELECT key, game_id FROM game NOT INDEXED ORDER BY key")?;
    let keys = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(keys.collect::<Result<_, _>>()?)
}

pub(super) const IDS: &str =
    "SELECT game_id FROM game WHERE game_id > ?1 ORDER BY game_id LIMIT ?2";
pub(super) const WAITING_FOR_AUTOMATION: &str = "SELECT game_id FROM game
    WHERE wants_automation AND game_id > ?1 ORDER BY game_id LIMIT ?2";
pub(super) const WITHOUT_SNAPSHOT: &str = "SELECT game_id FROM game g
    LEFT JOIN snapshot s ON s.game = g.key WHERE game_id > ?1
    AND (SELECT max(number) FROM entry e WHERE e.game = g.key) > coalesce(s.number, 0)
    ORDER BY game_id LIMIT ?2";
pub(super) const SANDBOXES_BEFORE: &str = "SELECT game_id FROM game
    WHERE sandbox AND created < ?1 ORDER BY created, game_id LIMIT ?2";

pub(super) fn texts(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(sql)?;
    let texts = statement.query_map(values, |row| row.get(0))?;
    Ok(texts.collect::<Result<_, _>>()?)
}

pub(super) fn key(connection: &Connection, game_id: &str) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT key FROM game WHERE game_id = ?1")?;
    statement.query_row([game_id], |row| row.get(0)).optional()?.ok_or(StoreError::NotFound)
}

pub(super) fn last(connection: &Connection, key: i64) -> Result<u64> {
    let mut statement =
        connection.prepare_cached("SELECT max(number) FROM entry WHERE game = ?1")?;
    let last: Option<i64> = statement.query_row([key], |row| row.get(0))?;
    Ok(last.map_or(0, to_u64))
}

/// A query with only the requested conditions. The planner can then choose a matching index.
struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    fn and(&mut self, condition: &str) {
        self.sql.push_str(" AND ");
        self.sql.push_str(condition);
    }

    fn value(&mut self, value: impl Into<Value>) {
        self.values.push(value.into());
    }
}

pub(super) fn games(connection: &Connection, query: &GameQuery) -> Result<Vec<GameRow>> {
    let Conditions { sql, values } = conditions(query);
    let mut statement = connection.prepare_cached(&sql)?;
    let found =
        statement.query_map(params_from_iter(values), found)?.collect::<Result<Vec<_>, _>>()?;
    found.into_iter().map(|found| found.whole(connection)).collect()
}

#[expect(clippy::too_many_lines, reason = "one condition after the other")]
fn conditions(query: &GameQuery) -> Conditions {
    let mut all =
        Conditions { sql: format!("SELECT {COLUMNS} FROM game g WHERE true"), values: Vec::new() };
    if let Some(member) = &query.member {
        all.and("g.key IN (SELECT game FROM member WHERE player_id = ?)");
        all.value(member.clone());
    }
    if let Some(host) = &query.host {
        all.and("g.host = ?");
        all.value(host.clone());
    }
    if let Some(kind) = &query.kind {
        all.and("g.kind = ?");
        all.value(kind.clone());
    }
    if let Some(status) = query.status {
        all.and("g.status = ?");
        all.value(i64::from(status));
    }
    if query.running_only {
        let [ended, canceled] = ENDED_STATUSES;
        all.and(&format!("g.status NOT IN ({ended}, {canceled})"));
    }
    if query.joinable {
        joinable(&mut all, query.visible_to.as_deref());
    }
    if let Some(player) = &query.visible_to {
        all.and(
            "(NOT g.private OR EXISTS (SELECT 1 FROM member m WHERE m.game = g.key AND \
            m.player_id = ?))",
        );
        all.value(player.clone());
    }
    if let Some(player) = &query.seated {
        all.and(
            "g.key IN (SELECT game FROM member WHERE player_id = ? AND seat > 0 AND NOT invited)",
        );
        all.value(player.clone());
        if query.visible_to.as_ref() != Some(player) {
            all.and("NOT g.names_hidden");
        }
    }
    if let Some(times) = &query.created {
        all.and("g.created >= ? AND g.created < ?");
        all.value(times.start);
        all.value(times.end);
    }
    if let Some(times) = &query.ended {
        all.and("g.ended IS NOT NULL AND g.ended >= ? AND g.ended < ?");
        all.value(times.start);
        all.value(times.end);
    }
    let order = if query.ended.is_some() { LATEST_ENDED } else { NEWEST };
    if let (Some((ended, game_id)), true) = (&query.after, query.ended.is_some()) {
        all.and("(g.ended, g.game_id) < (?, ?)");
        all.value(*ended);
        all.value(game_id.clone());
    } else if let Some((created, game_id)) = &query.after {
        all.and("g.created <= ? AND (g.created < ? OR g.game_id > ?)");
        all.value(*created);
        all.value(*created);
        all.value(game_id.clone());
    }
    if let Some((ended, game_id)) = &query.ended_after {
        all.and("g.ended IS NOT NULL AND (g.ended, g.game_id) > (?, ?)");
        all.value(*ended);
        all.value(game_id.clone());
        all.sql.push_str(OLDEST_ENDED);
        all.value(to_i64(query.limit as u64));
        return all;
    }
    all.sql.push_str(order);
    if query.search.is_some() || query.rated.is_some() {
        all.value(to_i64(SEARCHED_MAX as u64));
        all.sql = format!("SELECT * FROM ({}) g WHERE true", all.sql);
        if let Some(search) = &query.search {
            matching(&mut all, search, query.visible_to.is_none());
        }
        if let Some(rated) = query.rated {
            all.and("g.rated = ?");
            all.value(rated);
        }
        all.sql.push_str(order);
    }
    all.value(to_i64(query.limit as u64));
    all
}

/// The order of the index `game_by_age`.
const NEWEST: &str = " ORDER BY g.created DESC, g.game_id LIMIT ?";

/// The order of the index `game_ended`.
const OLDEST_ENDED: &str = " ORDER BY g.ended, g.game_id LIMIT ?";

/// The order of the index `game_ended`, backwards.
const LATEST_ENDED: &str = " ORDER BY g.ended DESC, g.game_id DESC LIMIT ?";

fn joinable(all: &mut Conditions, player: Option<&str>) {
    let open = "SELECT key FROM game WHERE open_seats > 0";
    match player {
        None => all.and(&format!("g.key IN ({open})")),
        Some(player) => {
            all.and(&format!(
                "g.key IN ({open} UNION SELECT game FROM member WHERE player_id = ? AND invited)"
            ));
            all.value(player.to_owned());
        }
    }
}

fn matching(all: &mut Conditions, search: &str, ids_too: bool) {
    let search = search.to_ascii_lowercase();
    if ids_too {
        all.and("(instr(lower(g.name), ?) > 0 OR instr(lower(g.game_id), ?) > 0)");
        all.value(search.clone());
    } else {
        all.and("instr(lower(g.name), ?) > 0");
    }
    all.value(search);
}

pub(super) fn due(connection: &Connection, limit: usize) -> Result<Vec<(String, Millis)>> {
    let sql = "SELECT game_id, due FROM game WHERE due IS NOT NULL ORDER BY due, game_id LIMIT ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let due = statement.query_map([to_i64(limit as u64)], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(due.collect::<Result<_, _>>()?)
}

pub(super) fn games_counted(
    connection: &Connection,
    player_id: &str,
    but_for: &str,
) -> Result<u32> {
    let [ended, canceled] = ENDED_STATUSES;
    let goes_on =
        format!("g.status NOT IN ({ended}, {canceled}) AND NOT g.sandbox AND g.game_id <> ?2");
    let sql = format!(
        "SELECT count(*) FROM (
             SELECT g.key FROM member m CROSS JOIN game g ON g.key = m.game
             WHERE m.player_id = ?1 AND m.seat > 0 AND NOT m.invited AND {goes_on}
             UNION SELECT g.key FROM game g WHERE g.host = ?1 AND {goes_on})"
    );
    Ok(connection.prepare_cached(&sql)?.query_row([player_id, but_for], |row| row.get(0))?)
}

pub(super) fn usage(connection: &Connection, quota: &Quota, row: &GameRow) -> Result<Usage> {
    let [ended, canceled] = ENDED_STATUSES;
    let open = format!("m.invited AND g.status NOT IN ({ended}, {canceled}) AND g.game_id <> ?2");
    let sent = format!(
        "SELECT count(*) FROM game g CROSS JOIN member m ON m.game = g.key WHERE g.host = ?1 AND \
         {open}"
    );
    let to_one = format!(
        "SELECT count(*) FILTER (WHERE g.host = ?3), count(*) FROM member m CROSS JOIN game g ON g.key = m.game
         WHERE m.player_id = ?1 AND {open}"
    );
    let (host, game_id) = (&quota.player_id, &row.game_id);
    let mut usage = Usage { games: games_counted(connection, host, game_id)?, ..Usage::default() };
    for player in quota.invited(row) {
        let mut statement = connection.prepare_cached(&to_one)?;
        let found =
            statement.query_row([player, game_id, host], |row| Ok((row.get(0)?, row.get(1)?)))?;
        usage.invited.push(found);
    }
    if !usage.invited.is_empty() {
        usage.sent =
            connection.prepare_cached(&sent)?.query_row([host, game_id], |row| row.get(0))?;
    }
    Ok(usage)
}

pub(super) fn sizes(connection: &Connection, game_ids: &[String]) -> Result<Vec<Size>> {
    let sql = "SELECT count(*), coalesce(sum(length(e.body)), 0) FROM game g CROSS JOIN entry e ON e.game = g.key
               WHERE g.game_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let size =
        |row: &Row<'_>| Ok(Size { entries: to_u64(row.get(0)?), bytes: to_u64(row.get(1)?) });
    Ok(game_ids
        .iter()
        .map(|game_id| statement.query_row([game_id], size))
        .collect::<Result<_, _>>()?)
}

pub(super) fn counts(connection: &Connection) -> Result<Counts> {
    let sql = "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM account WHERE folded IS \
        NOT NULL)";
    let (games, players) =
        connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Counts { games: to_u64(games), players: to_u64(players) })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::StatementStatus;

    use super::*;
    use crate::store::sqlite::schema;

    fn steps(games: usize, query: &GameQuery) -> i32 {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::create(&mut connection, Path::new(":memory:")).unwrap();
        connection
            .execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                 INSERT INTO game SELECT i, 'g' || i, x'00', 'chess', 'Name ' || i, 3, 0, 0, 2, 0, i, NULL, 0, '', 0, 0, 0, '', NULL, i, 0, 0
                 FROM n",
                [to_i64(games as u64)],
            )
            .unwrap();
        let Conditions { sql, values } = conditions(query);
        let mut statement = connection.prepare(&sql).unwrap();
        let found = statement.query_map(params_from_iter(values), |_| Ok(())).unwrap().count();
        assert!(found <= query.limit);
        statement.get_status(StatementStatus::VmStep)
    }

    #[test]
    fn a_search_examines_a_limited_number_of_games() {
        let search = GameQuery {
            limit: 10,
            search: Some("nothing is called so".to_owned()),
            visible_to: Some("p".to_owned()),
            ..GameQuery::default()
        };
        let rated = GameQuery { search: None, rated: Some(true), ..search.clone() };
        let ended = GameQuery { ended: Some(0..Millis::MAX), ..rated.clone() };
        let of_kind = GameQuery { kind: Some("go".to_owned()), rated: None, ..ended.clone() };
        for query in [search, rated, ended, of_kind] {
            let among_few = steps(SEARCHED_MAX, &query);
            let among_many = steps(3 * SEARCHED_MAX, &query);
            assert!(
                among_many <= among_few + among_few / 20,
                "{query:?}: {among_many} steps, and {among_few} among a third as many"
            );
        }
    }
}
