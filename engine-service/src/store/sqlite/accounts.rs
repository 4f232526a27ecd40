//! Reads and writes of accounts and tokens.

use rusqlite::{Connection, Params, Row, Statement, params};

use super::writer::Session;
use super::{records, to_i64};
use crate::store::{
    Account, RecordChange, Result, StoreError, TokenRow, checksums, claim, folded, unique,
};

const ACCOUNT: &str = "a.player_id, a.name, a.role, a.dedication, a.banned, a.games_limit, \
    a.created, a.folded, a.sum, \
                       a.dedication_negated, a.looks";

fn account_row(row: &Row<'_>) -> Result<Account> {
    let account = Account {
        player_id: row.get(0)?,
        name: row.get(1)?,
        looks: row.get::<_, Option<String>>(10)?.unwrap_or_default(),
        role: row.get(2)?,
        dedication: row.get(3)?,
        banned: row.get(4)?,
        games_limit: row.get(5)?,
        created: row.get(6)?,
    };
    checksums::check_account(&account, row.get(8)?, row.get(9)?)?;
    if row.get::<_, Option<String>>(7)? != unique(&account.name) {
        return Err(StoreError::Damaged(format!(
            "account {:?}: it is listed under another name",
            account.player_id
        )));
    }
    Ok(account)
}

const TOKEN: &str = "t.token_id, t.player_id, t.name, t.hash, t.created, t.sum";

fn token_row(row: &Row<'_>, first: usize) -> Result<TokenRow> {
    let token = TokenRow {
        token_id: row.get(first)?,
        player_id: row.get(first + 1)?,
        name: row.get(first + 2)?,
        hash: row.get(first + 3)?,
        created: row.get(first + 4)?,
    };
    checksums::check_token(&token, row.get(first + 5)?)?;
    Ok(token)
}

pub(super) fn count(session: &mut Session) -> Result<()> {
    let sql = "UPDATE change SET accounts = accounts + 1 RETURNING accounts";
    let changes: i64 = session.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    session.heads.accounts_changed(super::to_u64(changes));
    Ok(())
}

pub(super) fn changes(connection: &Connection) -> Result<u64> {
    Ok(super::to_u64(connection.query_row("SELECT accounts FROM change", [], |row| row.get(0))?))
}

pub(super) fn account(connection: &Connection, id_or_name: &str) -> Result<Account> {
    for column in ["player_id", "folded"] {
        let sql = format!("SELECT {ACCOUNT} FROM account a WHERE {column} = ?1");
        let wanted = if column == "folded" { folded(id_or_name) } else { id_or_name.to_owned() };
        if let Some(row) = connection.prepare_cached(&sql)?.query([wanted])?.next()? {
            return account_row(row);
        }
    }
    Err(StoreError::NotFound)
}

pub(super) fn all_accounts(connection: &Connection) -> Result<Vec<Account>> {
    let sql = format!("SELECT {ACCOUNT} FROM account a ORDER BY created, player_id");
    all(&mut connection.prepare(&sql)?, [], account_row)
}

pub(super) fn check_tokens(connection: &Connection) -> Result<usize> {
    let mut statement = connection.prepare(&format!("SELECT {TOKEN} FROM token t"))?;
    Ok(all(&mut statement, [], |row| token_row(row, 0))?.len())
}

pub(super) fn all<T>(
    statement: &mut Statement<'_>,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut rows = statement.query(values)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

pub(super) fn rate(connection: &Connection, player_id: &str, change: i32) -> Result<()> {
    let sql = "UPDATE account SET dedication = dedication + ?2, dedication_negated = dedication_negated - ?2
               WHERE player_id = ?1";
    connection.prepare_cached(sql)?.execute(params![player_id, change])?;
    Ok(())
}

pub(super) fn accounts(
    connection: &Connection,
    after: &str,
    search: &str,
    limit: usize,
) -> Result<Vec<Account>> {
    let sql = format!(
        "SELECT {ACCOUNT} FROM account a WHERE folded > ?1 AND instr(folded, ?2) > 0 ORDER BY \
         folded LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let wanted = params![folded(after), folded(search), to_i64(limit as u64)];
    all(&mut statement, wanted, account_row)
}

pub(super) fn open(
    session: &mut Session,
    account: &Account,
    token: &TokenRow,
    changes: &[RecordChange],
) -> Result<()> {
    let connection = &session.connection;
    records::check(connection, changes)?;
    if exists(connection, "SELECT 1 FROM account WHERE player_id = ?1", &account.player_id)? {
        return Err(StoreError::Taken);
    }
    check_name(connection, account)?;
    check_token(connection, token)?;
    records::write(connection, changes)?;
    connection
        .prepare_cached(
            "INSERT INTO account (player_id, name, folded, role, dedication, banned, games_limit, created, sum,
                                  dedication_negated, looks)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, -?5, ?10)",
        )?
        .execute(params![
            account.player_id,
            account.name,
            unique(&account.name),
            account.role,
            account.dedication,
            account.banned,
            account.games_limit,
            account.created,
            checksums::account(account),
            claim(&account.looks),
        ])?;
    insert_token(connection, token)?;
    count(session)
}

fn exists(connection: &Connection, sql: &str, value: &str) -> Result<bool> {
    Ok(connection.prepare_cached(sql)?.exists([value])?)
}

fn check_name(connection: &Connection, account: &Account) -> Result<()> {
    let sql = "SELECT 1 FROM account WHERE (folded = ?1 OR looks = ?2) AND player_id <> ?3";
    let wanted = params![unique(&account.name), claim(&account.looks), account.player_id];
    let taken = connection.prepare_cached(sql)?.exists(wanted)?;
    if taken { Err(StoreError::Taken) } else { Ok(()) }
}

fn check_token(connection: &Connection, token: &TokenRow) -> Result<()> {
    let sql =
        "SELECT 1 FROM token WHERE hash = ?1 UNION ALL SELECT 1 FROM token WHERE token_id = ?2";
    let taken = connection.prepare_cached(sql)?.exists(params![token.hash, token.token_id])?;
    if taken { Err(StoreError::Taken) } else { Ok(()) }
}

fn insert_token(connection: &Connection, token: &TokenRow) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO token (hash, token_id, player_id, name, created, sum) VALUES (?1, ?2, ?3, \
             ?4, ?5, ?6)",
        )?
        .execute(params![
            token.hash,
            token.token_id,
            token.player_id,
            token.name,
            token.created,
            checksums::token(token)
        ])?;
    Ok(())
}

pub(super) fn change(session: &mut Session, before: &Account, after: &Account) -> Result<()> {
    let connection = &session.connection;
    let stored = by_id(connection, &after.player_id)?;
    before.check_stored(&stored)?;
    check_name(connection, after)?;
    let account = Account { created: stored.created, ..after.clone() };
    connection
        .prepare_cached(
            "UPDATE account SET name = ?2, folded = ?3, role = ?4, banned = ?5, games_limit = ?6, sum = ?7, looks = ?8
             WHERE player_id = ?1",
        )?
        .execute(params![
            account.player_id,
            account.name,
            unique(&account.name),
            account.role,
            account.banned,
            account.games_limit,
            checksums::account(&account),
            claim(&account.looks),
        ])?;
    count(session)
}

fn by_id(connection: &Connection, player_id: &str) -> Result<Account> {
    let mut statement = connection
        .prepare_cached(&format!("SELECT {ACCOUNT} FROM account a WHERE player_id = ?1"))?;
    statement.query([player_id])?.next()?.map(account_row).transpose()?.ok_or(StoreError::NotFound)
}

pub(super) fn put_token(session: &mut Session, token: &TokenRow) -> Result<()> {
    let connection = &session.connection;
    by_id(connection, &token.player_id)?;
    check_token(connection, token)?;
    insert_token(connection, token)?;
    count(session)
}

pub(super) fn token(connection: &Connection, hash: &[u8; 32]) -> Result<(TokenRow, Account)> {
    let sql = format!(
        "SELECT {ACCOUNT}, {TOKEN} FROM token t JOIN account a ON a.player_id = t.player_id WHERE \
         t.hash = ?1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([hash])?;
    let row = rows.next()?.ok_or(StoreError::NotFound)?;
    Ok((token_row(row, 11)?, account_row(row)?))
}

pub(super) fn tokens(connection: &Connection, player_id: &str) -> Result<Vec<TokenRow>> {
    let sql =
        format!("SELECT {TOKEN} FROM token t WHERE player_id = ?1 ORDER BY created, token_id");
    all(&mut *connection.prepare_cached(&sql)?, [player_id], |row| token_row(row, 0))
}

pub(super) fn revoke(
    session: &mut Session,
    player_id: &str,
    token_id: Option<&str>,
) -> Result<Vec<TokenRow>> {
    let connection = &session.connection;
    let mut revoked = tokens(connection, player_id)?;
    revoked.retain(|token| token_id.is_none_or(|wanted| wanted == token.token_id));
    for token in &revoked {
        connection.prepare_cached("DELETE FROM token WHERE hash = ?1")?.execute([token.hash])?;
    }
    count(session)?;
    Ok(revoked)
}
