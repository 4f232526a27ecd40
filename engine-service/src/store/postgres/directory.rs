//! Queries on the directory of games.

use std::collections::HashMap;

use deadpool_postgres::ClientWrapper as Client;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use super::{one, row, rows, to_i64, to_u32, to_u64};
use crate::store::quota::{Quota, Usage};
use crate::store::{
    Counts, ENDED_STATUSES, GameQuery, GameRow, Member, Millis, Result, SEARCHED_MAX, Size,
    StoreError, checksums,
};

const COLUMNS: &str = "g.game_id, g.kind, g.name, g.status, g.private, g.sandbox, g.seats, \
    g.open_seats, g.created, \
                       g.due, g.wants_automation, g.progress, g.row_digest, g.members_digest, \
                       g.host, g.asleep_since, g.ended, g.rated, g.names_hidden";

fn game_row(row: &Row) -> GameRow {
    GameRow {
        game_id: row.get(0),
        kind: row.get(1),
        name: row.get(2),
        status: row.get(3),
        private: row.get(4),
        sandbox: row.get(5),
        seats: to_u32(row.get(6)),
        open_seats: to_u32(row.get(7)),
        created: row.get(8),
        due: row.get(9),
        wants_automation: row.get(10),
        progress: row.get(11),
        host: row.get(14),
        asleep_since: row.get(15),
        ended: row.get(16),
        rated: row.get(17),
        names_hidden: row.get(18),
        members: Vec::new(),
    }
}

const MEMBERS: &str =
    "SELECT game_id, player_id, seat, invited, your_decision, deadline FROM member
                       WHERE game_id = ANY ($1) ORDER BY seat, player_id";

fn members_by_game(rows: Vec<Row>) -> HashMap<String, Vec<Member>> {
    let mut members: HashMap<String, Vec<Member>> = HashMap::new();
    for row in rows {
        members.entry(row.get(0)).or_default().push(Member {
            player_id: row.get(1),
            seat: to_u32(row.get(2)),
            invited: row.get(3),
            your_decision: row.get(4),
            deadline: row.get(5),
        });
    }
    members
}

async fn with_members(client: &Client, found: &[Row]) -> Result<Vec<GameRow>> {
    let mut games: Vec<GameRow> = found.iter().map(game_row).collect();
    let ids: Vec<&str> = games.iter().map(|game| game.game_id.as_str()).collect();
    let mut members = members_by_game(rows(client, MEMBERS, &[&ids]).await?);
    for (row, found) in games.iter_mut().zip(found) {
        row.members = members.remove(&row.game_id).unwrap_or_default();
        checksums::check_row(row, found.get(12), found.get(13))?;
    }
    Ok(games)
}

pub(super) async fn game(client: &Client, game_id: &str) -> Result<GameRow> {
    let sql = format!("SELECT {COLUMNS} FROM game g WHERE g.game_id = $1");
    let found = row(client, &sql, &[&game_id]).await?;
    let rows = with_members(client, found.as_slice()).await?;
    rows.into_iter().next().ok_or(StoreError::NotFound)
}

pub(super) const IDS: &str =
    "SELECT game_id FROM game WHERE game_id > $1 ORDER BY game_id LIMIT $2";
/// The engine that leased a decision has the game loaded and handles its other seats too.
pub(super) const WAITING_FOR_AUTOMATION: &str = "SELECT game_id FROM game g
    WHERE wants_automation AND game_id > $1 AND NOT EXISTS (
        SELECT 1 FROM lease l WHERE l.game_id = g.game_id AND l.expires > now())
    ORDER BY game_id LIMIT $2";
pub(super) const WITHOUT_SNAPSHOT: &str = "SELECT g.game_id FROM game g
    LEFT JOIN snapshot s ON s.game_id = g.game_id
    WHERE g.game_id > $1 AND g.last > coalesce(s.number, 0) ORDER BY g.game_id LIMIT $2";
pub(super) const SANDBOXES_BEFORE: &str = "SELECT game_id FROM game
    WHERE sandbox AND created < $1 ORDER BY created, game_id LIMIT $2";

pub(super) async fn texts(
    client: &Client,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<String>> {
    Ok(rows(client, sql, values).await?.iter().map(|row| row.get(0)).collect())
}

/// A query with only the requested conditions. The planner can then choose a matching index.
#[derive(Default)]
struct Conditions {
    sql: String,
    values: Vec<Box<dyn ToSql + Sync + Send>>,
}

impl Conditions {
    fn and(&mut self, condition: &str) {
        self.sql.push_str(" AND ");
        self.sql.push_str(condition);
    }

    fn value(&mut self, value: impl ToSql + Sync + Send + 'static) -> String {
        self.values.push(Box::new(value));
        format!("${}", self.values.len())
    }
}

pub(super) async fn games(client: &Client, query: &GameQuery) -> Result<Vec<GameRow>> {
    // PostgreSQL cannot store NUL, so no row matches.
    let GameQuery { kind, search, visible_to, member, host, seated, .. } = query;
    let texts = [kind, search, visible_to, member, host, seated];
    if texts.into_iter().flatten().any(|text| text.contains('\0')) {
        return Ok(Vec::new());
    }
    let Conditions { sql, values } = list(query);
    let values: Vec<&(dyn ToSql + Sync)> =
        values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
    let rows = client.query(&sql, &values).await?;
    with_members(client, &rows).await
}

/// Returns the games of `from`, in the order of the query's list.
fn listed(query: &GameQuery, from: &str, condition: &str, limit: &str) -> String {
    let order = match &query.ended {
        // The order of the index `game_ended`, backwards.
        Some(_) => "g.ended DESC, g.game_id DESC",
        None => "g.created DESC, g.game_id",
    };
    format!("SELECT {COLUMNS} FROM {from} g WHERE true{condition} ORDER BY {order} LIMIT {limit}")
}

fn list(query: &GameQuery) -> Conditions {
    let mut all = conditions(query);
    let limit = all.value(to_i64(query.limit as u64));
    if let Some((ended, game_id)) = &query.ended_after {
        let (ended, game_id) = (all.value(*ended), all.value(game_id.clone()));
        all.sql = format!(
            "SELECT {COLUMNS} FROM game g WHERE g.ended IS NOT NULL{} AND (g.ended, g.game_id) > \
             ({ended}, {game_id}) ORDER BY g.ended, g.game_id LIMIT {limit}",
            all.sql
        );
        return all;
    }
    let matching = residual(&mut all, query);
    let base = std::mem::take(&mut all.sql);
    let arm = |condition: &str| match &matching {
        None => listed(query, "game", &format!("{base}{condition}"), &limit),
        // No index supports these conditions, so limit the number of rows to search.
        Some(matching) => {
            let most = SEARCHED_MAX.to_string();
            let among = listed(query, "game", &format!("{base}{condition}"), &most);
            listed(query, &format!("({among})"), matching, &limit)
        }
    };
    all.sql = match (query.joinable, &query.visible_to) {
        (false, _) => arm(""),
        (true, None) => arm(" AND g.open_seats > 0"),
        // Use two short scans of separate indexes. A single query with OR would scan all games.
        (true, Some(player)) => {
            let player = all.value(player.clone());
            let invited =
                format!("SELECT game_id FROM member WHERE player_id = {player} AND invited");
            let (open, kept) =
                (arm(" AND g.open_seats > 0"), arm(&format!(" AND g.game_id IN ({invited})")));
            listed(query, &format!("(({open}) UNION ({kept}))"), "", &limit)
        }
    };
    all
}

fn conditions(query: &GameQuery) -> Conditions {
    let mut all = Conditions::default();
    if let Some(member) = &query.member {
        let member = all.value(member.clone());
        all.and(&format!("g.game_id IN (SELECT game_id FROM member WHERE player_id = {member})"));
    }
    if let Some(host) = &query.host {
        let host = all.value(host.clone());
        all.and(&format!("g.host = {host}"));
    }
    if let Some(kind) = &query.kind {
        let kind = all.value(kind.clone());
        all.and(&format!("g.kind = {kind}"));
    }
    if let Some(status) = query.status {
        let status = all.value(status);
        all.and(&format!("g.status = {status}"));
    }
    if query.running_only {
        let [ended, canceled] = ENDED_STATUSES;
        all.and(&format!("g.status NOT IN ({ended}, {canceled})"));
    }
    if let Some(player) = &query.visible_to {
        let player = all.value(player.clone());
        let member = format!(
            "SELECT 1 FROM member m WHERE m.game_id = g.game_id AND m.player_id = {player}"
        );
        all.and(&format!("(NOT g.private OR EXISTS ({member}))"));
    }
    if let Some(player) = &query.seated {
        let is_own = query.visible_to.as_ref() == Some(player);
        let player = all.value(player.clone());
        all.and(&format!(
            "g.game_id IN (SELECT game_id FROM member WHERE player_id = {player} AND seat > 0 AND \
             NOT invited)"
        ));
        if !is_own {
            all.and("NOT g.names_hidden");
        }
    }
    for (column, times) in [("created", &query.created), ("ended", &query.ended)] {
        let Some(times) = times else { continue };
        let (start, end) = (all.value(times.start), all.value(times.end));
        all.and(&format!(
            "g.{column} IS NOT NULL AND g.{column} >= {start} AND g.{column} < {end}"
        ));
    }
    if let (Some((ended, game_id)), true) = (&query.after, query.ended.is_some()) {
        let (ended, game_id) = (all.value(*ended), all.value(game_id.clone()));
        all.and(&format!("(g.ended, g.game_id) < ({ended}, {game_id})"));
    } else if let Some((created, game_id)) = &query.after {
        let (created, game_id) = (all.value(*created), all.value(game_id.clone()));
        all.and(&format!(
            "g.created <= {created} AND (g.created < {created} OR g.game_id > {game_id})"
        ));
    }
    all
}

/// Returns the conditions that no index supports, or `None` if there are none.
fn residual(all: &mut Conditions, query: &GameQuery) -> Option<String> {
    let text = query.search.as_ref().map(|text| matching(all, text, query.visible_to.is_none()));
    let rated = query.rated.map(|rated| format!("g.rated = {}", all.value(rated)));
    let conditions: Vec<String> = text.into_iter().chain(rated).collect();
    (!conditions.is_empty()).then(|| format!(" AND {}", conditions.join(" AND ")))
}

/// Returns a condition for games whose name, or id with `ids_too`, contains a text. The collation
/// "C" limits lower-casing to ASCII, regardless of the database's default collation.
fn matching(all: &mut Conditions, search: &str, ids_too: bool) -> String {
    let search = all.value(search.to_ascii_lowercase());
    let holds = |column: &str| format!(r#"strpos(lower(g.{column} COLLATE "C"), {search}) > 0"#);
    if ids_too { format!("({} OR {})", holds("name"), holds("game_id")) } else { holds("name") }
}

pub(super) async fn due(client: &Client, limit: usize) -> Result<Vec<(String, Millis)>> {
    let sql = "SELECT game_id, due FROM game WHERE due IS NOT NULL ORDER BY due, game_id LIMIT $1";
    let rows = rows(client, sql, &[&to_i64(limit as u64)]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

pub(super) async fn games_counted(
    client: &Client,
    player_id: &str,
    but_for: &str,
) -> Result<u32, Error> {
    let [ended, canceled] = ENDED_STATUSES;
    let goes_on =
        format!("g.status NOT IN ({ended}, {canceled}) AND NOT g.sandbox AND g.game_id <> $2");
    let sql = format!(
        "SELECT count(*) FROM (
             SELECT g.game_id FROM member m JOIN game g ON g.game_id = m.game_id
             WHERE m.player_id = $1 AND m.seat > 0 AND NOT m.invited AND {goes_on}
             UNION SELECT g.game_id FROM game g WHERE g.host = $1 AND {goes_on}) AS counted"
    );
    Ok(to_u32(one(client, &sql, &[&player_id, &but_for]).await?.get(0)))
}

pub(super) async fn usage(client: &Client, quota: &Quota, row: &GameRow) -> Result<Usage, Error> {
    let [ended, canceled] = ENDED_STATUSES;
    let open = format!("m.invited AND g.status NOT IN ({ended}, {canceled}) AND g.game_id <> $2");
    let sent = format!(
        "SELECT count(*) FROM game g JOIN member m ON m.game_id = g.game_id WHERE g.host = $1 AND \
         {open}"
    );
    let to_one = format!(
        "SELECT count(*) FILTER (WHERE g.host = $3), count(*) FROM member m JOIN game g ON g.game_id = m.game_id
         WHERE m.player_id = $1 AND {open}"
    );
    let (host, game_id) = (&quota.player_id, &row.game_id);
    let mut usage =
        Usage { games: games_counted(client, host, game_id).await?, ..Usage::default() };
    for player in quota.invited(row) {
        let found = one(client, &to_one, &[&player, game_id, host]).await?;
        usage.invited.push((to_u32(found.get(0)), to_u32(found.get(1))));
    }
    if !usage.invited.is_empty() {
        usage.sent = to_u32(one(client, &sent, &[host, game_id]).await?.get(0));
    }
    Ok(usage)
}

pub(super) async fn sizes(client: &Client, game_ids: &[String]) -> Result<Vec<Size>> {
    let sql = "SELECT game_id, count(*), sum(length(body))::bigint FROM entry WHERE game_id = ANY \
        ($1) GROUP BY game_id";
    let size = |row: &Row| Size { entries: to_u64(row.get(1)), bytes: to_u64(row.get(2)) };
    let rows = client.query(sql, &[&game_ids]).await?;
    let sizes: HashMap<String, Size> = rows.iter().map(|row| (row.get(0), size(row))).collect();
    Ok(game_ids.iter().map(|game_id| sizes.get(game_id).copied().unwrap_or_default()).collect())
}

/// Counts at most a million games and a million players, because counting scans the rows.
pub(super) async fn counts(client: &Client) -> Result<Counts> {
    let sql = "SELECT (SELECT count(*) FROM (SELECT 1 FROM game LIMIT 1000000) g),
                      (SELECT count(*) FROM (SELECT 1 FROM account WHERE folded IS NOT NULL LIMIT 1000000) a)";
    let row = client.query_one(sql, &[]).await?;
    Ok(Counts { games: to_u64(row.get(0)), players: to_u64(row.get(1)) })
}
